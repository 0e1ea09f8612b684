"""The probe that plays sliding games in compiled batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import PLAY, Identity, Subject
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.deals import deal_source
from labyrinth_sim.games.sliding.players import Greedy, Lookahead, RandomWithLimit
from labyrinth_sim.games.sliding.position import COLUMNS
from labyrinth_sim.rulesets import RuleSet

_ROOM = 4_096
"""Positions of a game that there is room for at first, though the limit allow more."""


@dataclass(frozen=True)
class SlidingProbe:
    """Plays one of the players that ship on every deal of a block.

    Parameters
    ----------
    game : str
    version : int
    flags_of : callable
        Translates the rules for kernels.
    rules : RuleSet
    player : Greedy, Lookahead or RandomWithLimit
    deals : Deals
    """

    game: str
    version: int
    flags_of: Callable[[Any], Any]
    rules: RuleSet
    player: Greedy | Lookahead | RandomWithLimit
    deals: Deals
    columns: tuple[Column, ...] = COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        return Identity.of(
            PLAY, self.game, self.version, self.rules, Subject.of(self.player), self.deals
        )

    @property
    def depth(self) -> int:
        """Moves that the player looks ahead; 0 if it plays at random."""
        if isinstance(self.player, Lookahead):
            return self.player.depth
        return int(isinstance(self.player, Greedy))

    @property
    def block_bits(self) -> int:
        """So that a block takes a second or so; each move ahead is some ten times the work."""
        return max(1, 14 - 3 * max(1, self.depth))

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.sliding import loops
        from labyrinth_sim.games.sliding.moves import new_scratch
        from labyrinth_sim.rng import player_key

        key = player_key(self.deals.seed or 0, self.player.spec)
        source, flags, limit = deal_source(self.deals), self.flags_of(self.rules), self.player.limit
        count, done, room = len(out["won"]), 0, min(limit, _ROOM)
        while True:
            done += int(
                loops.play_block(
                    np.uint64(self.depth),
                    key,
                    np.uint64(limit),
                    flags,
                    source,
                    np.uint64(first + done),
                    new_scratch(int(flags.cells), room),
                    loops.Outcomes(**{name: values[done:] for name, values in out.items()}),
                    stop,
                )
            )
            if done == count or stop[0]:
                return done
            room *= 2  # a game visits more positions than there was room for


def sliding_probe(
    game: str,
    version: int,
    flags_of: Callable[[Any], Any],
    rules: RuleSet,
    player: Player,
    deals: Deals,
) -> SlidingProbe | None:
    """The compiled probe of a player that ships; None for others, which are played in Python."""
    if type(player) in (Greedy, Lookahead, RandomWithLimit):  # a subclass may choose otherwise
        return SlidingProbe(game, version, flags_of, rules, player, deals)  # type: ignore[arg-type]
    return None
