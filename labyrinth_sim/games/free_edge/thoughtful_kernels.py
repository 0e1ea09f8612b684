"""Compiled batches of the thoughtful player."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import kernel
from labyrinth_sim.games.free_edge.endgame_kernels import finish
from labyrinth_sim.games.free_edge.kernels import FILL, FULL, PLAY
from labyrinth_sim.games.free_edge.loops import Outcomes, begin, record
from labyrinth_sim.games.free_edge.solver_kernels import Search, solve_one
from labyrinth_sim.games.solving import WINNABLE
from labyrinth_sim.shuffle import DealSource


@kernel
def win_block(
    most_nodes: np.uint64,
    flags: Any,
    source: DealSource,
    first: np.uint64,
    search: Search,
    verdicts: NDArray[np.uint8],
    out: Outcomes,
    stop: NDArray[np.uint8],
) -> int:
    """Decide the deals from `first` on, and write down how those are won that can be.

    Parameters
    ----------
    most_nodes : uint64
        Nodes after which a deal is given up as UNKNOWN.
    flags : Flags
    source : DealSource
    first : uint64
    search : Search
    verdicts : ndarray of uint8, shape (count,)
    out : Outcomes
        Of deals that are not winnable they stay what they were.
    stop : ndarray of uint8, shape (1,)
        Not 0: return early.

    Returns
    -------
    int
        How many deals were decided.
    """
    for number in range(len(verdicts)):
        begin(source, first + np.uint64(number), flags, search)
        verdicts[number], _, level = solve_one(most_nodes, flags, search, stop)
        if stop[0] != 0:
            return number
        if verdicts[number] == WINNABLE:
            public = search.levels[level]
            finish(flags, public, search.endgame, FULL)
            fills = 0
            for branch in search.line[:level]:
                fills += FILL <= branch < PLAY
            record(out, number, flags, public, fills)
    return len(verdicts)
