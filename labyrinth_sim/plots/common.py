"""What all charts share: new axes, how series look, what a chart is of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import PercentFormatter

from labyrinth_sim.deals import range_text

MARKERS = "osD^vPX*"
LINES = ("-", "--", "-.", ":")


def new_axes(ax: Axes | None, width: float = 9, height: float = 5) -> Axes:
    """Those that were given, else those of a new figure, width and height in inches."""
    if ax is not None:
        return ax
    from matplotlib import pyplot  # whoever gives axes needs no figure that pyplot keeps

    _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    return ax


def styles(count: int) -> list[dict[str, Any]]:
    """How each of so many series is drawn, as arguments of ``Axes.plot``."""
    colours = matplotlib.colormaps["viridis"](np.linspace(0, 0.85, count))
    return [
        {
            "color": colour,
            "marker": MARKERS[number % len(MARKERS)],
            "linestyle": LINES[number % len(LINES)],
        }
        for number, colour in enumerate(colours)
    ]


def as_shares(axis: Axis) -> None:
    """Label an axis that holds shares in percent."""
    axis.set_major_formatter(PercentFormatter(1.0))


def percent(level: float) -> str:
    """Write a confidence level; 0.999 is not 100 %."""
    return f"{100 * level:.6g}%"


def interval_label(frame: pd.DataFrame) -> str:
    """Name the axis of win rates, with the level and method of their intervals."""
    levels, methods = (
        ", ".join(dict.fromkeys(texts)) for texts in (map(percent, frame["level"]), frame["method"])
    )
    return f"win rate, with {levels} interval ({methods})"


def describe(ax: Axes, frame: pd.DataFrame, *shown: str) -> None:
    """Write above a chart what it is of: game, rules, player and deals, as far as rows agree.

    Parameters
    ----------
    ax : Axes
    frame : DataFrame
        As `labyrinth_sim.frames.summary_frame` gives it.
    *shown : str
        Columns that the chart itself tells apart.
    """
    names = [name for name in ("game", "rules_spec", "player") if name not in shown]
    parts = [span(frame[name]) for name in names]
    ax.set_title(" · ".join([*parts, deals_text(frame)]), loc="left", fontsize="small", wrap=True)


def span(values: Iterable[Any]) -> str:
    first, *others = dict.fromkeys(map(str, values))
    return f"{first} … {others[-1]}" if others else first


def deals_text(frame: pd.DataFrame) -> str:
    ranges = frame[["seed", "first", "deals"]].drop_duplicates()
    if len(ranges) > 1:
        low, high = frame["deals"].min(), frame["deals"].max()
        return f"{low:,} deals each" if low == high else f"{low:,} to {high:,} deals"
    seed, first, deals = (frame[name].iloc[0] for name in ranges.columns)
    return range_text(int(first), int(deals), None if pd.isna(seed) else seed)
