"""Gaps as RULES §4 says it, in plain Python: readable, slow, and the judge of all else."""

from __future__ import annotations

from dataclasses import dataclass

from labyrinth_sim.core.probe import Deck
from labyrinth_sim.games.sliding.gaps.rules import GapsRules
from labyrinth_sim.games.sliding.position import CARDS, SlidingPosition

WIDTH = 13
TWO, KING = 1, 12


@dataclass(frozen=True)
class GapsPosition(SlidingPosition):
    """A position of Gaps.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> position = start(deal("1/1/0").deck, GapsRules())
    >>> print(position)
           1  2  3  4  5  6  7  8  9 10 11 12 13
      1   TS -- 2D 8D 6H JH TH 5C 3H -- 7C 3D 3C
     14   KD -- -- QS 6D QD 5D 8H 9S 5S QC 7D 4D
     27   KS KC 8C 4C TC 2S 2H TD 4S 9C KH 6C 2C
     40   5H QH 6S JD JC JS 9D 3S 7H 9H 4H 7S 8S
    >>> position.legal()
    ['M 4H 10', 'M JS 2']
    """

    rules: GapsRules

    @property
    def width(self) -> int:
        return WIDTH

    def takes(self, gap: int) -> set[int]:
        row, column = divmod(gap, WIDTH)
        if column == 0:
            suits = [row] if self.rules.twos == "bound" else range(4)
            return {13 * suit + TWO for suit in suits}
        left = self.cells[gap - 1]
        return set() if left is None or left % 13 == KING else {left + 1}

    @property
    def won(self) -> bool:
        return self.cards_left == 0

    @property
    def cards_left(self) -> int:
        """Cards that do not lie in a run from the two at the left end of a row.

        With ``win=own_suit`` only runs in the suit of the row count.
        """
        return CARDS - sum(self._run(row) for row in range(4))

    def _run(self, row: int) -> int:
        """How many cards stand right in a row."""
        cells = self.cells[WIDTH * row : WIDTH * (row + 1)]
        two = cells[0]
        if two is None or two % 13 != TWO:
            return 0
        if self.rules.win == "own_suit" and two // 13 != row:
            return 0
        length = 1
        while length < WIDTH - 1 and cells[length] == two + length:
            length += 1
        return length


def start(deck: Deck, rules: GapsRules) -> GapsPosition:
    """Lay out a deck (RULES §4).

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
        Card codes, the first card dealt first.
    rules : GapsRules
    """
    return GapsPosition(rules, tuple(None if card % 13 == 0 else int(card) for card in deck))
