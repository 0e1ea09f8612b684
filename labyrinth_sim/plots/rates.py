"""DataFrames in, axes out."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

MARKERS = "osD^vPX*"
"""One a series, so that a chart can be read without its colours."""


def win_rates(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw win rates with their intervals: a group a rule set, a mark a player.

    Parameters
    ----------
    frame : DataFrame
        As `labyrinth_sim.frames.summary_frame` gives it.
    ax : Axes, optional
        Where to draw, by default a new figure.

    Returns
    -------
    Axes
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(9, 5), layout="constrained")
    specs = list(dict.fromkeys(frame["rules_spec"]))
    players = list(dict.fromkeys(frame["player"]))
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.85, len(players)))
    for number, (player, colour) in enumerate(zip(players, colours, strict=True)):
        rows = frame[frame["player"] == player]
        places = np.array([specs.index(spec) for spec in rows["rules_spec"]])
        shift = (number - (len(players) - 1) / 2) * 0.8 / max(len(players), 2)
        errors = [rows["win_rate"] - rows["low"], rows["high"] - rows["win_rate"]]
        ax.errorbar(
            places + shift,
            rows["win_rate"],
            yerr=np.array(errors),
            fmt=MARKERS[number % len(MARKERS)],
            color=colour,
            capsize=3,
            label=player,
        )
    ax.set_xticks(range(len(specs)), specs)
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.grid(axis="y", alpha=0.3)
    ax.set_xlabel("rules")
    levels = ", ".join(f"{level:.0%}" for level in dict.fromkeys(frame["level"]))
    ax.set_ylabel(f"win rate, {levels} interval")
    ax.legend(title="player")
    return ax
