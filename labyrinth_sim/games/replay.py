"""Making a given line of moves on a position, whatever the game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labyrinth_sim.core.game import Position
from labyrinth_sim.core.player import Move
from labyrinth_sim.errors import IllegalMove

SEPARATOR = "; "


@dataclass(frozen=True)
class Replay:
    """Where a line of moves led.

    Parameters
    ----------
    result : str
        `won`, `lost`, `open`, or `illegal`.
    position : Position
        The last position; the one before the illegal move if there was one.
    at : int or None
        Number of the first illegal move, from 1.
    why : str or None
        Why it is illegal.
    """

    result: str
    position: Position
    at: int | None = None
    why: str | None = None


def replay(position: Position, moves: Iterable[Move]) -> Replay:
    """Make moves one after another, up to the first illegal one.

    Parameters
    ----------
    position : Position
    moves : iterable of str
        As the game writes them, e.g. ``P 2D`` (RULES §5).

    Returns
    -------
    Replay

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.labyrinth import GAME
    >>> start = GAME.start(deal("1/1/0").deck, GAME.rules())
    >>> replay(start, ["P 2D", "P 5C"]).why
    'P 5C is illegal: 5C does not fit; the next is 2C'
    """
    for number, move in enumerate(moves, start=1):
        try:
            position = position.after(move)
        except IllegalMove as problem:
            return Replay("illegal", position, number, str(problem))
    return Replay(position.status, position)
