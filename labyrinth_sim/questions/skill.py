"""How much of what can be won does a player win?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import RunFailed
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Answer, Table, answer
from labyrinth_sim.run.asking import Trying, question
from labyrinth_sim.run.measure import measure
from labyrinth_sim.run.pool import Pool
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats.shares import Share

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class Skill(Answer):
    """What players win of the deals that can be won; see `Answer` for what it holds."""

    verb = "skill"
    searches = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._settled  # at birth, as player and solver must not disagree

    @property
    def players(self) -> tuple[str, ...]:
        """Their specs."""
        return self.asked.players

    @cached_property
    def won(self) -> tuple[Flags, ...]:
        """Of each player the deals that it has won, shape (deals,)."""
        columns = self.outcomes or {}
        return tuple(columns[f"{number}/won"] for number in range(1, len(self.players) + 1))

    @cached_property
    def _settled(self) -> tuple[Flags, Flags]:
        columns = self.outcomes or {}
        return settled(
            columns["0/winnable"], columns["0/unknown"], self.won, self.label, self.first
        )

    @property
    def winnable(self) -> Flags:
        """Which deals can be won, those that a player has won included, shape (deals,)."""
        return self._settled[0]

    @property
    def unknown(self) -> Flags:
        """Of which deals it is not known whether they can be won, shape (deals,)."""
        return self._settled[1]

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Of each player, its wins ÷ winnable deals."""
        counts = int(self.winnable.sum()), int(self.unknown.sum())
        return tuple(Share.of(int(won.sum()), *counts, level=self.level) for won in self.won)

    def lost(self, player: int | str, limit: int | None = None) -> list[int]:
        """Numbers of the first winnable deals that a player, by number or spec, has not won."""
        number = self.players.index(player) if isinstance(player, str) else player
        places = np.flatnonzero(self.winnable & ~self.won[number])[:limit]
        return [self.first + int(place) for place in places]

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """A dict a player, in plain values, with up to `show` winnable deals that it lost."""
        return [
            {
                **self.about(),
                "player": player,
                "wins": share.wins,
                "winnable": share.winnable,
                "unknown": share.unknown,
                "skill": share.most,
                "least": share.least,
                "most": share.most,
                "low": share.low,
                "high": share.high,
                "method": share.method,
                "level": share.level,
                "lost_winnable": share.winnable - share.wins,
                "lost": [self.label(index) for index in self.lost(number, show)],
                "seconds": self.seconds,
            }
            for number, (player, share) in enumerate(zip(self.players, self.shares, strict=True))
        ]

    def examples(self, show: int) -> Iterator[str]:
        for number, player in enumerate(self.players if show else ()):
            for index in self.lost(number, show):
                yield f"\n{self.label(index)} can be won, {player} loses it"
                yield f"  {self.show(self.rules, player, index)}"

    def summary(self) -> dict[str, Any]:
        return {"players": self.rows(), "deals": self.deals}

    def title(self) -> str:
        unknown = int(self.unknown.sum())
        known = f"{int(self.winnable.sum()):,} winnable" + (
            f", {unknown:,} unknown" if unknown else ""
        )
        return f"{super().title()}: {known}"

    def body(self) -> Iterator[str | Table]:
        head = ["player", "wins", "of winnable", f"{self.level:.4g} interval", "method", "lost"]
        rows = [head]
        for player, share in zip(self.players, self.shares, strict=True):
            rate = "none" if share.most is None else f"{share.most:.3%}"
            if share.least != share.most:
                rate = f"{share.least:.3%} to {rate}"
            ends = f"{share.low:.3%} to {share.high:.3%}"
            lost = f"{share.winnable - share.wins:,}"
            rows.append([player, f"{share.wins:,}", rate, ends, share.method or "", lost])
        yield ""
        yield rows


@question
def skill(
    players: str | Any | Sequence[str | Any] | None = None,
    rules: str | RuleSet | None = None,
    **asked: Unpack[Trying],
) -> Skill:
    """Simulate players on deals, decide those, and tell what share of the winnable each won.

    Deals that stay unknown widen the answer at its lower end, unless a player has won them.

    Examples
    --------
    >>> print(skill("greedy", "ultimate", deals=2000))
    labyrinth · ultimate · deals 0 to 1,999 of seed 1: 63 winnable
    <BLANKLINE>
    player  wins  of winnable       0.95 interval  method  lost
    greedy    47      74.603%  62.659% to 83.720%  wilson    16
    """
    request = Request.of(rules=rules, players=players, **asked)
    request.refuse_same()
    pool = Pool((request.solve(), *request.plays()))
    measured = measure(
        request,
        pool,
        wanted=lambda name: name.endswith(("/won", "0/winnable", "0/unknown")),
        watched="0/winnable",
    )
    return answer(Skill, request, measured)


def settled(
    winnable: Flags,
    unknown: Flags,
    won: Sequence[Flags],
    label: Callable[[int], str],
    first: int,
) -> tuple[Flags, Flags]:
    """Which deals are winnable and which unknown, once players have won some of them.

    Parameters
    ----------
    winnable, unknown : ndarray of bool, shape (deals,)
        What the solver says.
    won : sequence of ndarray of bool, shape (deals,)
        What each player has won.
    label : callable
        What a deal is called, by its number.
    first : int
        Number of the first deal.

    Raises
    ------
    RunFailed
        If a deal was won that the solver calls unwinnable: one of the two must be wrong.
    """
    by_any = np.logical_or.reduce([np.zeros_like(winnable), *won])
    wrong = np.flatnonzero(by_any & ~winnable & ~unknown)
    if len(wrong):
        raise RunFailed(
            f"deal {label(first + int(wrong[0]))} was won, but the solver calls it "
            "unwinnable; one of the two is wrong"
        )
    return winnable | by_any, unknown & ~by_any
