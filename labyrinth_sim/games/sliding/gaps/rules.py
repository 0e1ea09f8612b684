"""The rules of Gaps in its two published forms (RULES §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from labyrinth_sim.parameters import choice
from labyrinth_sim.rulesets import Preset, RuleSet

NAME, VERSION = "gaps", 1
"""What the game is called, and what changes whenever the outcome of some deal may."""


@dataclass(frozen=True)
class GapsRules(RuleSet):
    """A complete set of rules of Gaps; without arguments, those of preset `basic`.

    Parameters
    ----------
    twos : {"bound", "free"}
        Which two a gap in column 1 takes.
    win : {"own_suit", "any_suit"}
        Which suit a row must hold.

    Raises
    ------
    InvalidInput
        If a value is not allowed.

    Examples
    --------
    >>> GapsRules(win="any_suit").spec
    'basic,win=any_suit'
    """

    twos: str = choice(
        "bound",
        "which two a gap in column 1 takes",
        bound="only the two of the suit that its row is bound to: C D H S from the top.",
        free="any two, also one that stands in column 1 of another row.",
    )
    win: str = choice(
        "own_suit",
        "which suit a row must hold",
        own_suit="each row runs from two to king in the suit that it is bound to.",
        any_suit="each row runs from two to king in one suit, whichever.",
    )

    title: ClassVar[str] = "Gaps"
    presets: ClassVar[dict[str, Preset]] = {
        "basic": Preset({}, "Blake & Gent 2026, table 8", "nothing noted"),
        "one_deal": Preset(
            {"twos": "free", "win": "any_suit"}, "Blake & Gent 2026, table 8", "nothing noted"
        ),
    }

    def describe(self) -> str:
        """Say in plain words what these rules are."""
        sentences = [
            "52 cards are dealt face up into 4 rows of 13 cells, row by row; then the aces are "
            "taken away, which leaves four gaps. There is no second deal.",
            "A gap that is not in column 1 takes the card one rank above, in suit, the card "
            "directly left of it in its row; right of a king or of a gap it takes nothing.",
            f"A gap in column 1 takes twos ({self.twos}): {self.meaning('twos')}",
            f"Won ({self.win}): {self.meaning('win')}",
        ]
        return "\n".join(sentences)
