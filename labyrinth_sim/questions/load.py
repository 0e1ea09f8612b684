"""Answers that were saved, whichever question they are of."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from labyrinth_sim import questions
from labyrinth_sim.core.game import Game
from labyrinth_sim.run.answer import Answer
from labyrinth_sim.saving import read


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
    for module in iter_modules(questions.__path__):
        import_module(f"{questions.__name__}.{module.name}")
    return read(path, Answer.kinds, game=game)
