"""Lookahead, compiled; `lookahead` says the same plainly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import count_bits, helper, kernel, lowest_bit
from labyrinth_sim.games.free_edge.endgame_kernels import finish
from labyrinth_sim.games.free_edge.kernels import (
    ABSENT,
    DEAL,
    FILL,
    FULL,
    NOTHING,
    ONE,
    OPTIONAL,
    PLAY,
    ZERO,
    apply,
    available,
    drawing,
    edges,
    first_suit,
    gaps,
    may_deal,
    may_resort,
    next_card,
    play_safe,
    remove,
    use_resort,
    usual_resort,
)
from labyrinth_sim.games.free_edge.loops import Outcomes, Scratch, begin, record, stopped
from labyrinth_sim.shuffle import DealSource

LEVELS = 4
"""Records that a search needs: one for each touch, and the position that it starts from."""

_GAPS, _PLAYS, _ROW = range(3)
TODO = 3 * LEVELS
"""Words that a search needs to remember which touches of each level are still to be tried."""


@helper
def best_touch(public: Any, flags: Any, depth: Any, weights: Any, levels: Any, todo: Any) -> Any:
    """The touch that leads to the best position within `depth` touches; NOTHING if there is none.

    Parameters
    ----------
    public : record of PUBLIC
        A position without a safe play.
    flags : Flags
    depth : uint64
    weights : ndarray of float64, shape (6,)
    levels : ndarray of PUBLIC, shape (LEVELS,)
    todo : ndarray of uint64, shape (TODO,)
    """
    best, best_move, first_move = -np.inf, NOTHING, NOTHING
    level = ZERO
    levels[level] = public
    _list_touches(levels[level], flags, todo, level)
    while True:
        move = _next_touch(levels[level], flags, todo, level)
        if move == NOTHING:
            if level == ZERO:
                return best_move
            level -= ONE
            continue
        if level == ZERO:
            first_move = move
        levels[level + ONE] = levels[level]
        after = levels[level + ONE]
        _touch(after, flags, move)
        while play_safe(after, flags, available(after, flags) & ~drawing(after, flags)):
            pass
        value = evaluate(after, flags, weights)
        if value > best:
            best, best_move = value, first_move
        if level + ONE < depth:
            level += ONE
            _list_touches(after, flags, todo, level)


@helper
def _list_touches(public: Any, flags: Any, todo: Any, level: Any) -> None:
    """Note what touches a position without a safe play has."""
    plays = available(public, flags) & drawing(public, flags)
    todo[3 * level + _GAPS] = gaps(public, flags)
    todo[3 * level + _PLAYS] = plays
    todo[3 * level + _ROW] = may_deal(public, flags, first_suit(public, plays) != NOTHING)


@helper
def _next_touch(public: Any, flags: Any, todo: Any, level: Any) -> Any:
    """The next touch of a level that was not tried yet: fills, then plays, then the row."""
    cells = todo[3 * level + _GAPS]
    if cells:
        todo[3 * level + _GAPS] = cells & (cells - ONE)
        return FILL + lowest_bit(cells)
    cells = todo[3 * level + _PLAYS]
    suit = first_suit(public, cells)
    if suit != NOTHING:
        card = next_card(public, suit)
        todo[3 * level + _PLAYS] = cells & ~(ONE << np.uint64(public.where[card]))
        return PLAY + card
    if todo[3 * level + _ROW]:
        todo[3 * level + _ROW] = ZERO
        return DEAL
    return NOTHING


@helper
def _touch(public: Any, flags: Any, move: Any) -> None:
    """Make a touch; the cards that it brings take up their cells and stay in the stock's list."""
    if move >= PLAY:
        cell = remove(public, (move - PLAY) // np.uint64(13))
        if flags.refill == OPTIONAL:
            return
        cell %= flags.columns
    elif move >= FILL:
        cell = move - FILL
    else:
        length = min(flags.columns, np.uint64(public.stock_left))
        cell = np.uint64(public.rows_dealt) * flags.columns
        public.occupied |= ((ONE << length) - ONE) << cell
        public.rows_dealt += 1
        public.stock_left -= length
        return
    public.occupied |= ONE << cell
    public.stock_left -= 1


@helper
def evaluate(public: Any, flags: Any, weights: Any) -> Any:
    """Weighted sum of the features of `lookahead.features`, added in their order."""
    free = edges(public.occupied, flags)
    near, buried, played = ZERO, ZERO, ZERO
    for number in range(52):
        card = np.uint64(number)
        cell = np.uint64(public.where[card])
        if cell < ABSENT:
            built = np.uint64(public.built[card // np.uint64(13)])
            worth = np.uint64(4096) >> (card % np.uint64(13) - built)
            if (free >> cell) & ONE:
                near += worth
            else:
                buried += worth
    for suit in range(4):
        played += np.uint64(public.built[suit])
    value = weights[0] * np.float64(played << np.uint64(12))
    value += weights[1] * np.float64(near)
    value += weights[2] * np.float64(buried)
    value += weights[3] * np.float64(count_bits(gaps(public, flags)) << np.uint64(12))
    value += weights[4] * np.float64(np.uint64(public.stock_left) << np.uint64(12))
    value += weights[5] * np.float64(count_bits(free) << np.uint64(12))
    return value


@kernel
def play_block_ahead(
    depth: np.uint64,
    weights: NDArray[np.float64],
    levels: NDArray[Any],
    todo: NDArray[np.uint64],
    exact: bool,
    flags: Any,
    source: DealSource,
    first: np.uint64,
    scratch: Scratch,
    out: Outcomes,
    stop: NDArray[np.uint8],
) -> int:
    """Play the deals from `first` on with `best_touch`; otherwise as `loops.play_block`."""
    public, secret = scratch.public[0], scratch.secret
    for number in range(len(out.won)):
        if stopped(number, stop):
            return number
        begin(source, first + np.uint64(number), flags, scratch)
        fills = ZERO
        while public.cards_left:
            if play_safe(public, flags, available(public, flags) & ~drawing(public, flags)):
                continue
            move = best_touch(public, flags, depth, weights, levels, todo)
            if move != NOTHING:
                apply(public, secret, flags, move)
                fills += np.uint64(FILL <= move < PLAY)
            elif not exact and may_resort(public, flags, False):
                use_resort(public, flags, usual_resort(public))
            else:
                break
        if exact:
            finish(flags, public, scratch.endgame, FULL)
        record(out, number, flags, public, fills)
    return len(out.won)
