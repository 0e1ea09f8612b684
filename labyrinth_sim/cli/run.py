"""``run``: a player on a range of deals."""

from __future__ import annotations

from typing import Annotated

import typer

from labyrinth_sim.cli.ending import tell
from labyrinth_sim.cli.options import (
    Count,
    Decks,
    First,
    Force,
    GameName,
    Jobs,
    Json,
    Level,
    Output,
    PlayerName,
    Rules,
    Seed,
    deals_of,
    kept_for,
)
from labyrinth_sim.games import DEFAULT


def run(
    game: GameName = DEFAULT,
    rules: Rules = None,
    player: PlayerName = None,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    jobs: Jobs = None,
    decks: Decks = None,
    level: Level = 0.95,
    output: Output = None,
    force: Force = False,
    move_seconds: Annotated[
        float | None,
        typer.Option(help="How long a player in Python may take over a move.", show_default="any"),
    ] = None,
    json: Json = False,
) -> None:
    """Simulate a strategy on a range of deals and print its win rate."""
    from labyrinth_sim.questions.simulate import simulate

    tell(
        simulate,
        rules,
        player,
        deals=deals,
        first=first,
        n_jobs=jobs,
        decks=deals_of(seed, decks),
        level=level,
        keep=kept_for(output),
        game=game,
        move_seconds=move_seconds,
        output=output,
        force=force,
        json=json,
    )
