"""Shorter ways through the positions near a line of Maze; `shorten` says how."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.sliding.kernels import ONE, ZERO, Flags, is_won, takes
from labyrinth_sim.games.sliding.maze.evaluation_kernels import CELLS
from labyrinth_sim.games.sliding.maze.solver_kernels import (
    LAYERS,
    copy_moved,
    digest,
    digest_cells,
)
from labyrinth_sim.games.sliding.position import GAP
from labyrinth_sim.games.visited import find_row, note_row

_SIX, _CELL = np.uint64(6), np.uint64(63)
_UNREACHED = np.uint32(0xFFFFFFFF)


class Region(NamedTuple):
    """Positions near a line."""

    digests: NDArray[np.uint64]  # (52 << 6,): of a card in a cell
    cells: NDArray[np.uint8]  # (most, 64)
    keys: NDArray[np.uint64]  # (most, 1)
    table: NDArray[np.uint32]  # (a power of 2,): 1 + the number of a position, by its key
    parents: NDArray[np.uint32]  # (most,): the position before on the shortest way
    made: NDArray[np.uint16]  # (most,): the move from there
    queue: NDArray[np.uint32]  # (most,)
    spare: NDArray[np.uint8]  # (64,)
    where: NDArray[np.uint64]  # (64,)
    line: NDArray[np.uint16]  # (LAYERS + 1,)


def new_region(most: int) -> Region:
    """Allocate a region of up to `most` positions."""
    return Region(
        np.zeros(52 << 6, np.uint64),
        np.zeros((most, 64), np.uint8),
        np.zeros((most, 1), np.uint64),
        np.zeros(1 << (2 * most).bit_length(), np.uint32),
        np.zeros(most, np.uint32),
        np.zeros(most, np.uint16),
        np.zeros(most, np.uint32),
        np.zeros(64, np.uint8),
        np.zeros(64, np.uint64),
        np.zeros(LAYERS + 1, np.uint16),
    )


@kernel
def shorten_line(
    flags: Flags,
    start: NDArray[np.uint8],
    length: int,
    region: Region,
    stop: NDArray[np.uint8],
) -> int:
    """Shorten the line in ``region.line``, which leads from `start` to a win.

    Parameters
    ----------
    flags : Flags
    start : ndarray of uint8, shape (54,)
    length : int
    region : Region
    stop : ndarray of uint8, shape (1,)

    Returns
    -------
    int
        Length of the line that is in ``region.line`` now: not more than `length`.
    """
    digest_cells(region.digests, ONE)
    while length > 0 and stop[0] == 0:
        _gather(flags, start, length, region)
        found = _shortest(flags, length, region)
        if found == length:
            break
        length = found
    return length


@kernel
def replays(flags: Flags, start: NDArray[np.uint8], line: NDArray[np.uint16]) -> bool:
    """Whether a line is legal move by move, and wins with its last.

    Parameters
    ----------
    flags : Flags
    start : ndarray of uint8, shape (54,)
    line : ndarray of uint16, shape (length,)
    """
    cells, after = np.zeros((2, 64), np.uint8)
    cells[:CELLS] = start
    for move in line:
        card, index = np.uint64(move) >> _SIX, (np.uint64(move) & _CELL) - ONE
        if is_won(cells, flags) or cells[index] != GAP:
            return False
        if (takes(cells, index, flags) >> card) & ONE == ZERO:
            return False
        copy_moved(cells, move, after)
        cells, after = after, cells
    return bool(is_won(cells, flags))


@helper
def _gather(flags: Any, start: Any, length: Any, region: Any) -> None:
    """Gather positions: those of the line, then those a move away from them, then two, …"""
    region.table[:] = 0
    region.cells[0, :CELLS] = start
    region.keys[0, 0] = digest(region.digests, start)
    note_row(region.table, region.keys, 0)
    count, at = 1, 0
    for number in range(length):
        _locate(region, at)
        at, count = _step(region, at, np.uint64(region.line[number]), count)
    done = 0
    while done < count < len(region.keys):
        if not is_won(region.cells[done], flags):
            _locate(region, done)
            for index in range(CELLS):
                if region.cells[done, index] == GAP:
                    cards = takes(region.cells[done], np.uint64(index), flags)
                    while cards and count < len(region.keys):
                        move = (lowest_bit(cards) << _SIX) | np.uint64(index + 1)
                        cards &= cards - ONE
                        _, count = _step(region, done, move, count)
        done += 1


@helper
def _shortest(flags: Any, length: Any, region: Any) -> Any:
    """Find the shortest way to a win through the region; write it down as the line if shorter.

    No win is met only if two positions of the line were taken for one.
    """
    region.parents[:] = _UNREACHED
    region.parents[0] = 0
    region.queue[0] = 0
    queued, done = 1, 0
    while True:
        if done == queued:
            return length
        at = region.queue[done]
        done += 1
        if is_won(region.cells[at], flags):
            break
        _locate(region, at)
        for index in range(CELLS):
            if region.cells[at, index] == GAP:
                cards = takes(region.cells[at], np.uint64(index), flags)
                while cards:
                    move = (lowest_bit(cards) << _SIX) | np.uint64(index + 1)
                    cards &= cards - ONE
                    found = _find(region, _key_after(region, at, move))
                    if found >= 0 and region.parents[found] == _UNREACHED:
                        region.parents[found] = at
                        region.made[found] = move
                        region.queue[queued] = found
                        queued += 1
    steps, back = 0, at
    while back != 0:
        back = region.parents[back]
        steps += 1
    if steps < length:
        for number in range(steps):
            region.line[steps - 1 - number] = region.made[at]
            at = region.parents[at]
    return steps


@helper
def _locate(region: Any, at: Any) -> None:
    """Note where the cards of a position are."""
    for index in range(CELLS):
        region.where[region.cells[at, index]] = np.uint64(index + 1)


@helper
def _key_after(region: Any, at: Any, move: Any) -> Any:
    """The digest of a position, whose cards are located, after a move."""
    here = (move & ~_CELL) | region.where[move >> _SIX]
    return region.keys[at, 0] ^ region.digests[here] ^ region.digests[move]


@helper
def _step(region: Any, at: Any, move: Any, count: Any) -> Any:
    """The number of the position after a move, entered if it is new; and how many there are."""
    key = _key_after(region, at, move)
    found = _find(region, key)
    if found >= 0:
        return found, count
    copy_moved(region.cells[at], move, region.cells[count])
    region.keys[count, 0] = key
    note_row(region.table, region.keys, count)
    return count, count + 1


@helper
def _find(region: Any, key: Any) -> Any:
    """The number of the position with this digest, else -1."""
    slot, _ = find_row(region.table, region.keys, (key,))
    return np.int64(region.table[slot]) - 1
