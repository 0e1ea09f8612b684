"""Finding deals by what became of them: to play them, or to see why players part on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import SeededDeals, range_text
from labyrinth_sim.drawing import Shown
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games import DEFAULT
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.questions.condition import read_condition
from labyrinth_sim.questions.pool import Pool, Run, played, runs_of
from labyrinth_sim.questions.tables import paragraph
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import Block, cut
from labyrinth_sim.run.collect import checked_range, handed
from labyrinth_sim.run.executor import Outcomes

if TYPE_CHECKING:
    import pandas as pd

FIRST_BLOCK = 256
"""Blocks grow from this size, so that what is easily found is found soon."""


@dataclass(frozen=True, eq=False)
class Found(Shown):
    """Deals that a condition holds for.

    Parameters
    ----------
    where : str
        The condition.
    runs : mapping of str to Run
        The runs by the names that it calls them by.
    source : Deals
        Where the decks come from.
    numbers : tuple of int
        Number of each deal that was found, in order.
    columns : mapping of str to mapping of str to ndarray
        By run and column: outcomes of the deals that were found, shape (deals found,).
    first, deals : int
        The range that was searched: up to the last deal found if the limit was reached.
    complete : bool
        False if the search was interrupted.
    """

    where: str
    runs: Mapping[str, Run]
    source: Deals
    numbers: tuple[int, ...]
    columns: Mapping[str, Mapping[str, NDArray[Any]]]
    first: int
    deals: int
    complete: bool

    @property
    def ids(self) -> list[str]:
        """Ids of the deals; of given decks, what they are called."""
        return [self.source.label(number) for number in self.numbers]

    def rows(self) -> list[dict[str, Any]]:
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

    def frame(self) -> pd.DataFrame:
        """A row a deal: `deal`, and the outcomes as ``a.won``, ``a.cards_left`` and so on."""
        import pandas as pd

        values = {
            f"{name}.{column}": values
            for name, columns in self.columns.items()
            for column, values in columns.items()
        }
        return pd.DataFrame({"deal": self.ids, **values})

    def summary(self) -> str:
        """How many were found, and where was looked for them."""
        deals = range_text(self.first, self.deals, self.source.seed, complete=self.complete)
        names = (f"{name} = {run.player.spec}@{run.rules.spec}" for name, run in self.runs.items())
        return f"{len(self.numbers):,} found among {deals}: {self.where}; {', '.join(names)}"

    def __str__(self) -> str:
        lines = []
        for number, row in zip(self.numbers, self.rows(), strict=True):
            lines.append(row.pop("deal"))
            for name, outcome in row.items():
                told = ", ".join(_told(column, value) for column, value in outcome.items())
                lines.append(f"  {name}: {told}")
                lines.append(f"     {self.runs[name].show(self.source, number)}")
        return "\n".join([*lines, *([""] if lines else []), self.summary()])

    def _repr_html_(self) -> str:
        return paragraph(self.summary()) + str(self.frame().to_html(index=False))


def _told(column: str, value: Any) -> str:
    if isinstance(value, bool):
        return column if value else f"not {column}"
    return f"{column} {value}"


def find(
    where: str,
    players: str | Any | Sequence[str | Any] | None = None,
    rules: str | RuleSet | Sequence[str | RuleSet] | None = None,
    *,
    runs: Mapping[str, tuple[str | Any, str | RuleSet | None]] | None = None,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    limit: int | None = 10,
    n_jobs: int = -1,
    decks: Deals | None = None,
    game: str | Game = DEFAULT,
    progress: bool | None = None,
) -> Found:
    """Search a range of deals for those that a condition holds for.

    Parameters
    ----------
    where : str
        E.g. ``a.won and not b.won``, see `labyrinth_sim.questions.condition.read_condition`.
    players, rules
        Runs as in `labyrinth_sim.compare`; the condition calls them a, b, c and so on.
    runs : mapping of str to (player, rules), optional
        Runs with names of your own, in place of `players` and `rules`.
    deals, seed, first, n_jobs, decks, game, progress
        As in `labyrinth_sim.simulate`.
    limit : int or None, default 10
        The search ends when so many are found; None for all of them.

    Returns
    -------
    Found
        The same at any `n_jobs`.

    Raises
    ------
    InvalidInput
        If an argument is not allowed.
    PlayerFailed
        If a player raises an error, gives no legal move, or takes too long. What was found before
        is its attribute `result`.
    KeyboardInterrupt
        If interrupted before the first block was done.

    Examples
    --------
    >>> found = find("a.won and not b.won", ["patient", "greedy"], deals=1000, limit=2)
    >>> found.ids
    ['1/1/28', '1/1/101']
    """
    source = SeededDeals(seed) if decks is None else decks
    named = _named(game, players, rules, runs, source)
    pool = Pool(tuple(run.probe for run in named.values()))
    condition = read_condition(
        where, {name: [c.name for c in run.probe.columns] for name, run in named.items()}
    )
    limit = None if limit is None else checked_whole("limit", limit, 1)
    first, deals = checked_range(source, first, deals)
    cut(first, deals, 16, source.size)  # refuses ranges that are none
    blocks = _growing(first, deals, 1 << pool.block_bits)
    hits: list[_Hits] = []
    wanted, failure = limit, None
    try:
        for part in played(pool, blocks, deals, n_jobs=n_jobs, keep=True, progress=progress):
            outcomes = pool.outcomes(part)
            held = condition(dict(zip(named, outcomes, strict=True)), part.block.count)
            hits.append(_Hits.of(part.block, np.flatnonzero(held)[:wanted], outcomes))
            if wanted is not None:
                wanted -= len(hits[-1].numbers)
                if not wanted:
                    break
    except (KeyboardInterrupt, RunFailed) as problem:
        if not hits:
            raise
        failure = problem if isinstance(problem, RunFailed) else None
    numbers = tuple(number for hit in hits for number in hit.numbers)
    full = limit is not None and len(numbers) == limit
    searched = (numbers[-1] + 1 if full else hits[-1].end) - first
    found = Found(
        where=condition.text,
        runs=named,
        source=source,
        numbers=numbers,
        columns={
            name: {
                column.name: np.concatenate([hit.columns[number][column.name] for hit in hits])
                for column in run.probe.columns
            }
            for number, (name, run) in enumerate(named.items())
        },
        first=first,
        deals=searched,
        complete=full or searched == deals,
    )
    return handed(found, failure)


@dataclass(frozen=True)
class _Hits:
    """What was found in a block, with the outcomes of each run, and where the block ends."""

    numbers: list[int]
    columns: list[Outcomes]
    end: int

    @classmethod
    def of(cls, block: Block, places: NDArray[np.intp], outcomes: Sequence[Outcomes]) -> _Hits:
        numbers = [block.first + place for place in places.tolist()]
        columns = [{name: run[name][places] for name in run} for run in outcomes]
        return cls(numbers, columns, block.first + block.count)


def _named(
    game: str | Game,
    players: Any,
    rules: Any,
    runs: Mapping[str, tuple[str | Any, str | RuleSet | None]] | None,
    source: Deals,
) -> dict[str, Run]:
    if runs is None:
        several = runs_of(game, players, rules, source)
        if len(several) > len(ascii_lowercase):
            raise InvalidInput(f"{len(several)} runs have no letters of their own; name them")
        return dict(zip(ascii_lowercase, several, strict=False))
    if players is not None or rules is not None:
        raise InvalidInput("give runs by name, or players and rules, not both")
    if not runs:
        raise InvalidInput("runs={} names no run; give at least one")
    for name in runs:
        if not name.isidentifier() or iskeyword(name):
            raise InvalidInput(f"{name!r} can't be the name of a run; give a word such as a")
    return {name: runs_of(game, *run, source)[0] for name, run in runs.items()}


def _growing(first: int, deals: int, largest: int) -> Iterator[Block]:
    size, end = min(FIRST_BLOCK, largest), first + deals
    while first < end:
        count = min(size, end - first)
        yield Block(first, count)
        first += count
        size = min(2 * size, largest)
