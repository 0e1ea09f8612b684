"""Intervals for means."""

from __future__ import annotations

from math import inf, sqrt

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats.proportions import Interval, check_level

STUDENT = "student-t"


class Mean(Interval):
    """A mean with a two-sided interval."""

    def __str__(self) -> str:
        return (
            f"{self.estimate:.4g} ({self.low:.4g} to {self.high:.4g}, "
            f"{self.level:.4g} {self.method})"
        )


def mean(count: int, total: int, squares: int, *, level: float = 0.95) -> Mean:
    """Two-sided confidence interval for a mean, by Student's t distribution.

    Parameters
    ----------
    count : int
        How many values there are.
    total, squares : int
        Their sum, and that of their squares; exact, so nothing is lost by cancellation.
    level : float, default 0.95

    Returns
    -------
    Mean
        Its ends are infinite where there is one value only.

    Raises
    ------
    InvalidInput
        If there is no value, or the level is not allowed.

    Examples
    --------
    >>> found = mean(4, 10, 30)  # of 1, 2, 3 and 4
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (2.5, 0.446, 4.554)
    """
    check_level(level)
    count, total, squares = int(count), int(total), int(squares)
    if count < 1:
        raise InvalidInput(f"there is no mean of {count} values; give one or more")
    estimate = total / count
    if count == 1:
        return Mean(estimate, -inf, inf, STUDENT, level)
    from scipy.special import stdtrit

    # Integers until the last step: the variance is a small difference of large sums.
    variance = (count * squares - total * total) / (count * (count - 1))
    spread = float(stdtrit(count - 1, 0.5 + level / 2)) * sqrt(variance / count)
    return Mean(estimate, estimate - spread, estimate + spread, STUDENT, level)
