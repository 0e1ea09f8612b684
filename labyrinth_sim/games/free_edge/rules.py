"""The rules of Labyrinth that differ between sources, and the presets (RULES §2.1, §2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from labyrinth_sim.cards import PACK
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import choice, whole
from labyrinth_sim.rulesets import Preset, RuleSet


@dataclass(frozen=True)
class LabyrinthRules(RuleSet):
    """A complete set of rules of Labyrinth; without arguments, those of preset `wikipedia`.

    Parameters
    ----------
    refill : {"always", "first_row_only", "optional", "empty_column"}
        When the next stock card comes into an open top cell.
    availability : {"free_edge", "ends"}
        Which cards of a column may be played.
    deal : {"when_stuck", "any_time"}
        When a row may be dealt.
    resort : {"none", "fit", "lift"}
        What may be done once the stock is out and no play is legal.
    resorts : int
        How often a game may use its resort; 0 exactly with ``resort="none"``.
    columns : int
        Cards in a row, 4 to 12.
    suits, ranks : int
        Size of the pack, 4 and 13 for the full one.

    Raises
    ------
    InvalidInput
        If a value is not allowed, or `resort` and `resorts` contradict each other.

    Examples
    --------
    >>> LabyrinthRules.read("ultimate,resort=fit").resorts
    1
    >>> LabyrinthRules(refill="always", resort="none", resorts=0).spec
    'practical,deal=when_stuck'
    """

    refill: str = choice(
        "optional",
        "when the next stock card comes into an open top cell",
        always="a play from the top row, while there is stock, brings the next stock card into "
        "that cell at once.",
        first_row_only="as long as only the first row is dealt, a play from it brings the next "
        "stock card into that cell at once; after that, gaps stay.",
        optional="while there is stock, you may put the next stock card into any open cell of the "
        "top row, whenever you like, or never.",
        empty_column="when a play takes the last card of a column, the next stock card comes into "
        "its top cell at once; otherwise never.",
    )
    availability: str = choice(
        "free_edge",
        "which cards of a column may be played",
        free_edge="a card may be played when the cell directly above it or directly below it is "
        "open or outside the grid.",
        ends="a card may be played when no card is above it in its column, or none is below it.",
    )
    deal: str = choice(
        "when_stuck",
        "when a row may be dealt",
        when_stuck="a row may be dealt only when no card can be played.",
        any_time="a row may be dealt whenever there is stock.",
    )
    resort: str = choice(
        "lift",
        "what may be done once the stock is out and no card can be played",
        none="once the stock is out and no card can be played, the game is over.",
        fit="once the stock is out and no card can be played, a buried card that fits its "
        "foundation may be played all the same.",
        lift="once the stock is out and no card can be played, any one card may be taken in hand, "
        "from where it can be played later.",
    )
    resorts: int = whole(1, "how often a game may use its resort", low=0)
    columns: int = whole(8, "cards in a full row", low=4, high=12)
    suits: int = whole(4, "suits in the pack, the first of C D H S", low=1, high=4)
    ranks: int = whole(13, "ranks in the pack, the lowest from the ace up", low=1, high=13)

    presets: ClassVar[dict[str, Preset]] = {
        "wikipedia": Preset(
            {},
            "the encyclopedia text (Arnold): gaps in the top row may be filled later; any card as "
            "a last resort",
            "which cards are available, and how often the resort serves: once is our choice, so "
            "results are shown for 0, 1 and 2 resorts",
        ),
        "ultimate": Preset(
            {"refill": "always", "availability": "ends", "resort": "none", "resorts": 0},
            "Ultimate Book of Card Games",
            "nothing noted",
        ),
        "practical": Preset(
            {"refill": "always", "deal": "any_time", "resort": "none", "resorts": 0},
            "practicalgamingcenter",
            "nothing noted",
        ),
        "aisleriot": Preset(
            {
                "refill": "first_row_only",
                "availability": "ends",
                "deal": "any_time",
                "resort": "none",
                "resorts": 0,
            },
            "GNOME AisleRiot (its sliding columns come to these rules)",
            "nothing noted",
        ),
        "pysol": Preset(
            {
                "refill": "empty_column",
                "availability": "ends",
                "deal": "any_time",
                "resort": "none",
                "resorts": 0,
            },
            "PySolFC, its unregistered Labyrinth (its sliding columns come to these rules)",
            "nothing noted",
        ),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resort == "none" and self.resorts > 0:
            raise InvalidInput(
                f"resort=none contradicts resorts={self.resorts}; give resorts=0, or resort=fit "
                "or resort=lift"
            )
        if self.resort != "none" and self.resorts == 0:
            raise InvalidInput(
                f"resort={self.resort} contradicts resorts=0; give resort=none, or resorts=1 or "
                "more"
            )

    @classmethod
    def implied(cls, preset: str, overrides: Mapping[str, Any]) -> Mapping[str, Any]:
        before = cls.presets[preset].values.get("resort", "lift")
        resort = overrides.get("resort", before)
        if resort == before:
            return {}
        if resort == "none":
            return {"resorts": 0}
        return {"resorts": 1} if before == "none" else {}

    def describe(self) -> str:
        """Say in plain words what these rules are."""
        pack = self.suits * self.ranks
        often = {1: "Once a game", 2: "Twice a game"}.get(
            self.resorts, f"Up to {self.resorts} times a game"
        )
        resort = self.meaning("resort")
        sentences = [
            f"{pack} cards"
            + (
                ""
                if pack == PACK.size
                else f" (the lowest {self.ranks} ranks of {self.suits} suits)"
            )
            + ". The aces lie on the foundations, which are built up in suit to the "
            + ("king." if self.ranks == 13 else "highest rank."),
            f"A first row of {self.columns} cards is dealt, further rows are dealt below it; "
            "nothing is ever built on the tableau.",
            f"Refill ({self.refill}): {self.meaning('refill')}",
            f"Availability ({self.availability}): {self.meaning('availability')}",
            f"Deal ({self.deal}): {self.meaning('deal')}",
            f"Resort ({self.resort}): "
            + (resort if self.resort == "none" else f"{often}, {resort}"),
        ]
        return "\n".join(sentences)
