"""Frames and results in, axes out; matplotlib is loaded when this is.

Series differ in marker and line style, and colours in lightness, so that charts can be read in
grey too. Nothing of matplotlib's own settings is changed.
"""

from labyrinth_sim.plots.columns import cards_left, column
from labyrinth_sim.plots.pairs import differences
from labyrinth_sim.plots.rates import win_rate_by, win_rates
from labyrinth_sim.plots.running import running_win_rate

__all__ = ["cards_left", "column", "differences", "running_win_rate", "win_rate_by", "win_rates"]
