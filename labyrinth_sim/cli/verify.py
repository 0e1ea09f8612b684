"""``verify``: whether a saved result holds."""

from __future__ import annotations

from inspect import Parameter
from pathlib import Path
from typing import Any

import typer

from labyrinth_sim.cli.ending import tell
from labyrinth_sim.cli.options import (
    DECKS,
    OUTPUT,
    SEARCH,
    argument,
    given_decks,
    option,
    with_options,
)
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.games import find_game


@with_options(
    argument(
        "result", Path, "RESULT", "A .parquet file of `run` or `winnability`.", Parameter.empty
    ),
    option("sample", int, "How many wins and how many losses, or games.", 50),
    option("seed", int, "What they are chosen by.", 1),
    option("game", str, "MODULE:NAME of the game, where its name alone does not find it."),
    *(DECKS, *SEARCH, *OUTPUT),
)
def verify(
    *,
    result: Path,
    sample: int,
    seed: int,
    game: str | None,
    decks: str | None,
    nodes: int | None,
    memory: int,
    **told: Any,
) -> None:
    """Check a sample of a saved result; if something contradicts it, the exit status is 1."""
    from labyrinth_sim.questions.load import load
    from labyrinth_sim.questions.verify import verify as ask

    kept = load(result, game=game)
    pack = find_game(game or kept.game).reference.pack
    verification = tell(
        ask,
        kept,
        sample=sample,
        seed=seed,
        limits=Limits(nodes, memory),
        decks=None if decks is None else given_decks(decks, pack),
        game=game,
        done="nothing more was finished",
        **told,
    )
    if not verification.holds:
        raise typer.Exit(1)
