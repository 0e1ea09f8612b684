"""``show`` and ``replay``: one deal to look at."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import typer

from labyrinth_sim.cli.options import (
    DEAL_IDS,
    DECKS,
    GAME,
    JSON,
    PLAYER,
    RULES,
    argument,
    chosen_deals,
    given_decks,
    option,
    print_json,
    with_options,
)
from labyrinth_sim.core.game import Game, Position
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.playthrough import SEPARATOR, Playthrough, Step
from labyrinth_sim.core.playthrough import replay as make
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.drawing import SUIT_SYMBOLS, Pictured
from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.playing import begin, playthrough
from labyrinth_sim.rulesets import RuleSet

Look = Callable[[Position], str]
"""How positions are written."""

LOOK = (
    option(
        "color",
        str,
        "auto, always or never; auto heeds NO_COLOR. Available cards are bold, playable ones also "
        "reversed; what a foundation takes next but is not available is underlined.",
        "auto",
    ),
    option("unicode", bool, "Suits as symbols.", False),
)


@with_options(DEAL_IDS, RULES, PLAYER, GAME, DECKS, *LOOK, JSON)
def show(
    *,
    deal: list[str] | None,
    rules: str | None,
    player: str | None,
    game: str,
    decks: str | None,
    color: str,
    unicode: bool,
    json: bool,
) -> None:
    """Show deals as boards; with --player, the whole game, step by step."""
    from labyrinth_sim.players import find_player

    look = looked_at(color, unicode)
    found = find_game(game)
    chosen = find_rules(found, rules)
    chosen_player = find_player(found, player)
    for number, (deals, index) in enumerate(chosen_deals(deal, given_decks(decks, game), game)):
        if json:
            print_json(_played(found, chosen, chosen_player, deals, index))
            continue
        if number:
            print()
        print(f"deal {deals.label(index)}, {chosen.spec}\n")
        print(look(found.start(deals.deck(index), chosen)))
        if player:
            _print_game(found, chosen, chosen_player, deals, index, look)


def looked_at(color: str, unicode: bool) -> Look:
    """How positions are written on standard output; one that has no picture, as it says itself."""
    if color not in ("auto", "always", "never"):
        raise unknown("value of --color", color, ("auto", "always", "never"))
    if unicode:
        encoding = sys.stdout.encoding or "ascii"
        try:
            SUIT_SYMBOLS.encode(encoding)
        except UnicodeEncodeError:
            raise InvalidInput(
                f"--unicode: standard output is {encoding}, which has no suit symbols; leave it "
                "out, or set PYTHONIOENCODING=utf-8"
            ) from None
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    colored = color == "always" or (color == "auto" and wanted)

    def look(position: Position) -> str:
        if isinstance(position, Pictured):
            return position.picture().text(unicode=unicode, color=colored)
        return position.board()

    return look


def _played(game: Game, rules: RuleSet, player: Player, deals: Deals, index: int) -> dict[str, Any]:
    """The game as RULES §5 wants it printed."""
    made = playthrough(game, rules, player, deals, index)
    outcome = made.outcome
    columns = {
        column.name: bool(outcome[column.name]) if column.dtype == "bool" else outcome[column.name]
        for column in game.columns
    }
    return {
        "deal": deals.label(index),
        "rules": rules.as_dict(),
        "rules_spec": rules.spec,
        "player": player.spec,
        **columns,
        "moves": made.text,
    }


def _print_game(
    game: Game, rules: RuleSet, player: Player, deals: Deals, index: int, look: Look
) -> None:
    """Print the moves of a game, with a board whenever one move was all there was to see."""

    def printed(steps: Iterable[Step]) -> Iterator[Step]:
        for number, (move, position) in enumerate(steps, start=1):
            print(f"\n{number}. {move}\n\n{look(position)}")
            yield move, position

    start, steps = begin(game, rules, player, deals, index)
    made = Playthrough.of(start, printed(steps))
    ended = f"stopped after {len(made.moves):,} moves" if made.result == "open" else made.result
    print(f"\n{player.spec}: {ended}, cards left {made.position.facts()['cards_left']}")


@with_options(
    argument("deal", list[str], "DEAL", "1/SEED/INDEX"),
    option("moves", str, "The moves, joined by ';'.", ""),
    *(RULES, GAME, DECKS, *LOOK, JSON),
)
def replay(
    *,
    deal: list[str] | None,
    moves: str,
    rules: str | None,
    game: str,
    decks: str | None,
    color: str,
    unicode: bool,
    json: bool,
) -> None:
    """Make a line of moves on a deal; an illegal one ends with exit status 1."""
    look = looked_at(color, unicode)
    found = find_game(game)
    chosen = find_rules(found, rules)
    line = [found.reference.read_move(text) for text in moves.split(";") if text.strip()]
    failed = False
    for deals, index in chosen_deals(deal, given_decks(decks, game), game):
        made = make(found.start(deals.deck(index), chosen), line)
        failed |= made.result == "illegal"
        if json:
            print_json(
                {
                    "deal": deals.label(index),
                    "result": made.result,
                    **made.position.facts(),
                    "legal": made.position.legal(),
                    **({} if made.at is None else {"at": made.at, "why": made.why}),
                }
            )
            continue
        print(look(made.position))
        print(f"\nlegal: {SEPARATOR.join(made.position.legal()) or 'nothing'}")
        print(made.result if made.at is None else f"move {made.at}: {made.why}")
    if failed:
        raise typer.Exit(1)
