"""The unit of work: an aligned block of deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labyrinth_sim.core.probe import Probe


@dataclass(frozen=True)
class Block:
    """Deals `first` to ``first + count - 1``."""

    first: int
    count: int


def usual_bits(probe: Probe) -> int:
    """Binary digits of how many deals make a block, where nobody says: its own, if it has any."""
    bits: int = getattr(probe, "block_bits", 16 if probe.threads else 8)
    return bits


def cut(first: int, deals: int, bits: int) -> Iterator[Block]:
    """Cut a range of deals into blocks aligned at multiples of ``2**bits``, with ragged ends.

    Aligned, so that any two runs that share deals cut them at the same places.

    Parameters
    ----------
    first, deals : int
        The range.
    bits : int
        Blocks are [k · 2**bits, (k + 1) · 2**bits), for bits from 0 to 64.

    Examples
    --------
    >>> [(block.first, block.count) for block in cut(6, 7, bits=2)]
    [(6, 2), (8, 4), (12, 1)]
    """
    end, width = first + deals, 1 << bits
    while first < end:
        border = min(end, (first // width + 1) * width)
        yield Block(first, border - first)
        first = border
