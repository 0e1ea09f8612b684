"""Dealing scheme 1: the deck of a seed and an index, one definition for kernels and Python.

RULES §1: the pack in code order is shuffled by Fisher–Yates from the last place down, with
Lemire draws from the Philox words of stream 0. Kernels take their decks from a `DealSource`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper
from labyrinth_sim.rng import DEALS, HALF, LOW, below, philox

_ONE = np.uint64(1)
_PLACES = 52
_BLOCKS = 16


class DealSource(NamedTuple):
    """Where a kernel takes decks from; whatever goes through deals is given one of these.

    `deals.deal_source` makes it. Each thread needs its own, as decks are written into it.
    """

    seed: np.uint64
    decks: NDArray[np.uint8]  # (n, cards): given decks; n is 0 where they come from the seed
    order: NDArray[np.uint8]  # (cards,): the pack before the shuffle
    one_pack: bool  # of 52 cards, which are shuffled several times faster
    deck: NDArray[np.uint8]  # (cards,): the deck that was taken last
    words: NDArray[np.uint32]  # (64,): scratch


def new_source(seed: int, decks: NDArray[np.uint8], order: NDArray[np.uint8]) -> DealSource:
    """Allocate a source of the given decks or, if there are none, of the deals of a seed.

    Parameters
    ----------
    seed : int
    decks : ndarray of uint8, shape (n, cards)
    order : ndarray of uint8, shape (cards,)
        The pack before the shuffle.
    """
    # Read-only, whatever was given, so that each kernel is compiled for one type of source.
    decks = decks.view()
    decks.flags.writeable = False
    one_pack = order.tolist() == list(range(_PLACES))
    words = np.zeros(4 * _BLOCKS, np.uint32)
    return DealSource(np.uint64(seed), decks, order, one_pack, np.zeros_like(order), words)


@helper
def take_deck(source: Any, index: Any) -> None:
    """Write a deal into ``source.deck``: one of the given decks, else that of the seed."""
    if len(source.decks):
        source.deck[:] = source.decks[index]
        return
    if source.one_pack and _shuffled_ahead(source.seed, index, source.deck, source.words):
        return
    source.deck[:] = source.order
    shuffle_plainly(source.seed, index, source.deck)


@helper
def shuffle_plainly(seed: Any, index: Any, deck: Any) -> None:
    """Shuffle `deck`, which holds a pack in code order, as the rules say it."""
    number = np.uint64(0)
    for place in range(len(deck) - 1, 0, -1):
        other, number = below(np.uint64(place + 1), seed, DEALS, index, number)
        deck[place], deck[other] = deck[other], deck[place]


@helper
def _shuffled_ahead(seed: Any, index: Any, deck: Any, words: Any) -> Any:
    """Write the deck of a deal of one pack, unless a word has to be drawn again.

    All words are drawn ahead, which the compiler turns into vector instructions. Returns False
    if the deck is another one, because a draw had to be made again (one deal in three million).
    """
    for block in range(_BLOCKS):
        c0, c1, c2, c3 = philox(np.uint64(block), DEALS, index & LOW, index >> HALF, seed)
        words[block] = c0
        words[_BLOCKS + block] = c1
        words[2 * _BLOCKS + block] = c2
        words[3 * _BLOCKS + block] = c3
    for card in range(_PLACES):
        deck[card] = card
    redraw = False
    for draw in range(_PLACES - 1):
        place = np.uint64(_PLACES - 1 - draw)
        product = np.uint64(words[(draw & 3) * _BLOCKS + (draw >> 2)]) * (place + _ONE)
        redraw |= bool(product & LOW <= place)
        other = product >> HALF
        card = deck[place]
        deck[place] = deck[other]
        deck[other] = card
    return not redraw
