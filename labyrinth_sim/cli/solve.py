"""``solve`` and ``winnability``: what can be won with all seen."""

from __future__ import annotations

from typing import Annotated

import typer

from labyrinth_sim.cli.ending import print_result
from labyrinth_sim.cli.options import (
    DealIds,
    Decks,
    GameName,
    Json,
    Memory,
    Nodes,
    Rules,
    chosen_deals,
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
    for deals, index in chosen_deals(deal, decks, found.reference.pack):
        solved = ask(index, chosen, limits=limits, seconds=seconds, decks=deals, game=found)
        print_result(solved, [solved.summary()], json)
