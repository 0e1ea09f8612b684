"""Differences between players on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.frames import check_kind
from labyrinth_sim.plots.common import deals_text, new_axes, percent, span

NEEDED = ("a", "b", "difference", "low", "high")


def differences(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw paired differences as a matrix, a row a player `a`, a column a player `b`.

    A cell says the difference of the win rates and its interval, in percentage points. It is
    framed where the interval leaves out 0, and bold where it still does when all pairs are looked
    at at once (if the frame says so).

    Parameters
    ----------
    frame : DataFrame
        As the `frame` of a comparison. Needed are the columns `a`, `b` (players), `difference`,
        `low`, `high` (shares, of `a` minus `b`), a row a pair. Used, if there, are `identical`
        (the two do the same on all of these deals), `simultaneous_low`, `simultaneous_high`,
        `level`, `rules_a`, `rules_b`, `game`, and `seed`, `first`, `deals`.
    ax : Axes, optional
        Where to draw, by default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InvalidInput
        If the frame is empty, lacks a column, or has a pair twice.

    Examples
    --------
    >>> pairs = pd.DataFrame({"a": ["x"], "b": ["y"], "difference": [0.02], "low": [0.01],
    ...                       "high": [0.03]})
    >>> differences(pairs).texts[0].get_text()
    '+2.00\\n+1.00 to +3.00'
    """
    check_kind(frame, pd.DataFrame)
    if missing := [name for name in NEEDED if name not in frame]:
        raise InvalidInput(f"the frame lacks {', '.join(missing)}; give {', '.join(NEEDED)}")
    frame = _named(frame)
    if frame.empty or frame.duplicated(["a", "b"]).any():
        raise InvalidInput("the frame is empty or has a pair twice; give each pair in one row")
    names = dict.fromkeys([*frame["a"], *frame["b"]])
    above, beside = ([name for name in names if name in set(frame[key])] for key in ("b", "a"))
    values = np.full((len(beside), len(above)), np.nan)
    pairs = frame.to_dict("records")
    for pair in pairs:
        values[beside.index(pair["a"]), above.index(pair["b"])] = 100 * pair["difference"]
    ax = new_axes(ax, 3.5 + 1.4 * len(above), max(2 + 0.9 * len(beside), 4.5))
    # From dark to light, so that the sign is seen in grey too; as far as the intervals reach, so
    # that a difference within its error is pale.
    ends = frame[["low", "high"]].to_numpy(dtype=float, na_value=np.nan)
    most = 100 * float(np.abs(np.nan_to_num(ends)).max()) or 1.0
    image = ax.imshow(values, cmap="cividis", vmin=-most, vmax=most, aspect="auto")
    for pair in pairs:
        y, x = beside.index(pair["a"]), above.index(pair["b"])
        _annotate(ax, x, y, pair, "white" if values[y, x] < -0.1 * most else "black")
    ax.set_xticks(range(len(above)), above)
    ax.set_yticks(range(len(beside)), beside)
    ax.set_xlabel("b")
    ax.set_ylabel("a")
    ax.set_title(_title(frame), loc="left", fontsize="small")
    ax.figure.colorbar(image, ax=ax, label="win rate of a minus that of b, percentage points")
    return ax


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Call players by their rules too, where these differ."""
    if not {"rules_a", "rules_b"} <= set(frame) or len({*frame["rules_a"], *frame["rules_b"]}) < 2:
        return frame
    return frame.assign(**{key: frame[key] + "\n" + frame[f"rules_{key}"] for key in ("a", "b")})


def _title(frame: pd.DataFrame) -> str:
    of = [span(frame["game"])] if "game" in frame else []
    if {"rules_a", "rules_b"} <= set(frame) and len({*frame["rules_a"], *frame["rules_b"]}) == 1:
        of.append(span(frame["rules_a"]))
    if {"seed", "first", "deals"} <= set(frame):
        of.append(deals_text(frame))
    level = f"{percent(frame['level'].iloc[0])} " if "level" in frame else ""
    marks = f"framed: the {level}interval leaves out 0"
    if "simultaneous_low" in frame:
        marks += "; bold: also with all pairs at once"
    return "\n".join([*([" · ".join(of)] if of else []), marks])


def _annotate(ax: Axes, x: int, y: int, pair: Mapping[Any, Any], colour: str) -> None:
    """Write the figures of a pair into its cell, and mark it where they leave out 0."""
    difference, low, high = (100 * pair[name] for name in NEEDED[2:])
    text, weight = f"{difference:+.2f}\n{low:+.2f} to {high:+.2f}", "normal"
    if pair.get("identical", False):
        text = "identical on\nthese deals"
    elif low > 0 or high < 0:
        corner = (x - 0.46, y - 0.44)
        ax.add_patch(Rectangle(corner, 0.92, 0.88, fill=False, edgecolor=colour, linewidth=1.5))
        low, high = pair.get("simultaneous_low", low), pair.get("simultaneous_high", high)
        weight = "bold" if low > 0 or high < 0 else "normal"
    ax.text(x, y, text, color=colour, ha="center", va="center", weight=weight)
