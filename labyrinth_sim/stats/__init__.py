"""Statistics: counts in, small results out. Nothing here knows a game or a run."""

from labyrinth_sim.stats.means import STUDENT, Mean, mean
from labyrinth_sim.stats.paired import Paired, all_paired, holm, paired
from labyrinth_sim.stats.proportions import EXACT, FEW, WILSON, Interval, check_level, proportion
from labyrinth_sim.stats.sequences import MIXTURE, sequence

__all__ = [
    "EXACT",
    "FEW",
    "MIXTURE",
    "STUDENT",
    "WILSON",
    "Interval",
    "Mean",
    "Paired",
    "all_paired",
    "check_level",
    "holm",
    "mean",
    "paired",
    "proportion",
    "sequence",
]
