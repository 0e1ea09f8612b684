"""Ending a game exactly, for numba: what `endgame` finds, card for card, by the same steps.

The set of cards in the tableau is one 64-bit word, that of the occupied cells. Beside it goes
the next card of each suit, a byte each in another word, so that settling need not look for it.
A card that the search lifts keeps its cell in `where`; the cell is merely occupied no longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.free_edge.endgame import MOST_TRIES
from labyrinth_sim.games.free_edge.kernels import (
    ABSENT,
    HAND,
    LIFT,
    NOTHING,
    ONE,
    STOCK,
    ZERO,
    available,
    covers,
    may_resort,
    next_card,
    play_safe,
    use_resort,
    usual_resort,
)

FRAME = np.dtype(
    [
        ("openers", np.uint64, 12),  # sets of cells
        ("count", np.uint64),
        ("tried", np.uint64),
        ("cells", np.uint64),
        ("nexts", np.uint64),
        ("resorts", np.uint64),
    ],
    align=True,
)
"""A position whose openers are being tried."""

_MOST_FRAMES = 48  # each has a resort left, and an opener costs at least one
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 by the golden ratio
CUT_SHORT = NOTHING - ONE
_GRID = (ONE << np.uint64(56)) - ONE
_IN_HAND = ONE << HAND
_IN_HAND_OR_STOCK = ONE << HAND | ONE << STOCK
_BYTE, _SIX_BITS = np.uint64(255), np.uint64(63)
_SIX, _THIRTEEN = np.uint64(6), np.uint64(13)


class EndgameScratch(NamedTuple):
    """What a search needs, allocated once a block and never cleared."""

    most_tries: np.uint64
    frames: NDArray[Any]  # (48,) of FRAME
    keys: NDArray[np.uint64]  # (12,): of the first frame's openers, their first cards, in order
    cards: NDArray[np.uint8]  # (56,): the card in each cell
    searches: NDArray[np.uint64]  # (1,): how many there were
    tried: NDArray[np.uint64]  # (a power of 2, 2): a position; 64 times its search, plus resorts


def endgame_scratch(most_tries: int = MOST_TRIES) -> EndgameScratch:
    """Allocate what a search of so many tries needs: half a MiB, little of it ever touched."""
    slots = 2 << (most_tries - 1).bit_length()  # never more than half full, so probes are short
    return EndgameScratch(
        np.uint64(most_tries),
        np.zeros(_MOST_FRAMES, FRAME),
        np.zeros(12, np.uint64),
        np.zeros(56, np.uint8),
        np.zeros(1, np.uint64),
        np.zeros((slots, 2), np.uint64),
    )


@kernel
def winning_cards(
    publics: NDArray[Any], flags: Any, scratch: EndgameScratch, out: NDArray[np.uint8]
) -> None:
    """Find the winning card of each of many positions.

    Parameters
    ----------
    publics : ndarray of PUBLIC, shape (n,)
        Positions as `winning_card` takes them.
    flags : Flags
    scratch : EndgameScratch
    out : ndarray of uint8, shape (n,)
    """
    for number in range(len(publics)):
        card = winning_card(publics[number], flags, scratch)
        out[number] = card if card < CUT_SHORT else NOTHING


@helper
def finish(flags: Any, public: Any, scratch: Any, turns: Any) -> None:
    """Play up to `turns` turns of the end of a game, so that it is won if it can be.

    Where it can't be won, resorts are used as all players do.
    """
    while public.cards_left and turns:
        turns -= ONE
        if play_safe(public, flags, available(public, flags)):
            continue
        if not may_resort(public, flags, False):
            break
        card = winning_card(public, flags, scratch)
        use_resort(public, flags, usual_resort(public) if card >= CUT_SHORT else card)


@helper
def winning_card(public: Any, flags: Any, scratch: Any) -> Any:
    """The card whose resort `endgame.winning_resort` uses; NOTHING where there is none.

    CUT_SHORT where none was found in as many tries as `scratch` allows.

    Parameters
    ----------
    public : record of PUBLIC
        Not won, with no stock left, no play legal and a resort to use; it is only read.
    flags : Flags
    scratch : EndgameScratch
    """
    where, frames = public.where, scratch.frames
    nexts = _next_cards(public)
    cells, resorts = public.occupied, flags.resorts - np.uint64(public.resorts_used)
    if _hopeless(where, flags, cells, nexts, resorts, _IN_HAND):
        return NOTHING
    scratch.searches[0] += ONE
    _push(where, flags, frames[0], cells, nexts, resorts)
    _sort(public, frames[0], scratch)
    depth, tries = 0, ZERO
    while True:
        frame = frames[depth]
        if frame.tried == frame.count:
            if depth == 0:
                return CUT_SHORT if tries == scratch.most_tries else NOTHING
            depth -= 1
            continue
        opener = frame.openers[frame.tried]
        frame.tried += ONE
        cells, nexts = _settle(where, flags, frame.cells & ~opener, frame.nexts, _IN_HAND)
        if cells == ZERO:
            return scratch.keys[frames[0].tried - ONE] & _SIX_BITS
        resorts = frame.resorts - _size(opener)
        if (
            resorts != ZERO
            and tries != scratch.most_tries
            and not _hopeless(where, flags, cells, nexts, resorts, _IN_HAND)
            and _is_new(scratch, cells, resorts)
        ):
            tries += ONE
            depth += 1
            _push(where, flags, frames[depth], cells, nexts, resorts)


@helper
def one_resort_wins(public: Any, flags: Any) -> Any:
    """Whether a position as `winning_card` takes it, with one resort left, can be won."""
    where, nexts = public.where, _next_cards(public)
    for suit in range(4):
        card = (nexts >> np.uint64(8 * suit)) & _BYTE
        for opener in _openers(where, flags, public.occupied, card):
            if opener != ZERO and opener & (opener - ONE) == ZERO:
                cells, _ = _settle(where, flags, public.occupied & ~opener, nexts, _IN_HAND)
                if cells == ZERO:
                    return True
    return False


@helper
def out_of_reach(public: Any, flags: Any) -> Any:
    """Whether a position can't be won even if all stock cards lay in hand already.

    Then they bury nothing, and whatever is played in the game that there is can be played in that
    one at the same time or earlier; so if this one is lost, that one is.
    """
    where, nexts = public.where, _next_cards(public)
    cells, nexts = _settle(where, flags, public.occupied, nexts, _IN_HAND_OR_STOCK)
    resorts = flags.resorts - np.uint64(public.resorts_used)
    return _hopeless(where, flags, cells, nexts, resorts, _IN_HAND_OR_STOCK)


@helper
def _next_cards(public: Any) -> Any:
    """The next card of each suit, a byte each."""
    nexts = ZERO
    for suit in range(4):
        nexts |= next_card(public, suit) << np.uint64(8 * suit)
    return nexts


@helper
def _settle(where: Any, flags: Any, cells: Any, nexts: Any, elsewhere: Any) -> Any:
    """Make all plays that are legal, and those that they make legal.

    `elsewhere` are the values of `where` beyond the grid, as bits, whose cards may be played.
    """
    while True:
        if flags.ends:
            above, below = covers(cells, flags.columns)
        else:
            above, below = cells << flags.columns, cells >> flags.columns
        free = (_GRID | elsewhere) & ~(cells & above & below)
        played = ZERO
        for suit in range(4):
            shift = np.uint64(8 * suit)
            cell = np.uint64(where[(nexts >> shift) & _BYTE])
            while (free >> cell) & ONE:  # what is free stays so, whatever is played
                nexts += ONE << shift
                cells &= ~(ONE << cell)
                played = ONE
                cell = np.uint64(where[(nexts >> shift) & _BYTE])
        if played == ZERO or cells == ZERO:
            return cells, nexts


@helper
def _openers(where: Any, flags: Any, cells: Any, card: Any) -> Any:
    """The openers of a next card, as sets of cells: above it, below it, and itself.

    One that need not be tried is empty; all are if its suit is complete.
    """
    cell = np.uint64(where[card])
    own = ONE << cell if cell < ABSENT else ZERO
    if flags.resort != LIFT:
        return ZERO, ZERO, own
    if flags.ends:
        lower, upper = covers(own, flags.columns)
    else:
        lower, upper = own << flags.columns, own >> flags.columns
    upper &= cells
    lower &= cells
    single = upper & (upper - ONE) == ZERO or lower & (lower - ONE) == ZERO
    return upper, lower, ZERO if single else own


@helper
def _size(cells: Any) -> Any:
    """How many cells a set has."""
    count = ZERO
    while cells:
        cells &= cells - ONE
        count += ONE
    return count


@helper
def _hopeless(where: Any, flags: Any, cells: Any, nexts: Any, resorts: Any, elsewhere: Any) -> Any:
    """Whether not even all openers at once, round after round, win a settled position."""
    while cells != ZERO and resorts != ZERO:
        union = ZERO
        for suit in range(4):
            card = (nexts >> np.uint64(8 * suit)) & _BYTE
            for opener in _openers(where, flags, cells, card):
                union |= opener if _size(opener) <= resorts else ZERO
        cells, nexts = _settle(where, flags, cells & ~union, nexts, elsewhere)
        resorts -= ONE
    return cells != ZERO


@helper
def _push(where: Any, flags: Any, frame: Any, cells: Any, nexts: Any, resorts: Any) -> None:
    """Begin to try the openers of a settled position."""
    count = ZERO
    for suit in range(4):
        card = (nexts >> np.uint64(8 * suit)) & _BYTE
        for opener in _openers(where, flags, cells, card):
            if opener != ZERO and _size(opener) <= resorts:
                frame.openers[count] = opener
                count += ONE
    frame.count = count
    frame.tried = ZERO
    frame.cells = cells
    frame.nexts = nexts
    frame.resorts = resorts


@helper
def _sort(public: Any, frame: Any, scratch: Any) -> None:
    """Put openers in the order of their first cards, and leave these in the keys' low six bits."""
    for code in range(52):
        cell = np.uint64(public.where[code])
        if cell < ABSENT:
            scratch.cards[cell] = code
    for number in range(frame.count):
        opener = frame.openers[number]
        key, rest = ~ZERO, opener
        while rest:
            card = np.uint64(scratch.cards[lowest_bit(rest)])
            suit = card // _THIRTEEN
            order = (card - _THIRTEEN * suit) << np.uint64(2) | suit
            key = min(key, order << _SIX | card)
            rest &= rest - ONE
        index = np.uint64(number)
        while index and scratch.keys[index - ONE] > key:
            scratch.keys[index] = scratch.keys[index - ONE]
            frame.openers[index] = frame.openers[index - ONE]
            index -= ONE
        scratch.keys[index] = key
        frame.openers[index] = opener


@helper
def _is_new(scratch: Any, cells: Any, resorts: Any) -> Any:
    """Note that a position is tried; False if this search tried it with no fewer resorts."""
    search = scratch.searches[0] << _SIX
    last = np.uint64(len(scratch.tried) - 1)
    slot = (cells * _SPREAD) >> np.uint64(32) & last
    while True:
        note = scratch.tried[slot, 1]
        if note < search:  # left by an earlier search
            break
        if scratch.tried[slot, 0] == cells:
            if note & _SIX_BITS >= resorts:
                return False
            break
        slot = (slot + ONE) & last
    scratch.tried[slot, 0] = cells
    scratch.tried[slot, 1] = search | resorts
    return True
