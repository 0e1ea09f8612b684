"""Maze as RULES §3 says it, in plain Python: readable, slow, and the judge of all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labyrinth_sim.core.probe import Deck
from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.sliding.position import CARDS, SlidingPosition

CELLS, WIDTH = 54, 9
EMPTY = {"9+18": (8, 17), "53+54": (52, 53)}
"""Indices, from 0, of the cells that the deal skips."""


@dataclass(frozen=True)
class MazePosition(SlidingPosition):
    """A position of Maze.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> position = start(deal("1/1/0").deck, MazeRules())
    >>> print(position)
           1  2  3  4  5  6  7  8  9
      1   TS AC 2D 8D 6H JH TH 5C --
     10   3H AD 7C 3D 3C -- AS AH --
     19   QS 6D QD 5D 8H 9S 5S QC 7D
     28   4D -- -- 8C 4C TC 2S 2H TD
     37   4S 9C -- 6C 2C 5H QH 6S JD
     46   JC JS 9D 3S 7H 9H 4H 7S 8S
    >>> "; ".join(position.legal())
    'M 2H 18; M 2H 9; M 4C 15; M 5C 39; M 5D 29; M 6C 9; M 7C 30; M JS 18; M TC 39'
    """

    rules: MazeRules

    @property
    def width(self) -> int:
        return WIDTH

    def neighbour(self, index: int, step: int) -> int | None:
        """The card in the cell left (-1) or right (1) of another; None for a gap or no cell."""
        other = index + step
        if self.rules.ring == "yes":
            other %= CELLS
        return self.cells[other] if 0 <= other < CELLS else None

    def takes(self, gap: int) -> set[int]:
        low, high = self.rules.low, self.rules.high
        lowest = {13 * suit + low for suit in range(4)}
        highest = {13 * suit + high for suit in range(4)}
        left, right = self.neighbour(gap, -1), self.neighbour(gap, 1)
        cards: set[int] = set()
        if left is not None:
            cards |= lowest if left in highest else {left + 1}
        if right is not None and right not in lowest:
            cards |= {right - 1}
        if self.rules.entries == "ends":
            if gap == 0:
                cards |= lowest
            if gap == CELLS - 1 or right in lowest:
                cards |= highest
        return cards

    @property
    def won(self) -> bool:
        if self.rules.win == "runs":
            return self.cards_left == 0
        corners = self.rules.win == "corners" and None in (self.cells[0], self.cells[-1])
        return self.cards_left == 0 and not corners

    @property
    def cards_left(self) -> int:
        """Cards that do not lie in sequence.

        In sequence lies a card after the next lower one of its suit, and one of the lowest rank
        that is the first or comes after one of the highest rank. Gaps are skipped; but for
        ``win=runs`` nothing may lie between a card and the next lower one, and one of the lowest
        rank always lies in sequence.
        """
        return CARDS - sum(self._in_sequence())

    def _in_sequence(self) -> Iterator[bool]:
        low, high = self.rules.low, self.rules.high
        if self.rules.win == "runs":
            for index, card in enumerate(self.cells):
                if card is not None:
                    yield card % 13 == low or self.cells[index - 1] == card - 1
            return
        before = None
        for card in self.cells:
            if card is not None:
                if card % 13 == low:
                    yield before is None or before % 13 == high
                else:
                    yield before == card - 1
                before = card


def start(deck: Deck, rules: MazeRules) -> MazePosition:
    """Lay out a deck (RULES §3).

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
        Card codes, the first card dealt first.
    rules : MazeRules
    """
    cards: Sequence[int] = deck.tolist()
    removed = 12 if rules.removed == "kings" else 0
    lying = iter(None if card % 13 == removed else card for card in cards)
    empty = EMPTY[rules.empty]
    return MazePosition(
        rules, tuple(None if index in empty else next(lying) for index in range(CELLS))
    )
