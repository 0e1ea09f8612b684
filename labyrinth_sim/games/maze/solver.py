"""Finding wins of Maze by beam search."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.maze.evaluation import tables_of
from labyrinth_sim.games.maze.reference import MazePosition
from labyrinth_sim.games.maze.rules import MazeRules
from labyrinth_sim.protocols import (
    VERDICT_COLUMNS,
    Column,
    Deals,
    Identity,
    Limits,
    Move,
    Solution,
)

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""

_VERDICTS = ("unwinnable", "winnable", "unknown")

_PLAN = ((100, 60, 1), (100, 60, 2), (1_000, 80, 3), (5_000, 100, 4), (1 << 40, 150, 5))
"""Attempts: width of the beam, layers without progress that end it, seed of its digests."""

_kept = threading.local()


def _search(memory: int) -> Any:
    """The search of this worker: kept, as new memory is slow at its first touch."""
    from labyrinth_sim.games.maze.solver_kernels import new_search

    if getattr(_kept, "memory", None) != memory:
        _kept.memory, _kept.search = memory, new_search(memory)
    return _kept.search


def _most_nodes(limits: Limits) -> np.uint64:
    return np.uint64(2**62 if limits.nodes is None else limits.nodes)


def solve(
    position: MazePosition, limits: Limits | None = None, *, seconds: float | None = None
) -> Solution:
    """Look for a win from any position.

    Parameters
    ----------
    position : MazePosition
    limits : Limits, optional
    seconds : float, optional
        How long it may take: what is not decided by then is `unknown`, and not reproducible.
    """
    from labyrinth_sim.games.maze.kernels import flags_of
    from labyrinth_sim.games.maze.solver_kernels import solve_one

    limits = limits or Limits()
    if seconds is not None and not seconds > 0:
        raise InvalidInput(f"seconds={seconds!r} is out of range; give a number above 0")
    flags, tables, search = flags_of(position.rules), tables_of(position.rules), _search(limits.memory)
    plan, stop = np.array(_PLAN), np.zeros(1, np.uint8)
    search.start[:] = np.frombuffer(position.key(), np.uint8)
    solve_one(np.uint64(1), flags, tables, plan, search, stop)  # compiled before the clock runs
    timer = threading.Timer(seconds or 0, stop.fill, [1])
    timer.daemon = True
    began = time.perf_counter()
    if seconds is not None:
        timer.start()
    verdict, nodes, length = solve_one(_most_nodes(limits), flags, tables, plan, search, stop)
    took = time.perf_counter() - began
    timer.cancel()
    late = seconds is not None and took > seconds  # the timer may be late itself
    if late:
        verdict = _VERDICTS.index("unknown")
    moves = None
    if _VERDICTS[verdict] == "winnable":
        moves = [move_text(code) for code in search.line[:length].tolist()]
    return Solution(_VERDICTS[verdict], moves, int(nodes), took, reproducible=not late)


def move_text(code: int) -> Move:
    """The text of a move of the kernels."""
    return f"M {CARD_NAMES[code >> 6]} {code & 63}"


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
            "maze", 1, self.rules.digest, self.limits.spec, VERSION, self.deals.identity
        )

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.maze.kernels import flags_of
        from labyrinth_sim.games.maze.solver_kernels import UNKNOWN, WINNABLE, solve_block

        verdicts = np.zeros(len(out["nodes"]), np.uint8)
        done = solve_block(
            _most_nodes(self.limits),
            flags_of(self.rules),
            tables_of(self.rules),
            np.array(_PLAN),
            np.uint64(self.deals.seed or 0),
            np.uint64(first),
            self.deals.decks,
            _search(self.limits.memory),
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
        self, position: Any, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return solve(position, limits, seconds=seconds)

    def probe(self, rules: MazeRules, deals: Deals, limits: Limits) -> SolverProbe:
        return SolverProbe(rules, deals, limits)
