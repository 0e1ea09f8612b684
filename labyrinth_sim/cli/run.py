"""``run``: a player on a range of deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labyrinth_sim.cli.ending import end, kept, note_training, print_result, write
from labyrinth_sim.cli.options import (
    Count,
    Decks,
    First,
    Force,
    GameName,
    Jobs,
    Json,
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
    jobs: Jobs = -1,
    decks: Decks = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write the summary (.json) or the outcome of every deal (.csv, .parquet)."
        ),
    ] = None,
    force: Force = False,
    move_seconds: Annotated[
        float | None,
        typer.Option(help="How long a player in Python may take over a move.", show_default="any"),
    ] = None,
    json: Json = False,
) -> None:
    """Play a range of deals and print the win rate."""
    from labyrinth_sim.run.simulate import simulate

    keep = kept_for(output, force)
    result, failure = kept(
        simulate,
        rules,
        player,
        deals=deals,
        first=first,
        n_jobs=jobs,
        decks=deals_of(seed, decks),
        keep=keep,
        game=game,
        move_seconds=move_seconds,
    )
    print_result(result, [result.summary()], json)
    note_training([player], result.seed, result.first, result.deals)
    write(result, output, force)
    end(result, failure)
