"""Which clause of the rules makes the difference between two rule sets?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.questions.skill import Flags, settled
from labyrinth_sim.rulesets import Change, RuleSet, single_changes
from labyrinth_sim.run.answer import Answer, Table, answer
from labyrinth_sim.run.asking import Trying, question
from labyrinth_sim.run.measure import measure
from labyrinth_sim.run.pool import Pool
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats import Interval, Paired, all_paired, proportion
from labyrinth_sim.stats.paired import power_of_ten

if TYPE_CHECKING:
    import pandas as pd

WINNABLE = "winnable"


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Clauses(Answer):
    """Two rule sets on the same decks, and every one-at-a-time change of the first.

    See `Answer` for what it holds.
    """

    verb = "clauses"
    searches = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._states  # at birth, as player and solver must not disagree

    @property
    def a(self) -> RuleSet:
        """The rules that are changed."""
        return self.asked.rules[0]

    @property
    def b(self) -> RuleSet:
        """The rules that they are changed to."""
        return self.asked.rules[1]

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The changes, see `single_changes`."""
        return tuple(single_changes(self.a, self.b))

    @cached_property
    def _states(self) -> dict[str, list[tuple[Flags, Flags]]]:
        """By measure: won and unknown deals under `a`, then after each change."""
        columns, count = self.outcomes or {}, 1 + len(self.changes)
        players = self.asked.players[:1]
        won = [columns[f"{count + number}/won"] for number in range(count)] if players else []
        known = [
            settled(
                columns[f"{number}/winnable"],
                columns[f"{number}/unknown"],
                won[number : number + 1],
                self.label,
                self.first,
            )
            for number in range(count)
        ]
        played = {player: [(column, np.zeros_like(column)) for column in won] for player in players}
        return {WINNABLE: known, **played}

    @cached_property
    def before(self) -> dict[str, Interval]:
        """Each measure under `a`."""
        return {name: _rate(*states[0], self.level) for name, states in self._states.items()}

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Of each measure, those of single clauses, then that of all of them together."""
        return tuple(
            effect
            for name, states in self._states.items()
            for effect in _effects(name, self.changes, states, self.level)
        )

    def of(self, measure: str) -> dict[str, Effect]:
        """Effects on a measure by clause."""
        return {one.change.clause: one for one in self.effects if one.measure == measure}

    def together(self, measure: str) -> float:
        """What all clauses do together beyond the sum of what each does alone."""
        *single, both = (one.paired.difference for one in self.of(measure).values())
        return both - sum(single)

    def ids(self, places: NDArray[np.int64], limit: int | None = None) -> list[str]:
        """What the deals at some places of the range are called."""
        return [self.label(self.first + int(place)) for place in places[:limit]]

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """A dict an effect, in plain values, with up to `show` deals that turn each way."""
        return [
            {
                "game": self.game,
                "rules": {"before": self.a.spec, "after": one.change.rules.spec},
                "measure": one.measure,
                "clause": one.change.clause,
                "seed": self.seed,
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

    def summary(self) -> dict[str, Any]:
        return {"effects": self.rows(), "deals": self.deals}

    def frame(self) -> pd.DataFrame:
        """A row an effect, without the deals that turn; `rules` are those after the change."""
        return super().frame().assign(rules=[one.change.rules.spec for one in self.effects])

    def examples(self, show: int) -> Iterator[str]:
        for one in self.effects if show else ():
            yield f"\n{one.change.clause} · {one.measure}"
            yield f"  gained {', '.join(self.ids(one.gained, show)) or 'none'}"
            yield f"  lost   {', '.join(self.ids(one.lost, show)) or 'none'}"

    def title(self) -> str:
        return f"{self.game} · from {self.a.spec} to {self.b.spec} · {self.range_text}"

    def body(self) -> Iterator[str | Table]:
        for name in self.before:
            yield ""
            yield self._head(name)
            yield self._table(name)
            if len(self.of(name)) > 2:
                yield f"together beyond their sum {self.together(name):+.3%}"

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


@question
def clauses(
    a: str | RuleSet | None,
    b: str | RuleSet,
    *,
    player: str | Any | None = None,
    **asked: Unpack[Trying],
) -> Clauses:
    """Find which one-at-a-time rule changes make the odds of two rule sets differ, and by how much.

    The same decks are decided, and played, under `a`, under `b`, and under `a` with each single
    clause of `b`. Deals that stay unknown give bounds.

    Parameters
    ----------
    a, b : str or RuleSet
        The rules that are changed, and those that they are changed to.
    player : str or object, optional
        A player whose win rate is compared as well.

    Examples
    --------
    >>> found = clauses("ultimate", "practical", deals=2000)
    >>> for clause, effect in found.of("winnable").items():
    ...     print(f"{clause}: {effect.paired.difference:+.2%}")
    availability=free_edge: +...%
    deal=any_time: +...%
    all clauses: +...%
    """
    players = () if player is None else [player]
    request = Request.of(rules=[a, b], players=players, **asked)
    several = [request.rules[0], *(one.rules for one in single_changes(*request.rules))]
    probes = [request.solve(rules) for rules in several]
    if player is not None:
        probes += [request.play(replace(request.runs[0], rules=rules)) for rules in several]
    measured = measure(
        request,
        Pool(tuple(probes)),
        wanted=lambda name: name.endswith(("/winnable", "/unknown", "/won")),
        watched="0/winnable",
    )
    return answer(Clauses, request, measured)


def _effects(
    measure: str, changes: Sequence[Change], states: Sequence[tuple[Flags, Flags]], level: float
) -> list[Effect]:
    """Effects of all changes on the won and unknown of each."""
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
        for change, (won, unknown), paired in zip(changes, after, found, strict=True)
    ]


def _rate(won: Flags, unknown: Flags, level: float) -> Interval:
    return proportion(int(won.sum()), len(won), undecided=int(unknown.sum()), level=level)


def _table(one: tuple[Flags, Flags], other: tuple[Flags, Flags]) -> NDArray[np.int64]:
    """Deals by outcome of both: won, lost, unknown."""
    codes = [np.where(won, 0, np.where(unknown, 2, 1)) for won, unknown in (one, other)]
    return np.bincount(3 * codes[0] + codes[1], minlength=9).reshape(3, 3)
