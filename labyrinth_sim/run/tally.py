"""Outcome columns boiled down: how many deals had each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tally:
    """Exact distribution of every outcome column; tallies of disjoint deals add up.

    Parameters
    ----------
    counts : mapping of str to ndarray of int64
        Of each column of one byte: how many deals had the value 0, 1, 2, …
    sums : mapping of str to int
        Of each wider column: the sum over all deals.

    Examples
    --------
    >>> tally = Tally.of({"won": np.array([True, False])}) + Tally.of({"won": np.array([True])})
    >>> tally.count("won", 1), tally.mean("won")
    (2, 0.6666666666666666)
    """

    counts: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    sums: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, outcomes: Mapping[str, NDArray[Any]]) -> Self:
        """Count the values of outcome columns, which are whole numbers from 0."""
        narrow = {name for name, values in outcomes.items() if values.itemsize == 1}
        return cls(
            {name: np.bincount(outcomes[name]) for name in outcomes if name in narrow},
            {name: int(outcomes[name].sum()) for name in outcomes if name not in narrow},
        )

    @classmethod
    def total(cls, tallies: Iterable[Tally]) -> Tally:
        """Add any number of tallies."""
        return sum(tallies, start=cls())

    def __add__(self, other: Tally) -> Tally:
        names, wide = {**self.counts, **other.counts}, {**self.sums, **other.sums}
        return Tally(
            {name: _sum(self._get(name), other._get(name)) for name in names},
            {name: self.sums.get(name, 0) + other.sums.get(name, 0) for name in wide},
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        names = {**self.counts, **other.counts}
        same = all(not (_sum(self._get(name), -other._get(name))).any() for name in names)
        return same and self.sums == other.sums

    __hash__ = None  # type: ignore[assignment]

    def _get(self, name: str) -> NDArray[np.int64]:
        return self.counts.get(name, np.zeros(0, np.int64))

    def part(self, prefix: str) -> Tally:
        """The columns whose names begin so, without that prefix.

        Examples
        --------
        >>> tally = Tally.of({"0/won": np.array([True]), "1/won": np.array([False])})
        >>> tally.part("0/") == Tally.of({"won": np.array([True])})
        True
        """
        return Tally(
            {
                name.removeprefix(prefix): counts
                for name, counts in self.counts.items()
                if name.startswith(prefix)
            },
            {
                name.removeprefix(prefix): total
                for name, total in self.sums.items()
                if name.startswith(prefix)
            },
        )

    def count(self, name: str, value: int) -> int:
        """How many deals had this value."""
        counts = self._get(name)
        return int(counts[value]) if value < len(counts) else 0

    def mean(self, name: str) -> float:
        """Mean over all deals."""
        if name in self.sums:
            deals = next(iter(self.counts.values())).sum()
            return float(self.sums[name] / deals)
        counts = self._get(name)
        return float(counts @ np.arange(len(counts)) / counts.sum())

    def quantile(self, name: str, share: float) -> int:
        """The smallest value that at least this share of the deals does not exceed.

        Examples
        --------
        >>> Tally.of({"cards_left": np.array([0, 0, 3, 9], np.uint8)}).quantile("cards_left", 0.5)
        0
        """
        upto = np.cumsum(self._get(name))
        return int(np.searchsorted(upto, share * upto[-1]))


def _sum(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.zeros(max(len(a), len(b)), np.int64)
    total[: len(a)] += a
    total[: len(b)] += b
    return total
