"""``run``: a player on a range of deals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

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
    decks_or_seed,
    print_json,
)
from labyrinth_sim.errors import RunFailed
from labyrinth_sim.files import ENDINGS, check_ending, check_output
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
    from labyrinth_sim.players.files import training_note
    from labyrinth_sim.run.simulate import simulate

    if output is not None:
        check_ending(output)
        check_output(output, overwrite=force)
    failure = None
    try:
        result = simulate(
            rules,
            player,
            deals=deals,
            seed=1 if seed is None else seed,
            first=first,
            n_jobs=jobs,
            decks=decks_or_seed(decks, seed),
            keep="summary" if output is None else ENDINGS[output.suffix],
            game=game,
            move_seconds=move_seconds,
        )
    except RunFailed as problem:
        if problem.result is None:
            raise
        result, failure = problem.result, problem
    if json:
        print_json(result.summary())
    else:
        print(result)
    if note := training_note(player, result.seed, result.first, result.deals):
        print(f"labyrinth-sim: {note}", file=sys.stderr)
    if output is not None:
        from labyrinth_sim.store import save

        save(result, output, overwrite=force)
    if failure is not None:
        raise failure
    if not result.complete:
        print(
            f"labyrinth-sim: interrupted; the figures are of the first {result.deals:,} deals",
            file=sys.stderr,
        )
        raise typer.Exit(130)
