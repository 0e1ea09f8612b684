"""The solver of Gaps as the machinery knows solvers, and the search that judges it."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.games.sliding.gaps.reference import GapsPosition
from labyrinth_sim.games.sliding.gaps.rules import NAME, VERSION, GapsRules
from labyrinth_sim.games.sliding.gaps.solver import VERSION as SOLVER_VERSION
from labyrinth_sim.games.sliding.gaps.solver import solve_deals, solve_position
from labyrinth_sim.games.solving import VERDICTS, SolverProbe


def exhaust(position: GapsPosition, limits: Limits) -> Solution:
    """Decide a position by trying every legal move, nothing pruned and keys exact.

    Parameters
    ----------
    position : GapsPosition
    limits : Limits
        Positions that there is no room for make the verdict `unknown`.

    Returns
    -------
    Solution
        `nodes` are the positions that were visited.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.sliding.gaps.reference import start
    >>> exhaust(start(deal("1/1/2").deck, GapsRules()), Limits()).verdict
    'unwinnable'
    """
    from labyrinth_sim.games.sliding.gaps.exhaustive import BYTES, new_room
    from labyrinth_sim.games.sliding.gaps.exhaustive import exhaust as search
    from labyrinth_sim.games.sliding.gaps.kernels import flags_of

    most = (limits.memory << 20) // BYTES
    room = new_room(most if limits.nodes is None else min(most, limits.nodes))
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
    """The solver of Gaps, see `Solver`."""

    def solve(
        self, position: GapsPosition, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return solve_position(position, limits, seconds=seconds)

    def exhaust(self, position: GapsPosition, limits: Limits) -> Solution:
        return exhaust(position, limits)

    def probe(self, rules: GapsRules, deals: Deals, limits: Limits) -> SolverProbe:
        bits = 4 if rules.twos == "bound" else 1  # a second's work or so
        return SolverProbe(
            NAME, VERSION, SOLVER_VERSION, solve_deals, rules, deals, limits, block_bits=bits
        )
