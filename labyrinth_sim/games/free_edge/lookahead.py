"""Lookahead, plainly: what can be played before the stock is touched again, and what it leaves.

A *touch* is a move that lets stock cards in: a fill, a play that draws, or a row. The cards that
it brings are not known; they take up their cells and nothing else. After a touch all safe plays
of known cards are made, and what is left is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.player import Move, Random
from labyrinth_sim.games.free_edge.heuristic import column_of
from labyrinth_sim.games.free_edge.players import LabyrinthPlayer, first, resort, safe_play
from labyrinth_sim.games.free_edge.reference import Row, View
from labyrinth_sim.parameters import numbers, whole

UNKNOWN = 52
"""Stands for a card that is not seen yet."""

FEATURES = ("played", "near", "buried", "gaps", "stock", "edges")
"""What the evaluation weighs; see `features`."""


@dataclass(frozen=True)
class Lookahead(LabyrinthPlayer):
    """Chooses the touch after which the best position can be reached within `depth` touches.

    It makes all safe plays first, as every player does. Of equal touches it takes a fill before
    a play and a play before a row, then the leftmost fill, the play of lowest rank.

    Parameters
    ----------
    depth : int
        Touches that it looks ahead, 1 to 3.
    weights : tuple of float
        One for each of `FEATURES`; the value of a position is their weighted sum.
    """

    depth: int = whole(1, "how many touches of the stock it looks ahead", low=1, high=3)
    weights: tuple[float, ...] = numbers(
        (1.0, 1.0, -1.0, 1.0, 0.0, 0.0),
        f"what the evaluation gives for each of {', '.join(FEATURES)}",
    )
    name: ClassVar[str] = "lookahead"
    text: ClassVar[str] = "searches what can be played before the stock is touched again"

    def usual(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        if move := safe_play(view, moves) or resort(view, moves):
            return move
        values = {move: self._value(after, self.depth - 1) for move, after in touches(view, moves)}
        return max(values, key=lambda move: values[move])  # the first of equal ones

    def _value(self, view: View, depth: int) -> float:
        """Value of the best position that up to `depth` more touches lead to, or none at all."""
        stay = evaluate(self.weights, view)
        if depth == 0 or not view.stock_left:
            return stay
        further = (self._value(after, depth - 1) for _, after in touches(view, view.legal()))
        return max([stay, *further])


def touches(view: View, moves: Sequence[Move]) -> Iterator[tuple[Move, View]]:
    """All touches among `moves`: each, and what is left after it and the safe plays then."""
    for move in sorted(moves, key=_order):
        if move[0] == "P":
            yield move, settled(_without_next(view, move))
        elif move[0] == "F":
            yield move, settled(_with_unknown(view, int(move[2:]) - 1))
        elif move == "D":
            yield move, settled(_with_row(view))


def _order(move: Move) -> tuple[int, int]:
    if move[0] == "F":
        return 0, int(move[2:])
    return (2, 0) if move == "D" else (1, _RANKING[move[2:]])


_RANKING = {name: 4 * (code % 13) + code // 13 for code, name in enumerate(CARD_NAMES)}


def settled(view: View) -> View:
    """Make safe plays until there is none, the lowest rank first."""
    while (card := first([card for card in view.playable() if not view.draws(card)])) is not None:
        view = _without(view, card)
    return view


def _without(view: View, card: int) -> View:
    """Play a card, with no refill."""
    foundations = list(view.foundations)
    foundations[card // 13] += 1
    tableau = tuple(
        tuple(None if other == card else other for other in row) for row in view.tableau
    )
    return replace(view, tableau=tableau, foundations=tuple(foundations))


def _without_next(view: View, move: Move) -> View:
    """Play a card that draws; the stock card that comes is unknown."""
    card = next(card for card in view.playable() if CARD_NAMES[card] == move[2:])
    played = _without(view, card)
    refilled = view.rules.refill != "optional"
    return _with_unknown(played, column_of(view, card)) if refilled else played


def _with_unknown(view: View, column: int) -> View:
    top = list(view.tableau[0])
    top[column] = UNKNOWN
    tableau = (tuple(top), *view.tableau[1:])
    return replace(view, tableau=tableau, stock_left=view.stock_left - 1)


def _with_row(view: View) -> View:
    columns = view.rules.columns
    length = min(view.stock_left, columns)
    row: Row = (UNKNOWN,) * length + (None,) * (columns - length)
    return replace(view, tableau=(*view.tableau, row), stock_left=view.stock_left - length)


def features(view: View) -> tuple[int, ...]:
    """What the evaluation weighs, as integers, in the order of `FEATURES`.

    played
        4096 for each card on the foundations.
    near, buried
        For each known card of the tableau 4096 / 2**distance, where distance is the number of
        cards that it still needs before it fits: `near` sums those that are available, `buried`
        those that are not.
    gaps, stock, edges
        4096 for each open top cell while there is stock and refill=optional, for each stock card
        left, and for each cell whose card, known or not, is available.
    """
    near = buried = edges = 0
    for row, cells in enumerate(view.tableau):
        for column, card in enumerate(cells):
            if card is None:
                continue
            free = view.free(row, column)
            edges += free
            if card != UNKNOWN:
                worth = 4096 >> (card % 13 - view.foundations[card // 13])
                near, buried = (near + worth, buried) if free else (near, buried + worth)
    fillable = view.rules.refill == "optional" and view.stock_left > 0
    gaps = len(view.open_top_cells()) if fillable else 0
    played = sum(view.foundations)
    return 4096 * played, near, buried, 4096 * gaps, 4096 * view.stock_left, 4096 * edges


def evaluate(weights: Sequence[float], view: View) -> float:
    """Weighted sum of the features, added in their order."""
    value = 0.0
    for weight, feature in zip(weights, features(view), strict=True):
        value += weight * feature
    return value
