"""Monte Carlo solvability research for card patiences: Labyrinth, and Maze and Gaps besides.

What is listed in `__all__` is the public face; it is imported when first used, so that
importing the package compiles nothing and loads nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from labyrinth_sim.version import VERSION

if TYPE_CHECKING:
    from labyrinth_sim.deals import Deal, ListedDeals, deal
    from labyrinth_sim.errors import (
        IllegalMove,
        InvalidInput,
        LabyrinthError,
        PlayerFailed,
        RunFailed,
    )
    from labyrinth_sim.frames import cards_left_frame, outcome_frame, summary_frame, tally_frame
    from labyrinth_sim.games import find_game
    from labyrinth_sim.games.replay import replay
    from labyrinth_sim.questions.compare import Comparison, compare, compare_results
    from labyrinth_sim.questions.explain import Explanation, explain
    from labyrinth_sim.questions.find import Found, find
    from labyrinth_sim.questions.tune import TuneResult, tune
    from labyrinth_sim.questions.verify import Verification, verify
    from labyrinth_sim.questions.winnability import Winnability, winnability
    from labyrinth_sim.run.result import Result
    from labyrinth_sim.run.simulate import simulate
    from labyrinth_sim.stats import Interval, Paired, paired, proportion
    from labyrinth_sim.store import load, save

_PLACES = {
    "deals": ("Deal", "ListedDeals", "deal"),
    "errors": ("IllegalMove", "InvalidInput", "LabyrinthError", "PlayerFailed", "RunFailed"),
    "frames": ("cards_left_frame", "outcome_frame", "summary_frame", "tally_frame"),
    "store": ("load", "save"),
    "games": ("find_game",),
    "games.replay": ("replay",),
    "questions.compare": ("Comparison", "compare", "compare_results"),
    "questions.find": ("Found", "find"),
    "questions.tune": ("TuneResult", "tune"),
    "questions.explain": ("Explanation", "explain"),
    "questions.verify": ("Verification", "verify"),
    "questions.winnability": ("Winnability", "winnability"),
    "run.result": ("Result",),
    "run.simulate": ("simulate",),
    "stats": ("Interval", "Paired", "paired", "proportion"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__version__ = VERSION
__all__ = [
    "Comparison",
    "Deal",
    "Explanation",
    "Found",
    "IllegalMove",
    "Interval",
    "InvalidInput",
    "LabyrinthError",
    "ListedDeals",
    "Paired",
    "PlayerFailed",
    "Result",
    "RunFailed",
    "TuneResult",
    "Verification",
    "Winnability",
    "cards_left_frame",
    "compare",
    "compare_results",
    "deal",
    "explain",
    "find",
    "find_game",
    "load",
    "outcome_frame",
    "paired",
    "proportion",
    "replay",
    "save",
    "simulate",
    "summary_frame",
    "tally_frame",
    "tune",
    "verify",
    "winnability",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
