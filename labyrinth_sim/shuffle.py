"""Dealing scheme 1: the deck of a seed and an index, one definition for kernels and Python.

RULES §1: the pack in code order is shuffled by Fisher–Yates from the last place down, with
Lemire draws from the Philox words of stream 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from labyrinth_sim.compiled import helper
from labyrinth_sim.rng import DEALS, HALF, LOW, below, philox

_ONE = np.uint64(1)
_PLACES = 52
_BLOCKS = 16
WORDS = 4 * _BLOCKS
"""Words of scratch that `shuffle` needs."""


@helper
def shuffle_plainly(seed: Any, index: Any, deck: Any) -> None:
    """Shuffle `deck`, which holds the pack in code order, as the rules say it."""
    number = np.uint64(0)
    for place in range(len(deck) - 1, 0, -1):
        other, number = below(np.uint64(place + 1), seed, DEALS, index, number)
        deck[place], deck[other] = deck[other], deck[place]


@helper
def shuffle(seed: Any, index: Any, deck: Any, words: Any) -> None:
    """Write the deck of a deal: the same as `shuffle_plainly` of one pack, several times faster.

    All words are drawn ahead, which the compiler turns into vector instructions, as if no draw
    had to be made again. If one had (one deal in three million), the deck is shuffled plainly.

    Parameters
    ----------
    seed, index : uint64
    deck : ndarray of uint8, shape (52,)
        Filled.
    words : ndarray of uint32, shape (64,)
        Scratch.
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
    if redraw:
        for card in range(_PLACES):
            deck[card] = card
        shuffle_plainly(seed, index, deck)


@helper
def take_deck(seed: Any, index: Any, decks: Any, deck: Any, words: Any) -> None:
    """Write the deck of a deal: that of `decks`, if there are any, else that of the seed."""
    if len(decks):
        deck[:] = decks[index]
    else:
        shuffle(seed, index, deck, words)
