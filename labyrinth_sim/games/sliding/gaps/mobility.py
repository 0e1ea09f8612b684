"""Which cards may move at all, and which moves a search may leave for later.

`solver` says what the search rests on. Cells and cards are numbered so that all is one shift
away: a cell is 16 · row + column, columns from 1; a card 16 · suit + rank, the two being 1. So a
card's home in the row of its own suit has the card's own number, the next card of the suit is one
above it, and sets of either are the bits of one word. Column 0 is a wall: the ace of the row's
suit where twos are bound, all aces where they are free; so a two is a card like others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import count_bits, helper, lowest_bit

ZERO, ONE = np.uint64(0), np.uint64(1)
CARDS = np.uint64(0x1FFE1FFE1FFE1FFE)
ACES = np.uint64(0x0001000100010001)
TWOS, KINGS = ACES << ONE, ACES << np.uint64(12)
FIRST_COLUMN = TWOS
TO_ROWS = np.uint64(0xE001E001E001E001)
"""Moves of free twos: bit 16 · suit + (13 + row) % 16."""

GAP, NO_CELL = np.uint64(14), np.uint64(13)
"""What lies in a gap, and beyond the last column: no card, nor is what comes after it."""

_RANK = np.uint64(15)


class Board(NamedTuple):
    """A position, and scratch."""

    cards: NDArray[np.uint8]  # (64,): the card in each cell
    where: NDArray[np.uint8]  # (64,): the cell of each card
    bits: NDArray[np.uint64]  # (64,): the card in each cell, as a bit
    gaps: NDArray[np.uint64]  # (1,): the gaps, as bits
    reach: NDArray[np.uint64]  # (64,): the cards that may come to each cell, see `spread`
    calm: NDArray[np.uint64]  # (3,): cards, cells, and a gap, see `going_on`


def new_board() -> Board:
    """Allocate a board."""
    return Board(
        np.zeros(64, np.uint8),
        np.zeros(64, np.uint8),
        np.zeros(64, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros(64, np.uint64),
        np.zeros(3, np.uint64),
    )


@helper
def enabled_moves(board: Any, bound: Any) -> Any:
    """The legal moves: the bits of the cards, for free twos those of `TO_ROWS`."""
    gaps, moves = board.gaps[0], ZERO
    while gaps:
        gap = lowest_bit(gaps)
        gaps &= gaps - ONE
        left = np.uint64(board.cards[gap - ONE])
        if not bound and gap & _RANK == ONE:
            moves |= ACES << ((np.uint64(13) + (gap >> np.uint64(4))) & _RANK)
        else:
            moves |= (ONE << (left + ONE)) & CARDS
    return moves


@helper
def spread(board: Any, frozen: Any, watched: Any) -> Any:
    """The cards that may move before any frozen one does; `reach` is set to where they may come.

    It is the least set such that a card may come to the cell right of where its predecessor may
    be, if that cell is a gap or its card may move. Ends early when a watched card may move.
    """
    reach, where = board.reach, board.where
    for cell in range(64):
        reach[cell] = board.bits[cell]
    free = CARDS & ~frozen
    vacant = board.gaps[0]
    todo, moved = vacant, ZERO
    while todo:
        cell = lowest_bit(todo)
        todo &= todo - ONE
        new = (reach[cell - ONE] << ONE) & free & ~reach[cell]
        if new:
            reach[cell] |= new
            todo |= vacant & (ONE << (cell + ONE))
            new &= ~moved
            moved |= new
            if moved & watched:
                break
            while new:
                left = ONE << np.uint64(where[lowest_bit(new)])
                new &= new - ONE
                todo |= left & ~vacant
                vacant |= left
    return moved, vacant


@helper
def hopeless(board: Any, own: Any) -> Any:
    """Whether, after a `spread` of all cards, some card can't come to where a win has it."""
    reach, every = board.reach, ZERO
    for row in range(4):
        wall = np.uint64(16 * row)
        suits = ACES
        for rank in range(1, 13):
            suits &= reach[wall + np.uint64(rank)] >> np.uint64(rank)
        if own:
            suits &= ONE << wall
        if suits == ZERO:
            return True
        every |= suits
    return every != ACES


@helper
def persistent(board: Any, bound: Any, moves: Any, movable: Any) -> Any:
    """Moves that will do for all: those of the smallest stubborn set of cards that was found.

    `movable` are the cards that may move at all. From every card that can move a set is grown
    until no card outside can undo it.
    """
    best, fewest = moves, count_bits(moves)
    movers = _movers(moves, bound)
    seeds = movers
    while seeds and fewest > ONE:
        seed = lowest_bit(seeds)
        seeds &= seeds - ONE
        inside = ONE << seed
        exact = True
        while True:
            chosen = _moves_of(inside, moves, bound)
            number = count_bits(chosen)
            if number >= fewest:
                break
            more = _needed(board, bound, inside) & movable
            if exact and more and not more & movers:
                moved, vacant = spread(board, inside, more)
                more &= moved
                if more == ZERO and inside == chosen and number == ONE:
                    board.calm[0], board.calm[1] = moved, vacant
                    board.calm[2] = np.uint64(board.where[seed])
                exact = False  # once is enough until another card that can move is inside
            if more == ZERO:
                best, fewest = chosen, number
                break
            exact = exact or more & movers != ZERO
            inside |= more & movers if more & movers else more
    return best


@helper
def going_on(board: Any, bound: Any, moves: Any) -> Any:
    """The move into the gap that the last move left, if what was found then shows it will do.

    `calm` has what that `spread` gave, its gap 0 if there is nothing to go on with.
    """
    gap = board.calm[2]
    board.calm[2] = ZERO
    if gap == ZERO:
        return ZERO
    left = np.uint64(board.cards[gap - ONE])
    move = (ONE << (left + ONE)) & CARDS & moves
    if move == ZERO or _needed(board, bound, move) & board.calm[0]:
        return ZERO
    board.calm[2] = np.uint64(board.where[left + ONE])
    return move


@helper
def _needed(board: Any, bound: Any, inside: Any) -> Any:
    """The cards whose moving, before any card `inside` does, would undo that they are stubborn."""
    cards, gaps = board.cards, board.gaps[0]
    more, todo = ZERO, inside
    while todo:
        card = lowest_bit(todo)
        todo &= todo - ONE
        if not bound and card & _RANK == ONE:
            enabled = gaps & FIRST_COLUMN != ZERO
            more |= TWOS
            for row in range(4):
                more |= ONE << np.uint64(cards[16 * row + 1])
        else:
            target = np.uint64(board.where[card - ONE]) + ONE
            enabled = (gaps >> target) & ONE != ZERO
            more |= (ONE << (card - ONE)) | (ONE << np.uint64(cards[target]))
        if enabled and not KINGS & (ONE << card):
            right = np.uint64(board.where[card]) + ONE
            if (gaps >> right) & ONE:
                more |= ONE << (card + ONE)
            else:
                neighbour = np.uint64(cards[right])
                if neighbour != card + ONE:
                    more |= ONE << neighbour
    return more & CARDS & ~inside


@helper
def _movers(moves: Any, bound: Any) -> Any:
    """The cards that some move moves."""
    if bound:
        return moves
    movers = moves & CARDS
    if moves & TO_ROWS:
        movers |= TWOS
    return movers


@helper
def _moves_of(cards: Any, moves: Any, bound: Any) -> Any:
    """Those of the moves that move one of the cards."""
    if bound or not cards & TWOS:
        return moves & cards & CARDS
    return (moves & cards & CARDS) | (moves & TO_ROWS)
