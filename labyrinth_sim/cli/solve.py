"""``solve`` and ``winnability``: what can be won with all seen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from labyrinth_sim.cli.options import (
    Count,
    DealIds,
    Decks,
    First,
    Force,
    GameName,
    Jobs,
    Json,
    Memory,
    Nodes,
    Rules,
    Seed,
    chosen_deals,
    decks_or_seed,
    print_json,
)
from labyrinth_sim.files import ENDINGS, check_ending, check_output
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.protocols import Limits


def solve(
    deal: DealIds = None,
    rules: Rules = None,
    game: GameName = DEFAULT,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    seconds: Annotated[
        float | None, typer.Option(help="Give up a deal after so long (not reproducible).")
    ] = None,
    json: Json = False,
) -> None:
    """Decide deals with all seen: a line that wins, and with how few resorts it can be done."""
    from labyrinth_sim.questions.solve import solve as ask

    found = find_game(game)
    chosen = find_rules(found, rules)
    limits = Limits(nodes, memory)
    for deals, index in chosen_deals(deal, decks):
        solved = ask(index, chosen, limits=limits, seconds=seconds, decks=deals, game=found)
        if json:
            print_json(solved.summary())
        else:
            print(solved)


def winnability(
    rules: Rules = None,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    jobs: Jobs = -1,
    game: GameName = DEFAULT,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write the summary (.json) or the verdict on every deal (.csv, .parquet)."
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Find what share of deals can be won at all."""
    from labyrinth_sim.questions.winnability import winnability as ask

    if output is not None:
        check_ending(output)
        check_output(output, overwrite=force)
    result = ask(
        rules,
        deals=deals,
        seed=1 if seed is None else seed,
        first=first,
        n_jobs=jobs,
        limits=Limits(nodes, memory),
        decks=decks_or_seed(decks, seed),
        keep="summary" if output is None else ENDINGS[output.suffix],
        game=game,
    )
    if json:
        print_json(result.summary())
    else:
        print(result)
    if output is not None:
        from labyrinth_sim.store import save

        save(result, output, overwrite=force)
    if not result.complete:
        print(
            f"labyrinth-sim: interrupted; the figures are of the first {result.deals:,} deals",
            file=sys.stderr,
        )
        raise typer.Exit(130)
