"""``compare`` and ``find``: players, or rule sets, on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labyrinth_sim.cli.ending import end, kept, note_training, print_result
from labyrinth_sim.cli.options import (
    Count,
    Decks,
    First,
    Force,
    GameName,
    Jobs,
    Json,
    Level,
    Players,
    Seed,
    check_show,
    deals_of,
    kept_for,
    whole,
)
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT

if TYPE_CHECKING:
    from labyrinth_sim.questions.comparison import Comparison

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
    jobs: Jobs = -1,
    decks: Decks = None,
    level: Level = 0.95,
    show: Annotated[
        int,
        typer.Option(parser=whole, help="Name so many deals that only one of two has won."),
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option(help="Write a row a pair (.csv, .parquet), or runs and pairs (.json)."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Compare players, or rule sets, on the same deals."""
    from labyrinth_sim.questions.compare import compare as make

    kept_for(output, force)
    check_show(show)
    comparison, failure = kept(
        make,
        player,
        rules,
        deals=deals,
        first=first,
        n_jobs=jobs,
        decks=deals_of(seed, decks),
        game=game,
        level=level,
    )
    print_result(comparison, comparison.rows(show), json)
    if not json:
        _print_disagreements(comparison, show)
    note_training(player or (), comparison.results[0].seed, comparison.first, comparison.deals)
    if output is not None:
        comparison.save(output, overwrite=force)
    end(
        comparison,
        failure,
        "the figures are of the first {:,} deals, which all have played",
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
    jobs: Jobs = -1,
    decks: Decks = None,
    json: Json = False,
) -> None:
    """Find deals by what players make of them."""
    from labyrinth_sim.questions.find import find as search

    found, failure = kept(
        search,
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
    )
    print_result(found, found.rows(), json)
    end(found, failure, "only the first {:,} deals were searched")


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


def _print_disagreements(comparison: Comparison, limit: int) -> None:
    if not limit:
        return
    for a, b in comparison.pairs:
        for winner, loser in ((a, b), (b, a)):
            for index in comparison.parted(winner, loser, limit):
                label = comparison.label(index)
                one, other = comparison.labels[winner], comparison.labels[loser]
                print(f"\n{label}: {one} wins, {other} does not")
                print(f"  {comparison.show(winner, index)}")
                print(f"  {comparison.show(loser, index)}")
