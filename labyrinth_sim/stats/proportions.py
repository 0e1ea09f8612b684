"""Intervals for proportions."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from labyrinth_sim.errors import InvalidInput, unknown

WILSON, EXACT = "wilson", "clopper-pearson"
FEW = 10
"""With fewer events than this on either side, Wilson's coverage falls to 84 % and less."""


@dataclass(frozen=True)
class Interval:
    """A proportion with a two-sided interval.

    Parameters
    ----------
    estimate, low, high : float
        The share, and the ends of the interval.
    method : str
        `wilson` or `clopper-pearson`.
    level : float
        Confidence level, e.g. 0.95.
    """

    estimate: float
    low: float
    high: float
    method: str
    level: float

    def as_dict(self, name: str) -> dict[str, Any]:
        """In plain values, the estimate under a name of its own."""
        return {
            name: self.estimate,
            "low": self.low,
            "high": self.high,
            "method": self.method,
            "level": self.level,
        }

    def __str__(self) -> str:
        return (
            f"{self.estimate:.3%} ({self.low:.3%} to {self.high:.3%}, "
            f"{self.level:.4g} {self.method})"
        )


def proportion(
    successes: int,
    trials: int,
    *,
    undecided: int = 0,
    level: float = 0.95,
    method: str | None = None,
) -> Interval:
    """Two-sided confidence interval for a proportion.

    Wilson's score interval, and Clopper and Pearson's exact one where fewer than 10 events are
    on either side or on request (Brown, Cai and DasGupta, "Interval estimation for a binomial
    proportion", Statistical Science 16, 2001).

    Parameters
    ----------
    successes, trials : int
    undecided : int, default 0
        Trials of unknown outcome: failures at the lower end, successes at the upper end, so that
        they widen the interval and are never dropped.
    level : float, default 0.95
    method : {"wilson", "clopper-pearson"}, optional

    Raises
    ------
    InvalidInput
        If there is no trial, the counts contradict each other, or level or method is not allowed.

    Examples
    --------
    >>> print(proportion(268_627, 1_000_000))
    26.863% (26.776% to 26.950%, 0.95 wilson)
    >>> print(proportion(0, 100))
    0.000% (0.000% to 3.622%, 0.95 clopper-pearson)
    """
    if trials < 1 or not 0 <= successes <= trials - undecided or undecided < 0:
        raise InvalidInput(
            f"{successes} successes and {undecided} undecided of {trials} trials do not add up; "
            "give at least one trial and no more events than trials"
        )
    check_level(level)
    if method is None:
        few = min(successes, trials - successes - undecided) < FEW
        method = EXACT if few else WILSON
    if method not in _BOUNDS:
        raise unknown("interval method", method, _BOUNDS)
    bounds = _BOUNDS[method]
    low, _ = bounds(successes, trials, level)
    _, high = bounds(successes + undecided, trials, level)
    return Interval(successes / trials, low, high, method, level)


def check_level(level: float) -> None:
    """Refuse a confidence level that is none."""
    if not 0 < level < 1:
        raise InvalidInput(f"level={level} is out of range; give one between 0 and 1, e.g. 0.95")


# scipy.stats has both intervals, but takes longer to import than a million deals take to play;
# the tests hold these few lines to it.


def wilson(successes: int, trials: int, level: float) -> tuple[float, float]:
    """Both ends of Wilson's score interval."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2))
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return low, high


def _clopper_pearson(successes: int, trials: int, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    failures = trials - successes
    low = betaincinv(successes, failures + 1, tail) if successes else 0.0
    high = betaincinv(successes + 1, failures, 1 - tail) if failures else 1.0
    return float(low), float(high)


_BOUNDS = {WILSON: wilson, EXACT: _clopper_pearson}
