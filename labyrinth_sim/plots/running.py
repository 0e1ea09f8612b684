"""The win rate as it settles."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.frames import check_kind, summary_frame
from labyrinth_sim.plots.common import as_shares, describe, new_axes, percent
from labyrinth_sim.questions.simulate import Result
from labyrinth_sim.stats import proportion

POINTS = 300
"""As many numbers of deals, evenly on a log scale, are enough for a line."""

TELLING = 30
"""The scale of win rates is chosen by the intervals from so many deals on."""


def running_win_rate(result: Result, *, level: float = 0.95, ax: Axes | None = None) -> Axes:
    """Draw the win rate of the first 1, 2, … deals, with Wilson's interval for each number.

    The intervals hold for a number of deals that was fixed beforehand. Looked at all along until
    it pleases, such a band is wrong far more often than its level says; its label says so.

    Parameters
    ----------
    result : Result
        One that kept its outcomes.
    level : float, default 0.95
    ax : Axes, optional
        Where to draw, by default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InvalidInput
        If it is no result, or kept no outcomes, or the level is not allowed.

    Examples
    --------
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> running_win_rate(simulate("pysol", deals=100, keep="outcomes")).get_xlabel()
    'deals played (log scale)'
    """
    check_kind(result, Result)
    if result.outcomes is None:
        raise InvalidInput("this result kept no outcomes; simulate with keep='outcomes'")
    numbers = np.unique(np.geomspace(1, result.deals, POINTS).round().astype(np.int64))
    starts = np.append(0, numbers[:-1])
    wins = np.add.reduceat(result.outcomes["won"], starts, dtype=np.int64).cumsum()
    rates = [
        proportion(won, deals, level=level, method="wilson")
        for won, deals in zip(wins.tolist(), numbers.tolist(), strict=True)
    ]
    ax = new_axes(ax)
    ax.fill_between(
        numbers,
        [rate.low for rate in rates],
        [rate.high for rate in rates],
        color="0.8",
        label=f"{percent(level)} Wilson interval for a number of deals fixed beforehand;\n"
        "does not hold if it decided when to stop",
    )
    ax.plot(
        numbers,
        [rate.estimate for rate in rates],
        color="black",
        linewidth=1.2,
        label=f"win rate, {rates[-1].estimate:.2%} in the end",
    )
    ax.set_xscale("log")
    ax.set_xlabel("deals played (log scale)")
    ax.set_ylabel("win rate so far")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    told = [rate for number, rate in zip(numbers, rates, strict=True) if number >= TELLING]
    if told:
        ax.set_ylim(min(rate.low for rate in told), max(rate.high for rate in told))
    as_shares(ax.yaxis)
    ax.grid(alpha=0.3)
    ax.legend()
    describe(ax, summary_frame([result]))
    return ax
