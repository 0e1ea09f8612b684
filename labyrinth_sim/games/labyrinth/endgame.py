"""Ending a game exactly: which resort wins, once the stock is out and nothing is hidden."""

from __future__ import annotations

from labyrinth_sim.games.labyrinth.reference import View
from labyrinth_sim.protocols import Move


def winning_resort(view: View) -> Move | None:
    """The first resort after which the game can still be won; None where there is none.

    First in the order of the fixed players: lowest rank, then suit.

    Parameters
    ----------
    view : View
        With no stock left and no play legal.
    """
    raise NotImplementedError
