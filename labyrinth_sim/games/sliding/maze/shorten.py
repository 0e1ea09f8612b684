"""Shorter lines of Maze: a short one is worth more to a reader than a long one.

A line that a beam search found wanders. All positions on it are gathered, then all that are one
move away from any of those, then two, and so on, as many as there is room for; the shortest way to
a win through the positions gathered is the new line. This is done again around the new line, until
it gets no shorter. It is the plan neighbourhood graph search of Nakhost and Müller ("Action
elimination and plan neighborhood graph search", ICAPS 2010). It finds loops, moves that were not
needed and detours alike, and takes the same moves wherever it runs.

Positions are told apart by 64 bits of digest; a line that doesn't replay move by move, because two
were taken for one, is left as it was.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.solving import reused

POSITIONS = 50_000
"""Positions that are gathered."""


def shorten(
    cells: NDArray[np.uint8],
    rules: MazeRules,
    line: NDArray[np.uint16],
    stop: NDArray[np.uint8],
) -> NDArray[np.uint16]:
    """Shorten a line that wins.

    Parameters
    ----------
    cells : ndarray of uint8, shape (54,)
        Where the line begins.
    rules : MazeRules
    line : ndarray of uint16, shape (length,)
        Moves as ``card << 6 | cell``, cells from 1.
    stop : ndarray of uint8, shape (1,)
        Not 0: leave it as it is by then.

    Returns
    -------
    ndarray of uint16, shape (no more than length,)
    """
    from labyrinth_sim.games.sliding.maze.kernels import flags_of
    from labyrinth_sim.games.sliding.maze.shorten_kernels import new_region, replays, shorten_line

    region = reused(new_region, POSITIONS)
    region.line[: len(line)] = line
    flags = flags_of(rules)
    length = shorten_line(flags, cells, len(line), region, stop)
    shorter: NDArray[np.uint16] = region.line[:length].copy()
    return shorter if replays(flags, cells, shorter) else line
