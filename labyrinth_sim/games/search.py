"""A plain search that decides the deals of any game: for games without a solver of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game, Position, Remembering
from labyrinth_sim.core.identity import SOLVE, Identity, Subject
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Column, Deals, Deck
from labyrinth_sim.core.solver import (
    VERDICT_COLUMNS,
    Appraises,
    Bounds,
    Exhaustive,
    Limits,
    Solution,
    Solver,
)
from labyrinth_sim.games.solving import Clock
from labyrinth_sim.rulesets import RuleSet

_BYTES, _MORE = 200, 3_000
"""About what a position takes that is remembered, and how much more one on the line that is being
tried, with its moves."""


def solver_of(game: Game) -> Solver:
    """The game's own solver, else the plain search."""
    return game.solver or PlainSolver(game)


def exhaust(game: Game, position: Position, limits: Limits) -> Solution:
    """Decide a position with nothing pruned: by the game's own exhaustive search, else plainly."""
    if isinstance(game.solver, Exhaustive):
        return game.solver.exhaust(position, limits)
    return PlainSolver(game).solve(position, limits)


def appraise(
    game: Game,
    deck: Deck,
    rules: RuleSet,
    limits: Limits | None = None,
    *,
    most: int | None = None,
) -> Mapping[str, Bounds]:
    """What the game's solver can tell of a deal beyond its verdict; empty for most games.

    Parameters
    ----------
    game : Game
    deck : ndarray of uint8, shape (cards,)
    rules : RuleSet
    limits : Limits, optional
        For each search.
    most : int, optional
        How far to look, see `Appraises`.
    """
    solver = solver_of(game)
    if not isinstance(solver, Appraises):
        return {}
    return solver.appraise(deck, rules, limits or Limits(), most=most)


@dataclass(frozen=True)
class PlainSolver:
    """Tries every legal move, depth first, and remembers every position by its key.

    Keys are exact, so the order of hidden cards must follow from the deal and the key.

    Examples
    --------
    >>> from labyrinth_sim.testing import TOY
    >>> from labyrinth_sim.cards import read_deck
    >>> from labyrinth_sim.deals import deal
    >>> PlainSolver(TOY).solve(TOY.start(deal("1/1/5").deck, TOY.rules())).verdict
    'unwinnable'
    """

    game: Game

    def solve(
        self, position: Position, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        return self._solve(position, limits or Limits(), Clock(seconds).start())

    def _solve(self, position: Position, limits: Limits, clock: Clock) -> Solution:
        most, room = limits.nodes or 2**63, limits.memory << 20
        position = position.bare() if isinstance(position, Remembering) else position
        visited: set[bytes] = set()
        line: list[Move] = []
        path = [(position, iter(position.legal()))]
        won, cut, late = position.status == "won", False, False
        while path and not (won or cut or late):
            before, untried = path[-1]
            move = next(untried, None)
            if move is None:
                path.pop()
                if line:
                    line.pop()
                continue
            after = before.after(move)
            if after.key() in visited:
                continue
            visited.add(after.key())
            line.append(move)
            won = after.status == "won"
            path.append((after, iter(after.legal())))
            cut = len(visited) >= most or _BYTES * len(visited) + _MORE * len(path) >= room
            late = clock.over
        verdict = "winnable" if won else "unknown" if cut or late else "unwinnable"
        found = line if won else None
        return Solution(verdict, found, len(visited), clock.taken, won or not late)

    def probe(self, rules: RuleSet, deals: Deals, limits: Limits) -> PlainProbe:
        return PlainProbe(self.game, rules, deals, limits)


@dataclass(frozen=True)
class PlainProbe:
    """Solves every deal of a block by `PlainSolver`."""

    game: Game
    rules: RuleSet
    deals: Deals
    limits: Limits
    block_bits: int = 4
    threads: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        return VERDICT_COLUMNS

    @property
    def identity(self) -> Identity:
        subject = Subject(f"plain {self.limits.spec}")
        game = self.game
        return Identity.of(SOLVE, game.name, game.version, self.rules, subject, self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        count = len(out["nodes"])
        for number in range(count):
            if stop[0]:
                return number
            deck = self.deals.deck(first + number)
            found = PlainSolver(self.game).solve(self.game.start(deck, self.rules), self.limits)
            out["winnable"][number] = found.verdict == "winnable"
            out["unknown"][number] = found.verdict == "unknown"
            out["nodes"][number] = found.nodes
        return count
