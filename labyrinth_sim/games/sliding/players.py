"""The players of sliding games as one would read them; all but the random one do nothing twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from labyrinth_sim.chance import RandomPlayer
from labyrinth_sim.core.player import STOP, Move, Player, PlayerKind, Random, Traits
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.sliding.position import DEEPEST, LIMIT, SlidingPosition
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.plugins import Modified, as_player

MOST = 2**32 - 1
"""The greatest limit: what the column of moves can hold."""


def _limit() -> Any:
    return whole(LIMIT, "moves after which it stops", low=1, high=MOST)


@dataclass(frozen=True)
class Greedy(Named):
    """Makes the move after which the most cards lie in sequence, of those that lead to a new
    position; of several the first in text order."""

    limit: int = _limit()
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

    depth: int = whole(2, "moves that it looks ahead", low=1, high=DEEPEST)
    limit: int = _limit()
    name: ClassVar[str] = "lookahead"
    text: ClassVar[str] = "looks some moves ahead for the most cards in sequence"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()

    def choose(self, view: SlidingPosition, moves: Sequence[Move], rng: Random) -> Move:
        best = min(
            (
                (*self._best(after, self.depth - 1), index)
                for index, move in enumerate(moves)
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

    limit: int = _limit()


PLAYERS: dict[str, PlayerKind] = {kind.name: kind for kind in (Greedy, Lookahead, RandomWithLimit)}
FIXED, STRONG = (Greedy.name,), (Lookahead(3).spec,)


@dataclass(frozen=True)
class WithLimit(Modified):
    """A player whose games end after `limit` moves, and that else plays as `player` does."""

    limit: int

    @property
    def added(self) -> Mapping[str, Any]:
        return {"limit": self.limit}

    @property
    def text(self) -> str:
        return f"{self.player.text}; stops after {self.limit:,} moves"


def with_limit(player: Any, value: str | int = LIMIT) -> Player:
    """Let the games of a player end after so many moves.

    Parameters
    ----------
    player : Player, or any object with a method `choose`
    value : str or int
        An integer from 1 to `MOST`.

    Raises
    ------
    InvalidInput
        If it is none.

    Examples
    --------
    >>> with_limit(Greedy(), 50).spec
    'greedy:limit=50'
    """
    text = str(value)
    limit = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if not 1 <= limit <= MOST:
        raise InvalidInput(
            f"limit={text!r} is out of range; give the moves after which games end, an integer "
            f"from 1 to {MOST}"
        )
    if isinstance(player, Greedy | Lookahead | RandomWithLimit):
        return replace(player, limit=limit)
    return WithLimit(as_player(player), limit)
