"""The probe that solves, and the exhaustive search of a position."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.games.gaps.reference import GapsPosition
from labyrinth_sim.games.gaps.rules import GapsRules
from labyrinth_sim.games.gaps.solver import GAME_VERSION, NAME, VERDICTS, most_nodes, solve_position
from labyrinth_sim.games.gaps.solver import VERSION as SOLVER_VERSION
from labyrinth_sim.protocols import (
    VERDICT_COLUMNS,
    Column,
    Deals,
    Identity,
    Limits,
    Solution,
)

_kept = threading.local()


def _search(memory: int, bound: bool) -> Any:
    """The search of this worker: kept, as new memory is slow at its first touch."""
    from labyrinth_sim.games.gaps.solver_kernels import new_search

    if getattr(_kept, "size", None) != (memory, bound):
        _kept.size, _kept.search = (memory, bound), new_search(memory, bound)
    return _kept.search


@dataclass(frozen=True)
class SolverProbe:
    """Solves every deal of a block."""

    rules: GapsRules
    deals: Deals
    limits: Limits
    columns: tuple[Column, ...] = VERDICT_COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        return Identity(
            NAME,
            GAME_VERSION,
            self.rules.digest,
            self.limits.spec,
            SOLVER_VERSION,
            self.deals.identity,
        )

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.gaps.solver_kernels import UNKNOWN, WINNABLE, solve_block

        bound, own = self.rules.twos == "bound", self.rules.win == "own_suit"
        verdicts = np.zeros(len(out["nodes"]), np.uint8)
        done = solve_block(
            most_nodes(self.limits),
            bound,
            own,
            np.uint64(self.deals.seed or 0),
            np.uint64(first),
            self.deals.decks,
            _search(self.limits.memory, bound),
            verdicts,
            out["nodes"],
            stop,
        )
        out["winnable"][:] = verdicts == WINNABLE
        out["unknown"][:] = verdicts == UNKNOWN
        return int(done)


def exhaust(position: GapsPosition, limits: Limits) -> Solution:
    """Decide a position by trying every legal move, nothing pruned and keys exact.

    Parameters
    ----------
    position : GapsPosition
    limits : Limits
        Positions that there is no room for make the verdict `unknown`.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.gaps.reference import start
    >>> exhaust(start(deal("1/1/2").deck, GapsRules()), Limits()).verdict
    'unwinnable'
    """
    from labyrinth_sim.games.gaps.exhaustive import BYTES, new_room
    from labyrinth_sim.games.gaps.exhaustive import exhaust as search
    from labyrinth_sim.games.gaps.kernels import flags_of

    most = (limits.memory << 20) // BYTES
    room = new_room(most if limits.nodes is None else min(most, limits.nodes + 1))
    room.cells[0, : len(position.cells)] = list(position.key())
    began = perf_counter()
    verdict, positions, here = search(flags_of(position.rules), room)
    took = perf_counter() - began
    moves: list[str] | None = None
    if VERDICTS[verdict] == "winnable":
        moves = []
        while here:
            before = int(room.before[here])
            (gap,) = np.flatnonzero(
                (room.cells[here] != room.cells[before]) & (room.cells[here] < 52)
            )
            moves.insert(0, f"M {CARD_NAMES[room.cells[here, gap]]} {gap + 1}")
            here = before
    return Solution(VERDICTS[verdict], moves, int(positions), took)


class GapsSolver:
    """The solver of Gaps, as the machinery knows solvers."""

    def solve(
        self, position: GapsPosition, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return solve_position(position, limits, seconds=seconds)

    def probe(self, rules: GapsRules, deals: Deals, limits: Limits) -> SolverProbe:
        return SolverProbe(rules, deals, limits)
