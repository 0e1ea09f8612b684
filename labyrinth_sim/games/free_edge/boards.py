"""What a position of Labyrinth looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from labyrinth_sim.drawing import Extra, Picture

if TYPE_CHECKING:
    from labyrinth_sim.games.free_edge.reference import View


def picture(view: View, stock: Sequence[int] = ()) -> Picture:
    """Say what a view is drawn as: foundations, tableau, hand, stock.

    Parameters
    ----------
    view : View
    stock : sequence of int, optional
        The order of the stock, its next card first; without it only the count is shown.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.reference import start
    >>> from labyrinth_sim.games.free_edge.rules import LabyrinthRules
    >>> position = start(deal("1/1/0").deck, LabyrinthRules(columns=6, ranks=5))
    >>> print(picture(position.view, position.stock).text())
    foundations  AC AD AH AS
    <BLANKLINE>
           1  2  3  4  5  6
      1   2D 5C 3H 3D 3C 5D
    <BLANKLINE>
    stock 10: 5S 4D 4C 2S 2H 4S 2C 5H 3S 4H
    """
    hand = (Extra("in hand", view.hand, available=True),) if view.hand else ()
    return Picture(
        title=f"Labyrinth, {view.rules.spec}, {view.cards_left} cards left",
        rows=view.tableau,
        foundations=tuple(
            13 * suit + height - 1 if height else None
            for suit, height in enumerate(view.foundations[: view.rules.suits])
        ),
        extras=(*hand, Extra(f"stock {view.stock_left}", tuple(stock))),
        available=frozenset(
            (row, column)
            for row, cells in enumerate(view.tableau)
            for column, card in enumerate(cells)
            if card is not None and view.free(row, column)
        ),
        next=frozenset(view.fitting()),
    )
