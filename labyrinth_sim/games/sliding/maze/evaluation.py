"""What the solver of Maze takes for a good position: weights, found by trial, as tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from labyrinth_sim.games.sliding.maze.reference import CELLS
from labyrinth_sim.games.sliding.maze.rules import MazeRules

_RUN = 12
_SPARE = CELLS - 4 * _RUN


@dataclass(frozen=True)
class Weights:
    """How much each trait of a position counts.

    Parameters
    ----------
    joints : tuple of int
        A card before the next higher one, gaps skipped, by the rank of the lower one.
    close : int
        More, if there is no gap between them.
    boundary : tuple of int
        A card of the highest rank before one of the lowest; more, if there is no gap between.
    wrapped : int
        A card in sequence whose lower one is the last card, and it the first.
    ends : tuple of int
        A card of the lowest rank in cell 1; one of the highest in cell 54.
    gaps : tuple of int
        A gap, by its left neighbour (none, a card, one of the highest rank), then by its right
        one (none, a card, one of the lowest rank).
    inside : int
        A gap between two cards in sequence.
    noise : int
        Up to this is added at random.
    windows : tuple of int
        A card in cells 1 to 42 that lies where it might when the game is won, as there are six
        gaps: of the lowest rank, of the highest, another.
    last : tuple of int
        A card in cells 43 to 54 that lies where it does in a run that ends in cell 54: likewise.
    """

    joints: tuple[int, ...]
    close: int
    boundary: tuple[int, int]
    wrapped: int
    ends: tuple[int, int]
    gaps: tuple[int, ...]
    inside: int
    noise: int
    windows: tuple[int, int, int]
    last: tuple[int, int, int]


_FIRST = Weights(
    joints=(57, 3, 22, 12, 7, 20, -4, 8, 27, 3, 16),
    close=16,
    boundary=(-8, 9),
    wrapped=-27,
    ends=(-7, 16),
    gaps=(50, -5, -12, 10, -19, 10, 11, -41, -1),
    inside=-23,
    noise=4,
    windows=(-11, -5, 11),
    last=(43, 42, 41),
)
_SECOND = Weights(
    joints=(56, 3, 25, 21, -1, 17, -15, 14, 28, 7, 19),
    close=16,
    boundary=(-17, -9),
    wrapped=-25,
    ends=(-17, 60),
    gaps=(49, -3, -12, 11, -15, 5, 15, -32, -3),
    inside=-24,
    noise=4,
    windows=(0, 0, 0),
    last=(40, 40, 40),
)
WEIGHTS = (_FIRST, _SECOND, replace(_SECOND, joints=(25,) * 11))
"""Three evaluations, for what one does not find.

The first was tuned by an evolution strategy on deals of seed 5, for how many a beam of 100
positions wins; the second in the same way for ``win=runs``, and then by hand, as is the third, for
deals of that seed that wide beams with the first do not win.
"""


@cache
def tables_of(rules: MazeRules) -> tuple[Any, ...]:
    """The evaluations for a rule set, as the search takes them."""
    return tuple(fill_tables(rules, weights) for weights in WEIGHTS)


def fill_tables(rules: MazeRules, weights: Weights) -> Any:
    """Turn weights into sums of looked up numbers."""
    from labyrinth_sim.games.sliding.maze.evaluation_kernels import CLOSE, JOINTS, Tables

    low, high = rules.low, rules.high
    cards = [13 * suit + rank for suit in range(4) for rank in range(low, high + 1)]
    pairs = np.zeros((2, 64, 64), np.int32)
    for card in cards:
        if card % 13 == high:
            for suit in range(4):
                pairs[:, card, 13 * suit + low] = weights.boundary[0]
                pairs[0, card, 13 * suit + low] += weights.boundary[1]
        else:
            pairs[:, card, card + 1] = weights.joints[card % 13 - low] + (1 << JOINTS)
            pairs[0, card, card + 1] += weights.close + (1 << CLOSE)
    kinds = np.zeros((2, 64), np.int64)
    kinds[:, cards] = 1
    kinds[0, [card for card in cards if card % 13 == high]] = 2
    kinds[1, [card for card in cards if card % 13 == low]] = 2
    gaps = np.array(weights.gaps, np.int32)[3 * kinds[0][:, None] + kinds[1]]
    cells = np.zeros((64, 64), np.int32)
    for card in cards:
        rank = card % 13 - low
        kind = 0 if rank == 0 else 1 if rank == _RUN - 1 else 2
        for cell in range(1, CELLS + 1):
            offset = (cell - 1 - rank) % _RUN
            if cell > CELLS - _RUN:
                cells[card, cell] = weights.last[kind] if offset == _SPARE else 0
            elif offset <= _SPARE and rank < cell:
                cells[card, cell] = weights.windows[kind]
        if rank == 0:
            cells[card, 1] += weights.ends[0]
        if rank == _RUN - 1:
            cells[card, CELLS] += weights.ends[1]
        if rank < _RUN - 1:
            gaps[card, card + 1] = weights.inside
    left, right = np.arange(CELLS + 2) - 1, np.arange(CELLS + 2) + 1
    left[0], right[-1] = 0, CELLS + 1
    if rules.ring == "yes":
        left[1], right[CELLS] = CELLS, 1
    return Tables(
        pairs.ravel(),
        gaps.ravel(),
        cells.ravel(),
        left.astype(np.uint64),
        right.astype(np.uint64),
        weights.wrapped,
        np.uint64(weights.noise + 1),
    )
