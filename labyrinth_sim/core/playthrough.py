"""A game from its deal on: the moves that were made, and where they led."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from labyrinth_sim.core.game import Position, Remembering
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Outcome
from labyrinth_sim.errors import IllegalMove

SEPARATOR = "; "

Step = tuple[Move, Position]
"""A move, and the position after it."""


@dataclass(frozen=True)
class Playthrough:
    """A line of moves from a position on; `of` and `replay` make one.

    It holds only the first and the last position; those between are made anew when they are asked
    for, as a game may have thousands.

    Parameters
    ----------
    start : Position
    moves : tuple of Move
        The moves that were made, without the illegal one if there was one.
    position : Position
        The last position.
    at : int or None
        Number of the first illegal move, from 1.
    why : str or None
        Why it is illegal.
    """

    start: Position
    moves: tuple[Move, ...]
    position: Position
    at: int | None = None
    why: str | None = None

    @classmethod
    def of(cls, start: Position, steps: Iterable[Step]) -> Playthrough:
        """Gather the steps that a player makes, see `labyrinth_sim.playing.play_out`."""
        moves, position = [], start
        for move, after in steps:
            moves.append(move)
            position = after
        return cls(start, tuple(moves), position)

    @property
    def result(self) -> str:
        """`won`, `lost`, `open`, or `illegal`."""
        return self.position.status if self.at is None else "illegal"

    @property
    def outcome(self) -> Outcome:
        """The game's outcome columns."""
        return self.position.outcome(self.moves)

    @property
    def text(self) -> str:
        """The moves as text (RULES §2.3)."""
        return SEPARATOR.join(self.moves)

    def __iter__(self) -> Iterator[Step]:
        """Each move, and the position after it."""
        position = self.start
        for move in self.moves:
            position = position.after(move)
            yield move, position

    def positions(self) -> Iterator[Position]:
        """The start, and the position after each move."""
        yield self.start
        for _, position in self:
            yield position

    def after(self, number: int) -> Position:
        """The position after so many moves.

        Raises
        ------
        IndexError
            If there are not so many.
        """
        for made, position in enumerate(self.positions()):
            if made == number:
                return position
        raise IndexError(f"there are {len(self.moves)} moves, so none has number {number}")

    def bare(self) -> Playthrough:
        """The same from a start that remembers nothing: then no position takes much memory."""
        if not isinstance(self.start, Remembering):
            return self
        start, position = self.start.bare(), self.position
        if isinstance(position, Remembering):
            position = position.bare()
        return Playthrough(start, self.moves, position, self.at, self.why)


def replay(position: Position, moves: Iterable[Move]) -> Playthrough:
    """Make moves one after another, up to the first illegal one.

    Parameters
    ----------
    position : Position
    moves : iterable of str
        As the game writes them, e.g. ``P 2D`` (RULES §5).

    Returns
    -------
    Playthrough

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.labyrinth import GAME
    >>> start = GAME.start(deal("1/1/0").deck, GAME.rules())
    >>> made = replay(start, ["P 2D", "P 5C"])
    >>> made.result, made.moves, made.at
    ('illegal', ('P 2D',), 2)
    >>> made.why
    'P 5C is illegal: 5C does not fit; the next is 2C'
    """
    start, made = position, list[Move]()
    for move in moves:
        try:
            position = position.after(move)
        except IllegalMove as problem:
            return Playthrough(start, tuple(made), position, len(made) + 1, str(problem))
        made.append(move)
    return Playthrough(start, tuple(made), position)
