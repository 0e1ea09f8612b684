"""What the players of the heuristic family do, compiled; `heuristic` says the same plainly.

All that these players decide is what to do once no safe play is left: fill a gap, play a card
that draws, deal a row, or use a resort. The fixed players are members of the family.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from labyrinth_sim.compiled import count_bits, helper, lowest_bit
from labyrinth_sim.games.free_edge.kernels import (
    ABSENT,
    NOTHING,
    ONE,
    ZERO,
    edges,
    first_suit,
    next_card,
)

AT_ONCE, STUCK, NEVER, EMPTY, HOLD, BEFORE_ROW = (np.uint64(code) for code in range(6))
LEFTMOST, FEWEST, MOST, DISTANT = (np.uint64(code) for code in range(4))
LOWEST, HIGHEST, FREES, FULLEST = (np.uint64(code) for code in range(4))
LATE, NO_SAFE, COVER, NEAR, SHORT = (np.uint64(code) for code in range(5))

FAR = np.uint64(99)
"""The distance of no card at all: farther than any card's."""


class Knobs(NamedTuple):
    """A member of the family, as kernels take it."""

    fill: np.uint64
    hold: np.uint64
    gap: np.uint64
    order: np.uint64
    deal: np.uint64
    most: np.uint64


def knobs_of(member: Any) -> Knobs:
    """Translate a `Heuristic` for kernels."""
    fill, _, hold = member.fill.partition(":")
    deal, _, most = member.deal.partition(":")
    numbers = (
        ("at_once", "stuck", "never", "empty", "hold", "before_row").index(fill),
        min(int(hold or 0), 90),  # no distance is greater
        ("leftmost", "fewest", "most", "distant").index(member.gap),
        ("lowest", "highest", "frees", "fullest").index(member.order),
        ("late", "no_safe", "cover", "near", "short").index(deal),
        min(int(most or 0), 90),
    )
    return Knobs(*map(np.uint64, numbers))


@helper
def card_in(public: Any, cell: Any) -> Any:
    """The card in a cell that holds one."""
    found = ZERO
    for card in range(52):
        if public.where[card] == cell:
            found = np.uint64(card)
    return found


@helper
def distance(public: Any, card: Any) -> Any:
    """How many cards a card still needs before it fits its foundation."""
    return card % np.uint64(13) - np.uint64(public.built[card // np.uint64(13)])


@helper
def column_cells(flags: Any, column: Any) -> Any:
    """All cells of a column below the top one, as bits."""
    cells = ZERO
    cell = column + flags.columns
    while cell < ABSENT:
        cells |= ONE << cell
        cell += flags.columns
    return cells


@helper
def below_top(flags: Any, public: Any, column: Any, suit: Any) -> Any:
    """Distance of the next card down a column once a card of `suit` is played; FAR if none."""
    cells = column_cells(flags, column) & public.occupied
    if cells == ZERO:
        return FAR
    card = card_in(public, lowest_bit(cells))
    return distance(public, card) - (ONE if card // np.uint64(13) == suit else ZERO)


@helper
def gap_to_fill(knobs: Any, flags: Any, public: Any, open_cells: Any) -> Any:
    """The column of the gap to fill first; NOTHING if the player wants to fill none."""
    if knobs.gap == LEFTMOST and knobs.fill != EMPTY and knobs.fill != HOLD:
        return lowest_bit(open_cells)
    best, best_score = NOTHING, ZERO
    while open_cells:
        column = lowest_bit(open_cells)
        open_cells &= open_cells - ONE
        exposed = below_top(flags, public, column, NOTHING)
        if (knobs.fill == EMPTY and exposed != FAR) or (
            knobs.fill == HOLD and exposed <= knobs.hold
        ):
            continue
        score = ONE  # of equal ones the leftmost
        if knobs.gap == DISTANT:
            score = ONE + exposed
        elif knobs.gap != LEFTMOST:
            cards = count_bits(column_cells(flags, column) & public.occupied)
            score = ONE + cards if knobs.gap == MOST else FAR - cards
        if score > best_score:
            best, best_score = column, score
    return best


@helper
def drawing_suit(knobs: Any, flags: Any, public: Any, cells: Any) -> Any:
    """The suit whose drawing play, from one of `cells`, goes first; NOTHING if there is none."""
    if knobs.order == LOWEST:
        return first_suit(public, cells)
    best, best_score = NOTHING, ZERO
    for number in range(4):
        suit = np.uint64(number)
        cell = np.uint64(public.where[next_card(public, suit)])
        if (cells >> cell) & ONE:
            column = cell % flags.columns
            rank = np.uint64(public.built[suit])
            if knobs.order == HIGHEST:
                score = rank
            elif knobs.order == FREES:
                score = FAR - below_top(flags, public, column, suit)
            else:
                score = count_bits(column_cells(flags, column) & public.occupied)
            # of equal ones the lowest rank, then suit
            score = (score << np.uint64(8)) + (np.uint64(64) - (rank << np.uint64(2)) - suit)
            if score > best_score:
                best, best_score = suit, score
    return best


@helper
def wants_row(knobs: Any, flags: Any, public: Any) -> Any:
    """Whether the player would rather deal a row now than play a card that draws."""
    if knobs.deal == LATE:
        return False
    if knobs.deal == NO_SAFE:
        return True
    left = np.uint64(public.stock_left)
    if knobs.deal == SHORT:
        last = left % flags.columns
        return last != ZERO and last <= knobs.most
    cells = covered_by_row(flags, public)
    if knobs.deal == COVER:
        return count_bits(cells) <= knobs.most
    for number in range(52):
        card = np.uint64(number)
        where = np.uint64(public.where[card])
        if (cells >> where) & ONE and distance(public, card) <= knobs.most:
            return False
    return True


@helper
def covered_by_row(flags: Any, public: Any) -> Any:
    """Cells, as bits, whose card is available now and would not be after a row was dealt."""
    occupied = public.occupied
    length = min(np.uint64(public.stock_left), flags.columns)
    row = ((ONE << length) - ONE) << (np.uint64(public.rows_dealt) * flags.columns)
    return edges(occupied, flags) & ~edges(occupied | row, flags)
