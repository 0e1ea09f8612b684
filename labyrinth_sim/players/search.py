"""Searching a family of players for the member that wins most, all of them on the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import ARGUMENT, Named
from labyrinth_sim.players.files import DealRange

Outcomes = Mapping[str, NDArray[Any]]

MOST_ARGUMENT = 6
"""Of a value ``name:k`` k is tried from 0 to this."""

FEW = 5_000
"""So many combinations of values are all tried; of more, as many are drawn."""

MERGE = 512
"""Players that do the same on so many deals are taken for one player."""

FINALISTS = 8
"""So many are played on all training deals."""

POPULATION, ELITE, GENERATIONS, SMOOTHING = 32, 8, 12, 0.7
"""Of the cross-entropy method: draws a generation, those it learns from, how many generations,
and the weight of what a generation says against what was known before."""


@dataclass(frozen=True)
class Candidate:
    """A player that was tried.

    Parameters
    ----------
    player : Named
    deals : DealRange
        What it was played on.
    wins : int
    same_as : str, optional
        Spec of another player with the same outcomes, which stood for it in what followed.
    """

    player: Named
    deals: DealRange
    wins: int
    same_as: str | None = None


class Course(Protocol):
    """What a search is made on: plays any players on any deals, all of them on the same ones."""

    def outcomes(self, players: Sequence[Any], deals: DealRange, what: str) -> Sequence[Outcomes]:
        """Outcome columns of each player, shape (deals,); `what` is said beside the bar."""
        ...

    def wins(self, players: Sequence[Any], deals: DealRange, what: str) -> list[int]:
        """Wins of each player."""
        ...


def combinations(start: Named, free: Sequence[str], rng: np.random.Generator) -> list[Named]:
    """Members of a family that differ from `start` in choices and integers.

    Parameters
    ----------
    start : Named
    free : sequence of str
        Names of the parameters that may differ.
    rng : numpy Generator
        Draws from the combinations of values, if they are more than `FEW`.

    Returns
    -------
    list of Named
        `start` is the first, then come those that differ less from the family's defaults.
    """
    grids = [_values(start, name) for name in free]
    drawn: Iterator[tuple[Any, ...]]
    if prod(map(len, grids)) <= FEW:
        drawn = product(*grids)
    else:
        drawn = (tuple(grid[rng.integers(len(grid))] for grid in grids) for _ in range(FEW))
    members = {start: None}
    for values in drawn:
        try:
            members.setdefault(replace(start, **dict(zip(free, values, strict=True))))
        except InvalidInput:  # values that contradict each other
            continue
    return sorted(members, key=lambda member: (member != start, len(member.changed())))


def _values(start: Named, name: str) -> list[Any]:
    """Values of a parameter that are worth a try."""
    kind = next(parameter.metadata for parameter in fields(start) if parameter.name == name)
    if "values" in kind:
        return [
            text.removesuffix(ARGUMENT) + end
            for text in kind["values"]
            for end in (
                [f":{k}" for k in range(MOST_ARGUMENT + 1)] if text.endswith(ARGUMENT) else [""]
            )
        ]
    low, high = kind["low"], kind["high"]
    if high is None:
        return [low, *(low + 2**k for k in range(MOST_ARGUMENT))]
    steps = min(high - low, 2 * MOST_ARGUMENT)
    return sorted({int(value) for value in np.linspace(low, high, steps + 1)})


def race(course: Course, players: Sequence[Named], deals: DealRange) -> list[Candidate]:
    """Successive halving: each round is on more of the deals, and the better half stays.

    Players that do the same are merged before, so that none is raced against itself.

    Parameters
    ----------
    course : Course
    players : sequence of Named
        Of equal ones the earlier is preferred.
    deals : DealRange
        The last round is on all of them, and every round begins at the first.

    Returns
    -------
    list of Candidate
        The finalists, the best first; then all others, those that left last first.
    """
    few = replace(deals, deals=min(MERGE, deals.deals))
    outcomes = course.outcomes(players, few, f"{len(players)} players")
    racing, others = _merged(players, few, outcomes)
    while True:
        # Every round costs as much as the last one, so half of the players get twice the deals.
        count = min(deals.deals, FINALISTS * deals.deals // len(racing))
        racing = sorted(_extended(course, racing, count), key=lambda one: -one.wins)
        if len(racing) <= FINALISTS:
            return racing + others
        half = (len(racing) + 1) // 2
        others = racing[half:] + others
        racing = racing[:half]


def _merged(
    players: Sequence[Named], deals: DealRange, outcomes: Sequence[Outcomes]
) -> tuple[list[Candidate], list[Candidate]]:
    """One candidate for each way to play, and those that it stands for."""
    first: dict[bytes, Candidate] = {}
    same = []
    for player, columns in zip(players, outcomes, strict=True):
        candidate = Candidate(player, deals, int(columns["won"].sum()))
        key = b"".join(values.tobytes() for values in columns.values())
        if (other := first.setdefault(key, candidate)) is not candidate:
            same.append(replace(candidate, same_as=other.player.spec))
    return list(first.values()), same


def _extended(course: Course, racing: list[Candidate], count: int) -> list[Candidate]:
    """The candidates after `count` deals, of which those that are new to them are played."""
    done = racing[0].deals
    if count <= done.deals:
        return racing
    new = DealRange(done.seed, done.end, count - done.deals)
    wins = course.wins([one.player for one in racing], new, f"{len(racing)} players")
    deals = replace(done, deals=count)
    return [
        Candidate(one.player, deals, one.wins + more)
        for one, more in zip(racing, wins, strict=True)
    ]


def cross_entropy(
    course: Course,
    start: Named,
    free: Sequence[str],
    deals: DealRange,
    rng: np.random.Generator,
) -> tuple[Named, list[Candidate]]:
    """Learn parameters that are numbers: draw them, and draw the next ones around the best.

    Each generation is drawn from a Gaussian and played on the next part of the deals. If a player
    with all numbers doubled does the same, only their ratios matter, and their Euclidean norm is
    kept at that of `start`. Numbers are written with 3 decimals (R. Rubinstein and D. Kroese,
    "The Cross-Entropy Method", Springer 2004).

    Parameters
    ----------
    course : Course
    start : Named
        The first Gaussian is around its numbers.
    free : sequence of str
        Names of the parameters.
    deals : DealRange
    rng : numpy Generator

    Returns
    -------
    player : Named
        The centre of the last Gaussian; it has not been played.
    tried : list of Candidate
    """
    centre = _vector(start, free)
    width = np.full(len(centre), np.abs(centre).max() or 1.0)
    size = float(np.linalg.norm(centre)) or 1.0
    scaled = _scale_is_idle(course, start, free, deals)
    tried = []
    for number, some in enumerate(_parts(deals, GENERATIONS), start=1):
        draws = centre + width * rng.standard_normal((POPULATION, len(centre)))
        draws[0] = centre
        draws = np.array([_rounded(draw, size if scaled else None) for draw in draws])
        players = [_with_vector(start, free, draw) for draw in draws]
        wins = np.array(course.wins(players, some, f"generation {number} of {GENERATIONS}"))
        tried += [
            Candidate(player, some, int(count)) for player, count in zip(players, wins, strict=True)
        ]
        elite = draws[np.argsort(-wins, kind="stable")[:ELITE]]
        centre += SMOOTHING * (elite.mean(axis=0) - centre)
        width += SMOOTHING * (elite.std(axis=0, ddof=1) - width)
    return _with_vector(start, free, _rounded(centre, size if scaled else None)), tried


def _parts(deals: DealRange, parts: int) -> Iterator[DealRange]:
    """Cut a range into equal parts; all are of one deal at least, and may be the same then."""
    count = max(1, deals.deals // parts)
    for number in range(parts):
        yield DealRange(deals.seed, deals.first + number * count % deals.deals, count)


def _scale_is_idle(course: Course, start: Named, free: Sequence[str], deals: DealRange) -> bool:
    few = replace(deals, deals=min(MERGE, deals.deals))
    doubled = _with_vector(start, free, 2 * _vector(start, free))
    one, other = course.outcomes([start, doubled], few, "2 players")
    return all(np.array_equal(one[name], other[name]) for name in one)


def _rounded(draw: NDArray[np.float64], size: float | None) -> NDArray[np.float64]:
    norm = float(np.linalg.norm(draw))
    if size is not None and norm > 0:
        draw = draw * (size / norm)
    return np.round(draw, 3) + 0.0  # -0.0 becomes 0.0


def _vector(player: Named, free: Sequence[str]) -> NDArray[np.float64]:
    return np.concatenate([np.array(getattr(player, name), np.float64) for name in free])


def _with_vector(player: Named, free: Sequence[str], vector: NDArray[np.float64]) -> Named:
    values, start = {}, 0
    for name in free:
        count = len(getattr(player, name))
        values[name] = tuple(vector[start : start + count].tolist())
        start += count
    return replace(player, **values)
