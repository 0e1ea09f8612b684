"""What was asked, in plain values, and the commands that ask it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Self

from labyrinth_sim.core.identity import Subject
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT
from labyrinth_sim.players import find_player
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.request import Request

PROGRAM = "labyrinth-sim"
STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Asked:
    """What was asked, as it is kept with an answer.

    Parameters
    ----------
    game : str
        Its name.
    place : str
        What it is called at the command line.
    rules : tuple of RuleSet
    players : tuple of str
        The spec of each run's player; empty where nobody plays.
    seed : int or None
        None for given decks.
    decks : str
        The file of the given decks, or ``-``; empty for a seed.
    limits : Limits
        What the search of a deal could use up.
    level : float
        Confidence level of intervals.
    unnamed : str
        Why no command can ask this again; empty where one can.
    """

    game: str
    place: str
    rules: tuple[RuleSet, ...]
    players: tuple[str, ...]
    seed: int | None
    decks: str
    limits: Limits
    level: float
    unnamed: str = ""

    @classmethod
    def of(cls, request: Request) -> Self:
        """What a request asks."""
        seed = request.source.seed
        return cls(
            game=request.game.name,
            place=request.place or request.game.name,
            rules=request.rules,
            players=tuple(run.player.spec for run in request.runs),
            seed=seed,
            decks="" if seed is not None else getattr(request.source, "origin", STANDARD_INPUT),
            limits=request.limits,
            level=request.level,
            unnamed=_unnamed(request),
        )

    @property
    def runs(self) -> tuple[tuple[RuleSet, str], ...]:
        """The rules and the player of each run."""
        rules = self.rules * len(self.players) if len(self.rules) == 1 else self.rules
        return tuple(zip(rules, self.players, strict=True))

    @property
    def source(self) -> list[str]:
        """The options that say where deals come from."""
        return ["--seed", str(self.seed)] if self.seed is not None else ["--decks", self.decks]

    @property
    def subject(self) -> list[str]:
        """The options that say game, rules and players."""
        words = [] if self.place == DEFAULT else ["--game", self.place]
        words += _each("--rules", [rules.spec for rules in self.rules])
        return words + _each("--player", self.players)

    @property
    def bounds(self) -> list[str]:
        """The options that say what a search may use up."""
        nodes = [] if self.limits.nodes is None else ["--nodes", str(self.limits.nodes)]
        return [*nodes, "--memory", str(self.limits.memory)]


def piped(deck: str, command: str) -> str:
    """A command that reads a deck from standard input, with the deck."""
    return f"echo {quote(deck)} | {command}"


def _each(option: str, values: Sequence[str]) -> list[str]:
    """The option with each value; once if they are all the same."""
    several = values[:1] if len(set(values)) == 1 else values
    return [word for value in several for word in (option, value)]


def _unnamed(request: Request) -> str:
    """Why no command can name a game or a player that was given as an object."""
    if not request.place:
        return f"the game {request.game.name} was given as an object, which no command can name"
    for player in dict.fromkeys(run.player for run in request.runs):
        try:
            same = Subject.of(find_player(request.game, player.spec)) == Subject.of(player)
        except InvalidInput:
            same = False
        if not same:
            return f"the player {player.spec} was given as an object, which no command can name"
    return ""
