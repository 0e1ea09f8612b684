"""The solver of Gaps beside a naive search on the same deals: positions, and processor time.

    python benchmarks/gaps_speed.py

The naive one is the exhaustive search that judges the solver: every legal move, depth first, and
every position remembered. How many positions a deal has is found out first, so that it is timed
with memory that fits. The two take turns, and the ratio is taken pair by pair. Their verdicts must
be the same: exit status 1 if they are not. Deals of more positions than memory holds are left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tables import print_machine, print_table, spread

from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import ListedDeals, SeededDeals
from labyrinth_sim.games import find_game
from labyrinth_sim.games.search import exhaust
from labyrinth_sim.questions.winnability import winnability


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work gives, and its processor time in seconds."""
    before = time.process_time()
    return work(), time.process_time() - before


def main() -> int:
    """Search, print the table, and say where the verdicts differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=200, help="of `basic`")
    parser.add_argument("--rounds", type=int, default=3, help="pairs of runs (default: 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1024, help="megabytes for a naive search")
    options = parser.parse_args()
    game, source = find_game("gaps"), SeededDeals(options.seed)
    print_machine()
    decks, starts, naive = [], [], []
    for index in range(options.deals):
        start = game.start(source.deck(index), game.rules())
        found = exhaust(game, start, Limits(memory=options.memory))
        if found.verdict != "unknown":
            decks.append(source.deck(index))
            starts.append(start)
            naive.append(found)
    listed = ListedDeals(np.stack(decks))

    def solve() -> Any:
        return winnability(game="gaps", decks=listed, n_jobs=1, keep="outcomes", progress=False)

    def search() -> None:
        for start, found in zip(starts, naive, strict=True):
            exhaust(game, start, Limits(nodes=found.nodes, memory=options.memory))

    ours = solve()
    pairs = [(timed(solve)[1], timed(search)[1]) for _ in range(options.rounds)]
    nodes = sum(found.nodes for found in naive)
    rows = [
        [
            f"{len(decks)} of {options.deals}",
            f"{ours.nodes / len(decks):,.0f}",
            f"{nodes / len(decks):,.0f}",
            *(spread([1000 * pair[side] / len(decks) for pair in pairs]) for side in (0, 1)),
            spread([pair[1] / pair[0] for pair in pairs]),
        ]
    ]
    header = ["deals", "nodes a deal", "naive", "CPU ms a deal", "naive", "ratio by CPU time"]
    print_table(header, rows)
    winnable = [found.verdict == "winnable" for found in naive]
    wrong = np.flatnonzero(ours.outcomes["winnable"] != winnable)
    for place in wrong:
        print(f"the verdicts differ on {source.label(int(place))}", file=sys.stderr)
    return 1 if len(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
