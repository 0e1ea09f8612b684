"""Exhaustive search: every legal move, no pruning, exact keys; the judge of the solver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.sliding_kernels import ONE, OWN_SUIT, ZERO, takes
from labyrinth_sim.games.solving import UNKNOWN, UNWINNABLE, WINNABLE

BYTES = 98
"""What a position takes at most: 56, 9 for the line, up to four places of 8, and a margin."""

_CELLS, _WORDS = 52, 7
_GAP, _SUIT = np.uint64(52), np.uint64(13)
_SPREAD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


class Room(NamedTuple):
    """What an exhaustive search needs."""

    cells: NDArray[np.uint8]  # (positions, 56): whole positions, so that no two are confused
    words: NDArray[np.uint64]  # (positions, 7): the same memory, as words
    before: NDArray[np.int64]  # (positions,): number of the position that led to each
    tried: NDArray[np.uint8]  # (positions,): moves of each position that were tried
    table: NDArray[np.int64]  # (a power of 2,): number of the position there, from 1; 0 is empty


def new_room(positions: int) -> Room:
    """Allocate a search that can remember so many positions."""
    cells = np.zeros((positions, 8 * _WORDS), np.uint8)
    return Room(
        cells,
        cells.view(np.uint64),
        np.zeros(positions, np.int64),
        np.zeros(positions, np.uint8),
        np.zeros(2 << (positions - 1).bit_length(), np.int64),
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
    _is_new(room, 0)
    while not _won(room.cells[here], flags):
        if positions == len(room.cells):
            return UNKNOWN, positions, here
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
                if _is_new(room, positions):
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
def _won(cells: Any, flags: Any) -> Any:
    for row in range(4):
        two = np.uint64(cells[13 * row])
        if two == _GAP or two % _SUIT != ONE:
            return False
        if flags.win == OWN_SUIT and two != np.uint64(13 * row + 1):
            return False
        for step in range(1, 12):
            if cells[13 * row + step] != two + np.uint64(step):
                return False
    return True


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


@helper
def _is_new(room: Any, position: Any) -> Any:
    """Note a position; False if it was visited before."""
    place = ZERO
    for number in range(_WORDS):
        place = (place ^ room.words[position, number]) * _SPREAD
        place ^= place >> _HALF
    last = np.uint64(len(room.table) - 1)
    place &= last
    while room.table[place] != 0:
        same = True
        for number in range(_WORDS):
            same &= room.words[room.table[place] - 1, number] == room.words[position, number]
        if same:
            return False
        place = (place + ONE) & last
    room.table[place] = position + 1
    return True
