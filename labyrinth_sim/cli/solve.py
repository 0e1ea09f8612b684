"""``solve`` and ``winnability``: what can be won with all seen."""

from __future__ import annotations

from typing import Annotated

import typer

from labyrinth_sim.cli.ending import tell
from labyrinth_sim.cli.options import (
    Count,
    DealIds,
    Decks,
    First,
    Force,
    GameName,
    Jobs,
    Json,
    Level,
    Memory,
    Nodes,
    Output,
    Rules,
    Seed,
    chosen_deals,
    deals_of,
    kept_for,
)
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.games import DEFAULT, find_game, find_rules


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
        print_result(solved, [solved.summary()], json)


def winnability(
    rules: Rules = None,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    jobs: Jobs = None,
    game: GameName = DEFAULT,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    level: Level = 0.95,
    output: Output = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Find what share of deals can be won at all."""
    from labyrinth_sim.questions.winnability import winnability as ask

    tell(
        ask,
        rules,
        deals=deals,
        first=first,
        n_jobs=jobs,
        limits=Limits(nodes, memory),
        decks=deals_of(seed, decks),
        level=level,
        keep=kept_for(output),
        game=game,
        output=output,
        force=force,
        json=json,
    )
