"""What authors of players, games and questions import, in one module.

Names are loaded when they are first used. How to write a player:
``docs/writing-a-player.md``; a game or a question: ``CONTRIBUTING.md``.

Examples
--------
>>> from labyrinth_sim.extend import Named, whole
>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Nth(Named):
...     index: int = whole(0, "index in the list of moves; the last if it is shorter", low=0)
...     def choose(self, view, moves, rng):
...         return moves[min(self.index, len(moves) - 1)]
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MEMBERS = {
    "cards": ("CARD_NAMES", "PACK", "Pack", "card_code"),
    "core.game": ("Catalog", "Engine", "Game", "Position", "Published", "Reference"),
    "core.identity": ("Identity", "Subject"),
    "core.player": ("STOP", "Move", "Player", "Random", "Traits"),
    "core.playthrough": ("Playthrough", "replay"),
    "core.probe": ("Column", "Deals", "Probe"),
    "core.solver": ("Appraises", "Bounds", "Exhaustive", "Limits", "Solution", "Solver"),
    "drawing": ("Extra", "Picture", "Pictured"),
    "errors": ("IllegalMove", "InvalidInput", "LabyrinthError", "PlayerFailed", "RunFailed"),
    "games": ("find_game", "find_rules"),
    "games.free_edge.modifiers": ("with_endgame",),
    "games.free_edge.pointer": ("CompiledPlayer", "compiled_player"),
    "games.free_edge.pointer_loops": ("draw",),
    "parameters": ("Named", "choice", "numbers", "player", "text", "whole"),
    "players": ("find_player", "players_of"),
    "rulesets": ("Preset", "RuleSet"),
    "run.answer": ("Answer", "answer"),
    "run.asking": ("Asking", "Playing", "Running", "Searching", "Trying", "question"),
    "run.measure": ("everything", "measure", "nothing", "work_through"),
    "run.pool": ("Pool",),
    "run.request": ("Request",),
    "stats": ("Interval", "mean", "paired", "proportion"),
    "testing": ("PlayerSuite",),
}
_MODULES = {name: module for module, names in _MEMBERS.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"labyrinth_sim.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
