"""The probe that plays Labyrinth in compiled batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import PLAY, Identity, Subject
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.deals import deal_source
from labyrinth_sim.games.free_edge.heuristic import AS_FAMILY, Heuristic
from labyrinth_sim.games.free_edge.lookahead import Lookahead
from labyrinth_sim.games.free_edge.players import LabyrinthPlayer, RandomWithEndgame
from labyrinth_sim.games.free_edge.rules import LabyrinthRules

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
        return Identity.of(PLAY, NAME, VERSION, self.rules, Subject.of(self.player), self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.free_edge import kernels, loops

        task = (
            kernels.flags_of(self.rules),
            deal_source(self.deals),
            np.uint64(first),
            loops.new_scratch(),
            loops.Outcomes(**out),
            stop,
        )
        if isinstance(self.player, Lookahead):
            return int(self._play_ahead(self.player, task))
        return int(self._play(task))

    def _play(self, task: tuple[Any, ...]) -> Any:
        from labyrinth_sim.games.free_edge import choices, loops
        from labyrinth_sim.rng import player_key

        randomly = self.player.name == RandomWithEndgame.name
        member = Heuristic() if randomly else AS_FAMILY.get(self.player.name, self.player)
        key = player_key(self.deals.seed or 0, self.player.spec)
        exact = self.player.endgame == "exact"
        play = loops.play_block_exactly if exact else loops.play_block
        return play(randomly, key, choices.knobs_of(member), *task)

    def _play_ahead(self, player: Lookahead, task: tuple[Any, ...]) -> Any:
        from labyrinth_sim.games.free_edge import kernels
        from labyrinth_sim.games.free_edge import lookahead_kernels as ahead

        return ahead.play_block_ahead(
            np.uint64(player.depth),
            np.array(player.weights, np.float64),
            np.zeros(ahead.LEVELS, kernels.PUBLIC),
            np.zeros(ahead.TODO, np.uint64),
            player.endgame == "exact",
            *task,
        )
