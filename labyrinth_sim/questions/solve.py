"""Can a deal be won, and how?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from labyrinth_sim.core.playthrough import SEPARATOR
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Appraises, Bounds, Limits, Solution
from labyrinth_sim.deals import Deal
from labyrinth_sim.games.search import appraise, solver_of
from labyrinth_sim.games.solving import check_seconds
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Table
from labyrinth_sim.run.asking import Running, question
from labyrinth_sim.run.one_deal import OneDeal, one_deal
from labyrinth_sim.run.request import Request


@dataclass(frozen=True, eq=False, kw_only=True)
class Solved(OneDeal):
    """What is known of a deal with perfect information; see `Answer` for what it holds.

    Parameters
    ----------
    solution : Solution
        The verdict, and a line that wins.
    limit_seconds : float or None
        When the deal was to be given up.
    appraised : dict of str to Bounds
        What the game's solver tells of it besides, by kind: of Labyrinth the fewest resorts with
        which it can be won, the rules being the same else. Empty for a deal that was given up
        after some seconds.
    appraisal, appraisal_text : str
        What that is, as a key of JSON objects and in words; empty if it tells nothing.
    """

    verb = "solve"
    searches = True

    solution: Solution
    limit_seconds: float | None
    appraised: dict[str, Bounds]
    appraisal: str
    appraisal_text: str

    @property
    def verdict(self) -> str:
        """`winnable`, `unwinnable` or `unknown`."""
        return self.solution.verdict

    @property
    def moves(self) -> list[str] | None:
        """A line that wins, if the deal can be won."""
        return self.solution.moves

    def options(self) -> list[str]:
        return [] if self.limit_seconds is None else ["--seconds", repr(self.limit_seconds)]

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim solve --json`` prints it (RULES §5)."""
        told = {kind: [bounds.low, bounds.high] for kind, bounds in self.appraised.items()}
        return {
            **self.head(),
            "verdict": self.verdict,
            "moves": None if self.moves is None else SEPARATOR.join(self.moves),
            "nodes": self.solution.nodes,
            "seconds": self.solution.seconds,
            "reproducible": self.solution.reproducible,
            **({self.appraisal: told} if told else {}),
        }

    def title(self) -> str:
        return f"deal {self.deal}, {self.rules.spec}: {self.verdict}"

    def body(self) -> Iterator[str | Table]:
        yield f"  {self.solution.nodes:,} positions, {self.solution.seconds:.3f} s"
        if self.appraised:
            told = ", ".join(f"{kind} {bounds}" for kind, bounds in self.appraised.items())
            yield f"  {self.appraisal_text}: {told}"
        if not self.solution.reproducible:
            yield "  the limit in seconds was reached; elsewhere it may end otherwise"
        if self.moves is not None:
            yield f"  {SEPARATOR.join(self.moves)}"


@question
def solve(
    deal: str | Deal | int,
    rules: str | RuleSet | None = None,
    *,
    limits: Limits | None = None,
    seconds: float | None = None,
    decks: Deals | None = None,
    **asked: Unpack[Running],
) -> Solved:
    """Decide a deal with perfect information, show a line that wins, and tell what else is known.

    Of Labyrinth it tells with how few resorts the deal can be won, whatever the rules allow: up to
    four are tried; where a limit was reached, their number is given by bounds.

    Parameters
    ----------
    deal : str, Deal or int
        A deal, or its id; with `decks` its place there, from 0.
    limits : Limits, optional
        What each search may use up, by default 64 MiB of memory.
    seconds : float, optional
        Give the deal up after so long, which is not reproducible; then nothing more is told.
    decks : Deals, optional
        Given decks that the deal is one of.

    Returns
    -------
    Solved

    Examples
    --------
    >>> solved = solve("1/1/0", "ultimate")
    >>> solved.verdict, str(solved.appraised["fit"]), str(solved.appraised["lift"])
    ('unwinnable', '3', '3')
    """
    check_seconds(seconds)
    request = Request.about(deal, decks, rules=rules, limits=limits, **asked)
    game, chosen, deck = request.game, request.rules[0], request.source.deck(request.first)
    solver = solver_of(game)
    solution = solver.solve(game.start(deck, chosen), request.limits, seconds=seconds)
    appraised: dict[str, Bounds] = {}
    if solution.reproducible:
        appraised = dict(appraise(game, deck, chosen, request.limits))
    return one_deal(
        Solved,
        request,
        request.solve().identity,
        solution=solution,
        limit_seconds=seconds,
        appraised=appraised,
        appraisal=solver.appraisal if isinstance(solver, Appraises) else "",
        appraisal_text=solver.appraisal_text if isinstance(solver, Appraises) else "",
    )
