"""The thoughtful player: it sees all cards, and wins every deal that can be won.

In a batch a deal is solved once, a move at a time at every move. Both play the same line. The
search is depth first and always takes up the branches of a position in the same order. Where it
found a win, whatever it had looked into before led nowhere; so a search from any position of the
line, which has not looked into it yet, meets nothing new there, and goes on along the same line. It
looks into no position that the first search did not, so a limit that sufficed there suffices again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import PLAY, Identity, Subject
from labyrinth_sim.core.player import Move, Random, Traits
from labyrinth_sim.core.playthrough import Playthrough
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import deal_source
from labyrinth_sim.games.free_edge.players import Patient
from labyrinth_sim.games.free_edge.probe import COLUMNS, NAME, VERSION, CompiledProbe
from labyrinth_sim.games.free_edge.reference import Position, start
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.free_edge.solver import VERSION as SOLVER_VERSION
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.games.solving import UNKNOWN, most_nodes
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.playing import play_out

_USUAL, _SOLVER = Patient(), LabyrinthSolver()


@dataclass(frozen=True)
class Thoughtful(Named):
    """Plays a line that wins where the solver finds one, else as `patient`.

    Examples
    --------
    >>> Thoughtful.read("memory=8,nodes=1000").limits
    Limits(nodes=1000, memory=8)
    """

    memory: int = whole(64, "MiB for the positions that a search remembers", low=1, high=2**20)
    nodes: int = whole(
        0, "positions after which a search is given up; 0 for no limit", low=0, high=2**40 - 1
    )
    name: ClassVar[str] = "thoughtful"
    text: ClassVar[str] = "sees the order of the stock and wins whatever can be won, else patient"
    version: ClassVar[int] = SOLVER_VERSION  # its line is the solver's
    traits: ClassVar[Traits] = Traits(foresight=-1)

    @property
    def limits(self) -> Limits:
        """What a search may use up."""
        return Limits(self.nodes or None, self.memory)

    def choose(self, view: Position, moves: Sequence[Move], rng: Random) -> Move:
        """Choose a move; `view` is the whole position."""
        line = _SOLVER.solve(view, self.limits).moves
        return line[0] if line else _USUAL.choose(view.view, moves, rng)


@dataclass(frozen=True)
class ThoughtfulProbe:
    """Plays the thoughtful player on every deal of a block."""

    rules: LabyrinthRules
    player: Thoughtful
    deals: Deals
    columns: tuple[Column, ...] = COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        return Identity.of(PLAY, NAME, VERSION, self.rules, Subject.of(self.player), self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.free_edge.kernels import flags_of
        from labyrinth_sim.games.free_edge.loops import Outcomes
        from labyrinth_sim.games.free_edge.thoughtful_kernels import win_block

        usual = CompiledProbe(self.rules, _USUAL, self.deals).run(first, out, stop)
        verdicts = np.zeros(usual, np.uint8)
        done = win_block(
            most_nodes(self.player.limits),
            flags_of(self.rules),
            deal_source(self.deals),
            np.uint64(first),
            _SOLVER.search(self.rules, self.player.limits),
            verdicts,
            Outcomes(**out),
            stop,
        )
        for number in np.flatnonzero(verdicts[:done] == UNKNOWN).tolist():
            if stop[0]:
                return int(number)
            for name, value in self._played(first + number).outcome.items():
                out[name][number] = value
        return int(done)

    def _played(self, index: int) -> Playthrough:
        """Play a move at a time a deal that is unknown at first: later it may be decided."""
        position, label = start(self.deals.deck(index), self.rules), self.deals.label(index)
        return Playthrough.of(position, play_out(position, self.player, np.uint64(0), deal=label))
