"""The probe that solves Maze, and its solver as the machinery knows solvers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.games.maze.evaluation import tables_of
from labyrinth_sim.games.maze.reference import MazePosition
from labyrinth_sim.games.maze.rules import MazeRules
from labyrinth_sim.games.maze.solver import PLAN, most_nodes, search_of, solve_position
from labyrinth_sim.games.maze.solver import VERSION as SOLVER_VERSION
from labyrinth_sim.protocols import (
    VERDICT_COLUMNS,
    Column,
    Deals,
    Identity,
    Limits,
    Solution,
)

NAME, VERSION = "maze", 1


@dataclass(frozen=True)
class SolverProbe:
    """Solves every deal of a block."""

    rules: MazeRules
    deals: Deals
    limits: Limits
    columns: tuple[Column, ...] = VERDICT_COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        return Identity(
            NAME,
            VERSION,
            self.rules.digest,
            self.limits.spec,
            SOLVER_VERSION,
            self.deals.identity,
        )

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.maze.kernels import flags_of
        from labyrinth_sim.games.maze.solver_kernels import UNKNOWN, WINNABLE, solve_block

        verdicts = np.zeros(len(out["nodes"]), np.uint8)
        done = solve_block(
            most_nodes(self.limits),
            flags_of(self.rules),
            tables_of(self.rules),
            PLAN,
            np.uint64(self.deals.seed or 0),
            np.uint64(first),
            self.deals.decks,
            search_of(self.limits.memory),
            verdicts,
            out["nodes"],
            stop,
        )
        out["winnable"][:] = verdicts == WINNABLE
        out["unknown"][:] = verdicts == UNKNOWN
        return int(done)


class MazeSolver:
    """The solver of Maze, as the machinery knows solvers."""

    def solve(
        self, position: MazePosition, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return solve_position(position, limits, seconds=seconds)

    def probe(self, rules: MazeRules, deals: Deals, limits: Limits) -> SolverProbe:
        return SolverProbe(rules, deals, limits)
