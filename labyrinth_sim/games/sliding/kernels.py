"""Sliding games for kernels: a deal in an array of cells, and what a gap takes as bits.

Everything is uint64 but what lies in the cells; bit c of a set of cards is the card of code c, and
cells count from 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from labyrinth_sim.compiled import helper
from labyrinth_sim.games.sliding.position import CARDS, GAP

MAZE, GAPS = np.uint64(0), np.uint64(1)
CORNERS, RUNS, ORDERED = np.uint64(0), np.uint64(1), np.uint64(2)
OWN_SUIT, ANY_SUIT = np.uint64(0), np.uint64(1)

ZERO, ONE, SUIT = np.uint64(0), np.uint64(1), np.uint64(13)
NONE = np.uint64(GAP)
_EACH_SUIT = np.uint64(1 | 1 << 13 | 1 << 26 | 1 << 39)
_ROW = 13


class Flags(NamedTuple):
    """The rules as kernels take them."""

    game: np.uint64
    win: np.uint64
    cells: np.uint64
    low: np.uint64  # the lowest and the highest rank in play
    high: np.uint64
    empty: np.uint64  # cells that the deal skips, as bits
    ring: bool
    ends: bool  # more entries of Maze
    bound: bool  # twos of Gaps


@helper
def lay_out(deck: Any, flags: Any, cells: Any) -> None:
    """Lay out a deck.

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
    flags : Flags
    cells : ndarray of uint8, shape (flags.cells,)
        Filled with card codes, `GAP` in gaps.
    """
    removed = SUIT - ONE if flags.low == ZERO else ZERO
    dealt = 0
    for cell in range(flags.cells):
        cells[cell] = GAP
        if (flags.empty >> np.uint64(cell)) & ONE == ZERO:
            if np.uint64(deck[dealt]) % SUIT != removed:
                cells[cell] = deck[dealt]
            dealt += 1


@helper
def takes(cells: Any, gap: Any, flags: Any) -> Any:
    """The cards that may move into a gap, as bits."""
    gap = np.uint64(gap)
    if flags.game == GAPS:
        return _takes_in_gaps(cells, gap, flags)
    last = flags.cells - ONE
    left, right = NONE, NONE
    if gap > ZERO:
        left = np.uint64(cells[gap - ONE])
    elif flags.ring:
        left = np.uint64(cells[last])
    if gap < last:
        right = np.uint64(cells[gap + ONE])
    elif flags.ring:
        right = np.uint64(cells[0])
    cards = ZERO
    lowest, highest = _EACH_SUIT << flags.low, _EACH_SUIT << flags.high
    if left < NONE:
        cards |= lowest if left % SUIT == flags.high else ONE << (left + ONE)
    if right < NONE and right % SUIT != flags.low:
        cards |= ONE << (right - ONE)
    if flags.ends:
        if gap == ZERO:
            cards |= lowest
        if gap == last or (right < NONE and right % SUIT == flags.low):
            cards |= highest
    return cards


@helper
def _takes_in_gaps(cells: Any, gap: Any, flags: Any) -> Any:
    if gap % SUIT == ZERO:
        return ONE << (gap + flags.low) if flags.bound else _EACH_SUIT << flags.low
    left = np.uint64(cells[gap - ONE])
    return ONE << (left + ONE) if left < NONE and left % SUIT != flags.high else ZERO


@helper
def cards_left(cells: Any, flags: Any) -> Any:
    """Cards that do not lie in sequence, as the reference counts them."""
    if flags.game == GAPS:
        return CARDS - _standing_right(cells, flags)
    lying = 0
    before = NONE
    for cell in range(flags.cells):
        card = np.uint64(cells[cell])
        if flags.win == RUNS:
            before = np.uint64(cells[cell - ONE if cell else flags.cells - ONE])
        if card < NONE:
            if card % SUIT == flags.low:
                lying += flags.win == RUNS or before == NONE or before % SUIT == flags.high
            else:
                lying += before == card - ONE
            before = card
    return CARDS - lying


@helper
def _standing_right(cells: Any, flags: Any) -> Any:
    lying = 0
    for row in range(4):
        two = np.uint64(cells[_ROW * row])
        right = two < NONE and two % SUIT == flags.low
        if flags.win == OWN_SUIT and two // SUIT != np.uint64(row):
            right = False
        column = 0
        while right:
            lying += 1
            column += 1
            right = column < _ROW - 1 and np.uint64(cells[_ROW * row + column]) == two + np.uint64(
                column
            )
    return lying


@helper
def is_won(cells: Any, flags: Any) -> Any:
    """Whether the cards lie as the rules want them."""
    return corners_filled(cells, flags) and cards_left(cells, flags) == 0


@helper
def corners_filled(cells: Any, flags: Any) -> Any:
    """Whether there are cards in the first cell and the last, where the rules want them there."""
    if flags.game == GAPS or flags.win != CORNERS:
        return True
    return cells[0] != GAP and cells[flags.cells - ONE] != GAP
