"""The distribution of outcome columns: how many deals had each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput, unknown

_NARROW = 2
"""Bytes of the columns whose every value is counted."""


@dataclass(frozen=True, eq=False)
class Tally:
    """What is known of outcome columns without the deals; tallies of disjoint deals add up.

    Parameters
    ----------
    counts : mapping of str to ndarray of int64
        Of each column of one or two bytes: how many deals had the value 0, 1, 2, …
    sums, squares : mapping of str to int
        Of each wider column: the sum of its values over all deals, and of their squares.

    Examples
    --------
    >>> tally = Tally.of({"won": np.array([True, False])}) + Tally.of({"won": np.array([True])})
    >>> tally.count("won", 1), tally.mean("won")
    (2, 0.6666666666666666)
    """

    counts: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    sums: Mapping[str, int] = field(default_factory=dict)
    squares: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, outcomes: Mapping[str, NDArray[Any]]) -> Self:
        """Count the values of outcome columns, which are integers from 0."""
        wide = {
            name: values for name, values in outcomes.items() if values.dtype.itemsize > _NARROW
        }
        return cls(
            {name: np.bincount(outcomes[name]) for name in outcomes if name not in wide},
            {name: int(values.sum()) for name, values in wide.items()},
            {name: _sum_of_squares(values) for name, values in wide.items()},
        )

    @classmethod
    def total(cls, tallies: Iterable[Tally]) -> Tally:
        """Add any number of tallies."""
        return sum(tallies, start=cls())

    def __add__(self, other: Tally) -> Tally:
        counts = {**self.counts, **other.counts}
        return Tally(
            {name: _sum(self._counts(name), other._counts(name)) for name in counts},
            _added(self.sums, other.sums),
            _added(self.squares, other.squares),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        names = {**self.counts, **other.counts}
        same = all(not _sum(self._counts(name), -other._counts(name)).any() for name in names)
        return same and (self.sums, self.squares) == (other.sums, other.squares)

    __hash__ = None  # type: ignore[assignment]

    def _counts(self, name: str) -> NDArray[np.int64]:
        return self.counts.get(name, np.zeros(0, np.int64))

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [*self.counts, *self.sums]

    @property
    def deals(self) -> int:
        """How many deals were counted; 0 if there is no column of one or two bytes."""
        return int(next(iter(self.counts.values()), np.zeros(0, np.int64)).sum())

    def part(self, prefix: str) -> Tally:
        """The columns whose names begin so, without that prefix.

        Examples
        --------
        >>> tally = Tally.of({"0/won": np.array([True]), "1/won": np.array([False])})
        >>> tally.part("0/") == Tally.of({"won": np.array([True])})
        True
        """
        parts = (self.counts, self.sums, self.squares)
        return Tally(*(beginning_with(prefix, one) for one in parts))

    def count(self, name: str, value: int) -> int:
        """How many deals had this value."""
        counts = self._counts(name)
        return int(counts[value]) if value < len(counts) else 0

    def moments(self, name: str) -> tuple[int, int, int]:
        """How many deals there are, the sum of a column's values, and that of their squares.

        Raises
        ------
        InvalidInput
            If there is no such column.
        """
        if name in self.sums:
            return self.deals, self.sums[name], self.squares[name]
        if name not in self.counts:
            raise unknown("column", name, self.names)
        counts = self.counts[name]
        values = np.arange(len(counts))
        return int(counts.sum()), int(counts @ values), int(counts @ values**2)

    def mean(self, name: str) -> float:
        """Mean over all deals."""
        deals, total, _ = self.moments(name)
        return total / deals

    def quantile(self, name: str, share: float) -> int:
        """The smallest value that at least this share of the deals does not exceed.

        Raises
        ------
        InvalidInput
            If there is no such column, or it is one of more than two bytes, whose values are not
            counted one by one.

        Examples
        --------
        >>> Tally.of({"cards_left": np.array([0, 0, 3, 9], np.uint8)}).quantile("cards_left", 0.5)
        0
        """
        if name in self.sums:
            raise InvalidInput(
                f"the values of {name} are not counted one by one; run with keep='outcomes' and "
                "take quantiles of those"
            )
        if name not in self.counts:
            raise unknown("column", name, self.names)
        upto = np.cumsum(self.counts[name])
        return int(np.searchsorted(upto, share * upto[-1]))


def _sum(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.zeros(max(len(a), len(b)), np.int64)
    total[: len(a)] += a
    total[: len(b)] += b
    return total


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def beginning_with(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values whose names begin so, by what follows in their names."""
    return {
        name.removeprefix(prefix): value
        for name, value in values.items()
        if name.startswith(prefix)
    }


def _sum_of_squares(values: NDArray[Any]) -> int:
    """Exact, so that it does not depend on how the deals are cut into blocks."""
    if not len(values):
        return 0
    if int(values.max()) ** 2 * len(values) < 2**63:
        wide = values.astype(np.int64)
        return int(wide @ wide)
    return sum(value * value for value in values.tolist())
