"""A sliding game for kernels: what is legal, what a move changes, which positions were before.

What is left after a move is counted from the cards beside the two cells that it changes.

Positions that a game went through are remembered by keys of 128 bits (Zobrist, "A new hashing
method with application for game playing", 1970): each card in each cell has a random pair of words,
and a position's key is the XOR of its cards'. A new position is taken for an old one with a chance
below n * 2**-128, if n were there before: in a billion games of a thousand moves with ten choices
each, below 10**-22.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.compiled import helper, lowest_bit
from labyrinth_sim.games.sliding.kernels import (
    GAPS,
    NONE,
    ONE,
    RUNS,
    SUIT,
    ZERO,
    cards_left,
    corners_filled,
    lay_out,
    takes,
)
from labyrinth_sim.games.sliding.position import CARDS, DEEPEST, GAP
from labyrinth_sim.games.visited import random_words
from labyrinth_sim.shuffle import take_deck

MOST_CELLS, MOST_GAPS = 54, 6
MOST_MOVES = 64
"""More than are ever legal: a gap takes a card for its left neighbour, one for its right one, four
of the lowest rank and four of the highest."""

_by_text = sorted(range(52), key=lambda card: CARD_NAMES[card])
_cells_by_text = sorted(range(MOST_CELLS), key=lambda cell: str(cell + 1))
_CARDS = np.array(_by_text, np.uint64)
_CELLS = np.array(_cells_by_text, np.uint64)
_CARD_ORDER = np.argsort(_by_text).astype(np.uint64)
_CELL_ORDER = np.argsort(_cells_by_text).astype(np.uint64)
_CELL_BITS, _CELL = np.uint64(6), np.uint64(63)
"""Moves are numbers, which stand in the order of their texts."""

_ZOBRIST = random_words("sliding positions", 52, MOST_CELLS, 2)


class Scratch(NamedTuple):
    """What a worker needs to play, allocated once a block."""

    cells: NDArray[np.uint8]  # (cells,)
    where: NDArray[np.uint64]  # (52,) the cell of each card
    gaps: NDArray[np.uint64]  # (MOST_GAPS,) the cells of the gaps
    moves: NDArray[np.uint64]  # (DEEPEST, MOST_MOVES) legal moves at each level of a search
    tried: NDArray[np.uint64]  # (DEEPEST, 2) how many of them are tried, and how many there are
    keys: NDArray[np.uint64]  # (DEEPEST + 1, 2) Zobrist keys of the positions on the line
    left: NDArray[np.int64]  # (DEEPEST + 1,) cards left there
    made: NDArray[np.uint64]  # (DEEPEST, 2) the card moved at each level, and where it lay
    visited: NDArray[np.uint64]  # (2**k, 3) number of the game, and key


def new_scratch(cells: int, positions: int) -> Scratch:
    """Allocate what a worker needs for games that visit up to so many positions."""
    return Scratch(
        np.zeros(cells, np.uint8),
        np.zeros(52, np.uint64),
        np.zeros(MOST_GAPS, np.uint64),
        np.zeros((DEEPEST, MOST_MOVES), np.uint64),
        np.zeros((DEEPEST, 2), np.uint64),
        np.zeros((DEEPEST + 1, 2), np.uint64),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros((DEEPEST, 2), np.uint64),
        np.zeros((1 << (2 * positions).bit_length(), 3), np.uint64),
    )


@helper
def begin(source: Any, index: Any, flags: Any, scratch: Any) -> None:
    """Lay out a deal."""
    cells = scratch.cells
    take_deck(source, index)
    lay_out(source.deck, flags, cells)
    gaps = 0
    low, high = ZERO, ZERO
    for cell in range(len(cells)):
        card = cells[cell]
        if card == GAP:
            scratch.gaps[gaps] = cell
            gaps += 1
        else:
            scratch.where[card] = cell
            low ^= _ZOBRIST[card, cell, 0]
            high ^= _ZOBRIST[card, cell, 1]
    scratch.keys[0, 0], scratch.keys[0, 1] = low, high
    scratch.left[0] = cards_left(cells, flags)


@helper
def decoded(move: Any) -> Any:
    """The card of a move, and the cell of the gap that takes it."""
    return _CARDS[move >> _CELL_BITS], _CELLS[move & _CELL]


@helper
def is_won(level: Any, flags: Any, scratch: Any) -> Any:
    """Whether the position, which is that of a level of the search, is won."""
    return scratch.left[level] == 0 and corners_filled(scratch.cells, flags)


@helper
def legal(moves: Any, flags: Any, scratch: Any) -> Any:
    """List the legal moves of a position that is not won, in any order; their number."""
    count = 0
    for number in range(len(scratch.cells) - CARDS):
        gap = scratch.gaps[number]
        cards = takes(scratch.cells, gap, flags)
        while cards:
            card = lowest_bit(cards)
            cards &= cards - ONE
            moves[count] = _CARD_ORDER[card] << _CELL_BITS | _CELL_ORDER[gap]
            count += 1
    return count


@helper
def make(scratch: Any, card: Any, gap: Any) -> None:
    """Move a card into a gap."""
    origin = scratch.where[card]
    scratch.cells[origin] = GAP
    scratch.cells[gap] = card
    scratch.where[card] = gap
    for number in range(MOST_GAPS):
        if scratch.gaps[number] == gap:
            scratch.gaps[number] = origin
            return


@helper
def rekey(scratch: Any, level: Any, to: Any, card: Any, gap: Any) -> None:
    """Write the key after a move, made from the position of a level, to another level."""
    origin = scratch.where[card]
    for half in range(2):
        changed = _ZOBRIST[card, origin, half] ^ _ZOBRIST[card, gap, half]
        scratch.keys[to, half] = scratch.keys[level, half] ^ changed


@helper
def _slot(scratch: Any, level: Any, game: Any) -> Any:
    """Where the key of a level stands among those of the game, or would."""
    visited, low, high = scratch.visited, scratch.keys[level, 0], scratch.keys[level, 1]
    mask = np.uint64(len(visited) - 1)
    slot = low & mask
    while visited[slot, 0] == game and (visited[slot, 1] != low or visited[slot, 2] != high):
        slot = (slot + ONE) & mask
    return slot


@helper
def remember(scratch: Any, game: Any, moves: Any) -> Any:
    """Remember the position of level 0; False if half of the room is taken, by one a move."""
    if moves + moves >= np.uint64(len(scratch.visited)):
        return False
    slot = _slot(scratch, 0, game)
    scratch.visited[slot, 0] = game
    scratch.visited[slot, 1] = scratch.keys[0, 0]
    scratch.visited[slot, 2] = scratch.keys[0, 1]
    return True


@helper
def is_new(scratch: Any, level: Any, game: Any) -> Any:
    """Whether the position of a level was neither in the game before nor on the line to it."""
    for above in range(ONE, level):
        if (
            scratch.keys[above, 0] == scratch.keys[level, 0]
            and scratch.keys[above, 1] == scratch.keys[level, 1]
        ):
            return False
    return scratch.visited[_slot(scratch, level, game), 0] != game


@helper
def left_after(left: Any, card: Any, gap: Any, flags: Any, scratch: Any) -> Any:
    """Cards left after a move, of `left` before it.

    In Maze a card lies in sequence or not by what is before it. So only three may change: the
    moved card, the one after it, and the one after the gap. Where gaps are skipped and no card
    lies between the two cells, the order of the cards stays as it is.
    """
    cells, origin = scratch.cells, scratch.where[card]
    if flags.game == GAPS:
        cells[origin], cells[gap] = GAP, card
        after = cards_left(cells, flags)
        cells[origin], cells[gap] = card, GAP
        return after
    old_left, old_right = _before(cells, origin, flags), _after(cells, origin, flags)
    new_left, new_right = _before(cells, gap, flags), _after(cells, gap, flags)
    if flags.win == RUNS:
        if new_left == card:  # whose cell is a gap after the move
            new_left = NONE
        if new_right == card:
            new_right = NONE
        lying = (
            _lies(old_left, card, flags)
            + _lies(card, old_right, flags)
            + _lies(NONE, new_right, flags)
        )
        lying -= _lies(NONE, old_right, flags)
    elif new_left == card or new_right == card:
        return left
    else:
        lying = _lies(old_left, card, flags) + _lies(card, old_right, flags)
        lying += _lies(new_left, new_right, flags) - _lies(old_left, old_right, flags)
    lying -= _lies(new_left, card, flags) + _lies(card, new_right, flags)
    return left + lying


@helper
def _lies(before: Any, card: Any, flags: Any) -> Any:
    """1 if a card lies in sequence after another, 0 if not or there is no card."""
    if card == NONE:
        return 0
    if card % SUIT != flags.low:
        return 1 if before == card - ONE else 0
    return 1 if flags.win == RUNS or before == NONE or before % SUIT == flags.high else 0


@helper
def _before(cells: Any, cell: Any, flags: Any) -> Any:
    """What a card in a cell comes after: the cell before in runs, else the last card before."""
    if flags.win == RUNS:
        return np.uint64(cells[cell - ONE if cell else flags.cells - ONE])
    while cell:
        cell -= ONE
        if cells[cell] != GAP:
            return np.uint64(cells[cell])
    return NONE


@helper
def _after(cells: Any, cell: Any, flags: Any) -> Any:
    """What comes after a card in a cell, likewise."""
    if flags.win == RUNS:
        return np.uint64(cells[cell + ONE if cell + ONE < flags.cells else ZERO])
    while cell + ONE < flags.cells:
        cell += ONE
        if cells[cell] != GAP:
            return np.uint64(cells[cell])
    return NONE
