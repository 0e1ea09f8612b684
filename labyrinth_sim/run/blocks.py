"""The unit of work: an aligned block of deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labyrinth_sim.deals import check_word
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.protocols import Probe


@dataclass(frozen=True)
class Block:
    """Deals `first` to ``first + count - 1``."""

    first: int
    count: int


def usual_bits(probe: Probe) -> int:
    """Binary digits of how many deals make a block, where nobody says: its own, if it has any."""
    bits: int = getattr(probe, "block_bits", 16 if probe.threads else 8)
    return bits


def cut(first: int, deals: int, bits: int, size: int) -> Iterator[Block]:
    """Cut a range of deals into blocks aligned at multiples of ``2**bits``, with ragged ends.

    Aligned, so that any two runs that share deals cut them at the same places.

    Parameters
    ----------
    first, deals : int
        The range.
    bits : int
        Blocks are [k · 2**bits, (k + 1) · 2**bits), for bits from 0 to 64.
    size : int
        How many deals there are; the range must lie within.

    Raises
    ------
    InvalidInput
        If the range is empty or reaches beyond the last deal, or the blocks have no size.

    Examples
    --------
    >>> [(block.first, block.count) for block in cut(6, 7, bits=2, size=100)]
    [(6, 2), (8, 4), (12, 1)]
    """
    check_word("first", first)
    if not isinstance(deals, int | np.integer) or isinstance(deals, bool) or deals < 1:
        raise InvalidInput(f"deals={deals!r} is out of range; give a whole number of 1 or more")
    first, deals = int(first), int(deals)  # numpy's own would overflow
    if first + deals > size:
        raise InvalidInput(
            f"deals {first} to {first + deals - 1} reach beyond the last one, {size - 1}; "
            "give fewer, or start earlier"
        )
    if not isinstance(bits, int) or not 0 <= bits <= 64:
        raise InvalidInput(f"block_bits={bits!r} is out of range; give a whole number up to 64")
    return _cut(first, first + deals, 1 << bits)


def _cut(first: int, end: int, width: int) -> Iterator[Block]:
    while first < end:
        border = min(end, (first // width + 1) * width)
        yield Block(first, border - first)
        first = border
