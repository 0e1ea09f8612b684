"""Deals a second of players from elsewhere, beside the shipped player that plays the same.

    python benchmarks/plugin_speed.py

A compiled one takes turns with `greedy` within one run, on one worker, and the ratio of processor
times is taken pair by pair; outcomes must be the same to the last one: exit status 1 if they are
not. Then players in Python, by processor time, and what it takes to compile a new one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from tables import print_machine, print_table, spread

from labyrinth_sim import Result, simulate
from labyrinth_sim.games import find_game
from labyrinth_sim.games.free_edge.players import FixedPlayer, drawing_play, fill, resort, row
from labyrinth_sim.games.free_edge.players import safe_play as safe
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from greedily import greedily

Timed = tuple[Result, float]
"""A run, and the seconds of processor time that it took."""


def first(public: Any, moves: Any, n: Any, params: Any, scratch: Any, rng: Any) -> Any:
    """Take the first move, and so never choose a play before a row or a gap."""
    return 0


class First:
    """The least that a player in Python can do."""

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return str(moves[0])


class Greedily(FixedPlayer):
    """Greedy, in Python."""

    name = "greedily"
    text = "as greedy"
    wants = (safe, fill, drawing_play, row, resort)


def main() -> int:
    """Play, print the tables, and say where outcomes differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1_000_000, help="a preset, compiled")
    parser.add_argument("--python-deals", type=int, default=2_000, help="a player, in Python")
    parser.add_argument("--rounds", type=int, default=7, help="pairs of runs (default: 7)")
    options = parser.parse_args()
    print_machine()
    start = time.process_time()
    player = CompiledPlayer(greedily, safe_first=True)
    compiling = time.process_time() - start
    rows, wrong = [], []
    for preset in find_game().rules.presets:
        for each in (player, CompiledPlayer(first)):
            for played in (each, "greedy"):
                simulate(preset, played, deals=1, n_jobs=1)  # compiles
        pairs = [*pairs_of(preset, player, options)]
        wrong += [preset for one, other in pairs if not same(one[0], other[0])]
        alone = [timed(preset, CompiledPlayer(first), options.deals) for _ in range(3)]
        rows.append(
            [
                preset,
                f"{options.deals / median(cpu for (_, cpu), _ in pairs):,.0f}",
                f"{options.deals / median(cpu for _, (_, cpu) in pairs):,.0f}",
                spread([other[1] / one[1] for one, other in pairs]),
                f"{options.deals / median(cpu for _, cpu in alone):,.0f}",
            ]
        )
    print("Deals a second of processor time:\n")
    print_table(["rules", "by pointer", "greedy", "ratio", "first move, not safe_first"], rows)
    print(f"\na new compiled player: {compiling:.2f} s to compile")
    for python in (First(), Greedily()):
        rate = python_rate(python, options)
        print(f"{type(python).__name__}, in Python: {rate:,.0f} deals/s")
    print(*(f"outcomes differ: {preset}" for preset in wrong), sep="\n", file=sys.stderr)
    return 1 if wrong else 0


def pairs_of(
    preset: str, player: CompiledPlayer, options: argparse.Namespace
) -> Iterator[tuple[Timed, Timed]]:
    for _ in range(options.rounds):
        yield timed(preset, player, options.deals), timed(preset, "greedy", options.deals)


def timed(preset: str, player: Any, deals: int) -> Timed:
    """Play on one worker, and take the processor time."""
    start = time.process_time()
    result = simulate(preset, player, deals=deals, n_jobs=1, progress=False)
    return result, time.process_time() - start


def same(one: Result, other: Result) -> bool:
    """Whether two runs have the same distribution of every outcome."""
    return all(
        np.array_equal(one.tally.counts[name], other.tally.counts[name])
        for name in one.tally.counts
    )


def python_rate(player: Any, options: argparse.Namespace) -> float:
    timed("wikipedia", player, 100)
    return float(options.python_deals / timed("wikipedia", player, options.python_deals)[1])


if __name__ == "__main__":
    sys.exit(main())
