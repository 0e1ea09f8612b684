"""The solver of Maze as the machinery knows solvers."""

from __future__ import annotations

from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.games.sliding.maze.reference import MazePosition
from labyrinth_sim.games.sliding.maze.rules import NAME, VERSION, MazeRules
from labyrinth_sim.games.sliding.maze.solver import VERSION as SOLVER_VERSION
from labyrinth_sim.games.sliding.maze.solver import solve_deals, solve_position
from labyrinth_sim.games.solving import SolverProbe


class MazeSolver:
    """The solver of Maze, see `Solver`."""

    def solve(
        self, position: MazePosition, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return solve_position(position, limits, seconds=seconds)

    def probe(self, rules: MazeRules, deals: Deals, limits: Limits) -> SolverProbe:
        return SolverProbe(
            NAME, VERSION, SOLVER_VERSION, solve_deals, rules, deals, limits, block_bits=4
        )
