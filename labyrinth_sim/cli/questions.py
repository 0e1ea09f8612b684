"""``skill``, ``claim``, ``clauses`` and ``difficulty``: questions about deals and rules."""

from __future__ import annotations

import sys
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
    Players,
    Rules,
    Seed,
    check_show,
    deals_of,
    whole,
)
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT, find_game


def skill(
    player: Players = None,
    rules: Rules = None,
    game: GameName = DEFAULT,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    jobs: Jobs = None,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    level: Level = 0.95,
    show: Annotated[
        int, typer.Option(parser=whole, help="Name so many winnable deals that each player lost.")
    ] = 0,
    output: Output = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Find what share of the deals that can be won each player wins."""
    from labyrinth_sim.questions.skill import skill as ask

    tell(
        ask,
        player,
        rules,
        deals=deals,
        first=first,
        n_jobs=jobs,
        limits=Limits(nodes, memory),
        decks=deals_of(seed, decks),
        game=game,
        level=level,
        show=show,
        output=output,
        force=force,
        json=json,
    )


def claim(
    rules: Rules = None,
    odds: Annotated[
        str | None, typer.Option(help="1/30, '1 in 30' or 3.3%; without it, what is published.")
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            help="Half of the width of what the odds stand for: 0.5 makes 1/30 anything from "
            "1/30.5 to 1/29.5; of a percentage, in points.",
            show_default="as they are rounded",
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", help="A further honest player; once for each."),
    ] = None,
    game: GameName = DEFAULT,
    seed: Annotated[int, typer.Option(parser=whole, help="Of dealing scheme 1.")] = 1,
    first: First = 0,
    deals: Annotated[
        int | None,
        typer.Option(parser=whole, help="Stop undecided after so many.", show_default="1000000"),
    ] = None,
    jobs: Jobs = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    level: Level = 0.95,
    json: Json = False,
) -> None:
    """Hold published odds against perfect play, honest players and fixed players."""
    from labyrinth_sim.questions.claim import claim as ask
    from labyrinth_sim.questions.claims import Band

    limits = Limits(nodes, memory)
    asked = [(rules, odds)]
    if odds is None and rules is None:
        found_game = find_game(game)
        claims = found_game.catalog.odds()
        if not claims:
            raise InvalidInput(f"no odds are published for {found_game.name}; give --odds")
        for one in claims:
            Band.read(one.odds, tolerance)  # before any is held against anything
        asked = [(one.rules, None) for one in claims]
    for number, (spec, text) in enumerate(asked):
        found, failure = kept(
            ask,
            spec,
            text,
            tolerance=tolerance,
            players=player or (),
            deals=deals,
            seed=seed,
            first=first,
            n_jobs=jobs,
            limits=limits,
            game=game,
            level=level,
        )
        if number and not json:
            print()
        print_result(found, [found.as_dict()], json)
        note_training(player or (), found.seed, found.first, found.deals)
        sys.stdout.flush()
        end(found, failure)


def clauses(
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", help="Twice: PRESET or PRESET,key=value,…, from and to."),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", help="A player whose win rate is compared as well.")
    ] = None,
    game: GameName = DEFAULT,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    jobs: Jobs = None,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    level: Level = 0.95,
    show: Annotated[
        int, typer.Option(parser=whole, help="Name so many deals that a clause turns, each way.")
    ] = 0,
    json: Json = False,
) -> None:
    """Find which clauses make the odds of two rule sets differ, on the same decks."""
    from labyrinth_sim.questions.clauses import clauses as ask

    check_show(show)
    if rules is None or len(rules) != 2:
        raise InvalidInput(f"{len(rules or [])} rule sets were given; give --rules twice")
    found, failure = kept(
        ask,
        *rules,
        player=player,
        deals=deals,
        first=first,
        n_jobs=jobs,
        limits=Limits(nodes, memory),
        decks=deals_of(seed, decks),
        game=game,
        level=level,
    )
    print_result(found, found.rows(show), json)
    if not json and show:
        for one in found.effects:
            what = one.change.clause, one.measure
            print(f"\n{' · '.join(what)}")
            print(f"  gained {', '.join(found.ids(one.gained, show)) or 'none'}")
            print(f"  lost   {', '.join(found.ids(one.lost, show)) or 'none'}")
    note_training([player], found.source.seed, found.first, found.deals)
    end(found, failure)


def difficulty(
    deal: DealIds = None,
    rules: Rules = None,
    game: GameName = DEFAULT,
    seed: Seed = None,
    first: First = 0,
    deals: Count = None,
    hardest: Annotated[
        int | None,
        typer.Option(parser=whole, help="How many winnable deals of the range.", show_default="10"),
    ] = None,
    repeats: Annotated[int, typer.Option(parser=whole, help="Random playouts of each deal.")] = 100,
    resorts: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            help="Try up to so many resorts, for games that have them.",
            show_default="4",
        ),
    ] = None,
    jobs: Jobs = None,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    level: Level = 0.95,
    json: Json = False,
) -> None:
    """Tell how hard deals are: those that are named, or the hardest winnable ones of a range."""
    from labyrinth_sim.questions.difficulty import HARDEST
    from labyrinth_sim.questions.difficulty import difficulty as ask

    if deal and (decks, seed, first, deals, hardest) != (None, None, 0, None, None):
        raise InvalidInput(
            f"{deal[0]} and a range: give deal ids, or --seed, --first, --deals, --decks and "
            "--hardest"
        )
    found, failure = kept(
        ask,
        rules,
        deal or None,
        deals=deals,
        first=first,
        hardest=HARDEST if hardest is None else hardest,
        repeats=repeats,
        most_resorts=resorts,
        n_jobs=jobs,
        limits=Limits(nodes, memory),
        decks=deals_of(seed, decks),
        game=game,
        level=level,
    )
    print_result(found, found.rows(), json)
    end(found, failure)
