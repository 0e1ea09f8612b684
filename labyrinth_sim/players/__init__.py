"""Players by name, and how any player is put to any game."""

from __future__ import annotations

from collections.abc import Iterator

from labyrinth_sim.chance import RandomPlayer, ViewRandom
from labyrinth_sim.errors import unknown
from labyrinth_sim.players.python import PythonProbe, play_out
from labyrinth_sim.protocols import Deals, Game, Move, Player, PlayerKind, Position, Probe
from labyrinth_sim.rulesets import RuleSet


def players_of(game: Game) -> dict[str, PlayerKind]:
    """All named kinds of players of a game, its default first; every game has `random`."""
    own = dict(game.players())
    return own if RandomPlayer.name in own else {**own, RandomPlayer.name: RandomPlayer}


def find_player(game: Game, player: str | Player | None = None) -> Player:
    """Look up a player of a game by its spec; None is the game's default, a player is itself.

    Raises
    ------
    InvalidInput
        If the game has no such player, or a parameter is unknown or not allowed.

    Examples
    --------
    >>> from labyrinth_sim.games import find_game
    >>> find_player(find_game(), "never").text
    'plays all it can, never fills a gap, and deals a row last'
    """
    players = players_of(game)
    if player is None:
        return next(iter(players.values())).read("")
    if not isinstance(player, str):
        return player
    name, _, pairs = player.partition(":")
    if name not in players:
        raise unknown("player", name, players)
    return players[name].read(pairs)


def probe_for(game: Game, rules: RuleSet, player: Player, deals: Deals) -> Probe:
    """The fastest probe there is that plays `player` on `deals`: compiled, else in Python."""
    return game.compiled(rules, player, deals) or PythonProbe(game, rules, player, deals)


def playthrough(
    game: Game, rules: RuleSet, player: Player, deals: Deals, index: int
) -> Iterator[tuple[Move, Position]]:
    """Play one deal in the reference engine: each move, and the position after it."""
    from labyrinth_sim.rng import player_key

    key = player_key(deals.seed or 0, player.spec)
    return play_out(game.start(deals.deck(index), rules), player, key)


__all__ = [
    "PythonProbe",
    "RandomPlayer",
    "ViewRandom",
    "find_player",
    "play_out",
    "players_of",
    "playthrough",
    "probe_for",
]
