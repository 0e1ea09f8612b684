"""Maze (RULES §3)."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.core.game import Catalog, Game, Published, Reference
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.games.sliding.maze.reference import start
from labyrinth_sim.games.sliding.maze.rules import NAME, VERSION, MazeRules
from labyrinth_sim.games.sliding.maze.solver import MazeSolver
from labyrinth_sim.games.sliding.players import FIXED, PLAYERS, STRONG, with_limit
from labyrinth_sim.games.sliding.position import COLUMNS, LIMIT, read_move
from labyrinth_sim.games.sliding.probe import sliding_probe


def _flags_of(rules: MazeRules) -> Any:
    from labyrinth_sim.games.sliding.maze.kernels import flags_of

    return flags_of(rules)


class MazeEngine:
    """The compiled engine of Maze, see `Engine`."""

    def probe(self, rules: MazeRules, player: Player, deals: Deals) -> Probe | None:
        return sliding_probe(NAME, VERSION, _flags_of, rules, player, deals)


GAME = Game(
    name=NAME,
    title="Maze",
    version=VERSION,
    rules=MazeRules,
    columns=COLUMNS,
    reference=Reference(start, read_move, LIMIT),
    engine=MazeEngine(),
    solver=MazeSolver(),
    catalog=Catalog(
        PLAYERS.copy,
        modifiers={"limit": with_limit},
        fixed=FIXED,
        strong=STRONG,
        baselines=("greedy",),
        published=(
            Published("wikipedia", "1/25", "SolSuite"),
            Published("wikipedia,removed=aces", "1/4", "Ultimate Book of Card Games"),
        ),
    ),
)
