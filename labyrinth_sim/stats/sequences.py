"""Intervals that hold however often one looks, and whatever makes one stop.

Sources: H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
Mathematical Statistics 41 (1970) 1397–1409, who mixes the binomial likelihood ratio over a uniform
prior; S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric,
nonasymptotic confidence sequences", Annals of Statistics 49 (2021) 1055–1080.
"""

from __future__ import annotations

from math import log, log1p

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats.proportions import Interval, check_level

MIXTURE = "beta-binomial mixture"
SMALLEST = 1e-300


def sequence(successes: int, trials: int, *, undecided: int = 0, level: float = 0.95) -> Interval:
    """An interval of a confidence sequence for a proportion.

    With probability `level` the true share is in the intervals of all numbers of trials at once,
    so that looking all along, and stopping because of what is seen, does no harm. Shares p are
    kept for which the mixture of likelihood ratios ∫ L(q) dq / L(p), a martingale that starts at
    1 if p is true, is below 1 / (1 - level) (Ville's inequality). Whoever reads only one end has
    a one-sided sequence of at least that level.

    Parameters
    ----------
    successes, trials : int
    undecided : int, default 0
        Trials of unknown outcome: failures at the lower end, successes at the upper end.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        If the counts contradict each other, or the level is not between 0 and 1.

    Examples
    --------
    >>> print(sequence(30, 1000))
    3.000% (1.374% to 5.532%, 0.95 beta-binomial mixture)
    """
    if trials < 1 or not 0 <= successes <= trials - undecided or undecided < 0:
        raise InvalidInput(
            f"{successes} successes and {undecided} undecided of {trials} trials do not add up; "
            "give at least one trial and no more events than trials"
        )
    check_level(level)
    low = _low(successes, trials, level)
    high = 1 - _low(trials - successes - undecided, trials, level)
    return Interval(successes / trials, low, high, MIXTURE, level)


def _low(successes: int, trials: int, level: float) -> float:
    from scipy.optimize import brentq
    from scipy.special import betaln

    if not successes:
        return 0.0
    failures = trials - successes
    mixture = float(betaln(successes + 1, failures + 1)) + log1p(-level)

    def excess(p: float) -> float:
        """Logarithm of the martingale of p over its limit: falls to below 0 at the estimate."""
        return mixture - successes * log(p) - (failures * log1p(-p) if failures else 0.0)

    return float(brentq(excess, SMALLEST, successes / trials, xtol=1e-15))
