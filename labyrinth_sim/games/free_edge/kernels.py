"""The rules of Labyrinth on integers, for numba: what `reference` says, a thousand times faster.

A position is two small fixed blocks. `PUBLIC` holds all that a player may see; the order of
the stock is the secret, an array of its own. A cell is the number ``row * columns + column``
(at most 55, for any number of columns), so the occupied cells are one 64-bit word and the
availability of every card is a few shifts of it.

Numbers in kernels are uint64 throughout: numba would turn a mixture with signed ones into
floats, and unsigned indices need no test for being negative.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.compiled import helper, lowest_bit
from labyrinth_sim.rng import absorb

PUBLIC = np.dtype(
    [
        ("occupied", np.uint64),  # bit c is set: cell c holds a card
        ("where", np.uint8, 56),  # of each card: its cell, or one of the four values below
        ("built", np.uint8, 4),  # cards on each foundation
        ("stock_left", np.uint8),
        ("cards_left", np.uint8),  # not yet on the foundations
        ("rows_dealt", np.uint8),
        ("resorts_used", np.uint8),
    ],
    align=True,
)
"""What a player may see. Cards beyond the pack, and the sentinels from 52 on, are ABSENT."""

SECRET = 53
"""Length of the secret block, uint8: item k is the card that comes when k are left."""

ABSENT, FOUNDATION, HAND, STOCK = (np.uint64(code) for code in (60, 61, 62, 63))

ALWAYS, FIRST_ROW_ONLY, OPTIONAL, EMPTY_COLUMN = (np.uint64(code) for code in range(4))
NO_RESORT, FIT, LIFT = (np.uint64(code) for code in range(3))

DEAL = np.uint64(0)
FILL = np.uint64(64)
PLAY = np.uint64(128)
RESORT = np.uint64(192)
"""Moves: DEAL, FILL + column (from 0), PLAY + card, RESORT + card."""

MOST_MOVES = 64
"""No position has more legal moves: a lift may choose among 48 cards."""

ZERO, ONE, FULL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
NOTHING = np.uint64(255)
_IN_HAND = ONE << HAND
_TEXT_ORDER = np.array(sorted(range(52), key=CARD_NAMES.__getitem__), np.uint8)
_TEXT_INDEX = np.argsort(_TEXT_ORDER).astype(np.uint8)
_COLUMNS_IN_TEXT_ORDER = np.array(sorted(range(12), key=lambda column: str(column + 1)), np.uint8)


class Flags(NamedTuple):
    """A rule set as kernels take it: an argument, never a global."""

    refill: np.uint64
    ends: np.uint64
    any_time: np.uint64
    resort: np.uint64
    resorts: np.uint64
    columns: np.uint64
    ranks: np.uint64
    top: np.uint64  # the top cells, as bits
    in_pack: np.uint64  # the cards of the pack, as bits
    in_stock: np.uint64  # those of them that are no aces
    stock: np.uint64  # how many those are


@cache
def flags_of(rules: Any) -> Flags:
    """Translate `LabyrinthRules` for kernels."""
    pack = [13 * suit + rank for suit in range(rules.suits) for rank in range(rules.ranks)]
    numbers = (
        ("always", "first_row_only", "optional", "empty_column").index(rules.refill),
        rules.availability == "ends",
        rules.deal == "any_time",
        ("none", "fit", "lift").index(rules.resort),
        min(rules.resorts, 48),  # no game can use more: each takes a card from the tableau
        rules.columns,
        rules.ranks,
        2**rules.columns - 1,
        sum(2**card for card in pack),
        sum(2**card for card in pack if card % 13),
        rules.suits * (rules.ranks - 1),
    )
    return Flags(*map(np.uint64, numbers))


@helper
def lay_out(deck: Any, flags: Any, public: Any, secret: Any) -> None:
    """Begin a game: aces to the foundations, the rest to the stock, the first row dealt."""
    left = flags.stock
    public.stock_left = left
    public.cards_left = left
    for index in range(52):
        card = np.uint64(deck[index])
        secret[left] = card  # stays only if the card is one of the stock's
        left -= (flags.in_stock >> card) & ONE
    for code in range(52):
        inside = (flags.in_pack >> np.uint64(code)) & ONE
        public.where[code] = STOCK if inside else ABSENT
    for sentinel in range(52, 56):
        public.where[sentinel] = ABSENT
    for suit in range(4):
        ace = np.uint64(13 * suit)
        inside = (flags.in_pack >> ace) & ONE
        public.built[suit] = inside
        if inside:
            public.where[ace] = FOUNDATION
    public.occupied = ZERO
    public.rows_dealt = 0
    public.resorts_used = 0
    deal_row(public, secret, flags)


@helper
def put(public: Any, secret: Any, cell: Any) -> None:
    """Put the next stock card into an open cell."""
    public.where[secret[public.stock_left]] = cell
    public.stock_left -= 1
    public.occupied |= ONE << cell


@helper
def deal_row(public: Any, secret: Any, flags: Any) -> None:
    """Deal a row, as far as the stock goes."""
    start = np.uint64(public.rows_dealt) * flags.columns
    public.rows_dealt += 1
    for cell in range(start, start + min(flags.columns, np.uint64(public.stock_left))):
        put(public, secret, np.uint64(cell))


@helper
def covers(occupied: Any, columns: Any) -> Any:
    """Cells, as bits, that have a card somewhere above them and somewhere below, in two words.

    Shifts by 1, 2, 4 and 3 rows reach up to 11 rows away, as far as a grid of 4 columns goes.
    """
    above = occupied << columns
    above |= above << columns
    above |= above << (columns + columns)
    above |= above << (columns << np.uint64(2))
    above |= above << (columns + columns + columns)
    below = occupied >> columns
    below |= below >> columns
    below |= below >> (columns + columns)
    below |= below >> (columns << np.uint64(2))
    below |= below >> (columns + columns + columns)
    return above, below


@helper
def edges(occupied: Any, flags: Any) -> Any:
    """Cells, as bits, whose card would be available if the cells of `occupied` held cards."""
    if flags.ends:
        above, below = covers(occupied, flags.columns)
    else:
        above, below = occupied << flags.columns, occupied >> flags.columns
    return occupied & ~(above & below)


@helper
def available(public: Any, flags: Any) -> Any:
    """Cells, as bits, whose card the rules let be taken; the bit of HAND is always set."""
    return edges(public.occupied, flags) | _IN_HAND


@helper
def drawing(public: Any, flags: Any) -> Any:
    """Cells, as bits, from which a play draws (RULES §2.4)."""
    if public.stock_left == 0:
        return ZERO
    if flags.refill == EMPTY_COLUMN:
        above, below = covers(public.occupied, flags.columns)
        return public.occupied & ~(above | below)
    if flags.refill == FIRST_ROW_ONLY and public.rows_dealt != 1:
        return ZERO
    return flags.top


@helper
def gaps(public: Any, flags: Any) -> Any:
    """Top cells, as bits, that may be filled from the stock."""
    if flags.refill != OPTIONAL or public.stock_left == 0:
        return ZERO
    return flags.top & ~public.occupied


@helper
def next_card(public: Any, suit: Any) -> Any:
    """The card that the foundation of a suit takes next.

    For a complete suit this is a card, or a sentinel, that lies in no cell and not in hand.
    """
    return np.uint64(13) * np.uint64(suit) + np.uint64(public.built[suit])


@helper
def first_suit(public: Any, cells: Any) -> Any:
    """The suit whose next card lies in one of `cells`, lowest rank first; NOTHING if none does."""
    best = NOTHING
    for suit in range(4):
        there = (cells >> np.uint64(public.where[next_card(public, suit)])) & ONE
        order = (np.uint64(public.built[suit]) << np.uint64(2)) | np.uint64(suit)
        best = min(best, order if there else NOTHING)
    return best if best == NOTHING else best & np.uint64(3)


@helper
def remove(public: Any, suit: Any) -> Any:
    """Play the next card of a suit, wherever it lies, without a refill; return where it lay."""
    card = next_card(public, suit)
    cell = np.uint64(public.where[card])
    public.built[suit] += 1
    public.cards_left -= 1
    public.where[card] = FOUNDATION
    if cell != HAND:
        public.occupied &= ~(ONE << cell)
    return cell


@helper
def play(public: Any, secret: Any, flags: Any, suit: Any) -> None:
    """Play the next card of a suit, wherever it lies, and refill where the rules say so."""
    draws = drawing(public, flags)
    cell = remove(public, suit)
    if flags.refill != OPTIONAL and (draws >> cell) & ONE:
        put(public, secret, cell if cell < flags.columns else cell % flags.columns)


@helper
def play_safe(public: Any, flags: Any, cells: Any) -> Any:
    """Play a card from `cells`, which hold the safe plays, or all of them; say if there was one.

    All at once, because their order makes no difference: a safe play lets no card in, it only
    takes one away, and taking a card away makes no other card unavailable, nor (but under
    `empty_column`, where it may leave the last card of a column) any other play drawing. So
    whatever is safe now is safe until it is played, and the players do nothing else before.
    """
    if flags.refill == EMPTY_COLUMN and public.stock_left:
        suit = first_suit(public, cells)
        if suit != NOTHING:
            remove(public, suit)
        return suit != NOTHING
    occupied = public.occupied
    played = ZERO
    for suit in range(4):
        card = next_card(public, suit)
        where = np.uint64(public.where[card])
        hit = (cells >> where) & ONE
        public.where[card] = FOUNDATION if hit else where
        public.built[suit] += hit
        occupied &= ~(hit << where)
        played += hit
    public.occupied = occupied
    public.cards_left -= played
    return played != ZERO


@helper
def use_resort(public: Any, flags: Any, card: Any) -> None:
    """Use a resort on a card of the tableau."""
    public.resorts_used += 1
    if flags.resort == FIT:
        remove(public, card // np.uint64(13))
    else:
        public.occupied &= ~(ONE << np.uint64(public.where[card]))
        public.where[card] = HAND


@helper
def usual_resort(public: Any) -> Any:
    """The card that players use a resort on: the first of the tableau that fits (RULES §2.4)."""
    return next_card(public, first_suit(public, (ONE << ABSENT) - ONE))


@helper
def may_deal(public: Any, flags: Any, plays: Any) -> Any:
    """Whether a row may be dealt, given whether a play is legal."""
    return public.stock_left != 0 and (flags.any_time != 0 or not plays)


@helper
def may_resort(public: Any, flags: Any, plays: Any) -> Any:
    """Whether a resort may be used, given whether a play is legal."""
    return public.stock_left == 0 and not plays and public.resorts_used < flags.resorts


@helper
def legal(public: Any, flags: Any, moves: Any) -> Any:
    """List the legal moves in text order and return how many there are.

    Parameters
    ----------
    public : record of PUBLIC
    flags : Flags
    moves : ndarray of uint8, shape (MOST_MOVES,)
        Filled from the front.
    """
    count = 0
    if public.cards_left == 0:
        return count
    free = available(public, flags)
    plays = ZERO  # the cards that can be played, as bits in text order
    for suit in range(4):
        card = next_card(public, suit)
        if (free >> np.uint64(public.where[card])) & ONE:
            plays |= ONE << np.uint64(_TEXT_INDEX[card])
    if may_deal(public, flags, plays):
        moves[count] = DEAL
        count += 1
    open_cells = gaps(public, flags)
    for column in _COLUMNS_IN_TEXT_ORDER:
        if (open_cells >> np.uint64(column)) & ONE:
            moves[count] = FILL + np.uint64(column)
            count += 1
    if may_resort(public, flags, plays):
        for card in _TEXT_ORDER:
            if public.where[card] < ABSENT:
                fits = card % 13 == public.built[card // 13]
                if flags.resort == LIFT or fits:
                    moves[count] = RESORT + np.uint64(card)
                    count += 1
    while plays:
        moves[count] = PLAY + np.uint64(_TEXT_ORDER[lowest_bit(plays)])
        plays &= plays - ONE
        count += 1
    return count


@helper
def apply(public: Any, secret: Any, flags: Any, move: Any) -> None:
    """Make a legal move."""
    if move >= RESORT:
        use_resort(public, flags, move - RESORT)
    elif move >= PLAY:
        play(public, secret, flags, (move - PLAY) // np.uint64(13))
    elif move >= FILL:
        put(public, secret, move - FILL)
    else:
        deal_row(public, secret, flags)


@helper
def view_digest(public: Any) -> Any:
    """Digest of all that a player sees; `View.key` in `reference` is its plain form."""
    digest = ZERO
    for half in range(4):
        first, second = ZERO, ZERO
        for byte in range(8):
            shift = np.uint64(8 * byte)
            first |= np.uint64(public.where[16 * half + byte]) << shift
            if half < 3:
                second |= np.uint64(public.where[16 * half + 8 + byte]) << shift
        if half == 3:
            second = np.uint64(public.rows_dealt) | np.uint64(public.resorts_used) << np.uint64(8)
        digest = absorb(digest, first, second)
    return digest
