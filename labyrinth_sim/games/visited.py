"""Visited positions: tables of them for searches, and random words to make keys of.

- `Visited` holds digests of 127 bits, and is cheap to clear. It takes 16 bytes a position and room
  to spare; its users say how unlikely it is that two positions are taken for one.
- `find_row` and `note_row` number positions whose keys are stored beside the table, so none are
  confused that differ there.

Three kernels do otherwise, each for a reason. The beam of Maze shares its memory with its table,
so it spends 8 bytes on a position, and proves nothing by one attempt alone. An ending of Labyrinth
is a single word, its own key, which is noted with the resorts that were left. It and the players
of sliding games, who ask for each move that they might make, mark what they note with the number
of the search or game instead of clearing; with a `Visited` the players took 1.6 times as long.
"""

from __future__ import annotations

from hashlib import shake_256
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SPREAD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
_NEAR, _NEAR_FULL = 4096, 2048
KNOWN, NEW, FULL = range(3)


class Visited(NamedTuple):
    """A table of visited positions, each known by two words of which the first is odd."""

    near: NDArray[np.uint64]  # (_NEAR, 2): the first, as a small table stays in the cache
    far: NDArray[np.uint64]  # (slots, 2): the others
    used: NDArray[np.uint32]  # (most,): the slots that are taken, those of `near` first
    taken: NDArray[np.int64]  # (1,): how many are


def new_visited(slots: int, full: int) -> Visited:
    """Allocate a table.

    Parameters
    ----------
    slots : int
        Of `far`, 16 bytes each.
    full : int
        How many of them may be taken, 4 bytes each.
    """
    return Visited(
        np.zeros((_NEAR, 2), np.uint64),
        np.zeros((slots, 2), np.uint64),
        np.zeros(_NEAR_FULL + full, np.uint32),
        np.zeros(1, np.int64),
    )


def random_words(name: str, *shape: int) -> NDArray[np.uint64]:
    """Random words that are the same on any machine, for Zobrist keys.

    The key of a position is the XOR of a word for each card in its cell (Zobrist, "A new hashing
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
def clear(visited: Any) -> None:
    """Forget all positions."""
    for number in range(visited.taken[0]):
        table = visited.near if number < _NEAR_FULL else visited.far
        table[visited.used[number], 0] = _ZERO
    visited.taken[0] = 0


@helper
def note(visited: Any, one: Any, two: Any) -> Any:
    """Note a position, by two words of its digest: KNOWN, NEW, or FULL if there is no room."""
    one |= _ONE  # so that no digest is that of an empty slot
    taken = visited.taken[0]
    table = visited.near
    slot, seen = _find(table, one, two)
    if not seen and taken >= _NEAR_FULL:
        table = visited.far
        slot, seen = _find(table, one, two)
    if seen:
        return KNOWN
    if taken == len(visited.used):
        return FULL
    table[slot, 0] = one
    table[slot, 1] = two
    visited.used[taken] = slot
    visited.taken[0] = taken + 1
    return NEW


@helper
def _find(table: Any, one: Any, two: Any) -> Any:
    """The slot of a digest in a table, or where it would go; and whether it is there."""
    slots = np.uint64(len(table))
    slot = ((two >> _HALF) * slots) >> _HALF
    while table[slot, 0] != _ZERO:
        if table[slot, 0] == one and table[slot, 1] == two:
            return slot, True
        slot += _ONE
        if slot == slots:
            slot = _ZERO
    return slot, False


@helper
def find_row(table: Any, rows: Any, row: Any) -> Any:
    """The slot of a position in a table, or where it would go; and whether it is there.

    Parameters
    ----------
    table : ndarray of int64 or uint32, shape (a power of 2,)
        The number, from 1, of the position in each slot; 0 is empty.
    rows : ndarray of uint64, shape (positions, words)
        The positions of the table.
    row : ndarray of uint64, shape (words,), or tuple of uint64
        The one that is looked for.
    """
    slot = _ZERO
    for number in range(len(row)):
        slot = (slot ^ row[number]) * _SPREAD
        slot ^= slot >> _HALF
    last = np.uint64(len(table) - 1)
    slot &= last
    while table[slot] != 0:
        same = True
        for number in range(len(row)):
            same &= rows[table[slot] - 1, number] == row[number]
        if same:
            return slot, True
        slot = (slot + _ONE) & last
    return slot, False


@helper
def note_row(table: Any, rows: Any, number: Any) -> Any:
    """Note the position in row `number`; False if an equal one is in the table."""
    slot, seen = find_row(table, rows, rows[number])
    if not seen:
        table[slot] = number + 1
    return not seen
