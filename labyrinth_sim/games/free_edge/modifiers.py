"""Parameters that any player of Labyrinth may be given, also one from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from labyrinth_sim.core.player import Move, Player, Random
from labyrinth_sim.errors import unknown
from labyrinth_sim.games.free_edge.endgame import winning_resort
from labyrinth_sim.games.free_edge.players import LabyrinthPlayer
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.games.free_edge.reference import Position, View
from labyrinth_sim.plugins import Modified, as_player


@dataclass(frozen=True)
class WithEndgame(Modified):
    """A player that ends its games exactly, and else plays as `player` does."""

    @property
    def added(self) -> Mapping[str, Any]:
        return {"endgame": "exact"}

    @property
    def text(self) -> str:
        return f"{self.player.text}; ends its games exactly"

    def choose(self, view: View | Position, moves: Sequence[Move], rng: Random) -> Move:
        seen = view.view if isinstance(view, Position) else view  # what foresight adds is used up
        if moves[0][0] == "R" and (move := winning_resort(seen)):
            return move
        return self.player.choose(view, moves, rng)


def with_endgame(player: Any, value: str = "exact") -> Player:
    """Let a player end its games exactly once the stock is out, see `endgame`.

    Parameters
    ----------
    player : Player, or any object with a method `choose`
    value : {"exact", "none"}

    Examples
    --------
    >>> from labyrinth_sim.games.free_edge.players import Greedy
    >>> with_endgame(Greedy()).spec
    'greedy:endgame=exact'
    """
    if value not in ("exact", "none"):
        raise unknown("value of endgame", value, ["none", "exact"])
    if isinstance(player, LabyrinthPlayer):
        return replace(player, endgame=value)
    if value == "none":
        return as_player(player)
    if isinstance(player, CompiledPlayer):
        return player.ended_exactly()
    return WithEndgame(as_player(player))
