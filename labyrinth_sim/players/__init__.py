"""Players by name, and how any player is put to any game.

A package adds players by entry points in the group ``labyrinth_sim.players``; a player that lies
in any importable module is found as ``MODULE:NAME``. Either is a class with a method `choose`, or
an object with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from labyrinth_sim.chance import RandomPlayer, ViewRandom
from labyrinth_sim.core.game import Game
from labyrinth_sim.core.player import Player, PlayerKind
from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.deals import check_pack
from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.parameters import Parameters, split_pairs
from labyrinth_sim.players.files import PREFIX, read_player
from labyrinth_sim.players.python import PythonProbe
from labyrinth_sim.playing import begin, check_move_seconds, play_out, playthrough
from labyrinth_sim.plugins import Modified, Plugin, as_player
from labyrinth_sim.rulesets import RuleSet

GROUP = "labyrinth_sim.players"
_ADVICE = "; or give MODULE:NAME of a player in any module that Python can import"


def players_of(game: Game) -> dict[str, PlayerKind]:
    """All named kinds of players of a game, its default first; every game has `random`."""
    own = dict(game.catalog.players())
    return own if RandomPlayer.name in own else {**own, RandomPlayer.name: RandomPlayer}


def installed_players() -> dict[str, EntryPoint]:
    """Players that other packages add, by name, not loaded yet."""
    return {point.name: point for point in entry_points(group=GROUP)}


def find_player(game: Game, player: str | Any | None = None) -> Player:
    """Look up a player of a game by its spec; None is the game's default.

    The spec is ``NAME`` or ``NAME:key=value,…``; a value that is a player is its spec, in
    parentheses where it has parameters of its own: ``NAME:base=(heuristic:fill=hold:3)``. The name
    is one of the game's, else that of an entry point, else ``MODULE:NAME``; or it is ``file:PATH``
    of a player file. Whatever player comes from other code may also have the game's modifiers among
    its parameters, such as ``endgame=exact`` for Labyrinth. Any object with a method `choose` is a
    player too, see `labyrinth_sim.plugins.as_player`.

    Raises
    ------
    InvalidInput
        If there is no such player, it can't be loaded, it is one of another game, or a parameter
        is unknown or not allowed.

    Examples
    --------
    >>> from labyrinth_sim.games import find_game
    >>> find_player(find_game(), "never").text
    'plays all it can, never fills a gap, and deals a row last'
    """
    found = _found(game, player)
    own = getattr(found, "game", None) or game.name
    if own != game.name:
        raise InvalidInput(
            f"{found.spec} is a player of {own}, not of {game.name}; see `players` for those"
        )
    return found


def _found(game: Game, player: str | Any | None) -> Player:
    players = players_of(game)
    kinds: list[object] = list(players.values())
    if player is None:
        return next(iter(players.values())).read("")
    if not isinstance(player, str):
        made: Any = _with_players(game, player)
        return made if type(made) in kinds else as_player(made)
    name, colon, pairs = player.partition(":")
    if name in players:
        own: Player = _with_players(game, players[name].read(pairs))
        return own
    if player.startswith(PREFIX):
        return read_player(game.name, players, pairs)
    installed = installed_players()
    if name in installed:
        return _built(game, name, _loaded(name, installed[name].value), pairs)
    attribute, _, pairs = pairs.partition(":")
    if not colon or not attribute.replace(".", "").isidentifier():
        raise unknown("player", name, [*players, *installed], _ADVICE)
    name = f"{name}:{attribute}"
    return _built(game, name, _loaded(name, name), pairs)


def _with_players(game: Game, player: Any) -> Any:
    """The same player, with the players that it is made of looked up, also below wrappers."""
    if isinstance(player, Modified):
        return replace(player, player=_found(game, player.player))
    if isinstance(player, Plugin):
        inner = _with_players(game, player.player)
        return player if inner is player.player else as_player(inner, player.name)
    nested = player.nested() if isinstance(player, Parameters) else {}
    try:
        found = {name: find_player(game, one) for name, one in nested.items()}
    except RecursionError:
        raise InvalidInput(
            f"{type(player).__name__} is made of itself without end; give another "
            f"{' or '.join(nested)}"
        ) from None
    same = all(found[name] is one for name, one in nested.items())
    return player if same else replace(player, **found)


def _loaded(name: str, target: str) -> Any:
    module, _, attribute = target.partition(":")
    try:
        found = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as problem:  # whatever the module raises when it is imported
        raise InvalidInput(
            f"can't load the player {name!r}: {type(problem).__name__}: {problem}; see `players` "
            f"for those that there are{_ADVICE}"
        ) from problem
    return found


def _built(game: Game, name: str, found: Any, text: str) -> Player:
    """Make the player that a class, or an object, and parameters give."""
    pairs = split_pairs(text)
    own = {parameter.name for parameter in fields(found)} if is_dataclass(found) else set()
    modified = [
        pair for pair in pairs if _key(pair) in game.catalog.modifiers and _key(pair) not in own
    ]
    made = _made(name, found, [pair for pair in pairs if pair not in modified])
    player = as_player(_with_players(game, made), name)
    for pair in modified:
        player = game.catalog.modifiers[_key(pair)](player, pair.partition("=")[2].strip())
    return player


def _key(pair: str) -> str:
    return pair.partition("=")[0].strip()


def _made(name: str, found: Any, pairs: Sequence[str]) -> Any:
    text = ",".join(pairs)
    if isinstance(found, Parameters):
        return replace(found, **found.read_pairs(pairs, text))
    if hasattr(found, "choose") and hasattr(found, "read"):
        return found.read(text)
    if pairs:
        raise InvalidInput(
            f"{name} takes no parameters, so {text!r} means nothing to it; its class "
            "would if it inherited from labyrinth_sim.parameters.Named"
        )
    if not isinstance(found, type):
        return found
    try:
        return found()
    except Exception as problem:
        raise InvalidInput(
            f"can't make a player of {name} without arguments: {type(problem).__name__}: {problem}"
        ) from problem


def explain(player: Player) -> str:
    """Say what the parameters of a player and their values mean, a line each."""
    told = getattr(player, "explain", str)
    return str(told())


def probe_for(
    game: Game,
    rules: RuleSet,
    player: Player,
    deals: Deals,
    *,
    move_seconds: float | None = None,
) -> Probe:
    """The fastest probe there is that plays `player` on `deals`: compiled, else in Python.

    Raises
    ------
    InvalidInput
        If the deals are of another pack than the game's, or `move_seconds` is out of range, or
        given for a compiled player, which nobody can watch.
    """
    check_pack(deals, game.reference.pack)
    check_move_seconds(move_seconds)
    probe = None if game.engine is None else game.engine.probe(rules, player, deals)
    if probe is None:
        return PythonProbe(game, rules, player, deals, move_seconds)
    if move_seconds is not None:
        raise InvalidInput(
            f"move_seconds={move_seconds!r} is for players in Python; {player.spec} is compiled"
        )
    return probe


__all__ = [
    "PythonProbe",
    "RandomPlayer",
    "ViewRandom",
    "as_player",
    "begin",
    "explain",
    "find_player",
    "installed_players",
    "play_out",
    "players_of",
    "playthrough",
    "probe_for",
]
