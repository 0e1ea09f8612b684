"""``run``: a player on a range of deals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from labyrinth_sim.cli.options import (
    Decks,
    GameName,
    Jobs,
    Json,
    PlayerName,
    Rules,
    given_decks,
    print_json,
    whole,
)
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.files import ENDINGS, check_ending, check_output
from labyrinth_sim.games import DEFAULT


def run(
    game: GameName = DEFAULT,
    rules: Rules = None,
    player: PlayerName = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, help="Of dealing scheme 1.", show_default="1")
    ] = None,
    first: Annotated[int, typer.Option(parser=whole, help="Index of the first deal.")] = 0,
    deals: Annotated[
        int | None,
        typer.Option(
            parser=whole, help="How many deals.", show_default="100000, or all of --decks"
        ),
    ] = None,
    jobs: Jobs = -1,
    decks: Decks = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write the summary (.json) or the outcome of every deal (.csv, .parquet)."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an output that exists.")] = False,
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
    if decks is not None and seed is not None:
        raise InvalidInput(f"--seed {seed} and --decks {decks}: give one of them")
    failure = None
    try:
        result = simulate(
            rules,
            player,
            deals=deals,
            seed=1 if seed is None else seed,
            first=first,
            n_jobs=jobs,
            decks=None if decks is None else given_decks(decks),
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
