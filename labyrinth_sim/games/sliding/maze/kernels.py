"""The rules of Maze as kernels take them; the engine is that of all sliding games."""

from __future__ import annotations

import numpy as np

from labyrinth_sim.games.sliding.kernels import CORNERS, MAZE, ORDERED, RUNS, Flags
from labyrinth_sim.games.sliding.maze.reference import CELLS, EMPTY
from labyrinth_sim.games.sliding.maze.rules import MazeRules


def flags_of(rules: MazeRules) -> Flags:
    """Translate a rule set for kernels."""
    return Flags(
        game=MAZE,
        win={"corners": CORNERS, "runs": RUNS, "ordered": ORDERED}[rules.win],
        cells=np.uint64(CELLS),
        low=np.uint64(rules.low),
        high=np.uint64(rules.high),
        empty=np.uint64(sum(1 << index for index in EMPTY[rules.empty])),
        ring=rules.ring == "yes",
        ends=rules.entries == "ends",
        bound=False,
    )
