"""What share of deals can be won at all?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from labyrinth_sim.questions.simulate import PerDeal, kept
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Table, answer
from labyrinth_sim.run.asking import Searching, question
from labyrinth_sim.run.measure import measure
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats import Interval, proportion


@dataclass(frozen=True, eq=False, kw_only=True)
class Winnability(PerDeal):
    """How many deals can be won with perfect information; see `Answer` for what it holds."""

    verb = "winnability"
    searches = True

    @property
    def winnable(self) -> int:
        return self.tally.count("winnable", 1)

    @property
    def unknown(self) -> int:
        return self.tally.count("unknown", 1)

    @property
    def unwinnable(self) -> int:
        return self.deals - self.winnable - self.unknown

    @property
    def nodes(self) -> int:
        """Positions that the searches looked into."""
        return self.tally.sums["nodes"]

    def rate(self, level: float | None = None, method: str | None = None) -> Interval:
        """Winnable ÷ deals; unknown ones are lost at its lower end and won at its upper."""
        return proportion(
            self.winnable,
            self.deals,
            undecided=self.unknown,
            level=level or self.level,
            method=method,
        )

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim winnability --json`` prints it (RULES §5)."""
        return {
            **self.about(),
            "winnable": self.winnable,
            "unwinnable": self.unwinnable,
            "unknown": self.unknown,
            **self.rate().as_dict("rate"),
            "nodes": self.nodes,
            "seconds": self.seconds,
            "columns": {"nodes": self.columns()["nodes"]},  # the others are told above, as bounds
        }

    def title(self) -> str:
        return f"{self.game} · {self.rules.spec} · winnable with perfect information"

    def body(self) -> Iterator[str | Table]:
        unknown = f", {self.unknown:,} unknown" if self.unknown else ""
        yield f"{self.winnable:,} of {self.deals:,} deals{unknown} ({self.range_text})"
        yield f"share {self.rate()}"
        yield f"{self.seconds:.2f} s, {self.speed:,.0f} deals/s, {self.nodes:,} nodes"


@question
def winnability(
    rules: str | RuleSet | None = None,
    *,
    keep: str = "summary",
    **asked: Unpack[Searching],
) -> Winnability:
    """Decide a range of deals with perfect information.

    Examples
    --------
    >>> found = winnability("ultimate", deals=1000, seed=1)
    >>> found.winnable, found.unknown
    (30, 0)
    """
    request = Request.of(rules=rules, **asked)
    measured = measure(request, request.solve(), wanted=kept(keep), watched="winnable")
    return answer(Winnability, request, measured)
