"""What became of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from labyrinth_sim.core.identity import Identity
from labyrinth_sim.deals import range_text
from labyrinth_sim.drawing import Shown
from labyrinth_sim.games import DEFAULT
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.executor import Outcomes
from labyrinth_sim.run.tally import Tally
from labyrinth_sim.stats import Interval, proportion


class Tabled(Shown):
    """What a notebook shows as a table of its summary."""

    def summary(self) -> dict[str, Any]:
        """In plain values."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        cells = (
            f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
            for name, value in self.summary().items()
            if name != "rules"
        )
        return f"<table>{''.join(cells)}</table>"


@dataclass(frozen=True, eq=False)
class Result(Tabled):
    """What became of a run.

    Parameters
    ----------
    identity : Identity
        What decides the outcomes.
    rules : RuleSet
    player : str
        The player's spec.
    seed : int or None
        None when the decks were given.
    first, deals : int
        The range that was played; shorter than what was asked for if the run was interrupted.
    tally : Tally
        How many deals had each value of each outcome column.
    outcomes : dict of str to ndarray, or None
        Outcome columns, shape (deals,), if they were to be kept.
    seconds : float
        From the start of the first game to the end of the last.
    complete : bool
        False if the run was interrupted.
    provenance : mapping of str to str
        Versions, host, time, the command that makes it again; see `labyrinth_sim.run.provenance`.
    """

    identity: Identity
    rules: RuleSet
    player: str
    seed: int | None
    first: int
    deals: int
    tally: Tally
    outcomes: Outcomes | None
    seconds: float
    complete: bool
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Whether two results are of the same run: the same identity, deals and outcomes."""
        if not isinstance(other, Result):
            return NotImplemented
        return (
            (self.identity, self.first, self.deals) == (other.identity, other.first, other.deals)
            and self.tally == other.tally
            and same_outcomes(self.outcomes, other.outcomes)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def wins(self) -> int:
        return self.tally.count("won", 1)

    @property
    def cards_left_mean(self) -> float:
        """Mean over all games, won ones included."""
        return self.tally.mean("cards_left")

    def win_rate(self, level: float = 0.95, method: str | None = None) -> Interval:
        """Win rate with its interval, see `labyrinth_sim.stats.proportion`."""
        return proportion(self.wins, self.deals, level=level, method=method)

    def summary(self) -> dict[str, Any]:
        """The run in plain values, as ``labyrinth-sim run --json`` prints it (RULES §5)."""
        rate = self.win_rate()
        return {
            "game": self.identity.game,
            "rules": self.rules.as_dict(),
            "rules_spec": self.rules.spec,
            "player": self.player,
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
            "wins": self.wins,
            "win_rate": rate.estimate,
            "low": rate.low,
            "high": rate.high,
            "method": rate.method,
            "level": rate.level,
            "cards_left_mean": self.cards_left_mean,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        deals = range_text(self.first, self.deals, self.seed, complete=self.complete)
        rate = self.deals / self.seconds if self.seconds else float("inf")
        return "\n".join(
            [
                f"{self.identity.game} · {self.rules.spec} · {self.player}",
                f"{self.wins:,} wins in {self.deals:,} games ({deals})",
                f"win rate {self.win_rate()}",
                f"cards left {self.cards_left_mean:.2f} on average",
                f"{self.seconds:.2f} s, {rate:,.0f} deals/s",
            ]
        )


def same_outcomes(mine: Outcomes | None, theirs: Outcomes | None) -> bool:
    """Whether two runs kept the same outcomes, or neither kept any."""
    if mine is None or theirs is None:
        return mine is theirs
    return mine.keys() == theirs.keys() and all(
        np.array_equal(mine[name], theirs[name]) for name in mine
    )


def command_of(
    game: str, rules: RuleSet, player: str, seed: int | None, first: int, deals: int
) -> list[str]:
    """The words of the command that makes a result again."""
    source = ["--decks", "FILE"] if seed is None else ["--seed", str(seed)]
    return [
        "labyrinth-sim",
        "run",
        *(["--game", game] if game != DEFAULT else []),
        "--rules",
        rules.spec,
        "--player",
        player,
        *source,
        "--first",
        str(first),
        "--deals",
        str(deals),
    ]
