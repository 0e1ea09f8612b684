"""Deals a second of one worker, beside the yardstick on the same deals.

    python benchmarks/play_speed.py --yardstick PATH
    python benchmarks/play_speed.py --yardstick PATH --count-only --deals 10000000

The two take turns within one run, and the ratio is taken pair by pair. Wins and cards left in
all must be the same to the last one: exit status 1 if they are not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from tables import print_machine, print_table, spread
from yardstick import PLAYERS, Played, Yardstick, add_option, built

from labyrinth_sim import simulate
from labyrinth_sim.games.free_edge.rules import LabyrinthRules


@dataclass(frozen=True)
class Pairing:
    """What both play, and what came of it, a pair a round."""

    rules: LabyrinthRules
    player: str
    pairs: list[tuple[Played, Played]]

    @property
    def differences(self) -> list[str]:
        """Where the two programs disagree."""
        return [
            f"{self.rules.spec} {self.player}, {what}: ours {a:,}, the yardstick's {b:,}"
            for ours, theirs in self.pairs
            for what, a, b in (
                ("deals", ours.deals, theirs.deals),
                ("wins", ours.wins, theirs.wins),
                ("cards left", ours.cards_left, theirs.cards_left),
            )
            if a != b
        ]

    def row(self) -> list[str]:
        """What the table of speeds says of this pairing."""
        rates = [[deals_a_second(side) for side in pair] for pair in self.pairs]
        return [
            self.rules.spec,
            self.player,
            *(f"{median(side):,.0f}" for side in zip(*rates, strict=True)),
            spread([theirs.seconds / ours.seconds for ours, theirs in self.pairs]),
            spread([theirs.cpu / ours.cpu for ours, theirs in self.pairs]),
            *self.counts(),
        ]

    def counts(self) -> list[str]:
        """Our counts, and whether the yardstick's are the same."""
        ours = self.pairs[0][0]
        return [f"{ours.wins:,}", f"{ours.cards_left:,}", "no" if self.differences else "yes"]


def deals_a_second(played: Played) -> float:
    return played.deals / played.seconds


def play_ours(
    rules: LabyrinthRules, player: str, deals: int, *, seed: int = 1, n_jobs: int = 1
) -> Played:
    """Play a range of deals by this package; `cpu` is the processor time of all its threads."""
    before = time.process_time()
    result = simulate(rules, player, deals=deals, seed=seed, n_jobs=n_jobs, progress=False)
    cpu = time.process_time() - before
    counts = result.tally.counts["cards_left"]
    left = sum(cards * int(count) for cards, count in enumerate(counts))
    return Played(result.deals, result.wins, left, result.seconds, cpu)


def main() -> int:
    """Play, print the table, and say where the counts differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_option(parser)
    parser.add_argument("--deals", type=int, default=2_000_000, help="a preset and player")
    parser.add_argument("--rounds", type=int, default=7, help="pairs of runs (default: 7)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--players",
        choices=[*PLAYERS, "all"],
        default="greedy",
        help="all: the four fixed ones",
    )
    parser.add_argument(
        "--count-only",
        action="store_true",
        help="only compare counts, once, with all cores for ours; use with many --deals",
    )
    options = parser.parse_args()
    with built(parser, options.yardstick) as yardstick:
        print_machine()
        play_ours(LabyrinthRules(), "greedy", 1)  # compiles
        played = list(pairings(yardstick, options))
    header = ["rules", "player"]
    counts = ["wins", "cards left", "yardstick the same"]
    if options.count_only:
        rows = [[item.rules.spec, item.player, *item.counts()] for item in played]
        print_table([*header, *counts], rows)
    else:
        speeds = ["ours, deals/s", "yardstick, deals/s", "ratio", "ratio by CPU time"]
        print_table([*header, *speeds, *counts], [item.row() for item in played])
    wrong = list(dict.fromkeys(line for item in played for line in item.differences))
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def pairings(yardstick: Yardstick, options: argparse.Namespace) -> Iterator[Pairing]:
    """Let the two programs take turns at each preset and player."""
    rounds, n_jobs = (1, -1) if options.count_only else (options.rounds, 1)
    for preset in LabyrinthRules.presets:
        for player in PLAYERS if options.players == "all" else [options.players]:
            print(f"{preset} {player} …", file=sys.stderr)
            rules = LabyrinthRules.preset(preset)
            ours = {"seed": options.seed, "n_jobs": n_jobs}
            pairs = [
                (
                    play_ours(rules, player, options.deals, **ours),
                    yardstick.play(rules, player, options.deals, seed=options.seed),
                )
                for _ in range(rounds)
            ]
            yield Pairing(rules, player, pairs)


if __name__ == "__main__":
    sys.exit(main())
