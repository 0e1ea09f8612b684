"""``bench``: how fast this machine plays."""

from __future__ import annotations

from labyrinth_sim.cli.options import GAME, JSON, PLAYER, RULES, option, print_json, with_options


@with_options(
    *(GAME, RULES, PLAYER),
    option(
        "deals",
        int,
        "How many deals each.",
        shown="500000, or 5000 of games whose positions can repeat",
    ),
    option("jobs", int, "Workers; -1: as many as there are cores.", 1),
    JSON,
)
def bench(
    *,
    game: str,
    rules: str | None,
    player: str | None,
    deals: int | None,
    jobs: int,
    json: bool,
) -> None:
    """Measure deals a second: of the given rules, or of every preset."""
    from labyrinth_sim.games import find_game
    from labyrinth_sim.questions.simulate import simulate

    found = find_game(game)
    if deals is None:
        deals = 500_000 if found.reference.limit is None else 5_000
    for spec in found.rules.presets if rules is None else [rules]:
        result = simulate(spec, player, deals=deals, n_jobs=jobs, game=found)
        if json:
            print_json(
                {
                    "game": found.name,
                    "rules_spec": result.rules.spec,
                    "player": result.player,
                    "jobs": jobs,
                    "deals": result.deals,
                    "seconds": result.seconds,
                    "deals_per_second": result.speed,
                }
            )
        else:
            print(f"{result.rules.spec:24} {result.player:12} {result.speed:13,.0f} deals/s")
