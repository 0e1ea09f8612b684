"""The exact search of a deal; `solver` says what it rests on."""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.sliding.gaps.mobility import (
    ACES,
    GAP,
    NO_CELL,
    ONE,
    Board,
    enabled_moves,
    going_on,
    hopeless,
    new_board,
    persistent,
    spread,
)
from labyrinth_sim.games.solving import UNKNOWN, UNWINNABLE, WINNABLE
from labyrinth_sim.games.visited import (
    FULL,
    KNOWN,
    NEW,
    Visited,
    clear,
    new_visited,
    note,
    random_words,
)
from labyrinth_sim.shuffle import DealSource, take_deck

ZERO = np.uint64(0)
_TWO, _KING = np.uint64(1), np.uint64(12)
_RANK, _SUIT = np.uint64(15), np.uint64(48)
_TO_ROW = np.uint64(13)

_ORDERS = np.array(list(permutations(range(4))), np.uint64)
"""The suits that the rows may be bound to; C D H S from the top comes first."""

_BOUND_MOVES = 4 * 78
"""Where twos are bound, a card of rank r (the two: 1) moves r times at most."""


class Search(NamedTuple):
    """What a search needs, allocated once a block."""

    start: NDArray[np.uint8]  # (52,): what lies in each cell; an ace, or no card, is a gap
    board: Board
    digits: NDArray[np.uint64]  # (64, 64, 2): what a card in a cell adds to the key
    trail: NDArray[np.uint8]  # (moves, 3): the moves of the line: card, cell before, and after
    todo: NDArray[np.uint64]  # (moves,): moves still to be tried, by branching
    visited: Visited


def new_search(memory: int, bound: bool) -> Search:
    """Allocate a search whose table takes up to `memory` MiB."""
    slots = (memory << 20) // 19  # a slot takes 16 bytes, its note 3
    moves = _BOUND_MOVES + 2 if bound else _BOUND_MOVES + slots // 16
    return Search(
        np.zeros(52, np.uint8),
        new_board(),
        random_words("the solver of gaps", 64, 64, 2),
        np.zeros((moves, 3), np.uint8),
        np.zeros(moves, np.uint64),
        new_visited(slots, 3 * slots // 4),
    )


@kernel
def solve_block(
    most_nodes: np.uint64,
    bound: bool,
    own: bool,
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
        search.start[:] = source.deck
        verdicts[number], nodes[number], _ = solve_one(most_nodes, bound, own, search, stop)
        if stop[0] != 0:
            return number
    return len(verdicts)


@kernel
def solve_one(
    most_nodes: np.uint64, bound: bool, own: bool, search: Search, stop: NDArray[np.uint8]
) -> Any:
    """Search the position in ``search.start``: verdict, nodes, moves of the winning line.

    Where twos are free, it is searched first as if they were bound, in every order.

    Parameters
    ----------
    most_nodes : uint64
        Nodes after which it is given up as UNKNOWN.
    bound, own : bool
        The rules: whether twos are bound to their rows, and whether rows must hold their own suit.
    search : Search
    stop : ndarray of uint8, shape (1,)
        Not 0: give up.
    """
    tries = 0 if bound else 1 if own else len(_ORDERS)
    nodes, attempt = ZERO, 0
    while True:
        last = attempt == tries
        order = _ORDERS[0 if last else attempt]
        verdict, more, length = _search(
            most_nodes - nodes, bound or not last, own, order, search, stop
        )
        nodes += more
        attempt += 1
        if last or verdict == WINNABLE:
            return verdict, nodes, length
        if nodes == most_nodes or stop[0] != 0:
            return UNKNOWN, nodes, length


@helper
def _search(most_nodes: Any, bound: Any, own: Any, order: Any, search: Any, stop: Any) -> Any:
    """Search a position depth first; a level is a move of the line."""
    board, todo, trail = search.board, search.todo, search.trail
    one, two = _lay_out(bound, order, search)
    verdict, nodes = UNKNOWN, ZERO
    clear(search.visited)
    level = 0
    board.calm[2] = ZERO
    entered = True
    while True:
        if entered:
            moves = enabled_moves(board, bound)
            todo[level] = ZERO
            found = NEW
            if moves & (moves - ONE) or not bound:
                found = note(search.visited, one, two)
            if nodes == most_nodes or stop[0] != 0 or found == FULL:
                break
            if found == KNOWN:
                board.calm[2] = ZERO  # it is of the position before
            else:
                nodes += ONE
                if moves == ZERO and _won(board, own):
                    verdict = WINNABLE
                    break
                todo[level] = _branches(board, bound, own, moves)
        entered = todo[level] != ZERO
        if entered:
            move = _first(board, todo[level], bound)
            todo[level] &= ~(ONE << move)
            if level + 1 == len(trail):
                break
            card, cell = _meaning(board, move, bound)
            trail[level, 0], trail[level, 1], trail[level, 2] = card, board.where[card], cell
            one, two = _move(search, one, two, card, cell)
            if (board.calm[1] >> (cell + ONE)) & ONE:
                board.calm[2] = ZERO
            level += 1
        elif level == 0:
            verdict = UNWINNABLE
            break
        else:
            level -= 1
            one, two = _move(
                search, one, two, np.uint64(trail[level, 0]), np.uint64(trail[level, 1])
            )
    return verdict, nodes, level


@helper
def _branches(board: Any, bound: Any, own: Any, moves: Any) -> Any:
    """The moves to be tried; none if the position can't be won."""
    single = going_on(board, bound, moves)
    if single or moves & (moves - ONE) == ZERO:
        return single if single else moves
    movable, _ = spread(board, ZERO, ZERO)
    if hopeless(board, own):
        return ZERO
    return persistent(board, bound, moves, movable)


@helper
def _lay_out(bound: Any, order: Any, search: Any) -> Any:
    """Lay out the start; returns the key."""
    board = search.board
    one, two = ZERO, ZERO
    board.gaps[0] = ZERO
    for row in range(4):
        wall = np.uint64(16 * row)
        ace = np.uint64(16) * order[row]
        board.cards[wall] = ace if bound else GAP
        board.where[ace] = wall
        board.bits[wall] = ONE << ace if bound else ACES
        for column in range(13):
            code = np.uint64(search.start[13 * row + column])
            cell = wall + np.uint64(column + 1)
            rank, suit = code % np.uint64(13), code // np.uint64(13)
            if code >= np.uint64(52) or rank == ZERO:
                board.cards[cell] = GAP
                board.bits[cell] = ZERO
                board.gaps[0] |= ONE << cell
            else:
                card = np.uint64(16) * suit + rank
                board.cards[cell] = card
                board.bits[cell] = ONE << card
                board.where[card] = cell
                one ^= search.digits[card, cell, 0]
                two ^= search.digits[card, cell, 1]
        for column in range(14, 16):
            board.cards[wall + np.uint64(column)] = NO_CELL
            board.bits[wall + np.uint64(column)] = ZERO
    return one, two


@helper
def _move(search: Any, one: Any, two: Any, card: Any, cell: Any) -> Any:
    """Move a card into a gap; returns the new key."""
    board = search.board
    before = np.uint64(board.where[card])
    board.cards[before] = GAP
    board.bits[before] = ZERO
    board.cards[cell] = card
    board.bits[cell] = ONE << card
    board.where[card] = cell
    board.gaps[0] ^= (ONE << before) | (ONE << cell)
    one ^= search.digits[card, before, 0] ^ search.digits[card, cell, 0]
    two ^= search.digits[card, before, 1] ^ search.digits[card, cell, 1]
    return one, two


@helper
def _meaning(board: Any, move: Any, bound: Any) -> Any:
    """The card of a move and the cell where it goes."""
    rank = move & _RANK
    if not bound and (rank == ZERO or rank > _KING):
        row = (rank - _TO_ROW) & _RANK
        return (move & _SUIT) + _TWO, np.uint64(16) * row + ONE
    return move, np.uint64(board.where[move - ONE]) + ONE


@helper
def _first(board: Any, moves: Any, bound: Any) -> Any:
    """The move to try first: homeward ones, then low ranks."""
    if moves & (moves - ONE) == ZERO:
        return lowest_bit(moves)
    best, least = ZERO, np.uint64(255)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - ONE
        card, cell = _meaning(board, move, bound)
        rank = card & _RANK
        score = rank
        if (cell & _RANK) != rank:
            score += np.uint64(64)
        if score < least:
            best, least = move, score
    return best


@helper
def _won(board: Any, own: Any) -> Any:
    """Whether each row runs from two to king in one suit."""
    for row in range(4):
        two = np.uint64(16 * row + 1)
        card = np.uint64(board.cards[two])
        if card & _RANK != ONE or (own and card != two):
            return False
        for step in range(1, 12):
            if board.cards[two + np.uint64(step)] != card + np.uint64(step):
                return False
    return True
