"""Two ways to play on the same deals: how much they differ, and whether that is chance.

Sources: R. G. Newcombe, "Improved confidence intervals for the difference between binomial
proportions based on paired data", Statistics in Medicine 17 (1998) 2635–2650, method 10;
Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
percentages", Psychometrika 12 (1947) 153–157, in its exact form; S. Holm, "A simple sequentially
rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979) 65–70.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import log, log10, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats.proportions import check_level, wilson

SMALLEST = 1e-290
"""Tail probabilities below this are computed from logarithms, as floats end at 1e-308."""


@dataclass(frozen=True)
class Paired:
    """Two win rates on the same deals: `a` minus `b`.

    Parameters
    ----------
    both, only_a, only_b, neither : int
        Deals that were won by both, by one of them, by none.
    undecided : int
        Deals of which at least one outcome is unknown.
    difference : float
        Share of deals won by `a` minus that won by `b`, unknown outcomes taken as lost.
    least, most : float
        What the difference may come to once all is known; both equal it if nothing is undecided.
    low, high : float
        Newcombe's interval (method 10): its lower end for `least`, its upper end for `most`.
    level : float
        Confidence level of that interval, e.g. 0.95.
    p, log10_p : float
        Exact two-sided McNemar test; `p` is 0 where it is too small for a float. If outcomes are
        unknown, the largest p that they can come to.
    comparisons : int
        How many comparisons this is one of.
    p_holm, log10_p_holm : float
        The same, adjusted after Holm for that many comparisons.
    simultaneous_low, simultaneous_high, simultaneous_level : float
        The interval at Bonferroni's level, so that all of the comparisons' intervals hold at once
        with confidence `level`.
    """

    method: ClassVar[str] = "newcombe-10"
    test: ClassVar[str] = "mcnemar-exact"
    adjustment: ClassVar[str] = "holm"
    simultaneous_method: ClassVar[str] = "newcombe-10 bonferroni"

    both: int
    only_a: int
    only_b: int
    neither: int
    undecided: int
    difference: float
    least: float
    most: float
    low: float
    high: float
    level: float
    p: float
    log10_p: float
    comparisons: int
    p_holm: float
    log10_p_holm: float
    simultaneous_low: float
    simultaneous_high: float
    simultaneous_level: float

    @property
    def deals(self) -> int:
        return self.both + self.only_a + self.only_b + self.neither + self.undecided

    @property
    def identical(self) -> bool:
        """Whether no deal tells the two apart: then they are identical on these deals."""
        return not (self.only_a or self.only_b or self.undecided)

    def as_dict(self) -> dict[str, Any]:
        """All of it in plain values, the names of the methods included."""
        return {
            **asdict(self),
            "method": self.method,
            "test": self.test,
            "adjustment": self.adjustment,
            "simultaneous_method": self.simultaneous_method,
            "identical": self.identical,
        }

    def __str__(self) -> str:
        if self.identical:
            return f"identical on these {self.deals:,} deals"
        bounds = "" if self.least == self.most else f" ({self.least:+.3%} to {self.most:+.3%})"
        return (
            f"{self.difference:+.3%}{bounds} ({self.low:+.3%} to {self.high:+.3%}, "
            f"{self.level:.4g} {self.method}), p {power_of_ten(self.log10_p)} {self.test}"
        )


def paired(table: ArrayLike, *, level: float = 0.95) -> Paired:
    """Compare two players by the deals that both played.

    Parameters
    ----------
    table : array_like of int, shape (2, 2) or (3, 3)
        Counts of deals; rows are the outcomes of `a`, columns those of `b`: won, lost and, where
        there are three, undecided.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        If the table has another shape, no deal, or counts that are none, or the level is not
        between 0 and 1.

    Examples
    --------
    >>> print(paired([[36, 12], [2, 0]]))
    +20.000% (+5.693% to +34.043%, 0.95 newcombe-10), p 0.013 mcnemar-exact
    >>> print(paired([[50, 0], [0, 50]]))
    identical on these 100 deals
    """
    return all_paired([table], level=level)[0]


def all_paired(tables: Sequence[ArrayLike], *, level: float = 0.95) -> list[Paired]:
    """Compare several pairs at once: p adjusted after Holm, and simultaneous intervals.

    Parameters
    ----------
    tables : sequence of array_like
        One table a pair, each as in `paired`.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        As `paired` does.
    """
    check_level(level)
    together = 1 - (1 - level) / max(1, len(tables))
    found = [_alone(_checked(table), level, together) for table in tables]
    adjusted = holm([one.log10_p for one in found])
    return [
        replace(
            one,
            comparisons=len(found),
            p_holm=float(one.p * 10 ** (value - one.log10_p)),
            log10_p_holm=float(value),
        )
        for one, value in zip(found, adjusted, strict=True)
    ]


def holm(log10_p: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p values of several tests after Holm; in decimal logarithms, so that none is 0.

    Examples
    --------
    >>> (10 ** holm(np.log10([0.01, 0.04, 0.03]))).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    logs = np.asarray(log10_p, np.float64)
    order = np.argsort(logs, kind="stable")
    factors = np.log10(np.arange(len(logs), 0, -1))
    adjusted = np.empty_like(logs)
    adjusted[order] = np.minimum(0.0, np.maximum.accumulate(logs[order] + factors))
    return adjusted


def power_of_ten(log10_value: float) -> str:
    """A probability as text, also one that is too small for a float.

    Examples
    --------
    >>> power_of_ten(-0.5), power_of_ten(-1234.5)
    ('0.32', '3.2e-1235')
    """
    if log10_value > -2:
        return f"{10**log10_value:.2g}"
    mantissa, exponent = f"{10 ** (log10_value % 1):.1f}", int(log10_value // 1)
    if mantissa == "10.0":
        mantissa, exponent = "1.0", exponent + 1
    return f"{mantissa}e{exponent:03d}"


def _checked(table: ArrayLike) -> NDArray[np.int64]:
    counts = np.asarray(table)
    if counts.shape not in ((2, 2), (3, 3)):
        raise InvalidInput(
            f"a table of shape {counts.shape} compares nothing; give (2, 2), or (3, 3) with the "
            "undecided"
        )
    if counts.dtype.kind not in "iu" or (counts < 0).any() or not counts.any():
        raise InvalidInput(
            f"{counts.tolist()} are no counts of deals; give integers from 0, and not only 0"
        )
    whole = np.zeros((3, 3), np.int64)
    whole[: len(counts), : len(counts)] = counts
    return whole


def _alone(table: NDArray[np.int64], level: float, together: float) -> Paired:
    """One comparison, not adjusted yet; `together` is the level of the simultaneous interval."""
    (both, only_a, won_open), (only_b, neither, lost_open), (open_won, open_lost, open_open) = (
        table.tolist()
    )
    # Whatever is unknown goes against a, then for a.
    worst = (
        both + won_open,
        only_a,
        only_b + lost_open + open_won + open_open,
        neither + open_lost,
    )
    best = (
        both + open_won,
        only_a + won_open + open_lost + open_open,
        only_b,
        neither + lost_open,
    )
    deals = sum(worst)
    p, log10_p = _largest_p(only_a, best[1], only_b, worst[2])
    return Paired(
        both=both,
        only_a=only_a,
        only_b=only_b,
        neither=neither,
        undecided=deals - both - only_a - only_b - neither,
        difference=(only_a + won_open - only_b - open_won) / deals,
        least=(worst[1] - worst[2]) / deals,
        most=(best[1] - best[2]) / deals,
        low=newcombe(*worst, level)[0],
        high=newcombe(*best, level)[1],
        level=level,
        p=p,
        log10_p=log10_p,
        comparisons=1,
        p_holm=p,
        log10_p_holm=log10_p,
        simultaneous_low=newcombe(*worst, together)[0],
        simultaneous_high=newcombe(*best, together)[1],
        simultaneous_level=together,
    )


def newcombe(
    both: int, only_a: int, only_b: int, neither: int, level: float
) -> tuple[float, float]:
    """Both ends of Newcombe's interval for the difference of paired proportions, method 10.

    The distances of Wilson's ends from the two shares are added as vectors, at an angle that the
    correlation of the two outcomes gives; a positive one is taken half a deal smaller.
    """
    deals = both + only_a + only_b + neither
    won_a, won_b = both + only_a, both + only_b
    a, b = won_a / deals, won_b / deals
    low_a, high_a = wilson(won_a, deals, level)
    low_b, high_b = wilson(won_b, deals, level)
    covariance = float(both * neither - only_a * only_b)
    if covariance > 0:
        covariance = max(0.0, covariance - deals / 2)
    margins = won_a * (deals - won_a) * won_b * (deals - won_b)
    phi = covariance / sqrt(margins) if margins else 0.0
    down, up = _added(a - low_a, high_b - b, phi), _added(high_a - a, b - low_b, phi)
    difference = (only_a - only_b) / deals
    return max(-1.0, difference - down), min(1.0, difference + up)


def _added(one: float, other: float, phi: float) -> float:
    return sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def mcnemar(only_a: int, only_b: int) -> tuple[float, float]:
    """Exact two-sided p of the discordant pairs, and its decimal logarithm.

    Examples
    --------
    >>> p, log10_p = mcnemar(12, 2)
    >>> p
    0.012939453125
    """
    from scipy.special import betainc, gammaln

    few, pairs = min(only_a, only_b), only_a + only_b
    if pairs - 2 * few < 2:  # as even as can be: the two tails are everything
        return 1.0, 0.0
    p = 2 * float(betainc(pairs - few, few + 1, 0.5))
    if p > SMALLEST:
        return p, log10(p)
    # The probability of `few`, times the sum of the smaller ones relative to it. They fall off
    # faster than exp(-j²/pairs), so that what is left out is below 1e-17.
    steps = np.arange(min(few, int(sqrt(40 * pairs)) + 1))
    smaller = np.cumprod((few - steps) / (pairs - few + 1 + steps))
    ways = gammaln(pairs + 1) - gammaln(few + 1) - gammaln(pairs - few + 1)
    logarithm = (1 - pairs) * log(2) + float(ways) + log(1 + float(smaller.sum()))
    return p, logarithm / log(10)


def _largest_p(least_a: int, most_a: int, least_b: int, most_b: int) -> tuple[float, float]:
    """The largest p when only bounds of the two discordant counts are known."""
    if least_a > most_b:
        return mcnemar(least_a, most_b)
    if least_b > most_a:
        return mcnemar(most_a, least_b)
    return 1.0, 0.0
