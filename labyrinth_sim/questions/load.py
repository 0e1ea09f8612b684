"""Answers that were saved, whichever question they are of."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from labyrinth_sim.core.game import Game
from labyrinth_sim.run.answer import Answer
from labyrinth_sim.saving import read

_OURS = (
    "claim_result",
    "clauses",
    "comparison",
    "difficulty",
    "explain",
    "find",
    "simulate",
    "skill",
    "solve",
    "tune",
    "verify",
    "winnability",
)
"""Modules with the answers of this package."""


def load(path: str | Path, *, game: str | Game | None = None) -> Answer:
    """Read what `labyrinth_sim.save` wrote as Parquet: an answer that equals what was saved.

    Answers of questions from elsewhere are found once their module is imported.

    Parameters
    ----------
    path : str or Path
    game : str or Game, optional
        The game, where its name alone does not find it.

    Raises
    ------
    InvalidInput
        If the file is not there, not one of ours, damaged, or of another version.

    Examples
    --------
    >>> from labyrinth_sim import save, simulate
    >>> file = getfixture("tmp_path") / "result.parquet"
    >>> result = simulate(deals=500, keep="outcomes")
    >>> save(result, file)
    >>> load(file) == result
    True
    """
    for name in _OURS:
        import_module(f"labyrinth_sim.questions.{name}")
    return read(path, Answer.kinds, game=game)
