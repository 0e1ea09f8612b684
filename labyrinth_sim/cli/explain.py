"""``explain`` and ``verify``: where a deal was lost, and whether a result holds."""

from __future__ import annotations

from labyrinth_sim.cli.options import (
    DealIds,
    Decks,
    GameName,
    Json,
    PlayerName,
    Rules,
    chosen_deals,
    print_json,
)
from labyrinth_sim.cli.show import Color, Unicode, looked_at
from labyrinth_sim.cli.solve import Memory, Nodes
from labyrinth_sim.deals import Deal
from labyrinth_sim.games import DEFAULT, find_game
from labyrinth_sim.protocols import Limits


def explain(
    deal: DealIds = None,
    rules: Rules = None,
    player: PlayerName = None,
    game: GameName = DEFAULT,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    color: Color = "auto",
    unicode: Unicode = False,
    json: Json = False,
) -> None:
    """Find the move that lost a deal: the first after which it can no longer be won."""
    from labyrinth_sim.questions.explain import explain as ask

    look = looked_at(color, unicode)
    found = find_game(game)
    limits = Limits(nodes, memory)
    for number, (deals, index) in enumerate(chosen_deals(deal, decks)):
        told = ask(
            index if deals.seed is None else Deal(deals.seed, index),
            player,
            rules,
            limits=limits,
            decks=deals if deals.seed is None else None,
            game=found,
        )
        if json:
            print_json(told.summary())
            continue
        print(("\n" if number else "") + told.text)
        if told.before is not None and told.after is not None:
            print(f"\nbefore:\n\n{look(told.before)}\n\nafter:\n\n{look(told.after)}")
