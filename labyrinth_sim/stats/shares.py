"""Shares of a whole that is not known exactly."""

from __future__ import annotations

from dataclasses import dataclass

from labyrinth_sim.stats.proportions import check_level, proportion


@dataclass(frozen=True)
class Share:
    """Wins ÷ winnable deals, with a two-sided interval.

    Parameters
    ----------
    wins : int
    winnable : int
        Deals that can be won for certain; all wins are among them.
    unknown : int
        Deals that perhaps can be won, and were not.
    least, most : float or None
        The share if all of the unknown can be won, and if none can; None without winnable deals.
    low, high : float
        The interval's lower end for `least` and its upper end for `most`.
    method : str or None
        `wilson` or `clopper-pearson`; None without winnable deals.
    level : float
    """

    wins: int
    winnable: int
    unknown: int
    least: float | None
    most: float | None
    low: float
    high: float
    method: str | None
    level: float

    @classmethod
    def of(cls, wins: int, winnable: int, unknown: int = 0, *, level: float = 0.95) -> Share:
        """Given which deals can be won, wins are binomial among them.

        Examples
        --------
        >>> Share.of(30, 40).least, Share.of(30, 40, 10).least
        (0.75, 0.6)
        """
        check_level(level)
        if not winnable:
            return cls(wins, winnable, unknown, None, None, 0.0, 1.0, None, level)
        best = proportion(wins, winnable, level=level)
        worst = proportion(wins, winnable + unknown, level=level, method=best.method)
        ends = worst.estimate, best.estimate, worst.low, best.high
        return cls(wins, winnable, unknown, *ends, best.method, level)
