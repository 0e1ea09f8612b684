"""How much of what can be won does a player win?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals, range_text
from labyrinth_sim.drawing import Shown
from labyrinth_sim.errors import RunFailed
from labyrinth_sim.games import DEFAULT
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.questions.pool import Pool, refuse_same, runs_of, show_command
from labyrinth_sim.questions.tables import aligned, html, paragraph
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.collect import collect, handed
from labyrinth_sim.stats import check_level, proportion

if TYPE_CHECKING:
    import pandas as pd

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Share:
    """Wins ÷ winnable deals, with a two-sided interval.

    Parameters
    ----------
    wins : int
    winnable : int
        Deals that can be won for certain; all wins are among them.
    unknown : int
        Deals that perhaps can be won, and were not.
    least, most : float or None
        The share if all of the unknown can be won, and if none can; None without winnable deals.
    low, high : float
        The interval's lower end for `least` and its upper end for `most`.
    method : str or None
        `wilson` or `clopper-pearson`; None without winnable deals.
    level : float
    """

    wins: int
    winnable: int
    unknown: int
    least: float | None
    most: float | None
    low: float
    high: float
    method: str | None
    level: float

    @classmethod
    def of(cls, wins: int, winnable: int, unknown: int = 0, *, level: float = 0.95) -> Share:
        """Given which deals can be won, wins are binomial among them.

        Examples
        --------
        >>> Share.of(30, 40).least, Share.of(30, 40, 10).least
        (0.75, 0.6)
        """
        check_level(level)
        if not winnable:
            return cls(wins, winnable, unknown, None, None, 0.0, 1.0, None, level)
        best = proportion(wins, winnable, level=level)
        worst = proportion(wins, winnable + unknown, level=level, method=best.method)
        ends = worst.estimate, best.estimate, worst.low, best.high
        return cls(wins, winnable, unknown, *ends, best.method, level)


@dataclass(frozen=True, eq=False)
class Skill(Shown):
    """What players win of the deals that can be won.

    Parameters
    ----------
    game, place : str
        Its name, and what it is called at the command line.
    rules : RuleSet
    players : tuple of str
        Their specs.
    source : Deals
    first, deals : int
        The range that all of them played.
    winnable, unknown : ndarray of bool, shape (deals,)
        What is known of each deal; a deal that any of the players has won is winnable.
    won : tuple of ndarray of bool, shape (deals,)
        Of each player, the deals that it has won.
    level : float
        Confidence level of the intervals, e.g. 0.95.
    seconds : float
    complete : bool
        False if the run was interrupted.
    """

    game: str
    place: str
    rules: RuleSet
    players: tuple[str, ...]
    source: Deals
    first: int
    deals: int
    winnable: Flags
    unknown: Flags
    won: tuple[Flags, ...]
    level: float
    seconds: float
    complete: bool

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
                "game": self.game,
                "rules": self.rules.as_dict(),
                "rules_spec": self.rules.spec,
                "player": player,
                "seed": self.source.seed,
                "first": self.first,
                "deals": self.deals,
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
                "lost": [self.source.label(index) for index in self.lost(number, show)],
                "seconds": self.seconds,
            }
            for number, (player, share) in enumerate(zip(self.players, self.shares, strict=True))
        ]

    def frame(self) -> pd.DataFrame:
        """A row a player, without the lost deals."""
        import pandas as pd

        return pd.DataFrame(self.rows()).drop(columns=["rules", "lost"])

    def show(self, player: int, index: int) -> str:
        """The command that shows a player's game on a deal."""
        return show_command(self.place, self.rules.spec, self.players[player], self.source, index)

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._table())])

    def _repr_html_(self) -> str:
        return paragraph(self._title()) + html(self._table())

    def _title(self) -> str:
        deals = range_text(self.first, self.deals, self.source.seed, complete=self.complete)
        unknown = int(self.unknown.sum())
        known = f"{int(self.winnable.sum()):,} winnable" + (
            f", {unknown:,} unknown" if unknown else ""
        )
        return f"{self.game} · {self.rules.spec} · {deals}: {known}"

    def _table(self) -> list[list[str]]:
        head = ["player", "wins", "of winnable", f"{self.level:.4g} interval", "method", "lost"]
        rows = [head]
        for player, share in zip(self.players, self.shares, strict=True):
            rate = "none" if share.most is None else f"{share.most:.3%}"
            if share.least != share.most:
                rate = f"{share.least:.3%} to {rate}"
            ends = f"{share.low:.3%} to {share.high:.3%}"
            lost = f"{share.winnable - share.wins:,}"
            rows.append([player, f"{share.wins:,}", rate, ends, share.method or "", lost])
        return rows


def skill(
    players: str | Any | Sequence[str | Any] | None = None,
    rules: str | RuleSet | None = None,
    *,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    n_jobs: int = -1,
    limits: Limits | None = None,
    decks: Deals | None = None,
    game: str | Game = DEFAULT,
    level: float = 0.95,
    progress: bool | None = None,
) -> Skill:
    """Play players on the same deals, decide those, and tell what share of the winnable each won.

    Parameters
    ----------
    players : list of str or object
        Specs or objects, see `labyrinth_sim.players.find_player`.
    rules, deals, seed, first, n_jobs, decks, game, progress
        As in `labyrinth_sim.simulate`.
    limits : Limits, optional
        What the search of a deal may use up. Deals that stay unknown widen the answer at its
        lower end, unless one of the players has won them.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        If an argument is not allowed, or a player is given twice.
    PlayerFailed
        If a player fails; its attribute `result` is the `Skill` of the deals before.
    RunFailed
        If a player has won a deal that the solver calls unwinnable.

    Examples
    --------
    >>> print(skill("greedy", "ultimate", deals=2000))
    labyrinth · ultimate · deals 0 to 1,999 of seed 1: 63 winnable
    <BLANKLINE>
    player  wins  of winnable       0.95 interval  method  lost
    greedy    47      74.603%  62.659% to 83.720%  wilson    16
    """
    check_level(level)
    source = SeededDeals(seed) if decks is None else decks
    runs = runs_of(game, players, rules, source)
    refuse_same(runs)
    found, chosen = runs[0].game, runs[0].rules
    solver = solver_of(found).probe(chosen, source, limits or Limits())
    pool = Pool((solver, *(run.probe for run in runs)))
    run = collect(
        pool,
        source,
        deals=deals,
        first=first,
        n_jobs=n_jobs,
        keep="outcomes",
        progress=progress,
        watched="0/winnable",
    )
    columns = run.outcomes or {}
    won = tuple(columns[f"{number}/won"] for number in range(1, len(pool.probes)))
    winnable, unknown = settled(columns["0/winnable"], columns["0/unknown"], won, source, run.first)
    result = Skill(
        game=found.name,
        place=runs[0].place,
        rules=chosen,
        players=tuple(run.player.spec for run in runs),
        source=source,
        first=run.first,
        deals=run.deals,
        winnable=winnable,
        unknown=unknown,
        won=won,
        level=level,
        seconds=run.seconds,
        complete=run.complete,
    )
    return handed(result, run.failure)


def settled(
    winnable: Flags, unknown: Flags, won: Sequence[Flags], source: Deals, first: int
) -> tuple[Flags, Flags]:
    """Which deals are winnable and which unknown, once players have won some of them.

    Parameters
    ----------
    winnable, unknown : ndarray of bool, shape (deals,)
        What the solver says.
    won : sequence of ndarray of bool, shape (deals,)
        What each player has won.
    source : Deals
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
            f"deal {source.label(first + int(wrong[0]))} was won, but the solver calls it "
            "unwinnable; one of the two is wrong"
        )
    return winnable | by_any, unknown & ~by_any
