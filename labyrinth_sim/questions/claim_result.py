"""What a claim is held against, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from labyrinth_sim.deals import range_text
from labyrinth_sim.run.answer import Answer, Table
from labyrinth_sim.stats import MIXTURE, Interval
from labyrinth_sim.stats.odds import ABOVE, BELOW, REACHED, WITHIN, Band

TOO_GENEROUS = "too generous even for perfect play"
WHAT_FIXED_WIN = "what the fixed players win"
TOO_MODEST = "too modest: every fixed player wins more"
IN_REACH = "in reach of the best player here"
PERFECT_ONLY = "in reach of perfect play, but no player here gets there"
NOT_DECIDED = "undecided"

NOTE = "Books mean what a person wins, not what is winnable."


@dataclass(frozen=True)
class Rate:
    """A share of deals, and where it stands to the claim.

    Parameters
    ----------
    name : str
        ``perfect play``, or the player's spec.
    wins, unknown, deals : int
    interval : Interval
        Holds together with those of all other rates, however long one looks.
    stands : {"below", "within", "reaches", "above", "undecided"}
    """

    name: str
    wins: int
    unknown: int
    deals: int
    interval: Interval
    stands: str

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "wins": self.wins,
            "unknown": self.unknown,
            "rate": self.interval.estimate,
            "low": self.interval.low,
            "high": self.interval.high,
            "stands": self.stands,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Claim(Answer):
    """Published odds against what was found; see `Answer` for what it holds.

    Its deals are those that decided it, or all.

    Parameters
    ----------
    band : Band
        What the odds stand for.
    published_by : str
        Who published them; empty if nobody did.
    perfect : Rate
        What is winnable with perfect information.
    players : tuple of Rate
        Honest players, the fixed ones first.
    fixed : int
        How many of them are fixed.
    same : tuple of tuple of str
        Groups of players that won the same deals.
    further : tuple of str
        The players that were given besides those that come with the game.
    """

    verb = "claim"
    searches = True

    band: Band
    published_by: str
    perfect: Rate
    players: tuple[Rate, ...]
    fixed: int
    same: tuple[tuple[str, ...], ...]
    further: tuple[str, ...] = ()

    @cached_property
    def best(self) -> Rate:
        """The player that won most."""
        return max(self.players, key=lambda rate: rate.wins)

    @cached_property
    def verdict(self) -> str:
        """What the odds are, in plain words."""
        stands = [rate.stands for rate in self.players]
        return judge(self.perfect.stands, stands, stands[: self.fixed])

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim claim --json`` prints it."""
        return {
            **self.about(),
            "odds": self.band.odds,
            "source": self.published_by,
            "claimed": self.band.share,
            "band": [self.band.low, self.band.high],
            "verdict": self.verdict,
            "note": NOTE,
            "perfect": self.perfect.as_dict(),
            "best": self.best.as_dict(),
            "players": [rate.as_dict() for rate in self.players],
            "fixed": [rate.name for rate in self.players[: self.fixed]],
            "identical": [list(names) for names in self.same],
            "method": MIXTURE,
            "level": self.level,
            "comparisons": 1 + len(self.players),
            "adjustment": "bonferroni",
            "seconds": self.seconds,
            "complete": self.complete,
        }

    def options(self) -> list[str]:
        odds = [] if self.published_by else ["--odds", self.band.odds]
        tolerance = self.band.tolerance
        return odds if tolerance is None else [*odds, "--tolerance", repr(tolerance)]

    def subject(self) -> list[str]:
        return replace(self.asked, players=self.further).subject

    def title(self) -> str:
        source = f" ({self.published_by})" if self.published_by else ""
        return (
            f"{self.game} · {self.rules.spec} · {self.band.odds}{source}, "
            f"{self.band.low:.3%} to {self.band.high:.3%} as it is rounded"
        )

    def body(self) -> Iterator[str | Table]:
        after = f" after {self.deals:,} deals" if self.verdict == NOT_DECIDED else ""
        yield f"{self.verdict}{after}" + ("" if self.complete else ", interrupted")
        yield ""
        yield self._table()
        yield ""
        for names in self.same:
            yield f"{', '.join(names)}: the same wins on these deals"
        deals = range_text(self.first, self.deals, self.seed).capitalize()
        yield (
            f"{deals}; all intervals hold at once, however long one looks, "
            f"{self.level:.4g} {MIXTURE}."
        )
        yield NOTE

    def _table(self) -> list[list[str]]:
        rows = [["", "wins", "rate", "interval", "against the claim", ""]]
        for number, rate in enumerate([self.perfect, *self.players]):
            kind = "fixed" if 1 <= number <= self.fixed else ""
            kind += " best" if number and rate is self.best else ""
            ends = f"{rate.interval.low:.3%} to {rate.interval.high:.3%}"
            share = f"{rate.interval.estimate:.3%}"
            rows.append([rate.name, f"{rate.wins:,}", share, ends, rate.stands, kind.strip()])
        return rows


def judge(perfect: str, honest: Sequence[str], fixed: Sequence[str]) -> str:
    """Say in plain words what a claim is, from where the rates stand to it.

    Examples
    --------
    >>> judge("above", ["below", "below"], ["below"])
    'in reach of perfect play, but no player here gets there'
    """
    if perfect == BELOW:
        return TOO_GENEROUS
    if WITHIN in fixed:
        return WHAT_FIXED_WIN
    if fixed and all(one == ABOVE for one in fixed):
        return TOO_MODEST
    if any(one in REACHED for one in honest):
        return IN_REACH
    if perfect in REACHED and all(one == BELOW for one in honest):
        return PERFECT_ONLY
    return NOT_DECIDED
