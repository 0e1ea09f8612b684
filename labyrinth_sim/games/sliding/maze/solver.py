"""Looking for wins of Maze, by beam search.

Nearly every deal is winnable, and in far more ways than one could list, so the work is to find a
win. From one layer to the next, *all* moves are made in all positions of a beam; of the positions
that are new, the best are the next layer, as many as the beam is wide.

**What is best** (`evaluation`) is a sum of looked up numbers: over pairs of cards that follow one
another, gaps skipped, over gaps by their neighbours, and over cards by their cells. A move changes
few of them. In ``win=corners`` the last card must end up in cell 54, and at a boundary of runs
cards only get past it to the left, so what counts most besides cards in sequence is that a last
run grows where it will have to lie. Scores are sorted by counting.

**What is new** was not in a beam of the same attempt before, told by 63 bits of digest, so that
lines do not go in circles. Candidates of one layer that are the same have the same score, and are
dropped as the best are picked.

**Attempts** follow one another as `PLAN` says, each with digests and noise of its own: with narrow
beams first, then wider ones, then the widest for which there is memory, with three evaluations
in turn. An attempt ends when positions had to be left out and the best score has not risen for a
number of layers, when there is no room for more positions, or with no position left.

**Verdicts.** A win found is `winnable`; a line is replayed again once it has been shortened. A deal
is `unwinnable` if two attempts ran out of positions and had left none out: then every position that
can be reached has been looked into. One attempt could miss a position because its digest is that
of another, with a chance below n² / 2**64 for n positions; that two with unrelated digests do both
miss has at most the square of it, which is 10**-14 for a million positions. All else is `unknown`:
the attempts that memory allows, or the nodes, were used up. `nodes` counts the positions that were
in a beam.

Lines are shortened (`shorten`) after a second search by a wider beam, whose lines are shorter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.games.sliding.maze.evaluation import tables_of
from labyrinth_sim.games.sliding.maze.reference import MazePosition
from labyrinth_sim.games.sliding.maze.rules import NAME, MazeRules
from labyrinth_sim.games.sliding.maze.rules import VERSION as GAME_VERSION
from labyrinth_sim.games.sliding.maze.shorten import shorten
from labyrinth_sim.games.solving import WINNABLE, Clock, KernelSolver

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""

_WIDEST = 1 << 40
PLAN = np.array(
    [
        (100, 50, 1, 0),
        (100, 50, 2, 1),
        (800, 60, 3, 0),
        (800, 60, 4, 1),
        (6_400, 60, 5, 0),
        (6_400, 60, 6, 1),
        (6_400, 60, 7, 2),
        (_WIDEST, 80, 8, 2),
        (_WIDEST, 80, 9, 1),
        (_WIDEST, 80, 10, 0),
        (_WIDEST, 80, 11, 2),
        (_WIDEST, 80, 12, 1),
        (_WIDEST, 80, 13, 0),
        (_WIDEST, 80, 14, 2),
        (_WIDEST, 80, 15, 1),
    ]
)
"""Attempts: width of the beam, layers without progress that end it, seed of its digests, and its
evaluation. No beam is wider than memory allows: 24,576 positions with 64 MiB."""

_WIDER = np.array([(4_000, 20, 12, 0)])
"""The second search, for a shorter line."""


@dataclass(frozen=True)
class MazeSolver(KernelSolver):
    """The solver of Maze, see `Solver`.

    Parameters
    ----------
    short : bool, default True
        Whether to look for a shorter line, with what the first search leaves of the nodes;
        otherwise it is that of the first search. Nodes are counted for the first search only.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.sliding.maze.reference import start
    >>> MazeSolver().solve(start(deal("1/1/0").deck, MazeRules())).verdict
    'winnable'
    """

    short: bool = True

    game, version, solver_version = NAME, GAME_VERSION, VERSION

    def kernels(self) -> Any:
        from labyrinth_sim.games.sliding.maze import solver_kernels

        return solver_kernels

    def setting(self, rules: MazeRules) -> tuple[Any, ...]:
        return *self._evaluated(rules), PLAN

    def _evaluated(self, rules: MazeRules) -> tuple[Any, ...]:
        from labyrinth_sim.games.sliding.maze.kernels import flags_of

        return flags_of(rules), tables_of(rules)

    def put(self, position: MazePosition, search: Any) -> Any:
        search.start[:] = np.frombuffer(position.key(), np.uint8)
        return search

    def line(
        self, position: MazePosition, search: Any, length: int, left: np.uint64, clock: Clock
    ) -> list[Move]:
        line = search.line[:length].copy()
        if self.short:
            rules, solve_one = position.rules, self.kernels().solve_one
            setting = *self._evaluated(rules), _WIDER
            again, _, length = clock.run(solve_one, left, *setting, search, clock.stop)
            if again == WINNABLE and length < len(line):
                line = search.line[:length].copy()
            line = clock.run(shorten, search.start, rules, line, clock.stop)
        return [_move_text(code) for code in line.tolist()]

    def block_bits(self, rules: MazeRules) -> int:
        return 4

    def solve(
        self, position: MazePosition, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        """Look for a win, as `KernelSolver` says.

        A line that was not shortened within the seconds is not reproducible either.
        """
        cells, line = np.frombuffer(position.key(), np.uint8), np.zeros(0, np.uint16)
        stop = np.zeros(1, np.uint8)
        shorten(cells, position.rules, line, stop)  # compiled before the clock runs
        return super().solve(position, limits, seconds=seconds)


def _move_text(code: int) -> Move:
    return f"M {CARD_NAMES[code >> 6]} {code & 63}"
