"""Maze (RULES §3)."""

from __future__ import annotations

from labyrinth_sim.games.maze.reference import start
from labyrinth_sim.games.maze.rules import MazeRules
from labyrinth_sim.games.maze.solver import MazeSolver
from labyrinth_sim.games.sliding import COLUMNS, LIMIT, read_move
from labyrinth_sim.games.sliding_players import PLAYERS
from labyrinth_sim.protocols import Game

GAME = Game(
    name="maze",
    title="Maze",
    version=1,
    rules=MazeRules,
    columns=COLUMNS,
    start=start,
    players=PLAYERS.copy,
    read_move=read_move,
    limit=LIMIT,
    solver=MazeSolver(),
)
