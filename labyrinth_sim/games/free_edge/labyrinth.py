"""Labyrinth (RULES §2)."""

from __future__ import annotations

from collections.abc import Mapping

from labyrinth_sim.core.game import Catalog, Game, Published, Reference
from labyrinth_sim.core.player import Player, PlayerKind
from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.games.free_edge.heuristic import Heuristic
from labyrinth_sim.games.free_edge.lookahead import Lookahead
from labyrinth_sim.games.free_edge.modifiers import with_endgame
from labyrinth_sim.games.free_edge.players import FIXED, LabyrinthPlayer, RandomWithEndgame
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer, PointerProbe
from labyrinth_sim.games.free_edge.probe import (
    COLUMNS,
    NAME,
    VERSION,
    CompiledProbe,
)
from labyrinth_sim.games.free_edge.reference import read_move, start
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.games.free_edge.thoughtful import Thoughtful, ThoughtfulProbe


def _players() -> Mapping[str, PlayerKind]:
    kinds: tuple[type[LabyrinthPlayer] | type[Thoughtful], ...] = (
        *FIXED,
        Heuristic,
        Lookahead,
        Thoughtful,
        RandomWithEndgame,
    )
    return {kind.name: kind for kind in kinds}


class LabyrinthEngine:
    """The compiled engine of Labyrinth, see `Engine`."""

    def probe(self, rules: LabyrinthRules, player: Player, deals: Deals) -> Probe | None:
        if isinstance(player, Thoughtful):
            return ThoughtfulProbe(rules, player, deals)
        if isinstance(player, CompiledPlayer):
            return PointerProbe(rules, player, deals)
        if not isinstance(player, LabyrinthPlayer):  # by its type: anyone may use a name again
            return None
        return CompiledProbe(rules, player, deals)


GAME = Game(
    name=NAME,
    title="Labyrinth",
    version=VERSION,
    rules=LabyrinthRules,
    columns=COLUMNS,
    reference=Reference(start, read_move),
    engine=LabyrinthEngine(),
    solver=LabyrinthSolver(),
    catalog=Catalog(
        _players,
        modifiers={"endgame": with_endgame},
        fixed=tuple(kind.name for kind in FIXED),
        strong=("lookahead:endgame=exact",),
        family="heuristic",
        baselines=("patient", "greedy"),
        published=(
            Published("ultimate", "1/30", "Ultimate Book of Card Games"),
            Published("wikipedia", "1/2", "Wikipedia, the box of the page"),
        ),
    ),
)
