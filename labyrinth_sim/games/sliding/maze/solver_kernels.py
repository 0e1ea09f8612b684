"""The beam search of Maze; `solver` says how it works and what it claims."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.sliding.kernels import (
    NONE,
    ONE,
    ZERO,
    Flags,
    is_won,
    lay_out,
    takes,
)
from labyrinth_sim.games.sliding.maze.evaluation_kernels import (
    CELLS,
    Tables,
    change,
    finish,
    unpack,
    wins,
)
from labyrinth_sim.games.sliding.position import GAP
from labyrinth_sim.games.solving import UNKNOWN, UNWINNABLE, WINNABLE
from labyrinth_sim.shuffle import DealSource, take_deck

LAYERS = 1000
"""Most layers of an attempt."""

SCORES = 4096
"""Scores are stored as ranks from the best, 0, to the worst."""

_ZERO_SCORE = 1024
"""The rank of score 0, counted from the worst."""

_CHILDREN = 12
"""Candidates that a layer has room for, per position of the beam."""

_SLOT, _STORED, _WIDTH = 8, 4 + 2, 2 * (64 + 8) + _CHILDREN * (8 + 4 + 4 + 2 + 2)
"""Bytes of a slot of the table, of a position that is stored, and of one more in the beam."""

_LEAST_LAYERS = 128
"""Layers of the widest beam that there is room for at least."""

_SIX, _TWELVE, _HALF = np.uint64(6), np.uint64(12), np.uint64(32)


class Search(NamedTuple):
    """What a search needs, allocated once a worker."""

    start: NDArray[np.uint8]  # (54,): where the deal is laid out
    digests: NDArray[np.uint64]  # (52 << 6,): of a card in a cell
    board: NDArray[np.uint64]  # (56,): a position, with a cell more at both ends
    where: NDArray[np.uint64]  # (64,): the cell of each card
    beams: NDArray[np.uint8]  # (2, width, 64): the positions of this layer and the next
    beam_keys: NDArray[np.uint64]  # (2, width)
    keys: NDArray[np.uint64]  # (width * _CHILDREN,): candidates for the next layer
    origins: NDArray[np.uint32]
    moves: NDArray[np.uint16]
    scores: NDArray[np.uint16]
    order: NDArray[np.uint32]
    starts: NDArray[np.uint32]  # (SCORES + 1,)
    table: NDArray[np.uint64]  # (a power of 2,): keys of the positions that were stored
    parents: NDArray[np.uint32]  # (3/4 of that,): the indices of their parents in the layer before
    made: NDArray[np.uint16]  # (the same,): the moves that led to them
    layers: NDArray[np.uint32]  # (LAYERS + 2,): where each layer begins in the two
    line: NDArray[np.uint16]  # (LAYERS + 1,): the moves of a win


def new_search(memory: int) -> Search:
    """Allocate a search that takes up to `memory` MiB, but for some tables of fixed size."""
    room = memory << 20
    slots = 1 << (4 * room // (4 * _SLOT + 3 * _STORED)).bit_length() - 1
    stored = slots * 3 // 4
    width = min((room - slots * _SLOT - stored * _STORED) // _WIDTH, stored // _LEAST_LAYERS)
    candidates = width * _CHILDREN
    return Search(
        np.zeros(CELLS, np.uint8),
        np.zeros(52 << 6, np.uint64),
        np.zeros(CELLS + 2, np.uint64),
        np.zeros(64, np.uint64),
        np.zeros((2, width, 64), np.uint8),
        np.zeros((2, width), np.uint64),
        np.zeros(candidates, np.uint64),
        np.zeros(candidates, np.uint32),
        np.zeros(candidates, np.uint16),
        np.zeros(candidates, np.uint16),
        np.zeros(candidates, np.uint32),
        np.zeros(SCORES + 1, np.uint32),
        np.zeros(slots, np.uint64),
        np.zeros(stored, np.uint32),
        np.zeros(stored, np.uint16),
        np.zeros(LAYERS + 2, np.uint32),
        np.zeros(LAYERS + 1, np.uint16),
    )


@kernel
def solve_one(
    most_nodes: np.uint64,
    flags: Flags,
    evaluations: tuple[Tables, ...],
    plan: NDArray[np.int64],
    search: Search,
    stop: NDArray[np.uint8],
) -> Any:
    """Decide the position in ``search.start``: verdict, nodes, moves of the line in `search`.

    Attempts follow one another until one wins or two have seen all there is.

    Parameters
    ----------
    most_nodes : uint64
    flags : Flags
    evaluations : tuple of Tables
    plan : ndarray of int64, shape (attempts, 4)
        Width of the beam, layers without progress after which it is given up, and seed of the
        digests, and which evaluation to take, of one attempt after the other.
    search : Search
    stop : ndarray of uint8, shape (1,)
    """
    if is_won(search.start, flags):
        return WINNABLE, ZERO, 0
    nodes, proofs = ZERO, 0
    for number in range(len(plan)):
        width = min(plan[number, 0], search.beams.shape[1])
        digest_cells(search.digests, np.uint64(plan[number, 2]))
        verdict, new, length = _attempt(
            width,
            plan[number, 1],
            most_nodes - nodes,
            flags,
            evaluations[plan[number, 3]],
            search,
            stop,
        )
        nodes += new
        if verdict == WINNABLE:
            return WINNABLE, nodes, length
        proofs = proofs + 1 if verdict == UNWINNABLE else 0
        if proofs == 2:
            return UNWINNABLE, nodes, 0
        if nodes == most_nodes or stop[0] != 0:
            break
    return UNKNOWN, nodes, 0


@kernel
def solve_block(
    most_nodes: np.uint64,
    flags: Flags,
    evaluations: tuple[Tables, ...],
    plan: NDArray[np.int64],
    source: DealSource,
    first: np.uint64,
    search: Search,
    verdicts: NDArray[np.uint8],
    nodes: NDArray[np.uint64],
    stop: NDArray[np.uint8],
) -> int:
    """Decide the deals from `first` on, see `KernelSolver`."""
    for number in range(len(verdicts)):
        take_deck(source, first + np.uint64(number))
        lay_out(source.deck, flags, search.start)
        verdicts[number], nodes[number], _ = solve_one(
            most_nodes, flags, evaluations, plan, search, stop
        )
        if stop[0] != 0:
            return number
    return len(verdicts)


@helper
def digest_cells(digests: Any, seed: Any) -> None:
    """Draw a random word for each card in each cell (SplitMix64; Steele, Lea and Flood 2014)."""
    state = seed << _HALF
    for number in range(len(digests)):
        state += np.uint64(0x9E3779B97F4A7C15)
        word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        digests[number] = word ^ (word >> np.uint64(31))


@helper
def digest(digests: Any, cells: Any) -> Any:
    """The digest of a position: of all its cards, so that a move changes it by two words."""
    key = ZERO
    for index in range(CELLS):
        if cells[index] < GAP:
            key ^= digests[(np.uint64(cells[index]) << _SIX) | np.uint64(index + 1)]
    return key


@helper
def _attempt(
    width: Any, patience: Any, most: Any, flags: Any, tables: Any, search: Any, stop: Any
) -> Any:
    """Search with one beam: UNWINNABLE only if no position had to be left out."""
    fits = len(search.parents) >> 1
    slots = len(search.table)
    layers = len(search.layers) - 2
    while slots > 1024 and fits > width * 512:  # a small table stays in the cache
        slots >>= 1
        fits >>= 1
    room = slots * 3 // 4
    search.table[:slots] = ZERO
    search.beams[0, 0, :CELLS] = search.start
    search.beam_keys[0, 0] = digest(search.digests, search.start)
    _seen(search.table, np.uint64(slots - 1), search.beam_keys[0, 0])
    size, now, stored, best, since = 1, 0, 0, -(1 << 30), 0
    whole = True
    search.layers[0] = 0
    for layer in range(layers):
        count, left_out, top, winner = _list_candidates(size, now, flags, tables, search)
        if winner >= 0:
            _rebuild(layer, winner, search)
            return WINNABLE, np.uint64(stored), layer + 1
        whole = whole and not left_out
        if top > best:
            best, since = top, layer
        if (layer - since > patience and not whole) or stop[0] != 0:
            break
        sort(count, search)
        begins, taken = stored, 0
        for number in range(count):
            candidate = search.order[number]
            key = search.keys[candidate]
            if taken == width or stored == room or np.uint64(stored) == most:
                whole = False
                break
            if _seen(search.table, np.uint64(slots - 1), key):
                continue
            origin, move = search.origins[candidate], search.moves[candidate]
            copy_moved(search.beams[now, origin], move, search.beams[1 - now, taken])
            search.beam_keys[1 - now, taken] = key
            search.parents[stored] = origin
            search.made[stored] = move
            stored += 1
            taken += 1
        if taken == 0:
            return UNWINNABLE if whole else UNKNOWN, np.uint64(stored), 0
        if stored == room or np.uint64(stored) == most:
            break
        search.layers[layer + 1] = begins
        size, now = taken, 1 - now
    return UNKNOWN, np.uint64(stored), 0


@helper
def _seen(table: Any, last: Any, key: Any) -> Any:
    """Whether a position was stored before; if not, it is now."""
    key |= ONE  # so that no key is that of an empty slot
    slot = (key >> _TWELVE) & last
    while table[slot] != ZERO:
        if table[slot] == key:
            return True
        slot = (slot + ONE) & last
    table[slot] = key
    return False


@helper
def copy_moved(cells: Any, move: Any, target: Any) -> None:
    """Copy a position, with a move made."""
    card = move >> 6
    for index in range(CELLS):
        target[index] = GAP if cells[index] == card else cells[index]
    target[(move & 63) - 1] = card


@helper
def _rebuild(layer: Any, origin: Any, search: Any) -> None:
    """Write down the line to the position `origin` of a layer, before the move that wins there."""
    search.line[layer] = search.line[0]
    while layer > 0:
        layer -= 1
        index = search.layers[layer + 1] + origin
        search.line[layer] = search.made[index]
        origin = search.parents[index]


@helper
def sort(count: Any, search: Any) -> None:
    """Sort the candidates by score, the best first, and as they came where it is equal."""
    starts = search.starts
    for score in range(SCORES):
        starts[score + 1] += starts[score]
    for number in range(count):
        score = search.scores[number]
        search.order[starts[score]] = number
        starts[score] += 1


@helper
def _list_candidates(size: Any, now: Any, flags: Any, tables: Any, search: Any) -> Any:
    """List all positions that a layer leads to.

    Returns how many there are, whether some had to be left out, the best score, and the index in
    the layer of a position from which a move wins, else -1; the move is then in ``search.line[0]``.
    """
    board, where = search.board, search.where
    most, count, left_out, top = len(search.keys), 0, False, -(1 << 30)
    search.starts[:] = 0
    for number in range(size):
        cells = search.beams[now, number]
        gaps, joined = unpack(cells, tables, board, where)
        todo = gaps
        while todo:
            gap = lowest_bit(todo)
            todo &= todo - ONE
            cards = takes(cells, gap - ONE, flags)
            while cards:
                card = lowest_bit(cards)
                cards &= cards - ONE
                cell = where[card]
                total = joined + change(board, card, cell, gap, tables)
                board[cell], board[gap] = NONE, card
                score, joints, close, corners = finish(
                    board, total, gaps ^ (ONE << gap) ^ (ONE << cell), tables
                )
                board[cell], board[gap] = card, NONE
                move = (card << _SIX) | gap
                if wins(joints, close, corners, flags):
                    search.line[0] = move
                    return count, left_out, top, number
                if count == most:
                    left_out = True
                    continue
                key = search.beam_keys[now, number]
                key ^= search.digests[(card << _SIX) | cell] ^ search.digests[move]
                top = max(top, score)
                score += np.int64((key >> _HALF) % tables.noise)
                rank = SCORES - 1 - min(max(score + _ZERO_SCORE, 0), SCORES - 1)
                search.keys[count] = key
                search.origins[count] = number
                search.moves[count] = move
                search.scores[count] = rank
                search.starts[rank + 1] += 1
                count += 1
    return count, left_out, top, -1
