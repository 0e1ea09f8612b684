"""A toy game of two packs, in which every card comes twice.

Such a game names a card by the pile or the cell that it lies in, as no name of a card would say
which of the two is meant: here moves name piles. Keys list the cards pile by pile, so equal cards
in other piles are another position, and which of two equal cards is which makes none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

from labyrinth_sim.cards import Pack
from labyrinth_sim.core.game import Catalog, Game, Reference
from labyrinth_sim.core.player import Move, PlayerKind, Random, Traits
from labyrinth_sim.core.probe import Column, Deck, Outcome
from labyrinth_sim.drawing import Picture, Pictured, is_red
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.parameters import Named, choice, whole
from labyrinth_sim.rulesets import Preset, RuleSet

TWO_PACKS = Pack(packs=2)
_TALL: dict[str, Callable[[list[int]], int]] = {"sum": sum, "max": max, "min": min}
_MOVE = re.compile(r"\s*[Tt]\s+(\d{1,3})\s+(\d{1,3})\s*", re.ASCII)


@dataclass(frozen=True)
class PairsRules(RuleSet):
    """Pairs: 104 cards in piles, face up; take away the top cards of two piles that match."""

    piles: int = whole(9, "piles, dealt in turn", low=2, high=TWO_PACKS.size)
    match: str = choice(
        "rank",
        "which two cards match",
        rank="those of one rank",
        color="those of one rank and colour",
    )
    presets: ClassVar[dict[str, Preset]] = {
        "few": Preset({}, "this package", "nothing"),
        "many": Preset({"piles": 35, "match": "color"}, "this package", "nothing"),
    }

    def kind(self, card: int) -> int:
        """A number that cards have in common when they match."""
        return card % 13 + (13 if self.match == "color" and is_red(card) else 0)


@dataclass(frozen=True)
class PairsPosition(Pictured):
    """Piles of cards, each from its bottom to its top; nothing is hidden."""

    rules: PairsRules
    piles: tuple[tuple[int, ...], ...]

    @property
    def view(self) -> PairsPosition:
        return self

    @property
    def cards_left(self) -> int:
        return sum(map(len, self.piles))

    @property
    def status(self) -> str:
        return "open" if self.legal() else "lost" if self.cards_left else "won"

    def heights(self, move: Move) -> list[int]:
        """How many cards lie in the piles that a move takes from."""
        return [len(self.piles[pile]) for pile in piles_of(move)]

    def legal(self) -> list[Move]:
        alike: dict[int, list[int]] = {}
        for number, pile in enumerate(self.piles, start=1):
            if pile:
                alike.setdefault(self.rules.kind(pile[-1]), []).append(number)
        pairs = (pair for numbers in alike.values() for pair in combinations(numbers, 2))
        return sorted(f"T {first} {second}" for first, second in pairs)

    def after(self, move: Move) -> PairsPosition:
        if move not in self.legal():
            raise IllegalMove(f"{move} is illegal: no two cards that match lie on those piles")
        taken = piles_of(move)
        piles = tuple(
            pile[:-1] if number in taken else pile for number, pile in enumerate(self.piles)
        )
        return replace(self, piles=piles)

    def key(self) -> bytes:
        return b"".join(bytes([len(pile), *pile]) for pile in self.piles)

    def facts(self) -> dict[str, int]:
        return {"cards_left": self.cards_left}

    def outcome(self, moves: Sequence[Move]) -> Outcome:
        return {"won": int(not self.cards_left), "cards_left": self.cards_left}

    def picture(self) -> Picture:
        tops = {pile for move in self.legal() for pile in piles_of(move)}
        available = frozenset((pile, len(self.piles[pile]) - 1) for pile in tops)
        title = f"Pairs, {self.rules.spec}, {self.cards_left} cards left"
        return Picture(title, rows=self.piles, available=available)


@dataclass(frozen=True)
class First(Named):
    name: ClassVar[str] = "first"
    text: ClassVar[str] = "takes the first pair"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()

    def choose(self, view: PairsPosition, moves: Sequence[Move], rng: Random) -> Move:
        return moves[0]


@dataclass(frozen=True)
class Tall(First):
    by: str = choice(
        "sum", "what makes a pair tall", sum="both piles", max="the taller one", min="the lower one"
    )
    name: ClassVar[str] = "tall"
    text: ClassVar[str] = "takes from the tallest piles"

    def choose(self, view: PairsPosition, moves: Sequence[Move], rng: Random) -> Move:
        return max(moves, key=lambda move: _TALL[self.by](view.heights(move)))


def piles_of(move: Move) -> tuple[int, int]:
    """The piles, from 0, that a move takes from."""
    _, first, second = move.split()
    return int(first) - 1, int(second) - 1


def _start(deck: Deck, rules: PairsRules) -> PairsPosition:
    piles = tuple(tuple(deck[pile :: rules.piles].tolist()) for pile in range(rules.piles))
    return PairsPosition(rules, piles)


def _players() -> Mapping[str, PlayerKind]:
    return {"first": First, "tall": Tall}


def _read_move(text: str) -> Move:
    if found := _MOVE.fullmatch(text):
        first, second = sorted(map(int, found.groups()))
        return f"T {first} {second}"
    raise InvalidInput(f"{text!r} is no move; write T PILE PILE, e.g. T 3 7")


PAIRS = Game(
    name="pairs",
    title="Pairs",
    version=1,
    rules=PairsRules,
    columns=(
        Column("won", "bool", "all cards are taken"),
        Column("cards_left", "uint8", "cards in the piles at the end"),
    ),
    reference=Reference(_start, _read_move, pack=TWO_PACKS),
    catalog=Catalog(_players),
)
"""A game of 104 cards with nothing hidden, found as ``labyrinth_sim.testing:PAIRS``."""
