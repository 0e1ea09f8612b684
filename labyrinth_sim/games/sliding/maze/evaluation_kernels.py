"""The evaluation of Maze for kernels: sums of looked up numbers, and what a move changes in them.

Pairs of cards in sequence are counted on the way, in higher bits of the same sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, lowest_bit
from labyrinth_sim.games.sliding.kernels import CORNERS, NONE, ONE, RUNS, ZERO

CELLS = 54

OUTSIDE = np.uint64(53)
"""What the padded board has before the first cell and after the last: no card, no gap."""

JOINTS, CLOSE = 16, 24
"""Pairs of cards in sequence are counted in the bits of a sum from these on, scores below."""

_ALL_JOINED = 44
_SIX, _TWELVE = np.uint64(6), np.uint64(12)
_LAST = np.uint64(CELLS)


class Tables(NamedTuple):
    """An evaluation, as sums of looked up numbers; `evaluation` fills it."""

    pairs: NDArray[np.int32]  # (2 << 12,): of two cards, next to each other or with gaps between
    gaps: NDArray[np.int32]  # (1 << 12,): of a gap, by its neighbours
    cells: NDArray[np.int32]  # (1 << 12,): of a card in a cell
    left: NDArray[np.uint64]  # (56,): neighbours of the cells of the padded board
    right: NDArray[np.uint64]  # (56,)
    wrapped: int  # of a run that passes from the last cell to the first
    noise: np.uint64  # less than this is added at random


@helper
def unpack(cells: Any, tables: Any, board: Any, where: Any) -> Any:
    """Lay a position out on the board: its gaps, as bits, and the sum over pairs and cells."""
    board[0] = board[CELLS + 1] = OUTSIDE
    gaps, joined = ZERO, 0
    before, last = OUTSIDE, ZERO
    for index in range(CELLS):
        cell, card = np.uint64(index + 1), np.uint64(cells[index])
        board[cell] = card
        if card == NONE:
            gaps |= ONE << cell
        else:
            where[card] = cell
            joined += _pair(before, card, cell - last, tables)
            joined += np.int64(tables.cells[(card << _SIX) | cell])
            before, last = card, cell
    return gaps, joined


@helper
def wins(joints: Any, close: Any, corners: Any, flags: Any) -> Any:
    """Whether a position is won: 44 of 48 cards lie after the next lower one, the others begin."""
    if flags.win == RUNS:
        return close == _ALL_JOINED
    return joints == _ALL_JOINED and (corners or flags.win != CORNERS)


@helper
def _pair(before: Any, after: Any, distance: Any, tables: Any) -> Any:
    apart = np.uint64(distance != ONE)
    return np.int64(tables.pairs[(apart << _TWELVE) | (before << _SIX) | after])


@helper
def change(board: Any, card: Any, cell: Any, gap: Any, tables: Any) -> Any:
    """What a move changes in the sum over pairs and cells."""
    of_cells, base = tables.cells, card << _SIX
    total = np.int64(of_cells[base | gap]) - np.int64(of_cells[base | cell])
    one, two = _around(board, cell)
    total -= _pair(board[one], card, cell - one, tables)
    total -= _pair(card, board[two], two - cell, tables)
    total += _pair(board[one], board[two], two - one, tables)
    board[cell] = NONE
    one, two = _around(board, gap)
    board[cell] = card
    total -= _pair(board[one], board[two], two - one, tables)
    total += _pair(board[one], card, gap - one, tables)
    return total + _pair(card, board[two], two - gap, tables)


@helper
def _around(board: Any, cell: Any) -> Any:
    """The cells of the next cards on both sides."""
    one, two = cell - ONE, cell + ONE
    while board[one] == NONE:
        one -= ONE
    while board[two] == NONE:
        two += ONE
    return one, two


@helper
def finish(board: Any, total: Any, gaps: Any, tables: Any) -> Any:
    """Add what depends on gaps and ends.

    Returns the score, how many cards lie after the next lower one, how many of them right after it,
    and whether there are cards in both corners.
    """
    corners = gaps & ((ONE << ONE) | (ONE << _LAST)) == ZERO
    first, last = ONE, _LAST
    while board[first] == NONE:
        first += ONE
    while board[last] == NONE:
        last -= ONE
    while gaps:
        gap = lowest_bit(gaps)
        gaps &= gaps - ONE
        around = (board[tables.left[gap]] << _SIX) | board[tables.right[gap]]
        total += np.int64(tables.gaps[around])
    wraps = board[first] == board[last] + ONE
    if wraps:
        total += tables.wrapped
    close = (total + (1 << CLOSE - 1)) >> CLOSE
    total -= close << CLOSE
    joints = (total + (1 << JOINTS - 1)) >> JOINTS
    score = total - (joints << JOINTS)
    return score, joints, close + np.int64(wraps and corners), corners
