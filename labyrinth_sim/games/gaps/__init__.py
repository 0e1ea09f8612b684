"""Gaps, also known as Montana (RULES §4)."""

from __future__ import annotations

from labyrinth_sim.games.gaps.reference import start
from labyrinth_sim.games.gaps.rules import GapsRules
from labyrinth_sim.games.gaps.solver import GAME_VERSION, NAME
from labyrinth_sim.games.gaps.solver_probe import GapsSolver, exhaust
from labyrinth_sim.games.sliding import COLUMNS, LIMIT, read_move
from labyrinth_sim.games.sliding_players import PLAYERS
from labyrinth_sim.protocols import Game

GAME = Game(
    name=NAME,
    title="Gaps",
    version=GAME_VERSION,
    rules=GapsRules,
    columns=COLUMNS,
    start=start,
    players=PLAYERS.copy,
    read_move=read_move,
    limit=LIMIT,
    solver=GapsSolver(),
    exhaust=exhaust,
)
