"""The base of every answer: what it is of, how it looks, how it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import deck_text
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import Deal, range_text
from labyrinth_sim.drawing import Shown, aligned, html, paragraph
from labyrinth_sim.errors import RunFailed
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.asked import PROGRAM, STANDARD_INPUT, Asked, piped
from labyrinth_sim.run.executor import Outcomes
from labyrinth_sim.run.measure import Measured
from labyrinth_sim.run.provenance import provenance
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

Table = Sequence[Sequence[str]]
"""Rows of cells; the first row is the head."""

A = TypeVar("A", bound="Answer")


@dataclass(frozen=True, eq=False, kw_only=True)
class Answer(Shown):
    """What became of a question, with all that says what it is of.

    Two answers are equal if identity, deals, outcomes and what the question made of them are;
    time, host and provenance do not matter.

    Parameters
    ----------
    asked : Asked
        Game, rules, players and options in plain values.
    identity : Identity
        What decides the outcomes.
    first, deals : int
        The deals that it is of; fewer than were asked for if it was interrupted.
    tally : Tally
        How many deals had each value of each outcome column.
    outcomes : dict of str to ndarray, or None
        The columns that were kept deal by deal, shape (deals,).
    seconds : float
        From the start of the first deal to the end of the last.
    complete : bool
        False if it was interrupted.
    source : Deals, optional
        Where the decks come from; None where it was read from a file.
    file : str
        The file that it was read from.
    provenance : mapping of str to str
        Versions, host, time, the command; see `labyrinth_sim.run.provenance`.
    """

    verb: ClassVar[str]
    """What asks for it at the command line."""

    kinds: ClassVar[dict[str, type[Answer]]] = {}
    """Every kind of answer by its verb."""

    searches: ClassVar[bool] = False
    """Whether what a search may use up is among its options."""

    asked: Asked = field(compare=False)
    identity: Identity
    first: int
    deals: int
    tally: Tally = field(default_factory=Tally)
    outcomes: Outcomes | None = None
    seconds: float = field(default=0.0, compare=False)
    complete: bool = field(default=True, compare=False)
    source: Deals | None = field(default=None, compare=False, repr=False, metadata={"saved": False})
    file: str = field(default="", compare=False, repr=False, metadata={"saved": False})
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.provenance:  # else it was read from a file
            told = provenance(self.command, self.asked.unnamed)
            object.__setattr__(self, "provenance", told)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "verb" in vars(cls):
            Answer.kinds[cls.verb] = cls

    # What it is of

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.asked.game

    @property
    def rules(self) -> RuleSet:
        """The rules, or the first of several."""
        return self.asked.rules[0]

    @property
    def seed(self) -> int | None:
        """None for given decks."""
        return self.asked.seed

    @property
    def level(self) -> float:
        """Confidence level of its intervals."""
        return self.asked.level

    @property
    def range_text(self) -> str:
        """Which deals it is of, in words."""
        return range_text(self.first, self.deals, self.seed, complete=self.complete)

    def deal_numbers(self) -> NDArray[Any]:
        """Number of the deal in each row of `outcomes`."""
        return np.uint64(self.first) + np.arange(self.deals, dtype=np.uint64)

    def label(self, index: int) -> str:
        """What a deal is called: its id, or the label of a given deck."""
        if self.seed is not None:
            return Deal(self.seed, index).id
        return str(index) if self.source is None else self.source.label(index)

    def show(self, rules: RuleSet, player: str, index: int) -> str:
        """The command that shows a player's game on a deal; a given deck is piped into it."""
        subject = replace(self.asked, rules=(rules,), players=(player,)).subject
        if self.seed is not None:
            return join([PROGRAM, "show", self.label(index), *subject])
        file = "FILE" if self.source is None else STANDARD_INPUT
        command = join([PROGRAM, "show", "--decks", file, *subject])
        return (
            command if self.source is None else piped(deck_text(self.source.deck(index)), command)
        )

    def options(self) -> list[str]:
        """The words of the command that only this question has."""
        return []

    @property
    def command(self) -> str:
        """The command that gives an equal answer; empty if there is none, see `Asked.unnamed`."""
        if self.asked.unnamed:
            return ""
        return join([PROGRAM, self.verb, *self.words()])

    def subject(self) -> list[str]:
        """The words of the command that say game, rules and players."""
        return self.asked.subject

    def chosen(self) -> list[str]:
        """The words of the command that say which deals it is of."""
        return [*self.asked.source, "--first", str(self.first), "--deals", str(self.deals)]

    def words(self) -> list[str]:
        """The words of the command after the verb."""
        asked = self.asked
        return [
            *self.subject(),
            *self.chosen(),
            *(asked.bounds if self.searches else []),
            *(["--level", repr(asked.level)] if asked.level != 0.95 else []),
            *self.options(),
        ]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        names = [one.name for one in fields(self) if one.compare]
        return (
            type(self) is type(other)
            and self.level == other.level
            and all(_same(getattr(self, name), getattr(other, name)) for name in names)
        )

    __hash__ = None  # type: ignore[assignment]

    # In plain values

    def about(self) -> dict[str, Any]:
        """What it is of, in plain values: how most summaries begin."""
        return {
            "game": self.game,
            "rules": self.rules.as_dict(),
            "rules_spec": self.rules.spec,
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
        }

    def summary(self) -> dict[str, Any]:
        """The whole answer in plain values."""
        raise NotImplementedError

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """One dict a row, in plain values, as ``--json`` prints them; up to `show` deals each."""
        return [self.summary()]

    def document(self) -> dict[str, Any]:
        """What a ``.json`` file holds."""
        about = {"complete": self.complete, "provenance": dict(self.provenance)}
        return {**self.summary(), **about}

    def examples(self, show: int) -> Iterator[str]:
        """Lines that name up to `show` deals of each kind that the answer tells apart."""
        yield from ()

    def frame(self) -> pd.DataFrame:
        """A row for each of `rows`; what is no single value is left out."""
        import pandas as pd

        return pd.DataFrame(
            [
                {key: value for key, value in row.items() if not isinstance(value, dict | list)}
                for row in self.rows()
            ]
        )

    def sheet(self) -> pd.DataFrame:
        """The rows of a ``.csv`` file."""
        return self.frame()

    def deal_frame(self) -> pd.DataFrame:
        """The outcomes that were kept, a row a deal, indexed by the deal's number."""
        import pandas as pd

        numbers = self.deal_numbers()
        if self.first + self.deals <= 2**63:
            numbers = numbers.astype(np.int64)  # which more programs can read
        index = pd.Index(numbers, name="index")
        return pd.DataFrame(self.outcomes or {}, index=index, copy=False)

    def tally_frame(self) -> pd.DataFrame:
        """How many deals had each value of each outcome column that is counted one by one."""
        import pandas as pd

        rows = [
            (name, value, deals)
            for name, counts in self.tally.counts.items()
            for value, deals in enumerate(counts.tolist())
            if deals
        ]
        return pd.DataFrame(rows, columns=["column", "value", "deals"])

    # How it looks

    def title(self) -> str:
        """What it is and of what, in a line."""
        return f"{self.game} · {self.rules.spec} · {self.range_text}"

    def body(self) -> Iterator[str | Table]:
        """What stands below the title: lines, empty ones where there is space, and tables."""
        raise NotImplementedError

    def __str__(self) -> str:
        lines = [self.title()]
        for part in self.body():
            lines += [part] if isinstance(part, str) else aligned(part)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = (part for part in self.body() if part != "")
        shown = (paragraph(part) if isinstance(part, str) else html(part) for part in parts)
        return paragraph(self.title()) + "".join(shown)

    # How it is kept

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write it to a file, see `labyrinth_sim.save`."""
        from labyrinth_sim.saving import save

        save(self, path, overwrite=overwrite)


def answer(kind: type[A], request: Request, measured: Measured, **own: Any) -> A:
    """Make an answer of what was measured.

    Raises
    ------
    RunFailed
        If that ended early by a failure; the answer, of what was done before, is its `result`.
    """
    made = kind(
        asked=Asked.of(request),
        identity=measured.identity,
        first=measured.first,
        deals=measured.deals,
        tally=measured.tally,
        outcomes=measured.outcomes or None,
        seconds=measured.seconds,
        complete=measured.complete,
        source=request.source,
        **own,
    )
    return ended(made, measured.failure)


def ended(made: A, failure: RunFailed | None) -> A:
    """The answer; if a failure ended the work on it, that is raised, with the answer in it."""
    if failure is None:
        return made
    failure.result = made
    raise failure


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(one == other)
