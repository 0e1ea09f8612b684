"""How much a second worker brings, beside what a second yardstick process brings.

    python benchmarks/two_workers.py --yardstick PATH

A round plays the same deals four times: ours with one worker, one yardstick, ours with two
workers, two yardsticks side by side with half of the deals each. A gain is the time of one
over the time of two; the ratio of the gains tells what is lost to threads and the GIL from what
is lost to the machine. The aim is at least 0.95. The gains are also taken from the least time of
each of the four in all rounds, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

from play_speed import play_ours
from tables import print_machine, print_table, spread
from yardstick import Yardstick, add_option, built

from labyrinth_sim.games.free_edge.rules import LabyrinthRules


@dataclass(frozen=True)
class Times:
    """Of one program, a value a round: seconds of one worker and of two, and CPU time likewise."""

    one: list[float] = field(default_factory=list)
    two: list[float] = field(default_factory=list)
    one_cpu: list[float] = field(default_factory=list)
    two_cpu: list[float] = field(default_factory=list)

    @property
    def gains(self) -> list[float]:
        return ratios(self.one, self.two)

    @property
    def costs(self) -> list[float]:
        """CPU time that two workers take for the work of one."""
        return ratios(self.two_cpu, self.one_cpu)

    @property
    def best_gain(self) -> float:
        """From the least times, whatever their rounds."""
        return min(self.one) / min(self.two)


def ratios(above: list[float], below: list[float]) -> list[float]:
    return [a / b for a, b in zip(above, below, strict=True)]


def play(
    yardstick: Yardstick, rules: LabyrinthRules, player: str, deals: int, rounds: int
) -> tuple[Times, Times]:
    """Let the two programs take turns, with one worker and with two."""
    ours, theirs = Times(), Times()
    for _ in range(rounds):
        played = play_ours(rules, player, deals, n_jobs=1)
        ours.one.append(played.seconds)
        ours.one_cpu.append(played.cpu)
        played = yardstick.play(rules, player, deals)
        theirs.one.append(played.seconds)
        theirs.one_cpu.append(played.cpu)
        played = play_ours(rules, player, deals, n_jobs=2)
        ours.two.append(played.seconds)
        ours.two_cpu.append(played.cpu)
        halves = yardstick.play_side_by_side(rules, player, deals, 2)
        theirs.two.append(max(half.seconds for half in halves))
        theirs.two_cpu.append(sum(half.cpu for half in halves))
    return ours, theirs


def main() -> None:
    """Play the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_option(parser)
    parser.add_argument("--deals", type=int, default=5_000_000, help="each time")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--rules", default="wikipedia")
    parser.add_argument("--player", default="greedy")
    options = parser.parse_args()
    rules = LabyrinthRules.read(options.rules)
    with built(parser, options.yardstick) as yardstick:
        print_machine()
        play_ours(rules, options.player, 1)  # compiles
        ours, theirs = play(yardstick, rules, options.player, options.deals, options.rounds)
    best = ours.best_gain, theirs.best_gain
    rows = [
        ["gain of two workers, ours", spread(ours.gains), f"{best[0]:.3f}"],
        ["gain of two yardsticks", spread(theirs.gains), f"{best[1]:.3f}"],
        [
            "ratio (aim: at least 0.95)",
            spread(ratios(ours.gains, theirs.gains)),
            f"{best[0] / best[1]:.3f}",
        ],
        ["CPU time of two workers over one, ours", spread(ours.costs), ""],
        ["CPU time of two yardsticks over one", spread(theirs.costs), ""],
    ]
    title = f"{rules.spec} {options.player}, {options.rounds} rounds"
    print_table([title, "median (least to greatest)", "by least times"], rows)


if __name__ == "__main__":
    main()
