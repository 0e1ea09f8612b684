"""Monte Carlo solvability research for card patiences: Labyrinth, and Maze and Gaps besides.

What is listed in `__all__` is the public interface; it is imported when first used, so that
importing the package compiles nothing and loads nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from labyrinth_sim.version import VERSION

if TYPE_CHECKING:
    from labyrinth_sim.cards import Pack
    from labyrinth_sim.core.playthrough import replay
    from labyrinth_sim.core.solver import Limits
    from labyrinth_sim.deals import Deal, ListedDeals, deal
    from labyrinth_sim.errors import (
        IllegalMove,
        InvalidInput,
        LabyrinthError,
        PlayerFailed,
        RunFailed,
    )
    from labyrinth_sim.frames import (
        cards_left_frame,
        column_frame,
        outcome_frame,
        summary_frame,
        tally_frame,
    )
    from labyrinth_sim.games import find_game
    from labyrinth_sim.questions.claim import claim
    from labyrinth_sim.questions.claim_result import Claim
    from labyrinth_sim.questions.clauses import Clauses, clauses
    from labyrinth_sim.questions.compare import compare, compare_results
    from labyrinth_sim.questions.comparison import Comparison
    from labyrinth_sim.questions.difficulty import Difficulty, difficulty
    from labyrinth_sim.questions.explain import Explanation, explain
    from labyrinth_sim.questions.find import Found, find
    from labyrinth_sim.questions.load import load
    from labyrinth_sim.questions.simulate import Result, simulate
    from labyrinth_sim.questions.skill import Skill, skill
    from labyrinth_sim.questions.solve import Solved, solve
    from labyrinth_sim.questions.tune import TuneResult, tune
    from labyrinth_sim.questions.verify import Verification, verify
    from labyrinth_sim.questions.winnability import Winnability, winnability
    from labyrinth_sim.saving import save
    from labyrinth_sim.stats import Interval, Paired, paired, proportion

_MEMBERS = {
    "cards": ("Pack",),
    "deals": ("Deal", "ListedDeals", "deal"),
    "errors": ("IllegalMove", "InvalidInput", "LabyrinthError", "PlayerFailed", "RunFailed"),
    "frames": ("column_frame", "cards_left_frame", "outcome_frame", "summary_frame", "tally_frame"),
    "games": ("find_game",),
    "core.playthrough": ("replay",),
    "core.solver": ("Limits",),
    "questions.claim": ("claim",),
    "questions.claim_result": ("Claim",),
    "questions.clauses": ("Clauses", "clauses"),
    "questions.compare": ("compare", "compare_results"),
    "questions.comparison": ("Comparison",),
    "questions.difficulty": ("Difficulty", "difficulty"),
    "questions.explain": ("Explanation", "explain"),
    "questions.find": ("Found", "find"),
    "questions.load": ("load",),
    "questions.simulate": ("Result", "simulate"),
    "questions.skill": ("Skill", "skill"),
    "questions.solve": ("Solved", "solve"),
    "questions.tune": ("TuneResult", "tune"),
    "questions.verify": ("Verification", "verify"),
    "questions.winnability": ("Winnability", "winnability"),
    "stats": ("Interval", "Paired", "paired", "proportion"),
    "saving": ("save",),
}
_MODULES = {name: module for module, names in _MEMBERS.items() for name in names}

__version__ = VERSION
__all__ = [
    "Claim",
    "Clauses",
    "Comparison",
    "Deal",
    "Difficulty",
    "Explanation",
    "Found",
    "IllegalMove",
    "Interval",
    "InvalidInput",
    "LabyrinthError",
    "Limits",
    "ListedDeals",
    "Pack",
    "Paired",
    "PlayerFailed",
    "Result",
    "RunFailed",
    "Skill",
    "Solved",
    "TuneResult",
    "Verification",
    "Winnability",
    "cards_left_frame",
    "claim",
    "clauses",
    "column_frame",
    "compare",
    "compare_results",
    "deal",
    "difficulty",
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
    "skill",
    "solve",
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
