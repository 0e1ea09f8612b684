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
from labyrinth_sim.games.replay import SEPARATOR
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
    """Decide deals with all seen, and show a line that wins."""
    from labyrinth_sim.games.search import solver_of

    found = find_game(game)
    chosen = find_rules(found, rules)
    limits = Limits(nodes, memory)
    solver = solver_of(found)
    for deals, index in chosen_deals(deal, decks):
        position = found.start(deals.deck(index), chosen)
        solution = solver.solve(position, limits, seconds=seconds)
        moves = None if solution.moves is None else SEPARATOR.join(solution.moves)
        if json:
            print_json(
                {
                    "deal": deals.label(index),
                    "rules": chosen.as_dict(),
                    "rules_spec": chosen.spec,
                    "verdict": solution.verdict,
                    "moves": moves,
                    "nodes": solution.nodes,
                    "seconds": solution.seconds,
                    "reproducible": solution.reproducible,
                }
            )
            continue
        print(f"deal {deals.label(index)}, {chosen.spec}: {solution.verdict}")
        print(f"  {solution.nodes:,} positions, {solution.seconds:.3f} s")
        if not solution.reproducible:
            print("  the limit in seconds was reached; elsewhere it may end otherwise")
        if moves is not None:
            print(f"  {moves}")


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
