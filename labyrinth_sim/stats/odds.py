"""Odds that books and pages publish, none of them with a method (RULES §2.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats.proportions import Interval

_ODDS = re.compile(r"(\d+)\s*(?:/|in)\s*(\d+)")
_PERCENT = re.compile(r"(\d+(?:\.(\d+))?)\s*%")


BELOW, WITHIN, REACHES, ABOVE, UNDECIDED = "below", "within", "reaches", "above", "undecided"
"""Where a rate stands to a claim; `reaches`: not below, and perhaps above."""

REACHED = (WITHIN, REACHES, ABOVE)


@dataclass(frozen=True)
class Band:
    """The shares that odds stand for, as they are rounded.

    Parameters
    ----------
    odds : str
        As they were written.
    share, low, high : float
    tolerance : float, optional
        Half of the band's width, if it was given.
    """

    odds: str
    share: float
    low: float
    high: float
    tolerance: float | None = None

    @classmethod
    def read(cls, odds: str, tolerance: float | None = None) -> Band:
        """Read ``1/30``, ``1 in 30`` or ``3.3%``.

        Parameters
        ----------
        odds : str
        tolerance : float, optional
            Half of the band's width: of the 30 in ``1/30``, by default 0.5; of a percentage in
            points, by default half a unit of its last digit.

        Raises
        ------
        InvalidInput
            If these are no odds, or the tolerance leaves no band.

        Examples
        --------
        >>> band = Band.read("1 in 30")
        >>> (1 / band.low, 1 / band.high)
        (30.5, 29.5)
        >>> Band.read("3.3%")
        Band(odds='3.3%', share=0.033, low=0.0325, high=0.0335, tolerance=None)
        """
        if tolerance is not None and not 0 <= tolerance < float("inf"):
            raise InvalidInput(f"tolerance={tolerance} is out of range; give 0 or more")
        text = odds.strip()
        if found := _ODDS.fullmatch(text):
            wins, games = map(int, found.groups())
            half = 0.5 if tolerance is None else tolerance
            if not 0 < wins <= games:
                raise InvalidInput(f"{text!r} are no odds; give at least 1, and at most 1 in 1")
            if half >= games:
                raise InvalidInput(
                    f"tolerance={half:g} is out of range for {text}; give less than {games}"
                )
            high = min(1.0, wins / (games - half))
            return cls(text, wins / games, wins / (games + half), high, tolerance)
        if found := _PERCENT.fullmatch(text):
            percent, digits = float(found[1]), len(found[2] or "")
            if not 0 < percent <= 100:
                raise InvalidInput(f"{text!r} are no odds; give more than 0% and at most 100%")
            half = 0.5 * 10**-digits if tolerance is None else tolerance
            ends = max(0.0, percent - half), min(100.0, percent + half)
            low, high = (round(end / 100, 12) for end in ends)
            return cls(text, round(percent / 100, 12), low, high, tolerance)
        raise InvalidInput(f"{odds!r} are no odds; write 1/30, '1 in 30' or 3.3%")


def stands(interval: Interval, band: Band) -> str:
    """Where a rate stands to the band of a claim."""
    if interval.high < band.low:
        return BELOW
    if interval.low > band.high:
        return ABOVE
    if interval.low < band.low:
        return UNDECIDED
    return WITHIN if interval.high <= band.high else REACHES
