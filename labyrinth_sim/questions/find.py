"""Finding deals by what became of them: to play them, or to see why players part on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.conditions import Condition, read_condition
from labyrinth_sim.drawing import paragraph
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Answer, Table, answer
from labyrinth_sim.run.asking import Playing, question
from labyrinth_sim.run.blocks import Block
from labyrinth_sim.run.executor import Done
from labyrinth_sim.run.measure import Step, everything, measure
from labyrinth_sim.run.pool import Pool, part
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

FIRST_BLOCK = 256
"""Blocks grow from this size, so that what is easily found is found soon."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Found(Answer):
    """Deals that a condition holds for; see `Answer` for what it holds.

    Its `outcomes` are those of the deals that were found, and its range is what was searched: up
    to the last deal found if the limit was reached.

    Parameters
    ----------
    where : str
        The condition.
    names : tuple of str
        What the condition calls the runs.
    numbers : tuple of int
        Number of each deal that was found, in order.
    limit : int or None
        How many were wanted.
    """

    verb = "find"

    where: str
    names: tuple[str, ...]
    numbers: tuple[int, ...]
    limit: int | None = field(compare=False)

    @property
    def ids(self) -> list[str]:
        """Ids of the deals; of given decks, what they are called."""
        return [self.label(number) for number in self.numbers]

    @property
    def columns(self) -> dict[str, dict[str, NDArray[Any]]]:
        """By run and column: outcomes of the deals that were found, shape (deals found,)."""
        return {name: part(self.outcomes or {}, number) for number, name in enumerate(self.names)}

    def deal_numbers(self) -> NDArray[Any]:
        return np.array(self.numbers, np.uint64)

    def options(self) -> list[str]:
        limit = self.deals if self.limit is None else self.limit
        return ["--where", self.where, "--limit", str(limit)]

    def subject(self) -> list[str]:
        words = super().subject()
        if self.names == tuple(ascii_lowercase[: len(self.names)]):
            return words
        runs = zip(self.names, self.asked.runs, strict=True)
        named = [
            word
            for name, (rules, player) in runs
            for word in ("--run", f"{name}={player}@{rules.spec}")
        ]
        return [*words[: 2 * (words[:1] == ["--game"])], *named]

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """One dict a deal, in plain values, as ``labyrinth-sim find --json`` prints it."""
        return [
            {
                "deal": id,
                **{
                    name: {column: values[place].item() for column, values in columns.items()}
                    for name, columns in self.columns.items()
                },
            }
            for place, id in enumerate(self.ids)
        ]

    def summary(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "where": self.where,
            "runs": {
                name: {"player": player, "rules_spec": rules.spec}
                for name, (rules, player) in zip(self.names, self.asked.runs, strict=True)
            },
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
            "found": self.rows(),
        }

    def frame(self) -> pd.DataFrame:
        """A row a deal: `deal`, and the outcomes as ``a.won``, ``a.cards_left`` and so on."""
        import pandas as pd

        values = {
            f"{name}.{column}": values
            for name, columns in self.columns.items()
            for column, values in columns.items()
        }
        return pd.DataFrame({"deal": self.ids, **values})

    def title(self) -> str:
        """How many were found, and where was looked for them."""
        runs = zip(self.names, self.asked.runs, strict=True)
        names = (f"{name} = {player}@{rules.spec}" for name, (rules, player) in runs)
        return (
            f"{len(self.numbers):,} found among {self.range_text}: {self.where}; {', '.join(names)}"
        )

    def body(self) -> Iterator[str | Table]:
        runs = dict(zip(self.names, self.asked.runs, strict=True))
        for number, row in zip(self.numbers, self.rows(), strict=True):
            yield row.pop("deal")
            for name, outcome in row.items():
                told = ", ".join(_told(column, value) for column, value in outcome.items())
                yield f"  {name}: {told}"
                yield f"     {self.show(*runs[name], number)}"

    def __str__(self) -> str:
        lines = [str(line) for line in self.body()]
        return "\n".join([*lines, *([""] if lines else []), self.title()])

    def _repr_html_(self) -> str:
        return paragraph(self.title()) + str(self.frame().to_html(index=False))


def _told(column: str, value: Any) -> str:
    if isinstance(value, bool):
        return column if value else f"not {column}"
    return f"{column} {value}"


@question
def find(
    where: str,
    players: str | Any | Sequence[str | Any] | None = None,
    rules: str | RuleSet | Sequence[str | RuleSet] | None = None,
    *,
    runs: Mapping[str, tuple[str | Any, str | RuleSet | None]] | None = None,
    limit: int | None = 10,
    **asked: Unpack[Playing],
) -> Found:
    """Search a range of deals for those that a condition holds for.

    Parameters
    ----------
    where : str
        E.g. ``a.won and not b.won``, see `labyrinth_sim.conditions.read_condition`.
    players, rules : list
        Runs as in `labyrinth_sim.compare`; the condition calls them a, b, c and so on.
    runs : mapping of str to (player, rules), optional
        Runs with names of your own, in place of `players` and `rules`.
    limit : int or None, default 10
        The search ends when so many are found; None for all of them.

    Returns
    -------
    Found
        The same at any `n_jobs`.

    Examples
    --------
    >>> found = find("a.won and not b.won", ["patient", "greedy"], deals=1000, limit=2)
    >>> found.ids
    ['1/1/28', '1/1/101']
    """
    names: Sequence[str] = ascii_lowercase
    if runs is not None:
        if players is not None or rules is not None:
            raise InvalidInput("give runs by name, or players and rules, not both")
        names = _checked_names(runs)
        players = [player for player, _ in runs.values()]
        rules = [rule for _, rule in runs.values()]  # type: ignore[misc]
    request = Request.of(rules=rules, players=players, **asked)
    if len(request.runs) > len(names):
        raise InvalidInput(f"{len(request.runs)} runs have no letters of their own; name them")
    names = tuple(names[: len(request.runs)])
    pool = Pool(request.plays())
    columns = zip(names, pool.probes, strict=True)
    condition = read_condition(
        where, {name: [column.name for column in probe.columns] for name, probe in columns}
    )
    limit = None if limit is None else checked_whole("limit", limit, 1)
    measured = measure(
        request,
        pool,
        wanted=everything,
        watched="0/won",
        blocks=_growing(request.first, request.deals, 1 << pool.block_bits),
        step=_searching(condition, names, limit),
        state=(_Hits([], {one.name: np.zeros(0, one.dtype) for one in pool.columns}),),
        keep=False,
    )
    hits = measured.state
    numbers = tuple(number for hit in hits for number in hit.numbers)
    full = limit is not None and len(numbers) == limit
    outcomes = {
        column.name: np.concatenate([hit.outcomes[column.name] for hit in hits])
        for column in pool.columns
    }
    searched = replace(
        measured,
        deals=numbers[-1] + 1 - request.first if full else measured.deals,
        tally=Tally.of(outcomes),
        outcomes=outcomes,
    )
    return answer(
        Found, request, searched, where=condition.text, names=names, numbers=numbers, limit=limit
    )


@dataclass(frozen=True)
class _Hits:
    """What was found in a block, with the outcomes."""

    numbers: list[int]
    outcomes: Mapping[str, NDArray[Any]]


def _searching(condition: Condition, names: Sequence[str], limit: int | None) -> Step:
    """Look for further deals in every block, until there are enough."""

    def step(hits: tuple[_Hits, ...], done: Done) -> tuple[tuple[_Hits, ...], bool]:
        columns = {name: part(done.outcomes, number) for number, name in enumerate(names)}
        left = None if limit is None else limit - sum(len(hit.numbers) for hit in hits)
        places = np.flatnonzero(condition(columns, done.block.count))[:left]
        numbers = [done.block.first + place for place in places.tolist()]
        found = {name: values[places] for name, values in done.outcomes.items()}
        enough = left is not None and len(numbers) == left
        return ((*hits, _Hits(numbers, found)) if numbers else hits), enough

    return step


def _checked_names(runs: Mapping[str, Any]) -> tuple[str, ...]:
    if not runs:
        raise InvalidInput("runs={} names no run; give at least one")
    for name in runs:
        if not name.isidentifier() or iskeyword(name):
            raise InvalidInput(f"{name!r} can't be the name of a run; give a word such as a")
    return tuple(runs)


def _growing(first: int, deals: int, largest: int) -> Iterator[Block]:
    size, end = min(FIRST_BLOCK, largest), first + deals
    while first < end:
        count = min(size, end - first)
        yield Block(first, count)
        first += count
        size = min(2 * size, largest)
