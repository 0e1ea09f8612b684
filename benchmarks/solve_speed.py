"""Deals solved a second by one worker, beside the yardstick on the same deals.

    python benchmarks/solve_speed.py --yardstick PATH
    python benchmarks/solve_speed.py --yardstick PATH --count-only --deals 1000000

The two take turns within one run, and the ratio is taken pair by pair. The numbers of winnable
deals must be the same: exit status 1 if they are not.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import median

from tables import print_machine, print_table, spread
from yardstick import Played, add_option, built

from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.questions.winnability import winnability

SPECS = (*LabyrinthRules.presets, "wikipedia,resort=none")


def solve_ours(spec: str, deals: int, *, seed: int, n_jobs: int = 1) -> tuple[Played, int]:
    """Solve a range of deals by this package; also how many it left unknown."""
    before = time.process_time()
    found = winnability(spec, deals=deals, seed=seed, n_jobs=n_jobs, progress=False)
    cpu = time.process_time() - before
    return Played(found.deals, found.winnable, 0, found.seconds, cpu), found.unknown


def main() -> int:
    """Solve, print the table, and say where the counts differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_option(parser)
    parser.add_argument("--deals", type=int, default=20_000, help="a rule set")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs (default: 5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count-only", action="store_true", help="only compare counts, once")
    options = parser.parse_args()
    rounds, n_jobs = (1, -1) if options.count_only else (options.rounds, 1)
    rows, wrong = [], []
    with built(parser, options.yardstick) as yardstick:
        print_machine()
        for spec in SPECS:
            solve_ours(spec, 1, seed=options.seed)  # compiles
            pairs = []
            for _ in range(rounds):
                ours, unknown = solve_ours(spec, options.deals, seed=options.seed, n_jobs=n_jobs)
                theirs = yardstick.solve(
                    LabyrinthRules.read(spec), options.deals, seed=options.seed
                )
                pairs.append((ours, theirs))
            ours, theirs = pairs[0]
            if ours.wins != theirs.wins:
                wrong.append(f"{spec}: ours {ours.wins:,}, the yardstick's {theirs.wins:,}")
            speeds = [
                f"{median(one.deals / one.seconds for one in side):,.0f}"
                for side in zip(*pairs, strict=True)
            ]
            ratios = spread([b.cpu / a.cpu for a, b in pairs])
            rows.append([spec, *speeds, ratios, f"{ours.wins:,}", f"{unknown:,}"])
            print(f"{spec}: {ours.wins:,} winnable", file=sys.stderr)
    header = ["rules", "ours, deals/s", "yardstick, deals/s", "ratio by CPU time", "winnable"]
    print_table([*header, "unknown"], rows)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
