"""What a player is: how it is named, what it may know, and what it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

Move = str
"""A move is its canonical text (RULES §2.3), so it sorts, prints and compares as text does."""


STOP: Move = ""
"""What a player answers that has nothing new to do, in a game whose positions can repeat."""


@dataclass(frozen=True)
class Traits:
    """What a player is allowed to know and how it decides.

    Parameters
    ----------
    foresight : int
        How many cards of the hidden stock it sees ahead; 0 for an honest player, -1 for all. It
        is given the view if 0, the whole position if -1, else what the position's `ahead` gives.
    randomized : bool
        Whether it draws random numbers. They are keyed by the seed, its spec and what it sees.
    """

    foresight: int = 0
    randomized: bool = False


class Random(Protocol):
    """A player's own randomness: the same view gives the same draws, on whatever deal."""

    def below(self, n: int) -> int:
        """Draw uniformly from 0 … n - 1."""
        ...


@runtime_checkable
class Player(Protocol):
    """Anything that can choose a move from what it sees.

    `spec` is the shortest text that names the player and `full_spec` the fully defaulted one,
    which its identity is made of; `version` changes whenever its choices may, and `text` says in
    a line what it does. One that can play a single game alone may say which by an attribute `game`.
    """

    @property
    def spec(self) -> str: ...
    @property
    def full_spec(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def traits(self) -> Traits: ...
    @property
    def text(self) -> str: ...

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        """Return one of `moves`, the legal moves in text order; there is at least one.

        With foresight among its traits, `view` is more than a view, see `Traits`. Where the game
        has a limit of moves it may also return `STOP`.
        """
        ...


class PlayerKind(Protocol):
    """A named kind of player; what follows its name in a spec gives one of them."""

    text: str

    def read(self, pairs: str) -> Player:
        """Read ``key=value,…``; nothing stands for the defaults."""
        ...

    def explain(self) -> str:
        """What its parameters and their values mean, a line each."""
        ...
