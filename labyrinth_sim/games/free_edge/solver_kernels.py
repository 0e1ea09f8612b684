"""The exact search of a deal with perfect information; `solver` says what it rests on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.free_edge.endgame_kernels import (
    CUT_SHORT,
    EndgameScratch,
    endgame_scratch,
    one_resort_wins,
    out_of_reach,
    winning_card,
)
from labyrinth_sim.games.free_edge.kernels import (
    ABSENT,
    DEAL,
    EMPTY_COLUMN,
    FILL,
    NOTHING,
    ONE,
    OPTIONAL,
    PLAY,
    PUBLIC,
    SECRET,
    ZERO,
    apply,
    available,
    drawing,
    first_suit,
    gaps,
    may_deal,
    next_card,
    play_safe,
)
from labyrinth_sim.games.free_edge.loops import begin
from labyrinth_sim.games.solving import UNKNOWN, UNWINNABLE, WINNABLE
from labyrinth_sim.games.visited import FULL, KNOWN, NEW, Visited, clear, new_visited, note
from labyrinth_sim.shuffle import DealSource

WAIT = ONE
"""Branches are moves, and WAIT + suit: the next card of the suit waits until it is alone."""

LEVELS = 160
"""A line has at most 48 branches that play, 48 that fill, 12 that deal a row, 48 that wait."""

_GAPS, _PLAYS, _ROW, _WAIT = range(4)
_SPREAD, _OTHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


class Search(NamedTuple):
    """What a search needs, allocated once a block."""

    public: NDArray[Any]  # (1,) of PUBLIC: where `begin` lays out the deal
    secret: NDArray[np.uint8]  # (SECRET,)
    endgame: EndgameScratch
    levels: NDArray[Any]  # (LEVELS,) of PUBLIC: the position that each branch of the line is at
    views: NDArray[np.uint64]  # (LEVELS, 9): the same memory, as words
    todo: NDArray[np.uint64]  # (LEVELS, 4): branches that are still to be tried
    waiting: NDArray[np.uint64]  # (LEVELS,): suits, as bits, whose next card waits to be alone
    line: NDArray[np.uint8]  # (LEVELS,): the branch that was taken at each level
    visited: Visited


def new_search(memory: int) -> Search:
    """Allocate a search whose table takes up to `memory` MiB."""
    slots = 1 << ((memory << 20) // 18).bit_length() - 1  # a slot takes 16 bytes, its note 2
    levels = np.zeros(LEVELS, PUBLIC)
    return Search(
        np.zeros(1, PUBLIC),
        np.zeros(SECRET, np.uint8),
        endgame_scratch(),
        levels,
        levels.view(np.uint64).reshape(LEVELS, -1),
        np.zeros((LEVELS, 4), np.uint64),
        np.zeros(LEVELS, np.uint64),
        np.zeros(LEVELS, np.uint8),
        new_visited(slots, slots // 2),
    )


@kernel
def solve_block(
    most_nodes: np.uint64,
    flags: Any,
    source: DealSource,
    first: np.uint64,
    search: Search,
    verdicts: NDArray[np.uint8],
    nodes: NDArray[np.uint64],
    stop: NDArray[np.uint8],
) -> int:
    """Decide the deals from `first` on, see `KernelSolver`."""
    for number in range(len(verdicts)):
        begin(source, first + np.uint64(number), flags, search)
        verdicts[number], nodes[number], _ = solve_one(most_nodes, flags, search, stop)
        if stop[0] != 0:
            return number
    return len(verdicts)


@kernel
def solve_one(most_nodes: np.uint64, flags: Any, search: Search, stop: NDArray[np.uint8]) -> Any:
    """Search the position in ``search.public``, depth first: verdict, nodes, branches of the line.

    Parameters
    ----------
    most_nodes : uint64
        Nodes after which it is given up as UNKNOWN.
    flags : Flags
    search : Search
    stop : ndarray of uint8, shape (1,)
        Not 0: give up.
    """
    levels, todo, secret = search.levels, search.todo, search.secret
    verdict, nodes, lost = UNKNOWN, ZERO, UNWINNABLE
    clear(search.visited)
    level = 0
    levels[0] = search.public[0]
    search.waiting[0] = ZERO
    entered = True
    while True:
        public = levels[level]
        if entered:
            _settle(public, flags, secret)
            ending = _ending(public, flags, search)
            if public.cards_left == 0 or ending < CUT_SHORT:
                verdict = WINNABLE
                break
            if ending == CUT_SHORT:
                lost = UNKNOWN
            found = KNOWN
            waits = level > 0 and WAIT <= search.line[level - 1] < FILL
            if public.stock_left and (waits or not out_of_reach(public, flags)):
                found = _note(search, level)
            if found == FULL or nodes == most_nodes or stop[0] != 0:
                break
            if found == NEW:
                nodes += ONE
                _list_branches(public, flags, search, level)
            else:
                todo[level] = ZERO
        move = _next_branch(public, flags, todo, level)
        entered = move != NOTHING
        if entered:
            search.line[level] = move
            levels[level + 1] = public
            search.waiting[level + 1] = search.waiting[level]
            level += 1
            if WAIT <= move < FILL:
                search.waiting[level] |= ONE << (move - WAIT)
            else:
                apply(levels[level], secret, flags, move)
        elif level == 0:
            verdict = lost
            break
        else:
            level -= 1
    return verdict, nodes, level


@helper
def _settle(public: Any, flags: Any, secret: Any) -> None:
    """Make all plays that never hurt."""
    if flags.refill == EMPTY_COLUMN and public.stock_left:
        return
    while True:
        cells = available(public, flags)
        if flags.refill != OPTIONAL:
            cells &= ~drawing(public, flags)
        if not play_safe(public, flags, cells):
            return


@helper
def _ending(public: Any, flags: Any, search: Any) -> Any:
    """Less than CUT_SHORT if a settled position without stock is won; else as `winning_card`."""
    if public.stock_left or public.cards_left == 0 or public.resorts_used >= flags.resorts:
        return NOTHING
    if flags.resorts - np.uint64(public.resorts_used) == ONE:
        return ZERO if one_resort_wins(public, flags) else NOTHING
    return winning_card(public, flags, search.endgame)


@helper
def _list_branches(public: Any, flags: Any, search: Any, level: Any) -> None:
    """Note what may be done in a settled position."""
    todo = search.todo
    plays = available(public, flags)
    any_play = first_suit(public, plays) != NOTHING
    todo[level, _GAPS] = gaps(public, flags)
    todo[level, _PLAYS] = plays if any_play else ZERO
    todo[level, _ROW] = ONE if may_deal(public, flags, any_play) else ZERO
    todo[level, _WAIT] = ZERO
    if flags.refill == EMPTY_COLUMN and any_play:
        _list_now_or_waiting(public, flags, search, level, plays)


@helper
def _list_now_or_waiting(public: Any, flags: Any, search: Any, level: Any, plays: Any) -> None:
    """Under `empty_column`: play a card that is not alone in its column now, or let it wait."""
    todo = search.todo
    alone = drawing(public, flags)
    for number in range(4):
        suit = np.uint64(number)
        cell = ONE << np.uint64(public.where[next_card(public, suit)])
        if alone & cell:
            search.waiting[level] &= ~(ONE << suit)
        elif (search.waiting[level] >> suit) & ONE:
            plays &= ~cell
    suit = first_suit(public, plays & ~alone)
    if suit == NOTHING:
        todo[level, _PLAYS] = plays
        return
    cell = np.uint64(public.where[next_card(public, suit)])
    todo[level, _PLAYS] = ONE << cell
    todo[level, _ROW] = ZERO
    if _can_be_alone(public, flags, suit, cell % flags.columns):
        todo[level, _WAIT] = WAIT + suit


@helper
def _can_be_alone(public: Any, flags: Any, suit: Any, column: Any) -> Any:
    """False if the next card of a suit has a card of its suit in its column, which goes later."""
    for rank in range(public.built[suit] + 1, flags.ranks):
        cell = np.uint64(public.where[np.uint64(13) * suit + np.uint64(rank)])
        if cell < ABSENT and cell % flags.columns == column:
            return False
    return True


@helper
def _next_branch(public: Any, flags: Any, todo: Any, level: Any) -> Any:
    """A branch that was not tried yet; NOTHING if none is left.

    Plays come first, then fills, then the row: of the orders tried this one finds wins soonest.
    """
    cells = todo[level, _PLAYS]
    if cells:
        suit = first_suit(public, cells)
        if suit != NOTHING:
            card = next_card(public, suit)
            todo[level, _PLAYS] = cells & ~(ONE << np.uint64(public.where[card]))
            return PLAY + card
        todo[level, _PLAYS] = ZERO
    if todo[level, _WAIT]:
        move = todo[level, _WAIT]
        todo[level, _WAIT] = ZERO
        return move
    cells = todo[level, _GAPS]
    if cells:
        todo[level, _GAPS] = cells & (cells - ONE)
        return FILL + lowest_bit(cells)
    if todo[level, _ROW]:
        todo[level, _ROW] = ZERO
        return DEAL
    return NOTHING


@helper
def _note(search: Any, level: Any) -> Any:
    """Note a position as visited: KNOWN, NEW or FULL.

    The key is two 64-bit digests of the whole public position.
    """
    one, two = _SPREAD, _OTHER ^ search.waiting[level]
    for number in range(9):
        word = search.views[level, number]
        one = (one ^ word) * _OTHER
        one ^= one >> _HALF
        two = (two ^ word) * _SPREAD
        two ^= two >> _HALF
    return note(search.visited, one, two)
