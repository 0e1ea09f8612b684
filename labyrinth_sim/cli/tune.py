"""``tune``: the player of a family that wins most."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labyrinth_sim.cli.options import (
    Force,
    GameName,
    Jobs,
    Json,
    Rules,
    print_json,
    whole,
)
from labyrinth_sim.files import check_output
from labyrinth_sim.games import DEFAULT


def tune(
    family: Annotated[
        str | None,
        typer.Option(
            help="NAME, or NAME:key=value,… to hold some of its parameters.",
            show_default="heuristic, where the game has it",
        ),
    ] = None,
    rules: Rules = None,
    game: GameName = DEFAULT,
    deals: Annotated[int, typer.Option(parser=whole, help="How many to train on.")] = 100_000,
    seed: Annotated[int, typer.Option(parser=whole, help="Of the training deals.")] = 2,
    first: Annotated[int, typer.Option(parser=whole, help="Index of the first of them.")] = 0,
    fresh: Annotated[
        int, typer.Option(parser=whole, help="How many other deals the report is on.")
    ] = 100_000,
    fresh_seed: Annotated[
        int | None, typer.Option(parser=whole, help="Of those.", show_default="--seed")
    ] = None,
    fresh_first: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            help="Index of the first of those.",
            show_default="after the training deals, or 0 of another seed",
        ),
    ] = None,
    rng_seed: Annotated[int, typer.Option(parser=whole, help="Of the search's own draws.")] = 1,
    jobs: Jobs = -1,
    output: Annotated[
        Path | None, typer.Option(help="Write the player to a file (.json), played as file:PATH.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Search a family of players for the one that wins most, and compare it on fresh deals."""
    from labyrinth_sim.questions import tune as question

    if output is not None:
        question.check_player_file(output)
        check_output(output, overwrite=force)
    result = question.tune(
        family,
        rules,
        deals=deals,
        seed=seed,
        first=first,
        fresh=fresh,
        fresh_seed=fresh_seed,
        fresh_first=fresh_first,
        rng_seed=rng_seed,
        n_jobs=jobs,
        game=game,
    )
    if output is not None:
        result.save(output, overwrite=force)
    if json:
        print_json(result.summary())
        return
    print(result)
    if output is None:
        print("not kept; with --output FILE.json it is, to be played as file:FILE.json")
    else:
        print(f"written to {output}; play it with --player file:{output}")
