"""Win rates with their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.frames import check_kind
from labyrinth_sim.plots.common import as_shares, describe, interval_label, new_axes, styles

PREFIX = "rules."
"""Of the columns of a frame that are parameters of the rules."""


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

    Raises
    ------
    InvalidInput
        If the frame is empty.

    Examples
    --------
    >>> from labyrinth_sim.frames import summary_frame
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> win_rates(summary_frame([simulate("pysol", deals=100)])).get_xticklabels()
    [Text(0, 0, 'pysol')]
    """
    _check_rows(frame)
    specs = list(dict.fromkeys(frame["rules_spec"]))
    players = list(dict.fromkeys(frame["player"]))
    ax = new_axes(ax)
    for number, (player, style) in enumerate(zip(players, styles(len(players)), strict=True)):
        rows = frame[frame["player"] == player]
        shift = (number - (len(players) - 1) / 2) * 0.8 / max(len(players), 2)
        x = np.array([specs.index(spec) for spec in rows["rules_spec"]]) + shift
        _draw(ax, x, rows, label=player, **style | {"linestyle": "none"})
    ax.set_xticks(range(len(specs)), specs)
    ax.set_xlabel("rules")
    _finish(ax, frame)
    describe(ax, frame, "rules_spec", "player")
    return ax


def win_rate_by(frame: pd.DataFrame, parameter: str, *, ax: Axes | None = None) -> Axes:
    """Draw win rates against a parameter of the rules, a line a player.

    Numbers stand on a scale. Names stand side by side, without a line between them, as there is
    no way from one to the next.

    Parameters
    ----------
    frame : DataFrame
        As ``summary_frame(results, rules=True)`` gives it, of rules that differ in the parameter.
    parameter : str
        E.g. ``"columns"``.
    ax : Axes, optional
        Where to draw, by default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InvalidInput
        If the frame is empty, has no such parameter, or several rows for a player and a value.

    Examples
    --------
    >>> from labyrinth_sim.frames import summary_frame
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> results = [simulate(f"pysol,columns={number}", deals=100) for number in (6, 8)]
    >>> win_rate_by(summary_frame(results, rules=True), "columns").get_xlabel()
    'columns: cards in a full row'
    """
    column = PREFIX + parameter
    _check_rows(frame)
    if column not in frame:
        there = [name.removeprefix(PREFIX) for name in map(str, frame) if name.startswith(PREFIX)]
        raise unknown("parameter", parameter, there, "make the frame with rules=True")
    if (twice := frame[frame.duplicated(["player", column], keep=False)]).size:
        player, value = twice[["player", column]].iloc[0]
        raise InvalidInput(
            f"{player} has several rows with {parameter}={value} (rules "
            f"{', '.join(dict.fromkeys(twice['rules_spec']))}); give one row for each value"
        )
    players = list(dict.fromkeys(frame["player"]))
    numeric = pd.api.types.is_numeric_dtype(frame[column])
    values = sorted(set(frame[column])) if numeric else list(dict.fromkeys(frame[column]))
    ax = new_axes(ax)
    for number, (player, style) in enumerate(zip(players, styles(len(players)), strict=True)):
        rows = frame[frame["player"] == player].sort_values(column)
        x = rows[column].to_numpy()
        if not numeric:
            shift = (number - (len(players) - 1) / 2) * 0.5 / max(len(players), 2)
            x = np.array([values.index(value) for value in x]) + shift
            style |= {"linestyle": "none"}
        _draw(ax, x, rows, label=player, **style)
    if numeric:
        ax.set_xticks(values)
    else:
        ax.set_xticks(range(len(values)), values)
    meaning = frame.attrs.get("meanings", {}).get(column)
    ax.set_xlabel(f"{parameter}: {meaning}" if meaning else parameter)
    _finish(ax, frame)
    describe(ax, frame, "player")
    return ax


def _check_rows(frame: pd.DataFrame) -> None:
    check_kind(frame, pd.DataFrame)
    if frame.empty:
        raise InvalidInput("a frame without rows can't be drawn; give at least one result")


def _draw(ax: Axes, x: Any, rows: pd.DataFrame, **style: Any) -> None:
    errors = np.array([rows["win_rate"] - rows["low"], rows["high"] - rows["win_rate"]])
    ax.errorbar(x, rows["win_rate"], yerr=errors.clip(min=0), capsize=3, **style)


def _finish(ax: Axes, frame: pd.DataFrame) -> None:
    _, top = ax.get_ylim()
    ax.set_ylim(-0.02 * top, top)  # a mark at 0 is seen whole
    as_shares(ax.yaxis)
    ax.grid(axis="y", alpha=0.3)
    ax.set_ylabel(interval_label(frame))
    ax.legend(title="player")
