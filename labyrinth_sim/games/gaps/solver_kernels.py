"""The exact search of a deal; `solver` says what it rests on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.gaps.mobility import (
    ACES,
    GAP,
    NO_PLACE,
    ONE,
    Board,
    enabled_moves,
    hopeless,
    new_board,
    persistent,
    spread,
)
from labyrinth_sim.shuffle import WORDS, shuffle

UNWINNABLE, WINNABLE, UNKNOWN = (np.uint8(code) for code in range(3))

ZERO = np.uint64(0)
_TWO, _KING = np.uint64(1), np.uint64(12)
_RANK, _SUIT = np.uint64(15), np.uint64(48)
_TO_ROW = np.uint64(13)

_NEAR, _NEAR_FULL = 4096, 2048
"""Most deals visit few positions; a small table of its own for them stays in the cache."""

_BOUND_MOVES = 4 * 78
"""Where twos are bound, a card of rank r (the two: 1) moves r times at most."""


class Search(NamedTuple):
    """What a search needs, allocated once a block."""

    deck: NDArray[np.uint8]  # (52,)
    words: NDArray[np.uint32]  # (WORDS,)
    board: Board
    digits: NDArray[np.uint64]  # (64, 64, 2): what a card in a place adds to the key
    trail: NDArray[np.uint8]  # (moves, 3): the moves of the line: card, place before, and after
    todo: NDArray[np.uint64]  # (moves,): moves still to be tried, by branching
    mark: NDArray[np.int64]  # (moves,): length of the trail at each branching
    near: NDArray[np.uint64]  # (_NEAR, 2): the first visited positions, 128 bits each
    table: NDArray[np.uint64]  # (a power of 2, 2): the others
    used: NDArray[np.uint32]  # places of both that are in use, so that clearing is cheap


def new_search(memory: int, bound: bool) -> Search:
    """Allocate a search whose table takes up to `memory` megabytes."""
    places = 1 << ((memory << 20) // 18).bit_length() - 1  # a place takes 16 bytes, its note 2
    moves = _BOUND_MOVES + 1 if bound else _BOUND_MOVES + places // 16
    return Search(
        np.zeros(52, np.uint8),
        np.zeros(WORDS, np.uint32),
        new_board(),
        np.random.default_rng(4).integers(1, 2**64, (64, 64, 2), np.uint64),
        np.zeros((moves, 3), np.uint8),
        np.zeros(moves, np.uint64),
        np.zeros(moves, np.int64),
        np.zeros((_NEAR, 2), np.uint64),
        np.zeros((places, 2), np.uint64),
        np.zeros(_NEAR_FULL + places // 2, np.uint32),
    )


@kernel
def solve_block(
    most_nodes: np.uint64,
    bound: bool,
    own: bool,
    seed: np.uint64,
    first: np.uint64,
    decks: NDArray[np.uint8],
    search: Search,
    verdicts: NDArray[np.uint8],
    nodes: NDArray[np.uint64],
    stop: NDArray[np.uint8],
) -> int:
    """Decide the deals from `first` on and return how many were decided.

    Parameters
    ----------
    most_nodes : uint64
        Nodes after which a deal is given up as UNKNOWN.
    bound, own : bool
        The rules: whether twos are bound to their rows, and whether rows must hold their own suit.
    seed, first : uint64
    decks : ndarray of uint8, shape (n, 52)
    search : Search
    verdicts : ndarray of uint8, shape (count,)
    nodes : ndarray of uint64, shape (count,)
    stop : ndarray of uint8, shape (1,)
        Not 0: return early.
    """
    for number in range(len(verdicts)):
        if stop[0] != 0:
            return number
        index = first + np.uint64(number)
        if len(decks):
            search.deck[:] = decks[index]
        else:
            shuffle(seed, index, search.deck, search.words)
        verdicts[number], nodes[number], _ = _decide(most_nodes, bound, own, search, stop)
        if stop[0] != 0:
            return number
    return len(verdicts)


@kernel
def solve_one(
    most_nodes: np.uint64, bound: bool, own: bool, search: Search, stop: NDArray[np.uint8]
) -> Any:
    """Decide the position in ``search.deck``: verdict, nodes, moves of the winning line."""
    return _decide(most_nodes, bound, own, search, stop)


@helper
def _decide(most_nodes: Any, bound: Any, own: Any, search: Any, stop: Any) -> Any:
    """Search a position depth first."""
    board = search.board
    one, two = _lay_out(bound, search)
    verdict, nodes, used = UNKNOWN, ZERO, 0
    level, length = 0, 0
    search.mark[0] = 0
    entered = True
    while True:
        if entered:
            moves = enabled_moves(board, bound)
            search.todo[level] = ZERO
            if moves == ZERO:
                nodes += ONE
                if _won(board, own):
                    verdict = WINNABLE
                    break
            else:
                found = 1
                if not bound or moves & (moves - ONE):
                    found = _note(search, one, two, used, bound)
                    if found == 1:
                        used += 1
                if found < 0 or nodes == most_nodes or stop[0] != 0:
                    break
                if found > 0:
                    nodes += ONE
                    if bound and moves & (moves - ONE) == ZERO:
                        search.todo[level] = moves
                    else:
                        moved = spread(board, ZERO, ZERO)
                        if not hopeless(board, own):
                            search.todo[level] = persistent(board, bound, moves, moved)
        moves = search.todo[level]
        entered = moves != ZERO
        if entered:
            move = _first(board, moves, bound)
            search.todo[level] = moves & ~(ONE << move)
            card, place = _meaning(board, move, bound)
            if length == len(search.trail):
                break
            search.trail[length, 0] = card
            search.trail[length, 1] = board.places[card]
            search.trail[length, 2] = place
            one, two = _move(search, one, two, card, place)
            length += 1
            level += 1
        elif level == 0:
            verdict = UNWINNABLE
            break
        else:
            level -= 1
            length -= 1
            one, two = _move(
                search,
                one,
                two,
                np.uint64(search.trail[length, 0]),
                np.uint64(search.trail[length, 1]),
            )
    for number in range(used):
        table = search.near if number < _NEAR_FULL else search.table
        table[search.used[number], 0] = ZERO
    return verdict, nodes, length


@helper
def _lay_out(bound: Any, search: Any) -> Any:
    """Lay out the deck; returns the key."""
    board = search.board
    one, two = ZERO, ZERO
    board.gaps[0] = ZERO
    for row in range(4):
        wall = np.uint64(16 * row)
        board.cards[wall] = wall if bound else GAP
        board.places[wall] = wall
        board.bits[wall] = ONE << wall if bound else ACES
        for column in range(13):
            code = np.uint64(search.deck[13 * row + column])
            place = wall + np.uint64(column + 1)
            rank, suit = code % np.uint64(13), code // np.uint64(13)
            if code >= np.uint64(52) or rank == ZERO:
                board.cards[place] = GAP
                board.bits[place] = ZERO
                board.gaps[0] |= ONE << place
            else:
                card = np.uint64(16) * suit + rank
                board.cards[place] = card
                board.bits[place] = ONE << card
                board.places[card] = place
                one ^= search.digits[card, place, 0]
                two ^= search.digits[card, place, 1]
        for column in range(14, 16):
            board.cards[wall + np.uint64(column)] = NO_PLACE
            board.bits[wall + np.uint64(column)] = ZERO
    return one, two


@helper
def _move(search: Any, one: Any, two: Any, card: Any, place: Any) -> Any:
    """Move a card into a gap; returns the new key."""
    board = search.board
    before = np.uint64(board.places[card])
    board.cards[before] = GAP
    board.bits[before] = ZERO
    board.cards[place] = card
    board.bits[place] = ONE << card
    board.places[card] = place
    board.gaps[0] ^= (ONE << before) | (ONE << place)
    one ^= search.digits[card, before, 0] ^ search.digits[card, place, 0]
    two ^= search.digits[card, before, 1] ^ search.digits[card, place, 1]
    return one, two


@helper
def _meaning(board: Any, move: Any, bound: Any) -> Any:
    """The card of a move and the place where it goes."""
    rank = move & _RANK
    if not bound and (rank == ZERO or rank > _KING):
        row = (rank - _TO_ROW) & _RANK
        return (move & _SUIT) + _TWO, np.uint64(16) * row + ONE
    return move, np.uint64(board.places[move - ONE]) + ONE


@helper
def _first(board: Any, moves: Any, bound: Any) -> Any:
    """The move to try first: homeward ones, then low ranks."""
    best, least = ZERO, np.uint64(255)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - ONE
        card, place = _meaning(board, move, bound)
        rank = card & _RANK
        score = rank
        if (place & _RANK) != rank:
            score += np.uint64(50)
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


@helper
def _note(search: Any, one: Any, two: Any, used: Any, bound: Any) -> Any:
    """Note a position: 1 if it is new, 0 if it was visited, -1 if it has no room.

    2 if it is new and another one was forgotten for it, which bound twos allow: no position comes
    again there, so the search ends all the same.
    """
    one |= ONE  # so that no key is that of an empty place
    place, seen = _find(search.near, one, two)
    if seen:
        return 0
    if used < _NEAR_FULL:
        search.near[place, 0] = one
        search.near[place, 1] = two
        search.used[used] = place
        return 1
    place, seen = _find(search.table, one, two)
    if seen:
        return 0
    if used < len(search.used):
        search.table[place, 0] = one
        search.table[place, 1] = two
        search.used[used] = place
        return 1
    if not bound:
        return -1
    place = two & np.uint64(len(search.table) - 1)
    if search.table[place, 0] != ZERO:
        search.table[place, 0] = one
        search.table[place, 1] = two
    return 2


@helper
def _find(table: Any, one: Any, two: Any) -> Any:
    """The place of a key in a table, or where it would go; and whether it is there."""
    last = np.uint64(len(table) - 1)
    place = two & last
    while table[place, 0] != ZERO:
        if table[place, 0] == one and table[place, 1] == two:
            return place, True
        place = (place + ONE) & last
    return place, False
