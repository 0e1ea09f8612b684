"""Philox4x32-10, bounded draws, and what they are keyed by: one definition, compiled and plain.

Philox is the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
numbers: as easy as 1, 2, 3" (SC 2011). Every function here is inlined by
kernels and runs in plain Python just as it stands; words and indices are uint64 in both.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from labyrinth_sim.compiled import helper

DEALS, PLAYERS = np.uint64(0), np.uint64(1)
"""Streams: the second counter word. No draw of a player ever changes a deal."""

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
_ONE = np.uint64(1)


@helper
def philox(c0: Any, c1: Any, c2: Any, c3: Any, key: Any) -> Any:
    """Turn a counter of four 32-bit words and a 64-bit key into four random 32-bit words.

    Words are uint64 below 2**32, so that no product overflows.
    """
    k0, k1 = key & LOW, key >> HALF
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> HALF) ^ c1 ^ k0, p1 & LOW, (p0 >> HALF) ^ c3 ^ k1, p0 & LOW
        k0, k1 = (k0 + _W0) & LOW, (k1 + _W1) & LOW
    return c0, c1, c2, c3


@helper
def word(key: Any, stream: Any, index: Any, number: Any) -> Any:
    """Word `number` (from 0) of the sequence that (key, stream, index) names."""
    four = philox(number >> np.uint64(2), stream, index & LOW, index >> HALF, key)
    return four[int(number & np.uint64(3))]


@helper
def below(n: Any, key: Any, stream: Any, index: Any, number: Any) -> Any:
    """Draw uniformly from 0 … n - 1 by Lemire's method, beginning with word `number`.

    Returns the draw and the number of the first word that was not used (RULES §1).
    """
    product = word(key, stream, index, number) * n
    number += _ONE
    threshold = ((_ONE << HALF) - n) % n
    while product & LOW < threshold:
        product = word(key, stream, index, number) * n
        number += _ONE
    return product >> HALF, number


@helper
def absorb(state: Any, first: Any, second: Any) -> Any:
    """Fold two 64-bit words into a 64-bit digest: a block of Philox keyed by the digest so far."""
    c0, c1, c2, c3 = philox(first & LOW, first >> HALF, second & LOW, second >> HALF, state)
    return (c0 ^ c2) | ((c1 ^ c3) << HALF)


def player_key(seed: int, spec: str) -> np.uint64:
    """One-way key of a player's randomness: draws made with it tell nothing about the seed."""
    digest = blake2b(f"{seed}/{spec}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))
