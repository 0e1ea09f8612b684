"""A toy game, which shows the least that a game must bring to run through every verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from labyrinth_sim.cards import PACK
from labyrinth_sim.core.game import Catalog, Game, Reference
from labyrinth_sim.core.player import Move, PlayerKind, Random, Traits
from labyrinth_sim.core.probe import Column, Deck, Outcome
from labyrinth_sim.drawing import Picture, Pictured
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.rulesets import Preset, RuleSet


@dataclass(frozen=True)
class EndsRules(RuleSet):
    """Ends: take all cards of a row, always from one of its ends, each higher than the last."""

    cards: int = whole(4, "cards in the row", low=1, high=PACK.size)
    presets: ClassVar[dict[str, Preset]] = {
        "short": Preset({}, "this package", "nothing"),
        "long": Preset({"cards": 7}, "this package", "nothing"),
    }


@dataclass(frozen=True)
class EndsPosition(Pictured):
    """A row of cards, nothing hidden; the order is that of the card codes."""

    row: tuple[int, ...]
    last: int = -1

    @property
    def view(self) -> EndsPosition:
        return self

    @property
    def status(self) -> str:
        return "open" if self.legal() else "lost" if self.row else "won"

    def card(self, move: Move) -> int:
        return self.row[0] if move == "L" else self.row[-1]

    def legal(self) -> list[Move]:
        return [move for move in ("L", "R") if self.row and self.card(move) > self.last]

    def after(self, move: Move) -> EndsPosition:
        if move not in self.legal():
            raise IllegalMove(f"{move} is illegal: that end has no card higher than the last")
        row = self.row[1:] if move == "L" else self.row[:-1]
        return replace(self, row=row, last=self.card(move))

    def key(self) -> bytes:
        return bytes([len(self.row), *self.row, self.last + 1])

    def facts(self) -> dict[str, int]:
        return {"cards_left": len(self.row)}

    def outcome(self, moves: Sequence[Move]) -> Outcome:
        return {"won": int(not self.row), "cards_left": len(self.row)}

    def picture(self) -> Picture:
        ends = {"L": (0, 0), "R": (0, len(self.row) - 1)}
        available = frozenset(ends[move] for move in self.legal())
        return Picture(f"Ends, {len(self.row)} cards left", rows=(self.row,), available=available)


@dataclass(frozen=True)
class Left(Named):
    name: ClassVar[str] = "left"
    text: ClassVar[str] = "takes from the left if it can"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()

    def choose(self, view: EndsPosition, moves: Sequence[Move], rng: Random) -> Move:
        return moves[0]


class Lower(Left):
    name = "lower"
    text = "takes the lower of the two ends"

    def choose(self, view: EndsPosition, moves: Sequence[Move], rng: Random) -> Move:
        return min(moves, key=view.card)


def _start(deck: Deck, rules: EndsRules) -> EndsPosition:
    return EndsPosition(tuple(deck[: rules.cards].tolist()))


def _players() -> Mapping[str, PlayerKind]:
    return {"left": Left, "lower": Lower}


def _read_move(text: str) -> Move:
    if (move := text.strip().upper()) in ("L", "R"):
        return move
    raise InvalidInput(f"{text!r} is no move; write L or R")


TOY = Game(
    name="ends",
    title="Ends",
    version=1,
    rules=EndsRules,
    columns=(
        Column("won", "bool", "the row is empty"),
        Column("cards_left", "uint8", "cards in the row at the end"),
    ),
    reference=Reference(_start, _read_move),
    catalog=Catalog(_players),
)
"""A game of some sixty lines with nothing hidden, found as ``labyrinth_sim.testing:TOY``."""
