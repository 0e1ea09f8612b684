"""Labyrinth (RULES §2)."""

from __future__ import annotations

from collections.abc import Mapping

from labyrinth_sim.games.labyrinth.heuristic import Heuristic
from labyrinth_sim.games.labyrinth.lookahead import Lookahead
from labyrinth_sim.games.labyrinth.modifiers import with_endgame
from labyrinth_sim.games.labyrinth.players import FIXED, LabyrinthPlayer, RandomWithEndgame
from labyrinth_sim.games.labyrinth.pointer import CompiledPlayer, PointerProbe
from labyrinth_sim.games.labyrinth.probe import (
    COLUMNS,
    NAME,
    VERSION,
    CompiledProbe,
)
from labyrinth_sim.games.labyrinth.reference import read_move, start
from labyrinth_sim.games.labyrinth.rules import LabyrinthRules
from labyrinth_sim.games.labyrinth.solver_probe import LabyrinthSolver, exhaust
from labyrinth_sim.games.labyrinth.thoughtful import Thoughtful, ThoughtfulProbe
from labyrinth_sim.protocols import Deals, Game, Player, PlayerKind, Probe


def _players() -> Mapping[str, PlayerKind]:
    kinds: tuple[type[LabyrinthPlayer] | type[Thoughtful], ...] = (
        *FIXED,
        Heuristic,
        Lookahead,
        Thoughtful,
        RandomWithEndgame,
    )
    return {kind.name: kind for kind in kinds}


def _compiled(rules: LabyrinthRules, player: Player, deals: Deals) -> Probe | None:
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
    start=start,
    players=_players,
    read_move=read_move,
    compiled=_compiled,
    solver=LabyrinthSolver(),
    exhaust=exhaust,
    modifiers={"endgame": with_endgame},
    fixed=tuple(kind.name for kind in FIXED),
    strong=("lookahead:endgame=exact",),
)
