"""The rules of Maze that differ between sources, and the presets (RULES §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from labyrinth_sim.cards import RANKS
from labyrinth_sim.parameters import choice
from labyrinth_sim.rulesets import Preset, RuleSet

NAME, VERSION = "maze", 1
"""What the game is called, and what changes whenever the outcome of some deal may."""


@dataclass(frozen=True)
class MazeRules(RuleSet):
    """A complete set of rules of Maze; without arguments, those of preset `wikipedia`.

    Parameters
    ----------
    ring : {"yes", "no"}
        Whether the last cell and the first are neighbours.
    entries : {"none", "ends"}
        What gaps take besides the next card up and the next card down.
    win : {"corners", "runs", "ordered"}
        How the cards must lie.
    empty : {"9+18", "53+54"}
        The two cells that the deal skips.
    removed : {"kings", "aces"}
        The rank that is taken away.

    Raises
    ------
    InvalidInput
        If a value is not allowed.

    Examples
    --------
    >>> MazeRules(removed="aces").spec
    'wikipedia,removed=aces'
    """

    ring: str = choice(
        "yes",
        "whether the last cell and the first are neighbours",
        yes="cell 54's right neighbour is cell 1.",
        no="cell 54 has no right neighbour, and cell 1 no left one.",
    )
    entries: str = choice(
        "none",
        "what gaps take besides the next card up and the next card down",
        none="nothing.",
        ends="cell 1 takes any card of the lowest rank, cell 54 any of the highest, and so does a "
        "gap directly left of a card of the lowest rank.",
    )
    win: str = choice(
        "corners",
        "how the cards must lie",
        corners="gaps skipped, four suits each from the lowest to the highest rank, the first card "
        "in cell 1, the last in cell 54.",
        runs="each suit stands in twelve consecutive cells, from the lowest to the highest rank; "
        "a run may pass from cell 54 to cell 1.",
        ordered="gaps skipped, four suits each from the lowest to the highest rank.",
    )
    empty: str = choice(
        "9+18",
        "the two cells that the deal skips",
        **{
            "9+18": "the last cells of the first two rows.",
            "53+54": "the last two cells of the grid.",
        },
    )
    removed: str = choice(
        "kings",
        "the rank that is taken away",
        kings="suits run from ace to queen.",
        aces="suits run from two to king.",
    )

    title: ClassVar[str] = "Maze"
    presets: ClassVar[dict[str, Preset]] = {
        "wikipedia": Preset({}, "the encyclopedia text", "nothing noted"),
        "pysol": Preset({"win": "runs", "empty": "53+54"}, "PySolFC", "nothing noted"),
        "aisleriot": Preset(
            {"ring": "no", "entries": "ends", "win": "ordered"}, "GNOME AisleRiot", "nothing noted"
        ),
    }

    @property
    def low(self) -> int:
        """The lowest rank in play: where a run begins."""
        return 0 if self.removed == "kings" else 1

    @property
    def high(self) -> int:
        """The highest rank in play: where a run ends."""
        return self.low + 11

    def describe(self) -> str:
        """Say in plain words what these rules are."""
        low, high = RANKS[self.low], RANKS[self.high]
        sentences = [
            "52 cards are dealt face up into 54 cells, row by row in a grid of 6 rows of 9, all "
            f"but cells {self.empty.replace('+', ' and ')}; then the four {self.removed} are taken "
            f"away, which leaves six gaps and suits from {low} to {high}.",
            "A gap takes the card one rank above, in suit, the card directly left of it, or the "
            f"card one rank below, in suit, the card directly right of it; and any {low} when the "
            f"card directly left of it is a {high}.",
            f"Ring ({self.ring}): {self.meaning('ring')}",
            f"More entries ({self.entries}): {self.meaning('entries')}",
            f"Won ({self.win}): {self.meaning('win')}",
        ]
        return "\n".join(sentences)
