"""What players are given of chance, and the player that leaves all to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labyrinth_sim.protocols import Move, Position, Random, Traits


@dataclass(frozen=True)
class RandomPlayer:
    """Takes a Lemire draw over the legal moves in text order."""

    spec: str = "random"
    version: int = 1
    traits: Traits = Traits(randomized=True)
    text: str = "takes any legal move, each equally likely"

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return moves[rng.below(len(moves))]


class ViewRandom:
    """Draws that depend on the player's key and on what it sees, and on nothing else.

    Parameters
    ----------
    key : uint64
        `labyrinth_sim.rng.player_key` of the seed and the player's spec.
    position : Position
        Only its public `key` is read.
    """

    def __init__(self, key: np.uint64, position: Position) -> None:
        from labyrinth_sim.rng import absorb

        view = position.key()
        words = np.frombuffer(view + bytes(-len(view) % 16), dtype="<u8")
        digest = np.uint64(0)
        for pair in words.reshape(-1, 2):
            digest = absorb(digest, *pair)
        self._key, self._digest, self._number = key, digest, np.uint64(0)

    def below(self, n: int) -> int:
        """Draw uniformly from 0 … n - 1, for n from 1 to 2**32."""
        from labyrinth_sim.rng import PLAYERS, below

        draw, self._number = below(np.uint64(n), self._key, PLAYERS, self._digest, self._number)
        return int(draw)
