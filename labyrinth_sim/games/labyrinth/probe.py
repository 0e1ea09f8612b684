"""The probe that plays Labyrinth in compiled batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.games.labyrinth.heuristic import AS_FAMILY
from labyrinth_sim.games.labyrinth.players import LabyrinthPlayer, RandomWithEndgame
from labyrinth_sim.games.labyrinth.rules import LabyrinthRules
from labyrinth_sim.protocols import Column, Deals, Identity

NAME = "labyrinth"
VERSION = 1
COLUMNS = (
    Column("won", "bool", "all cards of the pack are on the foundations"),
    Column("cards_left", "uint8", "cards not on the foundations at the end, the stock included"),
    Column("plays", "uint8", "moves P"),
    Column("fills", "uint8", "moves F: gaps filled by choice"),
    Column("rows_dealt", "uint8", "rows dealt, the first included"),
    Column("resorts_used", "uint8", "moves R"),
)


@dataclass(frozen=True)
class CompiledProbe:
    """Plays a fixed player, or the random one, on every deal of a block."""

    rules: LabyrinthRules
    player: LabyrinthPlayer
    deals: Deals
    columns: tuple[Column, ...] = COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        return Identity.of(NAME, VERSION, self.rules, self.player, self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.labyrinth import choices, kernels, loops
        from labyrinth_sim.rng import player_key
        from labyrinth_sim.shuffle import WORDS

        member = AS_FAMILY.get(self.player.name, self.player)
        randomly = self.player.name == RandomWithEndgame.name
        scratch = loops.Scratch(
            np.zeros(1, kernels.PUBLIC),
            np.zeros(kernels.SECRET, np.uint8),
            np.zeros(52, np.uint8),
            np.zeros(WORDS, np.uint32),
            np.zeros(kernels.MOST_MOVES, np.uint8),
        )
        done = loops.play_block(
            randomly,
            player_key(self.deals.seed or 0, self.player.spec),
            choices.knobs_of(AS_FAMILY["patient"] if randomly else member),
            kernels.flags_of(self.rules),
            np.uint64(self.deals.seed or 0),
            np.uint64(first),
            self.deals.decks,
            scratch,
            loops.Outcomes(**out),
            stop,
        )
        return int(done)
