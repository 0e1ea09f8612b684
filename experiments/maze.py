"""Maze: which deals can be won under every reading, what simple players win, and two claims.

Writes ``results/maze.md``. No figures from a solver of Maze were found anywhere to compare with.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import mean, median
from typing import Any

from joblib import Parallel, delayed

from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.games.sliding.maze.solver import MazeSolver
from labyrinth_sim.questions.claim import claim
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.winnability import Winnability, winnability

SEED, FEW = 1, 25
PLAYERS = ("random", "greedy", "lookahead", "lookahead:depth=3")


def readings() -> list[str]:
    """Every preset with either rank removed."""
    presets = find_game("maze").rules.presets
    return [preset + removed for removed, preset in product(("", ",removed=aces"), presets)]


def row(found: Winnability) -> str:
    """A line of the first table."""
    return (
        f"| `{found.rules.spec}` | {found.deals:,} | {found.winnable:,} | {found.unwinnable:,} | "
        f"{found.unknown:,} | {found.rate()} | {found.nodes / found.deals:,.0f} | "
        f"{found.deals / found.seconds:,.2f} |"
    )


def lines_of(spec: str, indices: Sequence[int], *, short: bool) -> list[int]:
    """How long the lines are that win some deals; the reference engine plays each of them."""
    game, source, found = find_game("maze"), SeededDeals(SEED), []
    for index in indices:
        position: Any = game.start(source.deck(index), find_rules(game, spec))
        solution = MazeSolver(short=short).solve(position)
        if solution.moves is not None:
            assert replay(position, solution.moves).result == "won"
            found.append(len(solution.moves))
    return found


def lengths(spec: str, deals: int, *, short: bool) -> list[int]:
    """`lines_of` the first deals, by all workers."""
    parts = (range(first, min(deals, first + FEW)) for first in range(0, deals, FEW))
    found = Parallel(n_jobs=-1)(delayed(lines_of)(spec, part, short=short) for part in parts)
    return [length for part in found for length in part]


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2000, help="of every reading, for the solver")
    parser.add_argument("--lines", type=int, default=50, help="lines of moves of each reading")
    parser.add_argument("--games", type=int, default=2000, help="games of each player")
    parser.add_argument("--folder", type=Path, default=Path("results"))
    chosen = parser.parse_args()

    lines = [
        "# Maze: how many deals can be won",
        "",
        f"Deals of seed {SEED}, the same for all readings. Made by `python experiments/maze.py`. "
        "Unknown ones were given up at the solver's widest beam; the interval takes them as lost "
        "at its lower end and as won at its upper.",
        "",
        "| rules | deals | winnable | unwinnable | unknown | share | nodes a deal | deals/s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    replayed = 0
    for spec in readings():
        found = winnability(spec, deals=chosen.deals, seed=SEED, game="maze")
        lines.append(row(found))
        played = len(lengths(spec, chosen.deals, short=False))
        assert played == found.winnable
        replayed += played
        print(found, f"\n{played:,} lines replayed\n", flush=True)
    lines += ["", f"The reference engine played a line of each win, {replayed:,} in all."]

    lines += ["", "## How long the lines are that the solver shows", ""]
    lines += ["| rules | lines | shortest | median | mean | longest |"]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    for spec in readings():
        moves = lengths(spec, chosen.lines, short=True)
        lines.append(
            f"| `{spec}` | {len(moves)} | {min(moves)} | {median(moves):.0f} | {mean(moves):.0f} "
            f"| {max(moves)} |"
        )
        print(lines[-1], flush=True)

    lines += ["", "## What simple players win", ""]
    lines += [f"{chosen.games:,} deals, at most 1,000 moves each.", ""]
    lines += ["| rules | player | win rate | cards out of sequence |", "| --- | --- | --- | --- |"]
    for spec, player in product(readings(), PLAYERS):
        games = simulate(spec, player, deals=chosen.games, seed=SEED, game="maze")
        left = games.cards_left_mean
        lines.append(f"| `{spec}` | `{player}` | {games.win_rate()} | {left:.2f} |")
        print(lines[-1], flush=True)

    lines += ["", "## Published odds", ""]
    for spec in ("wikipedia", "wikipedia,removed=aces"):
        held = claim(spec, deals=chosen.deals, seed=SEED, game="maze")
        print(held, "\n", flush=True)
        lines += ["```", str(held).split("\n\n")[0], "```", ""]

    chosen.folder.mkdir(parents=True, exist_ok=True)
    (chosen.folder / "maze.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(f"written: {chosen.folder / 'maze.md'}")


if __name__ == "__main__":
    main()
