"""Compile the kernels that tests use most, before worker processes would each do it for themselves.

Each line of work compiles other kernels, and two of them run side by side.
"""

from __future__ import annotations

from typing import Any

from joblib import Parallel, delayed

from labyrinth_sim import Limits, difficulty, explain, simulate, solve, winnability
from labyrinth_sim.games import find_game
from labyrinth_sim.players import players_of

FEW: dict[str, Any] = {"deals": 4, "n_jobs": 1, "progress": False}


def play(game: str, player: str) -> None:
    simulate(game=game, player=player, **FEW)


def decide(game: str) -> None:
    winnability(game=game, limits=Limits(nodes=2000), **FEW)
    solve("1/1/1", game=game, limits=Limits(nodes=2000))


def look_into() -> None:
    difficulty(repeats=1, **FEW)
    explain("1/1/1")


if __name__ == "__main__":
    games = ("labyrinth", "maze", "gaps")
    work = [delayed(decide)(game) for game in games]
    work += [
        delayed(play)(game, player) for game in games for player in players_of(find_game(game))
    ]
    work += [
        delayed(play)("labyrinth", f"{name}:endgame=exact") for name in ("greedy", "lookahead")
    ]
    Parallel(n_jobs=2)([*work, delayed(look_into)()])
