"""Players and games that are plain Python: playing a deal a move at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.protocols import Column, Deals, Game, Identity, Move, Player, Position
from labyrinth_sim.rulesets import RuleSet


def play_out(position: Position, player: Player, key: np.uint64) -> Iterator[tuple[Move, Position]]:
    """Play a position to its end: each move, and the position after it.

    Parameters
    ----------
    position : Position
    player : Player
    key : uint64
        Key of the player's randomness, see `labyrinth_sim.rng.player_key`.

    Raises
    ------
    InvalidInput
        If the player returns a move that is not legal, or text that is no move.
    """
    while moves := position.legal():
        move = player.choose(position.view, moves, ViewRandom(key, position))
        position = position.after(move)
        yield move, position


@dataclass(frozen=True)
class PythonProbe:
    """Plays any player on any game in the game's reference engine."""

    game: Game
    rules: RuleSet
    player: Player
    deals: Deals
    threads: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.game.columns

    @property
    def identity(self) -> Identity:
        return Identity.of(self.game.name, self.game.version, self.rules, self.player, self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.rng import player_key

        key = player_key(self.deals.seed or 0, self.player.spec)
        count = len(out["won"])
        for number in range(count):
            if stop[0]:
                return number
            for name, value in self._play(first + number, key).items():
                out[name][number] = value
        return count

    def _play(self, index: int, key: np.uint64) -> Mapping[str, int]:
        position = self.game.start(self.deals.deck(index), self.rules)
        moves: list[Move] = []
        try:
            for move, after in play_out(position, self.player, key):
                moves.append(move)
                position = after
        except InvalidInput as problem:  # an illegal move, or text that is no move
            raise RunFailed(
                f"player {self.player.spec} on deal {self.deals.label(index)}, after "
                f"{len(moves)} moves: {problem}"
            ) from problem
        return position.outcome(moves)
