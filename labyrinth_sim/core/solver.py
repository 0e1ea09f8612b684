"""What decides a deal with perfect information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Column, Deals, Deck, Probe
from labyrinth_sim.parameters import checked_whole

VERDICT_COLUMNS = (
    Column("winnable", "bool", "some legal line of moves wins"),
    Column("unknown", "bool", "a limit was reached before the search was over"),
    Column("nodes", "uint64", "positions that the search looked into"),
)
"""Outcome columns of every solver."""


@dataclass(frozen=True)
class Solution:
    """What is known of one deal with perfect information.

    Parameters
    ----------
    verdict : {"winnable", "unwinnable", "unknown"}
    moves : list of Move, or None
        A winning line, if winnable.
    nodes : int
        Positions that the search looked into.
    seconds : float
    reproducible : bool
        False if a limit in seconds was reached: then it may end otherwise elsewhere.
    """

    verdict: str
    moves: list[Move] | None
    nodes: int
    seconds: float = field(compare=False)
    reproducible: bool = True


@dataclass(frozen=True)
class Limits:
    """What a search may use up; nodes and memory give the same answer anywhere.

    Parameters
    ----------
    nodes : int, optional
        Positions that it may look into.
    memory : int
        MiB for the positions that it remembers.

    Raises
    ------
    InvalidInput
        If a limit is not 1 or more.
    """

    nodes: int | None = None
    memory: int = 64

    def __post_init__(self) -> None:
        for name in ("nodes", "memory"):
            value = getattr(self, name)
            if name == "memory" or value is not None:
                object.__setattr__(self, name, checked_whole(name, value, 1, 2**40 - 1))

    @property
    def spec(self) -> str:
        """What names a solver with these limits."""
        nodes = "" if self.nodes is None else f",nodes={self.nodes}"
        return f"solver:memory={self.memory}{nodes}"


class Solver(Protocol):
    """What decides the deals of a game with perfect information."""

    def solve(
        self, position: Any, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        """Decide a position; `seconds` is how long that may take."""
        ...

    def probe(self, rules: Any, deals: Deals, limits: Limits) -> Probe:
        """A probe with the columns `winnable`, `unknown` and `nodes`."""
        ...


@runtime_checkable
class Exhaustive(Protocol):
    """A solver that can also be judged: it tries every legal move, nothing pruned, exact keys."""

    def exhaust(self, position: Any, limits: Limits) -> Solution: ...


@dataclass(frozen=True)
class Bounds:
    """A number that is at least `low`, and at most `high` if that is known.

    Examples
    --------
    >>> print(Bounds(2, 2), Bounds(1, 3), Bounds(4, None), sep=", ")
    2, 1 to 3, 4 or more
    """

    low: int
    high: int | None

    def __str__(self) -> str:
        if self.high == self.low:
            return str(self.low)
        return f"{self.low} or more" if self.high is None else f"{self.low} to {self.high}"


@runtime_checkable
class Appraises(Protocol):
    """A solver that can tell more of a deal than whether it can be won.

    `appraisal` names what it tells, as a key of JSON objects (``fewest_resorts``), and
    `appraisal_text` says it in words.
    """

    @property
    def appraisal(self) -> str: ...
    @property
    def appraisal_text(self) -> str: ...
    def appraise(
        self, deck: Deck, rules: Any, limits: Limits, *, most: int | None = None
    ) -> Mapping[str, Bounds]:
        """Bounds by kind; `most` is how far to look, by default as far as is exact."""
        ...
