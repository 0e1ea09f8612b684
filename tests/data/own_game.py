"""A game of one's own, in one file: each card of a row must be higher than the last one taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from labyrinth_sim.extend import (
    Catalog,
    Column,
    Game,
    IllegalMove,
    InvalidInput,
    Named,
    Picture,
    Pictured,
    Preset,
    Published,
    Reference,
    RuleSet,
    Traits,
    whole,
)


@dataclass(frozen=True)
class ClimbRules(RuleSet):
    cards: int = whole(5, "cards in the row", low=1, high=52)
    skips: int = whole(2, "cards that may be thrown away", low=0)
    presets: ClassVar = {
        "short": Preset({}, "this test", "nothing"),
        "strict": Preset({"skips": 1}, "this test", "nothing"),
    }


@dataclass(frozen=True)
class Climb(Pictured):
    """The next card of the row is taken if it is higher, or thrown away; the row is seen."""

    row: tuple[int, ...]
    skips: int
    last: int = -1

    @property
    def view(self) -> Climb:
        return self

    @property
    def status(self) -> str:
        return "open" if self.legal() else "lost" if self.row else "won"

    def legal(self) -> list[str]:
        if not self.row:
            return []
        return ["S"] * (self.skips > 0) + ["T"] * (self.row[0] > self.last)

    def after(self, move: str) -> Climb:
        if move not in self.legal():
            raise IllegalMove(f"{move} is illegal here")
        if move == "S":
            return replace(self, row=self.row[1:], skips=self.skips - 1)
        return replace(self, row=self.row[1:], last=self.row[0])

    def key(self) -> bytes:
        return bytes([len(self.row), *self.row, self.skips, self.last + 1])

    def facts(self) -> dict[str, int]:
        return {"cards_left": len(self.row), "skips": self.skips}

    def outcome(self, moves: list[str]) -> dict[str, int]:
        left = len(self.row)
        return {"won": int(not left), "cards_left": left, "thrown": list(moves).count("S")}

    def picture(self) -> Picture:
        return Picture(f"Climb, {self.skips} skips", rows=(self.row,))


@dataclass(frozen=True)
class Careful(Named):
    """Throws a card away that leaves too little room above it."""

    room: int = whole(0, "a card is taken that has so many ranks above it", low=0, high=12)
    name: ClassVar = "careful"
    text: ClassVar = "throws away what is too high"
    version: ClassVar = 1
    traits: ClassVar = Traits()

    def choose(self, view: Climb, moves: list[str], rng: object) -> str:
        high = len(view.row) > 1 and 51 - view.row[0] < 4 * self.room
        return "S" if "S" in moves and (high or "T" not in moves) else moves[-1]


def start(deck, rules: ClimbRules) -> Climb:
    return Climb(tuple(deck[: rules.cards].tolist()), rules.skips)


def read_move(text: str) -> str:
    if (move := text.strip().upper()) in ("S", "T"):
        return move
    raise InvalidInput(f"{text!r} is no move; write S or T")


GAME = Game(
    name="climb",
    title="Climb",
    version=1,
    rules=ClimbRules,
    columns=(
        Column("won", "bool", "the row is empty"),
        Column("cards_left", "uint8", "cards in the row at the end"),
        Column("thrown", "uint8", "cards thrown away"),
    ),
    reference=Reference(start, read_move),
    catalog=Catalog(
        lambda: {"careful": Careful},
        family="careful",
        baselines=("careful",),
        published=(Published("short", "1/5", "a friend"),),
    ),
)
