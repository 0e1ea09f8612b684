"""Visited positions: random words to make keys of, and tables of whole ones, none confused."""

from __future__ import annotations

from hashlib import shake_256
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SPREAD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


def random_words(name: str, *shape: int) -> NDArray[np.uint64]:
    """Random words that are the same on any machine, for Zobrist keys.

    The key of a position is the XOR of a word for each card in its place (Zobrist, "A new hashing
    method with application for game playing", 1970). The words are SHAKE-256 of the name.

    Parameters
    ----------
    name : str
        Whose words they are: others get others.
    *shape : int

    Examples
    --------
    >>> random_words("example", 52, 54, 2).shape
    (52, 54, 2)
    """
    words = shake_256(f"labyrinth_sim {name}".encode()).digest(8 * prod(shape))
    return np.frombuffer(words, "<u8").astype(np.uint64).reshape(shape)


@helper
def find_row(table: Any, rows: Any, row: Any) -> Any:
    """Where a position stands in a table, or would go; and whether it is there.

    Parameters
    ----------
    table : ndarray of int64, shape (a power of 2,)
        The number, from 1, of the position in each place; 0 is empty.
    rows : ndarray of uint64, shape (positions, words)
        The positions of the table.
    row : ndarray of uint64, shape (words,)
        The one that is looked for.
    """
    place = _ZERO
    for number in range(len(row)):
        place = (place ^ row[number]) * _SPREAD
        place ^= place >> _HALF
    last = np.uint64(len(table) - 1)
    place &= last
    while table[place] != 0:
        same = True
        for number in range(len(row)):
            same &= rows[table[place] - 1, number] == row[number]
        if same:
            return place, True
        place = (place + _ONE) & last
    return place, False
