"""``rules`` and ``players``: what there is, and what it means."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.cli.options import GAME, JSON, argument, print_json, with_options
from labyrinth_sim.core.game import Game
from labyrinth_sim.core.player import Player
from labyrinth_sim.drawing import aligned
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.players import explain, find_player, installed_players, players_of
from labyrinth_sim.rulesets import RuleSet


@with_options(argument("spec", str, "RULES", "PRESET or PRESET,key=value,…"), GAME, JSON)
def rules(*, spec: str | None, game: str, json: bool) -> None:
    """Explain a rule set; without one, show how the presets differ."""
    found = find_game(game)
    if spec is not None:
        chosen = find_rules(found, spec)
        if json:
            print_json(_as_dict(found, chosen))
        else:
            print(f"{found.title}, {chosen.spec} (rules {chosen.digest})\n\n{chosen.describe()}")
    elif json:
        for name in found.rules.presets:
            print_json(_as_dict(found, found.rules.preset(name)))
    else:
        print(_presets(found))


@with_options(argument("spec", str, "PLAYER", "See one in full."), GAME, JSON)
def players(*, spec: str | None, game: str, json: bool) -> None:
    """List the players of a game, or explain one with all its parameters."""
    found = find_game(game)
    if spec is not None:
        player = find_player(found, spec)
        if json:
            print_json(_traits(found, player))
        else:
            print(f"{player.full_spec}\n  {player.text}\n")
            print(explain(player))
        return
    for name, kind in players_of(found).items():
        if json:
            print_json(_traits(found, kind.read("")))
        else:
            print(f"{name:10} {kind.text}")
    if not json:
        for name, point in installed_players().items():
            print(f"{name:10} of another package: {point.value}")


def _as_dict(game: Game, rules: RuleSet) -> dict[str, Any]:
    return {
        "game": game.name,
        "rules": rules.as_dict(),
        "rules_spec": rules.spec,
        "hash": rules.digest,
        "description": rules.describe(),
    }


def _traits(game: Game, player: Player) -> dict[str, Any]:
    return {
        "game": game.name,
        "player": player.spec,
        "full_spec": player.full_spec,
        "version": player.version,
        "foresight": player.traits.foresight,
        "randomized": player.traits.randomized,
        "text": player.text,
    }


def _presets(game: Game) -> str:
    """A table of what the presets differ in, then their sources."""
    presets = game.rules.presets
    columns = [game.rules.preset(name).as_dict() for name in presets]
    rows = [["", *presets]]
    rows += [
        [key, *(str(column[key]) for column in columns)]
        for key in columns[0]
        if len({column[key] for column in columns}) > 1
    ]
    lines = aligned(rows)
    shared = [key for key in columns[0] if key not in {row[0] for row in rows}]
    if shared:
        lines += ["", "In all: " + ", ".join(f"{key}={columns[0][key]}" for key in shared)]
    for name, preset in presets.items():
        lines += ["", f"{name}: {preset.source}", f"  leaves open: {preset.leaves_open}"]
    return "\n".join(lines)
