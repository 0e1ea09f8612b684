"""The yardstick: a plain C++ program of the same work, built here and run on the same deals.

Shared by the benchmarks that need it. Its source is no part of this package; say where it lies
by ``--yardstick PATH`` or by the environment variable ``LABYRINTH_YARDSTICK``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from labyrinth_sim.games.free_edge.rules import LabyrinthRules

VARIABLE = "LABYRINTH_YARDSTICK"
PLAYERS = ("greedy", "patient", "never", "hasty")


@dataclass(frozen=True)
class Played:
    """What the yardstick made of a range of deals.

    `seconds` is the time that it measured itself, `cpu` the processor time of its process.
    """

    deals: int
    wins: int
    cards_left: int
    seconds: float
    cpu: float


class Yardstick:
    """A built yardstick program."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def play(
        self, rules: LabyrinthRules, player: str, deals: int, *, seed: int = 1, first: int = 0
    ) -> Played:
        """Play a range of deals in one process."""
        return self.play_side_by_side(rules, player, deals, 1, seed=seed, first=first)[0]

    def solve(self, rules: LabyrinthRules, deals: int, *, seed: int = 1, first: int = 0) -> Played:
        """Solve a range of deals in one process; its wins are the winnable deals."""
        return _result(self._started("solve", rules, "-", seed, first, deals))

    def _started(
        self, verb: str, rules: LabyrinthRules, player: str, seed: int, first: int, deals: int
    ) -> subprocess.Popen[str]:
        if (rules.columns, rules.suits, rules.ranks) != (8, 4, 13):
            raise ValueError(f"the yardstick plays full packs on eight columns, not {rules.spec}")
        words = [verb, rules.refill, rules.availability, rules.deal, rules.resort]
        words += [str(rules.resorts), player, str(seed), str(first), str(deals)]
        return subprocess.Popen([str(self.program), *words], stdout=subprocess.PIPE, text=True)

    def play_side_by_side(
        self,
        rules: LabyrinthRules,
        player: str,
        deals: int,
        processes: int,
        *,
        seed: int = 1,
        first: int = 0,
    ) -> list[Played]:
        """Play a range of deals, cut into equal parts, by processes that run at the same time."""
        borders = [first + deals * part // processes for part in range(processes + 1)]
        running = [
            self._started("play", rules, player, seed, start, end - start)
            for start, end in pairwise(borders)
        ]
        return [_result(process) for process in running]


def _result(process: subprocess.Popen[str]) -> Played:
    assert process.stdout is not None
    with process.stdout as stream:
        text = stream.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the yardstick failed with exit status {process.returncode}")
    line = json.loads(text)
    cpu = usage.ru_utime + usage.ru_stime
    return Played(line["n"], line["wins"], line["left"], line["seconds"], cpu)


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where the source of the yardstick lies."""
    parser.add_argument(
        "--yardstick",
        metavar="PATH",
        default=os.environ.get(VARIABLE),
        help=f"C++ source of the yardstick (default: ${VARIABLE})",
    )


@contextmanager
def built(parser: argparse.ArgumentParser, source: str | None) -> Iterator[Yardstick]:
    """Compile the yardstick into a temporary folder; end the program if there is no source."""
    if not source:
        parser.error(
            "where is the C++ source of the yardstick? "
            f"Give --yardstick PATH, or set the environment variable {VARIABLE}"
        )
    if not Path(source).is_file():
        parser.error(f"there is no file {source}; give the yardstick's C++ source by --yardstick")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "yardstick")
        command = ["g++", "-O3", "-march=native", "-o", str(program), source]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            parser.exit(1, f"the yardstick could not be compiled: {problem}\n")
        yield Yardstick(program)
