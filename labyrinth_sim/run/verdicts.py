"""What became of a run that solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labyrinth_sim.core.identity import Identity
from labyrinth_sim.deals import range_text
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.executor import Outcomes
from labyrinth_sim.run.result import Tabled, same_outcomes
from labyrinth_sim.run.tally import Tally
from labyrinth_sim.stats import Interval, proportion


@dataclass(frozen=True, eq=False)
class Winnability(Tabled):
    """How many deals of a range can be won.

    Parameters
    ----------
    identity : Identity
    rules : RuleSet
    seed : int or None
    first, deals : int
        The range that was decided.
    winnable, unknown, nodes : int
    outcomes : dict of str to ndarray, or None
        Columns `winnable`, `unknown`, `nodes`, shape (deals,), if they were kept.
    seconds : float
    complete : bool
        False if the run was interrupted.
    provenance : mapping of str to str
        Versions, host, time, the command that makes it again; see `labyrinth_sim.run.provenance`.
    """

    identity: Identity
    rules: RuleSet
    seed: int | None
    first: int
    deals: int
    winnable: int
    unknown: int
    nodes: int
    outcomes: Outcomes | None
    seconds: float
    complete: bool
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Whether two are of the same run: the same identity, deals and verdicts."""
        if not isinstance(other, Winnability):
            return NotImplemented
        same = ("identity", "first", "deals", "winnable", "unknown", "nodes")
        return all(getattr(self, name) == getattr(other, name) for name in same) and same_outcomes(
            self.outcomes, other.outcomes
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def tally(self) -> Tally:
        """How many deals had each value of `winnable` and `unknown`, and the sum of `nodes`."""
        counts = {
            name: np.array([self.deals - deals, deals])
            for name, deals in (("winnable", self.winnable), ("unknown", self.unknown))
        }
        return Tally(counts, {"nodes": self.nodes})

    @property
    def unwinnable(self) -> int:
        return self.deals - self.winnable - self.unknown

    def rate(self, level: float = 0.95, method: str | None = None) -> Interval:
        """Winnable ÷ deals; unknown ones are lost at its lower end and won at its upper."""
        return proportion(
            self.winnable, self.deals, undecided=self.unknown, level=level, method=method
        )

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim winnability --json`` prints it (RULES §5)."""
        rate = self.rate()
        return {
            "game": self.identity.game,
            "rules": self.rules.as_dict(),
            "rules_spec": self.rules.spec,
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
            "winnable": self.winnable,
            "unwinnable": self.unwinnable,
            "unknown": self.unknown,
            "rate": rate.estimate,
            "low": rate.low,
            "high": rate.high,
            "method": rate.method,
            "level": rate.level,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        unknown = f", {self.unknown:,} unknown" if self.unknown else ""
        deals = range_text(self.first, self.deals, self.seed, complete=self.complete)
        speed = self.deals / self.seconds if self.seconds else float("inf")
        return "\n".join(
            [
                f"{self.identity.game} · {self.rules.spec} · winnable with all seen",
                f"{self.winnable:,} of {self.deals:,} deals{unknown} ({deals})",
                f"share {self.rate()}",
                f"{self.seconds:.2f} s, {speed:,.0f} deals/s, {self.nodes:,} nodes",
            ]
        )
