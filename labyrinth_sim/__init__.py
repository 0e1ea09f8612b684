"""Monte Carlo solvability research for the card patience Labyrinth.

What is listed in `__all__` is the public face; it is imported when first used, so that
importing the package compiles nothing and loads nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labyrinth_sim.deals import Deal, ListedDeals, deal
    from labyrinth_sim.errors import (
        IllegalMove,
        InvalidInput,
        LabyrinthError,
        PlayerFailed,
        RunFailed,
    )
    from labyrinth_sim.frames import outcome_frame, save, summary_frame
    from labyrinth_sim.games import find_game
    from labyrinth_sim.games.replay import replay
    from labyrinth_sim.run.result import Result
    from labyrinth_sim.run.simulate import simulate
    from labyrinth_sim.stats import Interval, proportion

_PLACES = {
    "deals": ("Deal", "ListedDeals", "deal"),
    "errors": ("IllegalMove", "InvalidInput", "LabyrinthError", "PlayerFailed", "RunFailed"),
    "frames": ("outcome_frame", "save", "summary_frame"),
    "games": ("find_game",),
    "games.replay": ("replay",),
    "run.result": ("Result",),
    "run.simulate": ("simulate",),
    "stats": ("Interval", "proportion"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__version__ = "0.1.0"
__all__ = [
    "Deal",
    "IllegalMove",
    "Interval",
    "InvalidInput",
    "LabyrinthError",
    "ListedDeals",
    "PlayerFailed",
    "Result",
    "RunFailed",
    "deal",
    "find_game",
    "outcome_frame",
    "proportion",
    "replay",
    "save",
    "simulate",
    "summary_frame",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
