"""The fixed players of RULES §2.4 as one would read them, over what a player may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.chance import SALT, RandomPlayer
from labyrinth_sim.core.player import Move, Random, Traits
from labyrinth_sim.games.free_edge.endgame import winning_resort
from labyrinth_sim.games.free_edge.reference import View
from labyrinth_sim.parameters import Named, choice, whole

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
class LabyrinthPlayer(Named):
    """A player that the compiled loops know as well; all of them may end their games exactly."""

    endgame: str = choice(
        "none",
        "how the game is ended once the stock is out and nothing is hidden any more",
        none="as it is begun",
        exact="resorts are used so that the game is won, if it can be won at all",
    )
    text: ClassVar[str]
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()
    game: ClassVar[str] = "labyrinth"

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        if self.endgame == "exact" and moves[0][0] == "R" and (move := winning_resort(view)):
            return move
        return self.usual(view, moves, rng)

    def usual(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The choice of a player that does not end its games exactly."""
        raise NotImplementedError


class FixedPlayer(LabyrinthPlayer):
    """A player that takes the first kind of move in its list that is legal."""

    wants: ClassVar[tuple[Choice, ...]]

    def usual(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        wanted = (want(view, moves) for want in self.wants)
        return next(move for move in wanted if move is not None)


class Greedy(FixedPlayer):
    name = "greedy"
    text = "plays what draws nothing, else fills the leftmost gap, else plays, else deals a row"
    wants = (safe_play, fill, drawing_play, row, resort)


class Patient(FixedPlayer):
    name = "patient"
    text = "plays all it can before it fills a gap, and deals a row last"
    wants = (safe_play, drawing_play, fill, row, resort)


class Never(FixedPlayer):
    name = "never"
    text = "plays all it can, never fills a gap, and deals a row last"
    wants = (safe_play, drawing_play, row, resort)


class Hasty(FixedPlayer):
    name = "hasty"
    text = "plays what draws nothing, then deals a row where the rules let it"
    wants = (safe_play, row, drawing_play, fill, resort)


@dataclass(frozen=True)
class RandomWithEndgame(LabyrinthPlayer):
    """The random player; each `salt` plays the same deal in another way."""

    salt: int = whole(0, SALT, low=0)
    name: ClassVar[str] = "random"
    text: ClassVar[str] = RandomPlayer.text
    traits: ClassVar[Traits] = RandomPlayer.traits

    def usual(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        return moves[rng.below(len(moves))]


FIXED: tuple[type[FixedPlayer], ...] = (Greedy, Patient, Never, Hasty)
