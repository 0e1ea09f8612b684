"""What is asked of every deal, and where deals come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import Pack
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import whole_number

Deck = NDArray[np.uint8]
"""Card codes, the first card dealt first: shape (cards of the pack,), dtype uint8."""

Outcome = Mapping[str, int]
"""One played deal: the value of each outcome column, by name."""

DTYPES = ("bool", "uint8", "uint16", "uint32", "uint64")
"""What a column may hold: truth values, or integers from 0, so that all of them count up."""


@dataclass(frozen=True)
class Column:
    """An outcome that is kept for every deal.

    Parameters
    ----------
    name : str
        Its name in arrays, frames and files.
    dtype : {"bool", "uint8", "uint16", "uint32", "uint64"}
        As small as will do.
    text : str
        What it counts, in plain words.

    Raises
    ------
    InvalidInput
        If it could hold negative or fractional values, which nothing here adds up.

    Examples
    --------
    >>> Column("score", "int8", "points")
    Traceback (most recent call last):
    labyrinth_sim.errors.InvalidInput: column 'score' can't be of dtype 'int8'; ...
    """

    name: str
    dtype: str
    text: str

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise InvalidInput(
                f"column {self.name!r} can't be of dtype {self.dtype!r}; give one of "
                f"{', '.join(DTYPES)}: outcomes are truth values or integers from 0"
            )

    def checked(self, value: object) -> int:
        """A value of it as an integer; raises `InvalidInput` where it can't hold the value."""
        number = int(value) if isinstance(value, bool | np.bool_) else whole_number(value)
        most = 1 if self.dtype == "bool" else int(np.iinfo(self.dtype).max)
        if number is None or not 0 <= number <= most:
            raise InvalidInput(
                f"{value!r} does not fit outcome column {self.name!r} of dtype {self.dtype}; let "
                f"the game give integers from 0 to {most}, or declare a wider column"
            )
        return number


class Deals(Protocol):
    """Where decks come from: a seed, or a list that somebody gave."""

    @property
    def seed(self) -> int | None:
        """Of dealing scheme 1; None for given decks."""
        ...

    @property
    def pack(self) -> Pack:
        """What the decks are of."""
        ...

    @property
    def digest(self) -> str:
        """A digest of the given decks; empty where the decks come from a seed."""
        ...

    @property
    def decks(self) -> NDArray[np.uint8]:
        """Given decks, shape (n, cards); shape (0, cards) where the decks come from a seed."""
        ...

    @property
    def size(self) -> int:
        """How many deals there are."""
        ...

    def deck(self, index: int) -> Deck: ...
    def label(self, index: int) -> str:
        """What the deal is called in output."""
        ...


class Probe(Protocol):
    """Something that is asked of every deal: play it, or solve it.

    A probe can be pickled, and may be run from several threads or processes at once. One that is
    slow may have an integer `block_bits`: then blocks have ``2**block_bits`` deals.
    """

    @property
    def identity(self) -> Identity: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def threads(self) -> bool:
        """Whether it releases the GIL, so that threads do for workers."""
        ...

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        """Fill the columns `out` for the deals from `first` on and return how many were done.

        Parameters
        ----------
        first : int
            Index of the first deal, 0 … 2**64 - 1.
        out : mapping of str to ndarray
            One array a column, all of shape (count,), with the dtype that the column declares.
        stop : ndarray of uint8, shape (1,)
            Polled now and then; not 0 means: return early.
        """
        ...
