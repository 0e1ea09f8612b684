"""The players of sliding games as one would read them: they do nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from labyrinth_sim.chance import RandomPlayer
from labyrinth_sim.games.sliding import LIMIT, SlidingPosition
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.protocols import STOP, Move, PlayerKind, Random, Traits

_MEANING = "moves after which it stops"


@dataclass(frozen=True)
class Greedy(Named):
    """Makes the move after which the most cards lie in sequence, of those that lead to a new
    position; of several the first in text order."""

    limit: int = whole(LIMIT, _MEANING, low=1)
    name: ClassVar[str] = "greedy"
    text: ClassVar[str] = "makes the new position in which the most cards lie in sequence"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()

    def choose(self, view: SlidingPosition, moves: Sequence[Move], rng: Random) -> Move:
        fresh = [(view.after(move), move) for move in moves]
        fresh = [(after, move) for after, move in fresh if not after.visited()]
        if not fresh:
            return STOP
        return min(fresh, key=lambda found: found[0].cards_left)[1]


@dataclass(frozen=True)
class Lookahead(Named):
    """Looks at all lines of up to `depth` moves through new positions, and makes the first move
    of the one that ends with the most cards in sequence; of several the shortest, then the first
    in text order, move by move."""

    depth: int = whole(2, "moves that it looks ahead", low=1, high=6)
    limit: int = whole(LIMIT, _MEANING, low=1)
    name: ClassVar[str] = "lookahead"
    text: ClassVar[str] = "looks some moves ahead for the most cards in sequence"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()

    def choose(self, view: SlidingPosition, moves: Sequence[Move], rng: Random) -> Move:
        best = min(
            (
                (*self._best(after, self.depth - 1), place)
                for place, move in enumerate(moves)
                if not (after := view.after(move)).visited()
            ),
            default=None,
        )
        return STOP if best is None else moves[best[2]]

    def _best(self, position: SlidingPosition, depth: int) -> tuple[int, int]:
        """The fewest cards left in up to `depth` moves, and after how many moves that is."""
        found = [(position.cards_left, 0)]
        if depth and position.status == "open":
            for move in position.legal():
                after = position.after(move)
                if not after.visited():
                    left, moves = self._best(after, depth - 1)
                    found.append((left, moves + 1))
        return min(found)


@dataclass(frozen=True)
class RandomWithLimit(RandomPlayer):
    """The random player, for games that may go on for ever."""

    limit: int = whole(LIMIT, _MEANING, low=1)


PLAYERS: dict[str, PlayerKind] = {kind.name: kind for kind in (Greedy, Lookahead, RandomWithLimit)}
