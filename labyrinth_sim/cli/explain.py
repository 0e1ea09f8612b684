"""``explain`` and ``verify``: where a deal was lost, and whether a result holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labyrinth_sim.cli.ending import refuse_several, tell
from labyrinth_sim.cli.options import (
    DealIds,
    Decks,
    Force,
    GameName,
    Json,
    Memory,
    Nodes,
    Output,
    PlayerName,
    Rules,
    chosen_deals,
    given_decks,
    whole,
)
from labyrinth_sim.cli.show import Color, Unicode, looked_at
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.games import DEFAULT, find_game

if TYPE_CHECKING:
    from labyrinth_sim.questions.explain import Explanation


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
    output: Output = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Find the move that lost a deal: the first after which it can no longer be won."""
    from labyrinth_sim.questions.explain import explain as ask

    look = looked_at(color, unicode)
    found = find_game(game)

    def written(told: Explanation) -> str:
        if told.before is None or told.after is None:
            return told.text
        before, after = look(told.before), look(told.after)
        return f"{told.text}\n\nbefore:\n\n{before}\n\nafter:\n\n{after}"

    chosen = list(chosen_deals(deal, decks, found.reference.pack))
    refuse_several(output, chosen)
    for number, (deals, index) in enumerate(chosen):
        if number and not json:
            print()
        tell(
            ask,
            index,
            player,
            rules,
            limits=Limits(nodes, memory),
            decks=deals,
            game=game,
            output=output,
            force=force,
            json=json,
            written=written,
            done="nothing more was finished",
        )


def verify(
    result: Annotated[
        Path,
        typer.Argument(metavar="RESULT", help="A .parquet file of `run` or `winnability`."),
    ],
    sample: Annotated[
        int, typer.Option(parser=whole, help="How many wins and how many losses, or games.")
    ] = 50,
    seed: Annotated[int, typer.Option(parser=whole, help="What they are chosen by.")] = 1,
    game: Annotated[
        str | None,
        typer.Option(help="MODULE:NAME of the game, where its name alone does not find it."),
    ] = None,
    decks: Decks = None,
    nodes: Nodes = None,
    memory: Memory = 64,
    output: Output = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Check a sample of a saved result; if something contradicts it, the exit status is 1."""
    from labyrinth_sim.questions.load import load
    from labyrinth_sim.questions.verify import verify as ask

    kept = load(result, game=game)
    pack = find_game(game or kept.game).reference.pack
    verification = tell(
        ask,
        kept,
        sample=sample,
        seed=seed,
        limits=Limits(nodes, memory),
        decks=None if decks is None else given_decks(decks, pack),
        game=game,
        output=output,
        force=force,
        json=json,
        done="nothing more was finished",
    )
    if not verification.holds:
        raise typer.Exit(1)
