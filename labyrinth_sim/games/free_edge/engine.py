"""The compiled engine, a move at a time, with the interface of the reference engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import CARD_NAMES, card_code
from labyrinth_sim.compiled import kernel
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Deck, Outcome
from labyrinth_sim.drawing import Picture, Pictured
from labyrinth_sim.errors import IllegalMove
from labyrinth_sim.games.free_edge.kernels import (
    ABSENT,
    DEAL,
    FILL,
    HAND,
    MOST_MOVES,
    PLAY,
    PUBLIC,
    RESORT,
    SECRET,
    Flags,
    apply,
    flags_of,
    lay_out,
    legal,
    view_digest,
)
from labyrinth_sim.games.free_edge.reference import Position, View, objection, read_move
from labyrinth_sim.games.free_edge.rules import LabyrinthRules


@kernel
def _lay_out(deck: Any, flags: Any, public: Any, secret: Any) -> None:
    lay_out(deck, flags, public[0], secret)


@kernel
def _legal(public: Any, flags: Any, moves: Any) -> int:
    return legal(public[0], flags, moves)  # type: ignore[no-any-return]


@kernel
def _apply(public: Any, secret: Any, flags: Any, move: Any) -> None:
    apply(public[0], secret, flags, move)


@kernel
def _view_digest(public: Any) -> Any:
    return view_digest(public[0])


def move_code(move: Move) -> np.uint64:
    """Number of a move in kernels."""
    verb, what = move[0], move[2:]
    match verb:
        case "D":
            return DEAL
        case "F":
            return FILL + np.uint64(int(what) - 1)
    return (PLAY if verb == "P" else RESORT) + np.uint64(card_code(what))


def move_text(code: int) -> Move:
    """Text of a move that a kernel gave."""
    verb, what = divmod(int(code), int(FILL))
    if verb == 0:
        return "D"
    if verb == 1:
        return f"F {what + 1}"
    return f"{'?FPR'[verb]} {CARD_NAMES[what]}"


class CompiledPosition(Pictured):
    """A position held in the kernels' two blocks; see `reference.Position` for its methods.

    Parameters
    ----------
    rules : LabyrinthRules
    public : ndarray of PUBLIC, shape (1,)
    secret : ndarray of uint8, shape (SECRET,)
    """

    def __init__(
        self, rules: LabyrinthRules, public: NDArray[Any], secret: NDArray[np.uint8]
    ) -> None:
        self.rules = rules
        self.public = public
        self.secret = secret
        self._flags: Flags = flags_of(rules)

    @property
    def view(self) -> View:
        public, columns = self.public[0], self.rules.columns
        cells: list[int | None] = [None] * (int(public["rows_dealt"]) * columns)
        hand = []
        for card, where in enumerate(public["where"][:52].tolist()):
            if where < ABSENT:
                cells[where] = card
            elif where == HAND:
                hand.append(card)
        return View(
            self.rules,
            tuple(tuple(cells[at : at + columns]) for at in range(0, len(cells), columns)),
            tuple(public["built"].tolist()),
            tuple(hand),
            int(public["stock_left"]),
            int(public["resorts_used"]),
        )

    @property
    def status(self) -> str:
        if self.public[0]["cards_left"] == 0:
            return "won"
        return "open" if self.legal() else "lost"

    def legal(self) -> list[Move]:
        moves = np.empty(MOST_MOVES, np.uint8)
        count = _legal(self.public, self._flags, moves)
        return [move_text(code) for code in moves[:count]]

    def after(self, move: Move) -> CompiledPosition:
        move = read_move(move)
        if move not in self.legal():
            raise IllegalMove(f"{move} is illegal: {objection(self.view, move)}")
        following = CompiledPosition(self.rules, self.public.copy(), self.secret)
        _apply(following.public, following.secret, self._flags, move_code(move))
        return following

    def digest(self) -> int:
        """Digest of the view, as players' randomness is keyed by it."""
        return int(_view_digest(self.public))

    def plain(self) -> Position:
        """The same position in the reference engine."""
        left = int(self.public[0]["stock_left"])
        return Position(self.view, tuple(self.secret[left:0:-1].tolist()))

    def key(self) -> bytes:
        return self.view.key()

    def facts(self) -> dict[str, int]:
        return self.plain().facts()

    def outcome(self, moves: Sequence[Move]) -> Outcome:
        return self.plain().outcome(moves)

    def picture(self) -> Picture:
        return self.plain().picture()

    __str__ = Pictured.board


def start(deck: Deck, rules: LabyrinthRules) -> CompiledPosition:
    """Lay out a deck, as `reference.start` does."""
    position = CompiledPosition(rules, np.zeros(1, PUBLIC), np.zeros(SECRET, np.uint8))
    _lay_out(
        np.ascontiguousarray(deck, np.uint8), position._flags, position.public, position.secret
    )
    return position


def from_plain(position: Position) -> CompiledPosition:
    """The same position in the kernels' two blocks."""
    public, secret = np.zeros(1, PUBLIC), np.zeros(SECRET, np.uint8)
    fill_in(public, position.view)
    secret[len(position.stock) : 0 : -1] = position.stock
    return CompiledPosition(position.view.rules, public, secret)


def fill_in(public: NDArray[Any], view: View) -> None:
    """Write a view into a record, shape (1,), that has the fields of `kernels.PUBLIC`."""
    where = np.frombuffer(view.key()[:56], np.uint8)
    public["where"] = where
    public["occupied"] = sum(2 ** int(cell) for cell in where if cell < 56)
    public["built"] = view.foundations
    for name in ("stock_left", "cards_left", "rows_dealt", "resorts_used"):
        public[name] = getattr(view, name)
