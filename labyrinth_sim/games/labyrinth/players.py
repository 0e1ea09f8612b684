"""The fixed players of RULES §2.4 as one would read them, over what a player may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.games.labyrinth.reference import View
from labyrinth_sim.protocols import Move, Random, Traits

Choice = Callable[[View, Sequence[Move]], Move | None]
"""One kind of move that a player may want: the move, or None where there is none."""


def first(cards: Sequence[int]) -> int | None:
    """The first of several cards: lowest rank, then suit in the order C D H S."""
    return min(cards, key=lambda card: (card % 13, card // 13), default=None)


def safe_play(view: View, moves: Sequence[Move]) -> Move | None:
    """The first play that lets no stock card in."""
    return _play("P", [card for card in view.playable() if not view.draws(card)])


def drawing_play(view: View, moves: Sequence[Move]) -> Move | None:
    """The first play that lets a stock card in."""
    return _play("P", [card for card in view.playable() if view.draws(card)])


def fill(view: View, moves: Sequence[Move]) -> Move | None:
    """The leftmost open top cell is filled."""
    columns = [int(move[2:]) for move in moves if move[0] == "F"]
    return f"F {min(columns)}" if columns else None


def row(view: View, moves: Sequence[Move]) -> Move | None:
    """A row is dealt."""
    return "D" if "D" in moves else None


def resort(view: View, moves: Sequence[Move]) -> Move | None:
    """A resort is used on the first card that fits its foundation."""
    if not any(move[0] == "R" for move in moves):
        return None
    return _play("R", [card for card in view.fitting() if view.place(card)])


def _play(verb: str, cards: Sequence[int]) -> Move | None:
    card = first(cards)
    return None if card is None else f"{verb} {CARD_NAMES[card]}"


@dataclass(frozen=True)
class FixedPlayer:
    """A player that takes the first kind of move in its list that is legal."""

    spec: str
    text: str
    wants: tuple[Choice, ...]
    version: int = 1
    traits: Traits = Traits()

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        wanted = (want(view, moves) for want in self.wants)
        return next(move for move in wanted if move is not None)


FIXED = (
    FixedPlayer(
        "greedy",
        "plays what draws nothing, else fills the leftmost gap, else plays, else deals a row",
        (safe_play, fill, drawing_play, row, resort),
    ),
    FixedPlayer(
        "patient",
        "plays all it can before it fills a gap, and deals a row last",
        (safe_play, drawing_play, fill, row, resort),
    ),
    FixedPlayer(
        "never",
        "plays all it can, never fills a gap, and deals a row last",
        (safe_play, drawing_play, row, resort),
    ),
    FixedPlayer(
        "hasty",
        "plays what draws nothing, then deals a row where the rules let it",
        (safe_play, row, drawing_play, fill, resort),
    ),
)
