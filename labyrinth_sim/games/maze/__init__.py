"""Maze (RULES §3)."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.games.maze.reference import start
from labyrinth_sim.games.maze.rules import NAME, VERSION, MazeRules
from labyrinth_sim.games.maze.solver_probe import MazeSolver
from labyrinth_sim.games.sliding import COLUMNS, LIMIT, read_move
from labyrinth_sim.games.sliding_players import FIXED, PLAYERS, STRONG, with_limit
from labyrinth_sim.games.sliding_probe import sliding_probe
from labyrinth_sim.protocols import Deals, Game, Player, Probe


def _flags_of(rules: MazeRules) -> Any:
    from labyrinth_sim.games.maze.kernels import flags_of

    return flags_of(rules)


def _compiled(rules: MazeRules, player: Player, deals: Deals) -> Probe | None:
    return sliding_probe(NAME, VERSION, _flags_of, rules, player, deals)


GAME = Game(
    name=NAME,
    title="Maze",
    version=VERSION,
    rules=MazeRules,
    columns=COLUMNS,
    start=start,
    players=PLAYERS.copy,
    read_move=read_move,
    compiled=_compiled,
    modifiers={"limit": with_limit},
    limit=LIMIT,
    fixed=FIXED,
    strong=STRONG,
    solver=MazeSolver(),
)
