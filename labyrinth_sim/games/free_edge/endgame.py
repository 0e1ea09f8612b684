"""Ending a game exactly: which resort wins, once the stock is out and nothing is hidden.

**An endgame is a set of cards.** Without stock nothing is dealt or filled any more. Taking a
card out of the tableau makes no other card unavailable, so a play never hurts, plays commute,
and, since a resort may be used only when no play is legal, all of them are made at once anyway.
Then the next card of every suit that is not complete lies in the tableau: in hand it could be
played. So the set of cards in the tableau, `left`, tells the foundations and the hand, and the
game is won when it is empty. What plays make of such a set, `settle`, is monotone: of fewer
cards it leaves no more.

**Resorts are a set of cards too.** Call a set of cards of the tableau *winning* if taking all of
it in hand at once, and then settling, leaves nothing. The cards lifted in a game that is won are
a winning set, as lifting them all first leaves no more than lifting them in between. Turned
round, the cards of a winning set may be lifted one after the other, in any order, whenever no
play is legal, passing over those that were played before their turn: at the end all of them are
out of the tableau, so no more is left than when they are lifted at once, nothing. Hence a game
can be won with so many resorts exactly when some winning set has no more cards than that, and
any card of such a set is a good first resort. (A card that `fit` plays is one that is lifted and
played at once.)

**Openers.** Take all cards of a winning set in hand and look at the first play. It is of a next
card that was not available, so the set contains an *opener* of that card: the card itself, or
all cards that bury it from one side, which are the one directly above it or the one directly
below it (`free_edge`), or all above it in its column or all below it (`ends`). Lift an opener
that a winning set contains, and settle; what is left of the set is winning there. So to try
every opener, settle, and go on with the resorts that remain, finds a winning set wherever there
is one. Where a single card buries a next card from one side, the next card itself need not be
tried: put the burying card in its place, and the set is no larger and wins as well, for with
that card lifted the next card is played. That leaves at most 8 openers under `free_edge`, 12
under `ends`, and 4 with `fit`, which may take nothing but next cards.

**Hopeless positions.** Lift all openers at once, but for those that have more cards than there
are resorts, and settle. Of a winning set at least one card is gone now: one that was in an
opener, or a next card that need not be tried, which has been played. The rest of the set wins
what is left, with a resort less. So a position that is not won after as many such rounds as
there are resorts can't be won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.player import Move
from labyrinth_sim.games.free_edge.reference import View

MOST_TRIES = 16384
"""Positions whose openers one search tries, not counting the one that it is asked about.

With up to 4 resorts there are at most 12 + 12**2 + 12**3 = 1884, so no such search is cut short.
"""

Cards = frozenset[int]


def winning_resort(view: View, most_tries: int = MOST_TRIES) -> Move | None:
    """The first resort after which the game can still be won; None where there is none.

    The candidates are the first card of each opener (see above) that begins a win. *First*
    means, as for the fixed players, lowest rank, then suit C D H S.

    Exact with up to 4 resorts left. With more, positions beyond `most_tries` are taken for lost:
    a win may be missed, but none is claimed that is not there. With 1 to 20 resorts it did not
    come to that in 200,000 deals in 8 columns (2,377 tries at most, 7 resorts, `free_edge`), nor
    in 30,000 deals in 4 columns (14,693 tries, 14 resorts, `ends`).

    Parameters
    ----------
    view : View
        Not won, with no stock left, no play legal and a resort to use.
    most_tries : int
        At least 1884, or not even 4 resorts are exact.

    Examples
    --------
    >>> from labyrinth_sim.games.free_edge.rules import LabyrinthRules
    >>> rules = LabyrinthRules(columns=4, suits=1, ranks=4)
    >>> column = [(card, None, None, None) for card in (3, 1, 2)]
    >>> winning_resort(View(rules, tuple(column), (1, 0, 0, 0), (), 0, 0))
    'R 3C'
    """
    left = frozenset(view.cards())
    resorts = min(view.rules.resorts, 48) - view.resorts_used  # each takes a card
    search = _Search(view.rules.resort == "lift", _sides(view), most_tries)
    if search.hopeless(left, resorts):
        return None
    for opener in sorted(search.openers(left, resorts), key=lambda cards: _order(_first(cards))):
        if search.wins(search.settle(left - opener), resorts - len(opener)):
            return f"R {CARD_NAMES[_first(opener)]}"
    return None


def _order(card: int) -> tuple[int, int]:
    return card % 13, card // 13


def _first(cards: Cards) -> int:
    return min(cards, key=_order)


def _sides(view: View) -> dict[int, tuple[Cards, Cards]]:
    """Of each card in the tableau, the cards that bury it from above, and from below."""
    sides = {}
    for row, cells in enumerate(view.tableau):
        above, below = range(row), range(row + 1, view.rows_dealt)
        if view.rules.availability == "free_edge":
            above, below = above[-1:], below[:1]
        for column, card in enumerate(cells):
            if card is not None:
                sides[card] = _cards(view, above, column), _cards(view, below, column)
    return sides


def _cards(view: View, rows: Sequence[int], column: int) -> Cards:
    cells = [view.cell(row, column) for row in rows]
    return frozenset(card for card in cells if card is not None)


@dataclass
class _Search:
    """A search of one endgame; `left` is always a set of cards in the tableau.

    Parameters
    ----------
    lifts : bool
        Whether any card may be taken, or only one that fits.
    sides : dict
        Of each card, the cards that bury it from either side; it is free when all of one side
        are gone.
    most_tries : int
    """

    lifts: bool
    sides: dict[int, tuple[Cards, Cards]]
    most_tries: int
    tries: int = 0
    tried: dict[Cards, int] = field(default_factory=dict)
    """Positions that were tried, in vain so far, and the most resorts that they had."""

    def settle(self, left: Cards) -> Cards:
        """Make all plays that are legal, and those that they make legal."""
        while free := {card for card in next_cards(left) if self._free(card, left)}:
            left -= free
        return left

    def _free(self, card: int, left: Cards) -> bool:
        return any(side.isdisjoint(left) for side in self.sides[card])

    def openers(self, left: Cards, resorts: int) -> Iterator[Cards]:
        """The openers of a settled position that have no more cards than there are resorts."""
        for card in next_cards(left):
            sides = [side & left for side in self.sides[card]] if self.lifts else []
            if not any(len(side) == 1 for side in sides):
                sides.append(frozenset([card]))
            yield from (side for side in sides if len(side) <= resorts)

    def hopeless(self, left: Cards, resorts: int) -> bool:
        """Whether not even all openers at once, round after round, win a settled position."""
        for remaining in range(resorts, 0, -1):
            left = self.settle(left.difference(*self.openers(left, remaining)))
        return bool(left)

    def wins(self, left: Cards, resorts: int) -> bool:
        """Whether a settled position can be won, as far as the search goes."""
        if not left:
            return True
        if self.tried.get(left, 0) >= resorts or self.hopeless(left, resorts):
            return False
        if self.tries == self.most_tries:
            return False
        self.tries += 1
        self.tried[left] = resorts
        return any(
            self.wins(self.settle(left - opener), resorts - len(opener))
            for opener in self.openers(left, resorts)
        )


def next_cards(left: Cards) -> list[int]:
    """The lowest card of each suit: the suit's next, once the lower ones in hand are played."""
    lowest = {card // 13: card for card in sorted(left, reverse=True)}
    return [*reversed(lowest.values())]
