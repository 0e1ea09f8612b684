"""``bench``: how fast this machine plays."""

from __future__ import annotations

from typing import Annotated

import typer

from labyrinth_sim.cli.options import GameName, Jobs, Json, PlayerName, Rules, print_json, whole
from labyrinth_sim.games import DEFAULT


def bench(
    game: GameName = DEFAULT,
    rules: Rules = None,
    player: PlayerName = None,
    deals: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            help="How many deals each.",
            show_default="500000, or 5000 of games that may go on for ever",
        ),
    ] = None,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Measure deals a second: of the given rules, or of every preset."""
    from labyrinth_sim.games import find_game
    from labyrinth_sim.questions.simulate import simulate

    found = find_game(game)
    if deals is None:
        deals = 500_000 if found.reference.limit is None else 5_000
    for spec in found.rules.presets if rules is None else [rules]:
        result = simulate(spec, player, deals=deals, n_jobs=jobs, game=found)
        speed = result.deals / result.seconds
        if json:
            print_json(
                {
                    "game": found.name,
                    "rules_spec": result.rules.spec,
                    "player": result.player,
                    "jobs": jobs,
                    "deals": result.deals,
                    "seconds": result.seconds,
                    "deals_per_second": speed,
                }
            )
        else:
            print(f"{result.rules.spec:24} {result.player:12} {speed:13,.0f} deals/s")
