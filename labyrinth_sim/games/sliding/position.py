"""Games of cards that move into gaps of a grid: what Maze and Gaps have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from labyrinth_sim.cards import CARD_NAMES, card_code
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Column, Outcome
from labyrinth_sim.drawing import Picture, Pictured
from labyrinth_sim.errors import IllegalMove, InvalidInput

Cells = tuple[int | None, ...]
"""What lies in cells 1, 2, 3, …: a card code, or None for a gap."""

CARDS = 48
"""Cards in play: four of the pack are taken away and leave gaps."""

GAP = 52
"""What arrays have where the cell is a gap."""

LIMIT = 1_000
"""Moves after which a playout ends, by default: positions may come again for ever."""

DEEPEST = 6
"""Moves that players may look ahead, at most."""

COLUMNS = (
    Column("won", "bool", "the cards lie as the rules want them"),
    Column("cards_left", "uint8", "cards that do not lie in sequence at the end"),
    Column("moves", "uint32", "moves made"),
    Column(
        "stopped", "bool", "it ended with a legal move left: at the limit, or nothing new to do"
    ),
)


@dataclass(frozen=True)
class SlidingPosition(Pictured):
    """Cards in the cells of a grid, nothing hidden.

    Parameters
    ----------
    rules : RuleSet
    cells : tuple of (int or None)
        The card in each cell, None for a gap.
    earlier : frozenset of bytes, or None
        Keys of the positions that led here, for players that do nothing twice; None where nobody
        wants to know. They make no difference to what is legal, and two positions with the same
        cells are equal.
    """

    rules: Any
    cells: Cells
    earlier: frozenset[bytes] | None = field(default=frozenset(), compare=False, repr=False)

    @property
    @abstractmethod
    def width(self) -> int:
        """Cells in a row of the grid."""

    @property
    @abstractmethod
    def won(self) -> bool:
        """Whether the cards lie as the rules want them."""

    @property
    @abstractmethod
    def cards_left(self) -> int:
        """Cards that do not lie in sequence."""

    @abstractmethod
    def takes(self, gap: int) -> Iterable[int]:
        """The cards that may move into a gap, which is given as its index from 0."""

    @property
    def view(self) -> Self:
        return self

    @property
    def status(self) -> str:
        if self.won:
            return "won"
        return "open" if self.legal() else "lost"

    def gaps(self) -> list[int]:
        """The indices of the gaps, from 0."""
        return [index for index, card in enumerate(self.cells) if card is None]

    def legal(self) -> list[Move]:
        """Legal moves in text order; none once won."""
        if self.won:
            return []
        return sorted(
            f"M {CARD_NAMES[card]} {gap + 1}" for gap in self.gaps() for card in self.takes(gap)
        )

    def after(self, move: Move) -> Self:
        """The position that a legal move leads to.

        Raises
        ------
        IllegalMove
            With the reason, if the move is not legal here.
        """
        move = read_move(move)
        _, name, number = move.split()
        card, index = card_code(name), int(number) - 1
        if objection := self._objection(card, index):
            raise IllegalMove(f"{move} is illegal: {objection}")
        cells = list(self.cells)
        cells[cells.index(card)], cells[index] = None, card
        earlier = None if self.earlier is None else self.earlier | {self.key()}
        return replace(self, cells=tuple(cells), earlier=earlier)

    def key(self) -> bytes:
        """The cells as bytes."""
        return bytes(GAP if card is None else card for card in self.cells)

    def visited(self) -> bool:
        """Whether the cells lay like this before."""
        return self.earlier is not None and self.key() in self.earlier

    def bare(self) -> Self:
        return replace(self, earlier=None)

    def facts(self) -> dict[str, int]:
        return {"cards_left": self.cards_left, "stock_left": 0}

    def outcome(self, moves: Sequence[Move]) -> Outcome:
        return {
            "won": int(self.won),
            "cards_left": self.cards_left,
            "moves": len(moves),
            "stopped": int(self.status == "open"),
        }

    def picture(self) -> Picture:
        starts = range(0, len(self.cells), self.width)
        return Picture(
            title=f"{self.rules.title}, {self.rules.spec}, {self.cards_left} cards left",
            rows=tuple(self.cells[start : start + self.width] for start in starts),
            row_names=tuple(str(start + 1) for start in starts),
            available=frozenset(
                divmod(self.cells.index(card), self.width)
                for card in {card_code(move.split()[1]) for move in self.legal()}
            ),
        )

    __str__ = Pictured.board

    def _objection(self, card: int, index: int) -> str | None:
        """Why a card may not move into a cell; None if it may."""
        name = CARD_NAMES[card]
        if self.won:
            return "the game is won"
        if not 0 <= index < len(self.cells):
            return f"there is no cell {index + 1}; cells run from 1 to {len(self.cells)}"
        if card not in self.cells:
            return f"{name} is not in this game"
        lying = self.cells[index]
        if lying is not None:
            return f"cell {index + 1} is no gap; {CARD_NAMES[lying]} lies there"
        cards = sorted(self.takes(index))
        if card in cards:
            return None
        taken = ", ".join(CARD_NAMES[other] for other in cards) or "nothing"
        return f"the gap in cell {index + 1} takes {taken}"


def read_move(text: str) -> Move:
    """Read the text of a move, in either case (RULES §3).

    Raises
    ------
    InvalidInput
        If the text is no move.

    Examples
    --------
    >>> read_move("m 10h 7")
    'M TH 7'
    """
    match text.upper().split():
        case ["M", card, cell] if cell.isascii() and cell.isdigit() and len(cell) < 100:
            return f"M {CARD_NAMES[card_code(card)]} {int(cell)}"
    raise InvalidInput(f"{text!r} is no move; write M CARD CELL, e.g. 'M 5H 17'")
