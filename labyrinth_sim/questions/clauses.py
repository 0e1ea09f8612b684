"""Which clause of the rules makes the difference between two rule sets?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals, range_text
from labyrinth_sim.drawing import Shown
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.questions.skill import settled
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.collect import collect, handed
from labyrinth_sim.run.pool import Pool
from labyrinth_sim.run.tables import aligned, html, paragraph
from labyrinth_sim.stats import Interval, Paired, all_paired, check_level, proportion
from labyrinth_sim.stats.paired import power_of_ten

if TYPE_CHECKING:
    import pandas as pd

Flags = NDArray[np.bool_]

ALL = "all clauses"
WINNABLE = "winnable"


@dataclass(frozen=True)
class Change:
    """A rule set on the way from one to another.

    Parameters
    ----------
    clause : str
        The parameters that are changed and their new values, ``all clauses`` for the last one.
    rules : RuleSet
    """

    clause: str
    rules: RuleSet


@dataclass(frozen=True, eq=False)
class Effect:
    """What a change does to a share of deals.

    Parameters
    ----------
    change : Change
    measure : str
        ``winnable``, or the spec of a player whose wins are counted.
    rate : Interval
        The share after the change.
    paired : Paired
        The share after the change less that before it, on the same deals, adjusted for the
        number of changes.
    gained, lost : ndarray of int
        Places in the range of the deals that turned, each way.
    """

    change: Change
    measure: str
    rate: Interval
    paired: Paired
    gained: NDArray[np.int64]
    lost: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Clauses(Shown):
    """Two rule sets on the same decks, and every single-clause change of the first.

    Parameters
    ----------
    game : str
    a, b : RuleSet
    source : Deals
    first, deals : int
    before : dict of str to Interval
        Each measure under `a`.
    effects : tuple of Effect
        Of each measure, those of single clauses, then that of all of them together.
    level : float
    seconds : float
    complete : bool
        False if the run was interrupted.
    """

    game: str
    a: RuleSet
    b: RuleSet
    source: Deals
    first: int
    deals: int
    before: dict[str, Interval]
    effects: tuple[Effect, ...]
    level: float
    seconds: float
    complete: bool

    def of(self, measure: str) -> dict[str, Effect]:
        """Effects on a measure by clause."""
        return {one.change.clause: one for one in self.effects if one.measure == measure}

    def together(self, measure: str) -> float:
        """What all clauses do together beyond the sum of what each does alone."""
        *single, both = (one.paired.difference for one in self.of(measure).values())
        return both - sum(single)

    def ids(self, places: NDArray[np.int64], limit: int | None = None) -> list[str]:
        """What the deals at some places of the range are called."""
        return [self.source.label(self.first + int(place)) for place in places[:limit]]

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """A dict an effect, in plain values, with up to `show` deals that turn each way."""
        return [
            {
                "game": self.game,
                "rules": {"before": self.a.spec, "after": one.change.rules.spec},
                "measure": one.measure,
                "clause": one.change.clause,
                "seed": self.source.seed,
                "first": self.first,
                "deals": self.deals,
                "rate_before": self.before[one.measure].estimate,
                "rate_after": one.rate.estimate,
                "gained": len(one.gained),
                "lost": len(one.lost),
                **{
                    key: value
                    for key, value in one.paired.as_dict().items()
                    if key not in ("deals", "both", "only_a", "only_b", "neither")
                },
                "deals_gained": self.ids(one.gained, show),
                "deals_lost": self.ids(one.lost, show),
                "seconds": self.seconds,
            }
            for one in self.effects
        ]

    def frame(self) -> pd.DataFrame:
        """A row an effect, without the deals that turn."""
        import pandas as pd

        rows = pd.DataFrame(self.rows()).drop(columns=["deals_gained", "deals_lost", "rules"])
        return rows.assign(rules=[one.change.rules.spec for one in self.effects])

    def __str__(self) -> str:
        lines = [self._title()]
        for measure in self.before:
            lines += ["", self._head(measure), *aligned(self._table(measure))]
            if len(self.of(measure)) > 2:
                lines.append(f"together beyond their sum {self.together(measure):+.3%}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        tables = (paragraph(self._head(name)) + html(self._table(name)) for name in self.before)
        return paragraph(self._title()) + "".join(tables)

    def _title(self) -> str:
        deals = range_text(self.first, self.deals, self.source.seed, complete=self.complete)
        return f"{self.game} · from {self.a.spec} to {self.b.spec} · {deals}"

    def _head(self, measure: str) -> str:
        name = measure if measure == WINNABLE else f"won by {measure}"
        return f"{name} under {self.a.spec}: {self.before[measure]}"

    def _table(self, measure: str) -> list[list[str]]:
        effects = self.of(measure)
        method = Paired.simultaneous_method if len(effects) > 1 else Paired.method
        head = ["clause", "share", "change", f"{self.level:.4g} {method}"]
        rows = [[*head, "gained", "lost", "p holm"]]
        for clause, one in effects.items():
            found = one.paired
            ends = f"{found.simultaneous_low:+.3%} to {found.simultaneous_high:+.3%}"
            change, p = f"{found.difference:+.3%}", power_of_ten(found.log10_p_holm)
            if found.identical:
                change, ends, p = "none", "no deal turns", ""
            turned = f"{len(one.gained):,}", f"{len(one.lost):,}"
            rows.append([clause, f"{one.rate.estimate:.3%}", change, ends, *turned, p])
        return rows


def single_changes(a: RuleSet, b: RuleSet) -> list[Change]:
    """The changes of `a` by one clause of `b`, then `b` itself.

    Parameters that can't be changed alone, such as a resort and how often it serves where there
    was none, are one clause.

    Raises
    ------
    InvalidInput
        If the two are the same rules.

    Examples
    --------
    >>> from labyrinth_sim.games.free_edge.rules import LabyrinthRules as Rules
    >>> found = single_changes(Rules.read("ultimate"), Rules.read("wikipedia,resorts=2"))
    >>> [change.clause for change in found]
    ['refill=optional', 'availability=free_edge', 'resort=lift,resorts=2', 'all clauses']
    """
    after = b.as_dict()
    differ = [name for name, value in a.as_dict().items() if value != after[name]]
    if not differ:
        raise InvalidInput(f"{a.spec} and {b.spec} are the same rules; give two that differ")
    groups: list[tuple[str, ...]] = []
    for name in differ:
        if not any(name in group for group in groups):
            groups.append(_smallest(a, after, name, differ))
    named = {",".join(f"{key}={after[key]}" for key in group): group for group in groups}
    changes = [
        Change(clause, replace(a, **{key: after[key] for key in group}))
        for clause, group in named.items()
    ]
    return changes if len(changes) == 1 else [*changes, Change(ALL, b)]


def _smallest(
    a: RuleSet, after: dict[str, Any], name: str, differ: Sequence[str]
) -> tuple[str, ...]:
    """The fewest parameters that make rules when changed together, one of them given."""
    for size in range(1, len(differ) + 1):
        for group in combinations(differ, size):
            if name in group:
                try:
                    replace(a, **{key: after[key] for key in group})
                except InvalidInput:
                    continue
                return group
    return tuple(differ)


def clauses(
    a: str | RuleSet | None,
    b: str | RuleSet,
    *,
    player: str | Any | None = None,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    n_jobs: int = -1,
    limits: Limits | None = None,
    decks: Deals | None = None,
    game: str | Game = DEFAULT,
    level: float = 0.95,
    progress: bool | None = None,
) -> Clauses:
    """Find which clauses change the odds between two rule sets, and by how much.

    The same decks are decided, and played, under `a`, under `b`, and under `a` with each single
    clause of `b`.

    Parameters
    ----------
    a, b : str or RuleSet
    player : str or object, optional
        A player whose win rate is compared as well.
    deals, seed, first, n_jobs, decks, game, progress
        As in `labyrinth_sim.simulate`.
    limits : Limits, optional
        What the search of a deal may use up; deals that stay unknown give bounds.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        If an argument is not allowed, or the two are the same rules.
    PlayerFailed
        If the player fails; its attribute `result` is the `Clauses` of the deals before.

    Examples
    --------
    >>> found = clauses("ultimate", "practical", deals=2000)
    >>> for clause, effect in found.of("winnable").items():
    ...     print(f"{clause}: {effect.paired.difference:+.2%}")
    availability=free_edge: +...%
    deal=any_time: +...%
    all clauses: +...%
    """
    check_level(level)
    found = find_game(game) if isinstance(game, str) else game
    before, after = find_rules(found, a), find_rules(found, b)
    changes = [Change("", before), *single_changes(before, after)]
    source = SeededDeals(seed) if decks is None else decks
    solver = solver_of(found)
    probes = [solver.probe(change.rules, source, limits or Limits()) for change in changes]
    chosen = None if player is None else find_player(found, player)
    if chosen is not None:
        probes += [probe_for(found, change.rules, chosen, source) for change in changes]
    pool = Pool(tuple(probes))
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
    columns, count = run.outcomes or {}, len(changes)
    won = [columns[f"{count + number}/won"] for number in range(count)] if chosen else []
    known = [
        settled(
            columns[f"{number}/winnable"],
            columns[f"{number}/unknown"],
            won[number : number + 1],
            source,
            run.first,
        )
        for number in range(count)
    ]
    measures = {WINNABLE: known}
    if chosen is not None:
        measures[chosen.spec] = [(column, np.zeros_like(column)) for column in won]
    result = Clauses(
        game=found.name,
        a=before,
        b=after,
        source=source,
        first=run.first,
        deals=run.deals,
        before={name: _rate(*states[0], level) for name, states in measures.items()},
        effects=tuple(
            effect
            for name, states in measures.items()
            for effect in _effects(name, changes, states, level)
        ),
        level=level,
        seconds=run.seconds,
        complete=run.complete,
    )
    return handed(result, run.failure)


def _effects(
    measure: str, changes: Sequence[Change], states: Sequence[tuple[Flags, Flags]], level: float
) -> list[Effect]:
    """Effects of all changes but the first, which is none, on the won and unknown of each."""
    before, *after = states
    found = all_paired([_table(state, before) for state in after], level=level)
    return [
        Effect(
            change,
            measure,
            _rate(won, unknown, level),
            paired,
            np.flatnonzero(won & ~before[0] & ~before[1]),
            np.flatnonzero(before[0] & ~won & ~unknown),
        )
        for change, (won, unknown), paired in zip(changes[1:], after, found, strict=True)
    ]


def _rate(won: Flags, unknown: Flags, level: float) -> Interval:
    return proportion(int(won.sum()), len(won), undecided=int(unknown.sum()), level=level)


def _table(one: tuple[Flags, Flags], other: tuple[Flags, Flags]) -> NDArray[np.int64]:
    """Deals by outcome of both: won, lost, unknown."""
    codes = [np.where(won, 0, np.where(unknown, 2, 1)) for won, unknown in (one, other)]
    return np.bincount(3 * codes[0] + codes[1], minlength=9).reshape(3, 3)
