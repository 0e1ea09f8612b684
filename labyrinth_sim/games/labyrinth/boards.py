"""A position of Labyrinth as text to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from labyrinth_sim.cards import CARD_NAMES

if TYPE_CHECKING:
    from labyrinth_sim.games.labyrinth.reference import View

OPEN = "--"


def board(view: View, stock: Sequence[int] | None = None) -> str:
    """Draw a view as text: foundations, tableau with column numbers, hand, stock.

    Parameters
    ----------
    view : View
    stock : sequence of int, optional
        The order of the stock, its next card first; without it only the count is shown.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.labyrinth.reference import start
    >>> from labyrinth_sim.games.labyrinth.rules import LabyrinthRules
    >>> position = start(deal("1/1/0").deck, LabyrinthRules(columns=6, ranks=5))
    >>> print(board(position.view, position.stock))
    foundations  AC AD AH AS
    <BLANKLINE>
           1  2  3  4  5  6
      1   2D 5C 3H 3D 3C 5D
    <BLANKLINE>
    stock 10: 5S 4D 4C 2S 2H 4S 2C 5H 3S 4H
    """
    columns = view.rules.columns
    tops = [
        OPEN if height == 0 else CARD_NAMES[13 * suit + height - 1]
        for suit, height in enumerate(view.foundations[: view.rules.suits])
    ]
    lines = [f"foundations  {' '.join(tops)}", ""]
    lines.append("     " + "".join(f"{column + 1:3}" for column in range(columns)))
    for number, row in enumerate(view.tableau, start=1):
        cells = (OPEN if card is None else CARD_NAMES[card] for card in row)
        lines.append(f"{number:3}   {' '.join(cells)}")
    lines.append("")
    if view.hand:
        lines.append(f"in hand: {' '.join(CARD_NAMES[card] for card in view.hand)}")
    left = f"stock {view.stock_left}"
    if not stock:
        return "\n".join([*lines, left])
    names = [CARD_NAMES[card] for card in stock]
    pieces = [" ".join(names[at : at + 13]) for at in range(0, len(names), 13)]
    return "\n".join([*lines, f"{left}: " + ("\n" + " " * (len(left) + 2)).join(pieces)])
