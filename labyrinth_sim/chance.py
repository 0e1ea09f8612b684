"""The random numbers of players, and the player `random`, which needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from labyrinth_sim.core.game import Position
from labyrinth_sim.core.player import Move, Random, Traits
from labyrinth_sim.parameters import Named, whole

SALT = "another salt, other draws on the same deal"


@dataclass(frozen=True)
class RandomPlayer(Named):
    """Takes a Lemire draw over the legal moves in text order.

    Its draws are keyed by its spec, so each `salt` plays the same deal in another way.

    Examples
    --------
    >>> RandomPlayer(salt=3).spec, RandomPlayer().spec
    ('random:salt=3', 'random')
    """

    salt: int = whole(0, SALT, low=0)
    name: ClassVar[str] = "random"
    text: ClassVar[str] = "takes any legal move, each equally likely"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits(randomized=True)

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
    turn : int
        Moves made so far, where positions can repeat: the same one then gives other draws.
    """

    def __init__(self, key: np.uint64, position: Position, turn: int = 0) -> None:
        self._key, self._number = key, np.uint64(0)
        self._turn = turn
        self._view = position.key()

    @cached_property
    def _digest(self) -> np.uint64:
        from labyrinth_sim.rng import absorb

        words = np.frombuffer(self._view + bytes(-len(self._view) % 16), dtype="<u8")
        digest = np.uint64(0)
        for pair in words.reshape(-1, 2):
            digest = absorb(digest, *pair)
        return absorb(digest, np.uint64(self._turn), np.uint64(0)) if self._turn else digest

    @property
    def state(self) -> tuple[np.uint64, np.uint64, np.uint64]:
        """The key, the digest of the view, and the number of the next word: what kernels take."""
        return self._key, self._digest, self._number

    def below(self, n: int) -> int:
        """Draw uniformly from 0 … n - 1, for n from 1 to 2**32."""
        from labyrinth_sim.rng import PLAYERS, below

        draw, self._number = below(np.uint64(n), self._key, PLAYERS, self._digest, self._number)
        return int(draw)
