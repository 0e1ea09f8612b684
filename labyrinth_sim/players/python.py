"""The probe of players, and of games, that are plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.identity import PLAY, Identity, Subject
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.playing import playthrough
from labyrinth_sim.plugins import refuse_outdated
from labyrinth_sim.rulesets import RuleSet


@dataclass(frozen=True)
class PythonProbe:
    """Plays any player on any game in the game's reference engine.

    Parameters
    ----------
    game : Game
    rules : RuleSet
    player : Player
    deals : Deals
    move_seconds : float, optional
        How long a choice may take; it is no part of the identity, as a choice that takes too long
        ends the run.
    """

    game: Game
    rules: RuleSet
    player: Player
    deals: Deals
    move_seconds: float | None = None
    threads: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.game.columns

    @property
    def identity(self) -> Identity:
        return Identity.of(
            PLAY,
            self.game.name,
            self.game.version,
            self.rules,
            Subject.of(self.player),
            self.deals,
        )

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        refuse_outdated(self.player)
        count = len(out["won"])
        for number in range(count):
            if stop[0]:
                return number
            outcome = playthrough(
                self.game,
                self.rules,
                self.player,
                self.deals,
                first + number,
                move_seconds=self.move_seconds,
            ).outcome
            for column in self.columns:
                out[column.name][number] = column.checked(outcome[column.name])
        return count
