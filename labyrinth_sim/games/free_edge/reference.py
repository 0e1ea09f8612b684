"""Labyrinth as RULES §2 says it, in plain Python: readable, slow, and the judge of all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from labyrinth_sim.cards import CARD_NAMES, RANKS, card_code
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Deck, Outcome
from labyrinth_sim.drawing import Picture, Pictured
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.games.free_edge.boards import picture
from labyrinth_sim.games.free_edge.rules import LabyrinthRules

Row = tuple[int | None, ...]
"""The cells of a dealt row, left to right: a card code, or None where open."""

ABSENT, FOUNDATION, HAND, STOCK = 60, 61, 62, 63
"""Where a card can be that is in no cell; a cell is ``row * columns + column``."""


@dataclass(frozen=True)
class View(Pictured):
    """What a player may see (RULES §2.5): all but the order of the stock.

    Whether a move is legal follows from this alone.

    Parameters
    ----------
    rules : LabyrinthRules
    tableau : tuple of rows
        All dealt rows, the top row first; None is an open cell.
    foundations : tuple of int
        Cards on each foundation, suits in the order C D H S; so the next card of suit `s` to
        fit has code ``13 * s + foundations[s]``.
    hand : tuple of int
        Cards that were lifted and not yet played, lowest code first.
    stock_left, resorts_used : int
    """

    rules: LabyrinthRules
    tableau: tuple[Row, ...]
    foundations: tuple[int, ...]
    hand: tuple[int, ...]
    stock_left: int
    resorts_used: int

    @property
    def rows_dealt(self) -> int:
        return len(self.tableau)

    @property
    def cards_left(self) -> int:
        """Cards not yet on the foundations, those in hand and in the stock included."""
        return self.rules.suits * self.rules.ranks - sum(self.foundations)

    @property
    def won(self) -> bool:
        return self.cards_left == 0

    def cell(self, row: int, column: int) -> int | None:
        """The card there; None where open or outside the grid."""
        return self.tableau[row][column] if 0 <= row < self.rows_dealt else None

    def cards(self) -> Iterator[int]:
        """Cards in the tableau, row by row."""
        return (card for row in self.tableau for card in row if card is not None)

    def place(self, card: int) -> tuple[int, int] | None:
        """Row and column of a card, from 0; None if it is not in the tableau."""
        for number, row in enumerate(self.tableau):
            if card in row:
                return number, row.index(card)
        return None

    def open_top_cells(self) -> list[int]:
        """Columns, from 0, whose top cell is open."""
        return [column for column, card in enumerate(self.tableau[0]) if card is None]

    def available(self, card: int) -> bool:
        """Whether the rules let this card be taken: in hand, or at an edge of its column."""
        place = self.place(card)
        return card in self.hand or (place is not None and self.free(*place))

    def free(self, row: int, column: int) -> bool:
        """Whether the card in this cell may be taken."""
        above = [self.cell(other, column) for other in range(row)]
        below = [self.cell(other, column) for other in range(row + 1, self.rows_dealt)]
        if self.rules.availability == "free_edge":
            above, below = above[-1:], below[:1]
            return above in ([], [None]) or below in ([], [None])
        return all(card is None for card in above) or all(card is None for card in below)

    def fitting(self) -> list[int]:
        """The next card of each suit whose foundation is not complete, wherever it is."""
        return [
            13 * suit + height
            for suit, height in enumerate(self.foundations[: self.rules.suits])
            if height < self.rules.ranks
        ]

    def playable(self) -> list[int]:
        """Cards that can be played to their foundation now."""
        return [card for card in self.fitting() if self.available(card)]

    def draws(self, card: int) -> bool:
        """Whether playing this card lets a stock card in (RULES §2.4)."""
        place = self.place(card)
        if place is None or not self.stock_left:
            return False
        row, column = place
        if self.rules.refill == "empty_column":
            cells = [self.cell(other, column) for other in range(self.rows_dealt)]
            return len(cells) - cells.count(None) == 1
        if self.rules.refill == "first_row_only":
            return row == 0 and self.rows_dealt == 1
        return row == 0

    def legal(self) -> list[Move]:
        """Legal moves in text order; none once won."""
        if self.won:
            return []
        plays = self.playable()
        moves = [f"P {CARD_NAMES[card]}" for card in plays]
        if self.stock_left:
            if self.rules.refill == "optional":
                moves += [f"F {column + 1}" for column in self.open_top_cells()]
            if not plays or self.rules.deal == "any_time":
                moves.append("D")
        elif not plays and self.resorts_used < self.rules.resorts:
            cards = set(self.cards())
            if self.rules.resort == "fit":
                cards &= set(self.fitting())
            moves += [f"R {CARD_NAMES[card]}" for card in cards]
        return sorted(moves)

    def key(self) -> bytes:
        """All of the view as 64 bytes: where each card is, rows dealt, resorts used."""
        rules = self.rules
        where = bytearray([ABSENT] * 56)
        for suit in range(rules.suits):
            for rank in range(rules.ranks):
                where[13 * suit + rank] = FOUNDATION if rank < self.foundations[suit] else STOCK
        for row, cells in enumerate(self.tableau):
            for column, card in enumerate(cells):
                if card is not None:
                    where[card] = row * rules.columns + column
        for card in self.hand:
            where[card] = HAND
        return bytes(where) + bytes([self.rows_dealt, self.resorts_used]) + bytes(6)

    def picture(self) -> Picture:
        return picture(self)


@dataclass(frozen=True)
class Position(Pictured):
    """A position with perfect information: the view, and the stock, its next card first."""

    view: View
    stock: tuple[int, ...] = field(repr=False)

    @property
    def status(self) -> str:
        if self.view.won:
            return "won"
        return "open" if self.view.legal() else "lost"

    def legal(self) -> list[Move]:
        return self.view.legal()

    def key(self) -> bytes:
        return self.view.key()

    def ahead(self, cards: int) -> Position:
        """The same with no more than the next `cards` of the stock; later ones are not known."""
        return replace(self, stock=self.stock[:cards])

    def facts(self) -> dict[str, int]:
        view = self.view
        return {
            "cards_left": view.cards_left,
            "stock_left": view.stock_left,
            "rows_dealt": view.rows_dealt,
            "resorts_used": view.resorts_used,
        }

    def outcome(self, moves: Sequence[Move]) -> Outcome:
        verbs = [move[0] for move in moves]
        return {
            "won": int(self.view.won),
            "cards_left": self.view.cards_left,
            "plays": verbs.count("P"),
            "fills": verbs.count("F"),
            "rows_dealt": self.view.rows_dealt,
            "resorts_used": self.view.resorts_used,
        }

    def picture(self) -> Picture:
        return picture(self.view, self.stock)

    __str__ = Pictured.board

    def after(self, move: Move) -> Position:
        """The position that a legal move leads to.

        Raises
        ------
        IllegalMove
            With the reason, if the move is not legal here.
        """
        move = read_move(move)
        if move not in self.legal():
            raise IllegalMove(f"{move} is illegal: {objection(self.view, move)}")
        verb, what = move[0], move[2:]
        if verb == "D":
            return self._with_row()
        if verb == "F":
            return self._with_card_from_stock(int(what) - 1)
        card = card_code(what)
        if verb == "P":
            return self._play(card)
        lifted = self._with_view(resorts_used=self.view.resorts_used + 1)
        if self.view.rules.resort == "fit":
            return lifted._play(card)
        hand = tuple(sorted((*self.view.hand, card)))
        return lifted._without(card)._with_view(hand=hand)

    def _with_view(self, **changes: object) -> Position:
        return replace(self, view=replace(self.view, **changes))  # type: ignore[arg-type]

    def _with_row(self) -> Position:
        columns = self.view.rules.columns
        dealt, stock = self.stock[:columns], self.stock[columns:]
        row: Row = dealt + (None,) * (columns - len(dealt))
        view = replace(self.view, tableau=(*self.view.tableau, row), stock_left=len(stock))
        return Position(view, stock)

    def _with_card_from_stock(self, column: int) -> Position:
        """Put the next stock card into the top cell of a column."""
        top = list(self.view.tableau[0])
        top[column] = self.stock[0]
        tableau = (tuple(top), *self.view.tableau[1:])
        stock = self.stock[1:]
        return Position(replace(self.view, tableau=tableau, stock_left=len(stock)), stock)

    def _without(self, card: int) -> Position:
        """Take a card out of the tableau or the hand."""
        tableau = tuple(
            tuple(None if other == card else other for other in row) for row in self.view.tableau
        )
        hand = tuple(other for other in self.view.hand if other != card)
        return self._with_view(tableau=tableau, hand=hand)

    def _play(self, card: int) -> Position:
        foundations = list(self.view.foundations)
        foundations[card // 13] += 1
        played = self._without(card)._with_view(foundations=tuple(foundations))
        refills = self.view.rules.refill != "optional" and self.view.draws(card)
        place = self.view.place(card)
        return played._with_card_from_stock(place[1]) if refills and place else played


def start(deck: Deck, rules: LabyrinthRules) -> Position:
    """Lay out a deck: aces to the foundations, the first row dealt (RULES §2).

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
        Card codes, the first card dealt first.
    rules : LabyrinthRules

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> start(deal("1/1/0").deck, LabyrinthRules()).legal()
    ['P 2D']
    """
    stock = tuple(
        int(card) for card in deck if card // 13 < rules.suits and 0 < card % 13 < rules.ranks
    )
    foundations = tuple(int(suit < rules.suits) for suit in range(4))
    view = View(rules, (), foundations, (), len(stock), 0)
    return Position(view, stock)._with_row()


def read_move(text: str) -> Move:
    """Read the text of a move, in either case (RULES §2.3).

    Raises
    ------
    InvalidInput
        If the text is no move.

    Examples
    --------
    >>> read_move("p 10h"), read_move(" d ")
    ('P TH', 'D')
    """
    words = text.upper().split()
    match words:
        case ["D"]:
            return "D"
        case ["F", column] if column.isascii() and column.isdigit() and len(column) < 100:
            return f"F {int(column)}"
        case ["P" | "R" as verb, card]:
            return f"{verb} {CARD_NAMES[card_code(card)]}"
    raise InvalidInput(
        f"{text!r} is no move; write P CARD, F COLUMN, D or R CARD, e.g. 'P 5H' or 'F 3'"
    )


def objection(view: View, move: Move) -> str:
    """Say why a move that is not legal is not."""
    if view.won:
        return "the game is won"
    if move[0] == "D":
        if not view.stock_left:
            return "the stock is out"
        plays = ", ".join(CARD_NAMES[card] for card in view.playable())
        return f"a row may be dealt only when no card can be played (here {plays} can)"
    if move[0] == "F":
        return _objection_to_fill(view, int(move[2:]))
    card = card_code(move[2:])
    name = CARD_NAMES[card]
    if card // 13 >= view.rules.suits or card % 13 >= view.rules.ranks:
        return f"{name} is not in this pack"
    if card % 13 < view.foundations[card // 13]:
        return f"{name} lies on its foundation already"
    if move[0] == "R":
        return _objection_to_resort(view, card)
    if card not in view.fitting():
        height = view.foundations[card // 13]
        return f"{name} does not fit; the next is {RANKS[height]}{name[1]}"
    if view.place(card) is None:
        return f"{name} is still in the stock"
    if view.rules.availability == "ends":
        return f"{name} has cards above and below it in its column"
    return f"{name} has a card directly above and directly below it"


def _objection_to_fill(view: View, column: int) -> str:
    if view.rules.refill != "optional":
        return f"refill={view.rules.refill} leaves no choice of filling gaps"
    if not 1 <= column <= view.rules.columns:
        return f"there is no column {column}; columns run from 1 to {view.rules.columns}"
    if not view.stock_left:
        return "the stock is out"
    return f"the top cell of column {column} is not open"


def _objection_to_resort(view: View, card: int) -> str:
    if view.rules.resort == "none":
        return "these rules have no resort"
    if view.stock_left:
        return "a resort may be used only once the stock is out"
    if plays := view.playable():
        names = ", ".join(CARD_NAMES[other] for other in plays)
        return f"a resort may be used only when no card can be played (here {names} can)"
    if view.resorts_used >= view.rules.resorts:
        return f"all {view.rules.resorts} resorts of the game are used"
    if card in view.hand:
        return f"{CARD_NAMES[card]} is in hand already"
    return f"{CARD_NAMES[card]} does not fit its foundation, as resort=fit asks"
