"""``compare`` and ``find``: players, or rule sets, on the same deals."""

from __future__ import annotations

from typing import Annotated

import typer

from labyrinth_sim.cli.ending import tell
from labyrinth_sim.cli.options import (
    Count,
    Decks,
    First,
    Force,
    GameName,
    Jobs,
    Json,
    Level,
    Output,
    Players,
    Seed,
    deals_of,
    whole,
)
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT

RuleSets = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        help="PRESET or PRESET,key=value,…; once for all players, or once for each player, or "
        "several for one player.",
    ),
]


def compare(
    game: GameName = DEFAULT,
    rules: RuleSets = None,
    player: Players = None,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    jobs: Jobs = None,
    decks: Decks = None,
    level: Level = 0.95,
    show: Annotated[
        int,
        typer.Option(parser=whole, help="Name so many deals that only one of two has won."),
    ] = 0,
    output: Output = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Compare players, or rule sets, on the same deals."""
    from labyrinth_sim.questions.compare import compare as ask

    tell(
        ask,
        player,
        rules,
        deals=deals,
        first=first,
        n_jobs=jobs,
        decks=deals_of(seed, decks),
        game=game,
        level=level,
        show=show,
        output=output,
        force=force,
        json=json,
        done="the figures are of the first {:,} deals, which all have played",
    )


def find(
    where: Annotated[
        str,
        typer.Option(
            help="E.g. 'a.won and not b.won': columns of runs, numbers, and, or, not, "
            "== != < <= > >=, + - * and parentheses."
        ),
    ],
    game: GameName = DEFAULT,
    rules: RuleSets = None,
    player: Players = None,
    run: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=PLAYER or NAME=PLAYER@RULES; once for each run. Without it, the runs of "
            "--player and --rules are called a, b, c …"
        ),
    ] = None,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    limit: Annotated[int, typer.Option(parser=whole, help="Stop when so many are found.")] = 10,
    jobs: Jobs = None,
    decks: Decks = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Find deals by what players make of them."""
    from labyrinth_sim.questions.find import find as ask

    tell(
        ask,
        where,
        None if run else player,
        None if run else rules,
        runs=_named_runs(run, player, rules) if run else None,
        deals=deals,
        first=first,
        limit=limit,
        n_jobs=jobs,
        decks=deals_of(seed, decks),
        game=game,
        output=output,
        force=force,
        json=json,
        done="only the first {:,} deals were searched",
    )


def _named_runs(
    runs: list[str], players: list[str] | None, rules: list[str] | None
) -> dict[str, tuple[str, str | None]]:
    """Read ``NAME=PLAYER@RULES``; one --rules stands for those that are left out."""
    if players or len(rules or []) > 1:
        raise InvalidInput("--run says player and rules: give no --player and at most one --rules")
    named: dict[str, tuple[str, str | None]] = {}
    for text in runs:
        name, equals, player = text.partition("=")
        if not equals or not player:
            raise InvalidInput(f"--run {text!r}: write NAME=PLAYER or NAME=PLAYER@RULES")
        if name in named:
            raise InvalidInput(f"--run {text!r}: there is a run called {name} already")
        player, at, own = player.rpartition("@") if "@" in player else (player, "", "")
        named[name] = (player, own if at else rules[0] if rules else None)
    return named
