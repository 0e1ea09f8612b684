"""The solver of Labyrinth as the machinery knows solvers, and the search that judges it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter

from labyrinth_sim.core.probe import Deals, Deck
from labyrinth_sim.core.solver import Bounds, Limits, Solution
from labyrinth_sim.games.free_edge.probe import NAME, VERSION
from labyrinth_sim.games.free_edge.reference import Position
from labyrinth_sim.games.free_edge.resorts import MOST_RESORTS, fewest_resorts
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.free_edge.solver import VERSION as SOLVER_VERSION
from labyrinth_sim.games.free_edge.solver import solve_deals, solve_position
from labyrinth_sim.games.solving import VERDICTS, SolverProbe
from labyrinth_sim.parameters import checked_whole

_ROOM = 112
"""Bytes that an exhaustive search takes for a position: 80, and up to four places of 8."""


def exhaust(position: Position, limits: Limits) -> Solution:
    """Decide a position by trying every legal move, nothing pruned and keys exact.

    Parameters
    ----------
    position : Position
    limits : Limits
        Positions that there is no room for make the verdict `unknown`.

    Returns
    -------
    Solution
        `nodes` are the positions that were visited.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.reference import start
    >>> mini = LabyrinthRules.read("wikipedia,suits=2,ranks=4")
    >>> exhaust(start(deal("1/1/0").deck, mini), Limits()).verdict
    'winnable'
    """
    from labyrinth_sim.games.free_edge import engine
    from labyrinth_sim.games.free_edge.exhaustive import exhaust as search
    from labyrinth_sim.games.free_edge.exhaustive import new_room
    from labyrinth_sim.games.free_edge.kernels import flags_of

    compiled, flags = engine.from_plain(position), flags_of(position.view.rules)
    most = (limits.memory << 20) // _ROOM
    room = new_room(most if limits.nodes is None else min(most, limits.nodes))
    began = perf_counter()
    verdict, nodes = search(flags, compiled.public, compiled.secret, room)
    took = perf_counter() - began
    moves = None
    if VERDICTS[verdict] == "winnable":
        moves = []
        for tried, count in zip(room.moves, room.tried, strict=True):
            if position.status == "won":
                break
            moves.append(engine.move_text(tried[count - 1]))
            position = position.after(moves[-1])
    return Solution(VERDICTS[verdict], moves, int(nodes), took)


class LabyrinthSolver:
    """The solver of Labyrinth, see `Solver` and `Appraises`."""

    appraisal = "fewest_resorts"
    appraisal_text = "fewest resorts that win it"

    def solve(
        self, position: Position, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return solve_position(position, limits, seconds=seconds)

    def probe(self, rules: LabyrinthRules, deals: Deals, limits: Limits) -> SolverProbe:
        return SolverProbe(NAME, VERSION, SOLVER_VERSION, solve_deals, rules, deals, limits)

    def exhaust(self, position: Position, limits: Limits) -> Solution:
        return exhaust(position, limits)

    def appraise(
        self, deck: Deck, rules: LabyrinthRules, limits: Limits, *, most: int | None = None
    ) -> Mapping[str, Bounds]:
        """The fewest resorts that win a deal, for `fit` and for `lift`, up to 4 by default.

        A lift does whatever a fit does (RULES §2.1), so fewer fits than lifts need not be tried.
        """
        most = MOST_RESORTS if most is None else checked_whole("most", most, 0)
        fit, lift = (replace(rules, resort=kind, resorts=1) for kind in ("fit", "lift"))
        lifts = fewest_resorts(deck, lift, most, limits)
        return {"fit": fewest_resorts(deck, fit, most, limits, low=lifts.low), "lift": lifts}
