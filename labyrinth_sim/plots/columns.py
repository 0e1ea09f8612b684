"""How an outcome is distributed over the deals."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.frames import summary_frame
from labyrinth_sim.plots.common import as_shares, describe, new_axes, styles
from labyrinth_sim.questions.simulate import Result


def column(results: Result | Iterable[Result], name: str, *, ax: Axes | None = None) -> Axes:
    """Draw the distribution of an outcome column, a line a result.

    Parameters
    ----------
    results : Result, or iterable of Result
    name : str
        Of any outcome column of one or two bytes, e.g. ``rows_dealt``.
    ax : Axes, optional
        Where to draw, by default a new figure.

    Returns
    -------
    Axes
        The share of deals for each value from 0 to the most that any result has.

    Raises
    ------
    InvalidInput
        If there is no result, what was given is none, or one of them has no such column.

    Examples
    --------
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> result = simulate("pysol", deals=100)
    >>> shares = column(result, "rows_dealt").lines[0].get_ydata()
    >>> bool(abs(sum(shares) - 1) < 1e-9)
    True
    """
    results = list(results) if isinstance(results, Iterable) else [results]
    if not results:
        raise InvalidInput("no result was given; give at least one")
    frame = summary_frame(results)
    for result in results:
        if name not in result.tally.counts:
            raise unknown("column", name, result.tally.counts)
    told = [one for one in ("player", "rules_spec") if frame[one].nunique() > 1]
    labels = frame[told or ["player"]].agg(" · ".join, axis=1)
    tallies = [result.tally.counts[name] for result in results]
    most = max(map(len, tallies))
    ax = new_axes(ax)
    for counts, label, style in zip(tallies, labels, styles(len(results)), strict=True):
        shares = np.zeros(most)
        shares[: len(counts)] = counts / counts.sum()
        ax.plot(shares, label=label, markersize=4, linewidth=1, **style)
    ax.set_xlabel(name.replace("_", " "))
    ax.set_ylabel("share of deals")
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    as_shares(ax.yaxis)
    ax.grid(axis="y", alpha=0.3)
    ax.legend()
    describe(ax, frame, *told)
    return ax


def cards_left(results: Result | Iterable[Result], *, ax: Axes | None = None) -> Axes:
    """Draw the distribution of cards left, won games at 0, a line a result; see `column`.

    Examples
    --------
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> result = simulate("pysol", deals=100)
    >>> bool(cards_left(result).lines[0].get_ydata()[0] == result.wins / 100)
    True
    """
    ax = column(results, "cards_left", ax=ax)
    ax.set_xlabel("cards left at the end of the game (0: won)")
    return ax
