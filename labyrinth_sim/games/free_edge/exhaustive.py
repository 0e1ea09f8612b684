"""Exhaustive search: every legal move, no pruning, exact keys; the judge of the solver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import kernel
from labyrinth_sim.games.free_edge.kernels import MOST_MOVES, PUBLIC, apply, legal
from labyrinth_sim.games.solving import UNKNOWN, UNWINNABLE, WINNABLE
from labyrinth_sim.games.visited import note_row

LEVELS = 160
"""A game has at most 48 plays, 48 fills, 12 rows and 48 resorts."""

_WORDS = PUBLIC.itemsize // 8


class Room(NamedTuple):
    """What an exhaustive search needs."""

    levels: NDArray[Any]  # (LEVELS,) of PUBLIC
    views: NDArray[np.uint64]  # (LEVELS, words): the same memory, as words
    moves: NDArray[np.uint8]  # (LEVELS, MOST_MOVES)
    counts: NDArray[np.int64]  # (LEVELS,): moves of each level
    tried: NDArray[np.int64]  # (LEVELS,): moves of each level that were tried
    visited: NDArray[np.uint64]  # (positions + 1, words): whole, so that no two are confused
    table: NDArray[np.int64]  # (a power of 2,): number of the position there, from 1; 0 is empty


def new_room(positions: int) -> Room:
    """Allocate a search that can remember so many positions, 80 bytes each, and try one more."""
    levels = np.zeros(LEVELS, PUBLIC)
    return Room(
        levels,
        levels.view(np.uint64).reshape(LEVELS, _WORDS),
        np.zeros((LEVELS, MOST_MOVES), np.uint8),
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros((positions + 1, _WORDS), np.uint64),
        np.zeros(2 << positions.bit_length(), np.int64),
    )


@kernel
def exhaust(flags: Any, public: Any, secret: Any, room: Room) -> Any:
    """Decide a position by trying every legal move, in text order.

    Parameters
    ----------
    flags : Flags
    public : ndarray of PUBLIC, shape (1,)
    secret : ndarray of uint8, shape (SECRET,)
    room : Room
        Used up: a new one is needed for each search.

    Returns
    -------
    verdict : uint8
        UNKNOWN if there were more positions than there was room for.
    positions : int
        How many different positions were visited.
    """
    positions, level = 0, 0
    room.levels[0] = public[0]
    entered = True
    while True:
        if entered:
            if room.levels[level].cards_left == 0:
                return WINNABLE, positions
            room.visited[positions] = room.views[level]
            if note_row(room.table, room.visited, positions):
                if positions == len(room.visited) - 1:
                    return UNKNOWN, positions
                positions += 1
                room.counts[level] = legal(room.levels[level], flags, room.moves[level])
            else:
                room.counts[level] = 0
            room.tried[level] = 0
        entered = room.tried[level] < room.counts[level]
        if entered:
            move = np.uint64(room.moves[level, room.tried[level]])
            room.tried[level] += 1
            room.levels[level + 1] = room.levels[level]
            level += 1
            apply(room.levels[level], secret, flags, move)
        elif level == 0:
            return UNWINNABLE, positions
        else:
            level -= 1
