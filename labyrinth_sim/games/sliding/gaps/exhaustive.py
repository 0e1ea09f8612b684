"""Exhaustive search: every legal move, no pruning, exact keys; the judge of the solver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.sliding.kernels import ONE, ZERO, is_won, takes
from labyrinth_sim.games.solving import UNKNOWN, UNWINNABLE, WINNABLE
from labyrinth_sim.games.visited import note_row

BYTES = 98
"""What a position takes at most: 56, 9 for the line, up to four slots of 8, and a margin."""

_CELLS, _WORDS = 52, 7
_GAP = np.uint64(52)


class Room(NamedTuple):
    """What an exhaustive search needs."""

    cells: NDArray[np.uint8]  # (positions + 1, 56): whole positions, so that no two are confused
    words: NDArray[np.uint64]  # (positions + 1, 7): the same memory, as words
    before: NDArray[np.int64]  # (positions + 1,): number of the position that led to each
    tried: NDArray[np.uint8]  # (positions + 1,): moves of each position that were tried
    table: NDArray[np.int64]  # (a power of 2,): number of the position there, from 1; 0 is empty


def new_room(positions: int) -> Room:
    """Allocate a search that can remember so many positions, and try one more."""
    cells = np.zeros((positions + 1, 8 * _WORDS), np.uint8)
    return Room(
        cells,
        cells.view(np.uint64),
        np.zeros(positions + 1, np.int64),
        np.zeros(positions + 1, np.uint8),
        np.zeros(2 << positions.bit_length(), np.int64),
    )


@kernel
def exhaust(flags: Any, room: Room) -> Any:
    """Decide the position in ``room.cells[0]`` by trying every legal move.

    Parameters
    ----------
    flags : Flags
    room : Room
        Used up: a new one is needed for each search.

    Returns
    -------
    verdict : uint8
        UNKNOWN if there were more positions than there was room for.
    positions : int
        How many different positions were visited.
    here : int
        Number of the last one looked into; `room.before` has the line to it.
    """
    here, positions = 0, 1
    note_row(room.table, room.words, 0)
    while not is_won(room.cells[here], flags):
        while True:
            card, gap = _move(room.cells[here], flags, room.tried[here])
            if card < _GAP:
                room.tried[here] += 1
                room.words[positions] = room.words[here]
                cells = room.cells[positions]
                for cell in range(_CELLS):
                    if cells[cell] == card:
                        cells[cell] = _GAP
                cells[gap] = card
                if note_row(room.table, room.words, positions):
                    if positions == len(room.cells) - 1:
                        return UNKNOWN, positions, here
                    room.before[positions] = here
                    here = positions
                    positions += 1
                    break
            elif here == 0:
                return UNWINNABLE, positions, here
            else:
                here = room.before[here]
    return WINNABLE, positions, here


@helper
def _move(cells: Any, flags: Any, number: Any) -> Any:
    """Legal move `number`: card and gap; no card if there are fewer."""
    left = np.uint64(number)
    for gap in range(_CELLS):
        if cells[gap] == _GAP:
            cards = takes(cells, gap, flags)
            while cards != ZERO:
                if left == ZERO:
                    return lowest_bit(cards), gap
                left -= ONE
                cards &= cards - ONE
    return _GAP, 0
