"""How much does a player win?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any, Unpack

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Answer, Table, answer
from labyrinth_sim.run.asking import Playing, question
from labyrinth_sim.run.executor import Wanted
from labyrinth_sim.run.measure import everything, measure, nothing
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats import Interval, Mean, mean, proportion

if TYPE_CHECKING:
    import pandas as pd

SHARES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
"""Quantiles that are told of every column whose values are counted one by one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PerDeal(Answer):
    """An answer about every deal of a range for itself; a notebook shows its summary."""

    @property
    def speed(self) -> float:
        """Deals a second."""
        return self.deals / self.seconds if self.seconds else float("inf")

    def sheet(self) -> pd.DataFrame:
        """The outcome of every deal if outcomes were kept, else how many deals had each value."""
        return self.tally_frame() if self.outcomes is None else self.deal_frame().reset_index()

    def mean(self, column: str, level: float | None = None) -> Mean:
        """Mean of an outcome column over all deals, with its interval."""
        return mean(*self.tally.moments(column), level=level or self.level)

    def columns(self) -> dict[str, dict[str, float | None]]:
        """Of every outcome column its mean with interval, and quantiles where they are known.

        The ends of an interval are None where there is one deal only.
        """
        told: dict[str, dict[str, float | None]] = {}
        for name in self.tally.names:
            found = self.mean(name)
            ends = (end if isfinite(end) else None for end in (found.low, found.high))
            told[name] = {"mean": found.estimate, **dict(zip(("low", "high"), ends, strict=True))}
            if name in self.tally.counts:
                told[name] |= {key: self.tally.quantile(name, at) for key, at in SHARES.items()}
        return told

    def _repr_html_(self) -> str:
        cells = (
            f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
            for name, value in self.summary().items()
            if not isinstance(value, dict)
        )
        return f"<table>{''.join(cells)}</table>"


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(PerDeal):
    """What a player won; see `Answer` for what it holds."""

    verb = "run"

    @property
    def player(self) -> str:
        """The player's spec."""
        return self.asked.players[0]

    @property
    def wins(self) -> int:
        return self.tally.count("won", 1)

    @property
    def cards_left_mean(self) -> float:
        """Mean over all games, won ones included."""
        return self.tally.mean("cards_left")

    def win_rate(self, level: float | None = None, method: str | None = None) -> Interval:
        """Win rate with its interval, see `labyrinth_sim.stats.proportion`."""
        return proportion(self.wins, self.deals, level=level or self.level, method=method)

    def summary(self) -> dict[str, Any]:
        """The run in plain values, as ``labyrinth-sim run --json`` prints it (RULES §5)."""
        return {
            **self.about(),
            "player": self.player,
            "wins": self.wins,
            **self.win_rate().as_dict("win_rate"),
            "cards_left_mean": self.cards_left_mean,
            "seconds": self.seconds,
            "columns": self.columns(),
        }

    def title(self) -> str:
        return f"{self.game} · {self.rules.spec} · {self.player}"

    def body(self) -> Iterator[str | Table]:
        yield f"{self.wins:,} wins in {self.deals:,} games ({self.range_text})"
        yield f"win rate {self.win_rate()}"
        yield f"cards left {self.cards_left_mean:.2f} on average"
        yield f"{self.seconds:.2f} s, {self.speed:,.0f} deals/s"


@question
def simulate(
    rules: str | RuleSet | None = None,
    player: str | Any | None = None,
    *,
    keep: str = "summary",
    **asked: Unpack[Playing],
) -> Result:
    """Simulate a strategy on a range of deals.

    One seed gives one answer, at any `n_jobs` and `block_bits`. Ctrl-C ends the run early and
    gives what is done, with ``complete=False``.

    Returns
    -------
    Result

    Examples
    --------
    >>> result = simulate("wikipedia", "greedy", deals=10_000, seed=1)
    >>> result.wins
    2684
    """
    request = Request.of(rules=rules, players=player, **asked)
    (probe,) = request.plays()
    return answer(Result, request, measure(request, probe, wanted=kept(keep)))


def kept(keep: str) -> Wanted:
    """Which columns are to be kept deal by deal.

    Raises
    ------
    InvalidInput
        If `keep` is neither ``summary`` nor ``outcomes``.
    """
    if keep not in ("summary", "outcomes"):
        raise InvalidInput(f"keep={keep!r} is not allowed; give 'summary' or 'outcomes'")
    return everything if keep == "outcomes" else nothing
