"""Greedy's logic as a compiled player from elsewhere: tests and benchmarks hold it to `greedy`."""

from __future__ import annotations

from typing import Any

import numpy as np


def greedily(public: Any, moves: Any, n: Any, params: Any, scratch: Any, rng: Any) -> Any:
    """Play as greedy does, all but the safe plays."""
    best: Any = 0
    best_order: Any = 10_000
    for index in range(n):
        move = np.int64(moves[index])
        kind, what = move // 64, move % 64
        order: Any = what % 13 * 4 + what // 13  # of cards: lowest rank, then suit
        if kind == 0:
            order = 2000
        elif kind == 1:
            order = what
        elif kind == 2:
            order += 1000
        elif what % 13 == public.built[what // 13]:
            order += 3000
        else:
            order += 4000
        if order < best_order:
            best, best_order = index, order
    return best
