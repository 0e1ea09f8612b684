"""The heuristic family, plainly: when to fill, when to deal, what to play first.

A *gap* is an open top cell that may be filled. What it *exposes* is the next card down its
column. The *distance* of a card is the number of cards that it still needs before it fits its
foundation: its rank less the cards that lie there. A row *covers* a card that is available now
and would not be if the row were dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.player import Move, Random
from labyrinth_sim.games.free_edge.players import (
    LabyrinthPlayer,
    drawing_play,
    first,
    resort,
    safe_play,
)
from labyrinth_sim.games.free_edge.reference import View
from labyrinth_sim.parameters import argument, choice

FAR = 99
"""The distance of no card at all: farther than any card's."""

_UNKNOWN = 52
"""Stands for a card that is not seen yet."""


@dataclass(frozen=True)
class Heuristic(LabyrinthPlayer):
    """A member of the family.

    It makes all safe plays first. When there is none, it does the first of these that applies:
    fills a gap if `fill` is ``at_once`` or ``empty``; deals a row, if the rules let it and `deal`
    wants it, or if no play is legal (but fills a gap before that, if `fill` is ``before_row``, or
    if no play is legal and `fill` is ``stuck`` or ``hold:k``); plays the drawing card that
    `order` puts first; uses a resort on the first card that fits.

    Parameters
    ----------
    fill, gap, order, deal : str
        See `explain`.

    Examples
    --------
    >>> Heuristic.read("fill=hold:2,order=frees").full_spec
    'heuristic:endgame=none,fill=hold:2,gap=leftmost,order=frees,deal=late'
    """

    fill: str = choice(
        "stuck",
        "when a gap is filled (where refill=optional)",
        at_once="before anything but a safe play",
        stuck="when no play is legal",
        never="never",
        empty="at once, but only where the column under the gap is empty",
        before_row="when a row is to be dealt, before it",
        **{
            "hold:k": "when no play is legal, but not where the gap exposes a card whose distance "
            "is k or less"
        },
    )
    gap: str = choice(
        "leftmost",
        "which gap is filled first; of equal ones the leftmost",
        leftmost="the leftmost",
        fewest="the one over the fewest cards",
        most="the one over the most cards",
        distant="the one that exposes the card with the greatest distance, or no card",
    )
    order: str = choice(
        "lowest",
        "which drawing play goes first; of equal ones the lowest rank, then suit C D H S",
        lowest="the lowest rank, which is the suit that is furthest behind",
        highest="the highest rank",
        frees="the one over the card that has the smallest distance after it",
        fullest="the one over the most cards",
    )
    deal: str = choice(
        "late",
        "when a row is dealt although a drawing play is legal (where deal=any_time)",
        late="never",
        no_safe="as soon as no safe play is left",
        **{
            "cover:k": "when it covers at most k cards",
            "near:k": "when it covers no card whose distance is k or less",
            "short:k": "when the last row to come would have 1 to k cards: the stock left, modulo "
            "the columns, is from 1 to k",
        },
    )
    name: ClassVar[str] = "heuristic"
    text: ClassVar[str] = "three knobs: when to fill gaps, what to play first, when to deal a row"

    def usual(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        if safe := safe_play(view, moves):
            return safe
        fill = self._fill(view, moves)
        if fill and self.fill in ("at_once", "empty"):
            return fill
        play = self._drawing_play(view, moves)
        if "D" in moves and (play is None or self._wants_row(view)):
            if fill and (play is None or self.fill == "before_row"):
                return fill
            return "D"
        return next(move for move in (play, resort(view, moves)) if move is not None)

    def _fill(self, view: View, moves: Sequence[Move]) -> Move | None:
        gaps = [int(move[2:]) - 1 for move in moves if move[0] == "F"]
        if self.fill == "never":
            gaps = []
        if self.fill == "empty":
            gaps = [gap for gap in gaps if exposed(view, gap) is None]
        if self.fill.startswith("hold"):
            hold = argument(self.fill)
            gaps = [gap for gap in gaps if distance(view, exposed(view, gap)) > hold]
        scores: dict[str, Callable[[int], int]] = {
            "leftmost": lambda gap: 0,
            "fewest": lambda gap: -len(column_cards(view, gap)),
            "most": lambda gap: len(column_cards(view, gap)),
            "distant": lambda gap: distance(view, exposed(view, gap)),
        }
        score = scores[self.gap]
        best = max(gaps, key=lambda gap: (score(gap), -gap), default=None)
        return None if best is None else f"F {best + 1}"

    def _drawing_play(self, view: View, moves: Sequence[Move]) -> Move | None:
        if self.order == "lowest":
            return drawing_play(view, moves)
        plays = [card for card in view.playable() if view.draws(card)]
        scores: dict[str, Callable[[int], int]] = {
            "highest": lambda card: card % 13,
            "frees": lambda card: -distance_after(view, card),
            "fullest": lambda card: len(column_cards(view, column_of(view, card))),
        }
        score = scores[self.order]
        best = max((score(card) for card in plays), default=None)
        card = first([card for card in plays if score(card) == best])
        return None if card is None else f"P {CARD_NAMES[card]}"

    def _wants_row(self, view: View) -> bool:
        kind, most = self.deal.partition(":")[0], argument(self.deal)
        if kind == "short":
            return 1 <= view.stock_left % view.rules.columns <= most
        if kind == "cover":
            return len(covered_by_row(view)) <= most
        if kind == "near":
            return all(distance(view, card) > most for card in covered_by_row(view))
        return kind == "no_safe"


def distance(view: View, card: int | None) -> int:
    """How many cards a card still needs before it fits; `FAR` for no card."""
    return FAR if card is None else card % 13 - view.foundations[card // 13]


def column_of(view: View, card: int) -> int:
    """The column of a card of the tableau."""
    return next(row.index(card) for row in view.tableau if card in row)


def column_cards(view: View, column: int) -> list[int]:
    """Cards of a column below its top cell, from above."""
    cells = (row[column] for row in view.tableau[1:])
    return [card for card in cells if card is not None]


def exposed(view: View, column: int) -> int | None:
    """The next card down a column below its top cell."""
    return next(iter(column_cards(view, column)), None)


def distance_after(view: View, card: int) -> int:
    """Distance of the next card down the column of `card`, once `card` is played."""
    freed = exposed(view, column_of(view, card))
    same_suit = freed is not None and freed // 13 == card // 13
    return distance(view, freed) - same_suit


def covered_by_row(view: View) -> list[int]:
    """Cards that are available now and would not be after a row was dealt."""
    columns = view.rules.columns
    length = min(view.stock_left, columns)
    row = (_UNKNOWN,) * length + (None,) * (columns - length)
    after = replace(view, tableau=(*view.tableau, row))
    return [card for card in view.cards() if view.available(card) and not after.available(card)]


AS_FAMILY: dict[str, Heuristic] = {
    "greedy": Heuristic(fill="at_once"),
    "patient": Heuristic(fill="stuck"),
    "never": Heuristic(fill="never"),
    "hasty": Heuristic(fill="never", deal="no_safe"),
}
"""The fixed players as members of the family, which is how the compiled loops know them."""
