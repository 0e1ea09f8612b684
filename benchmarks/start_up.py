"""What a user waits for besides the games: import, first compilation, start of the command.

    python benchmarks/start_up.py

Every time is that of a fresh process. Compiled kernels are kept in a temporary folder, so the
first use is really one. The aim is at most 2 s for a warm ``labyrinth-sim run`` besides the
games.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tables import print_machine, print_table, spread

PLAY = "from labyrinth_sim import simulate; simulate(deals=1, n_jobs=1)"
RUN = ["-m", "labyrinth_sim", "run", "--json", "--deals"]
HEAVY = ("numba", "pandas", "scipy", "matplotlib", "pyarrow", "joblib", "typer")
LOADED = f"import sys, labyrinth_sim; print([name for name in {HEAVY} if name in sys.modules])"


@dataclass(frozen=True)
class Started:
    """A process that ran to its end: its time, its processor time, what it printed."""

    seconds: float
    cpu: float
    output: str


def start(arguments: Sequence[str], environment: Mapping[str, str]) -> Started:
    """Run Python in a fresh process."""
    before, clock = _children_cpu(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - clock
    if done.returncode:
        sys.exit(f"python {' '.join(arguments)} failed:\n{done.stderr}")
    return Started(seconds, _children_cpu() - before, done.stdout)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Start the processes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1_000_000, help="of the command")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print_machine()
    rounds = range(options.rounds)
    rows = []

    def add(what: str, started: Sequence[Started]) -> None:
        cpu = spread([item.cpu for item in started])
        rows.append([what, spread([item.seconds for item in started]), cpu])

    with tempfile.TemporaryDirectory() as folder:
        warm = {**os.environ, "LABYRINTH_SIM_CACHE": folder}
        loaded = start(["-c", LOADED], warm).output.strip()  # writes byte code, too
        add("python, nothing imported", [start(["-c", "pass"], warm) for _ in rounds])
        add("import labyrinth_sim", [start(["-c", "import labyrinth_sim"], warm) for _ in rounds])
        add("first deal ever, compilation included", cold(PLAY, options.rounds))
        start(["-c", PLAY], warm)
        add("first deal of a later process", [start(["-c", PLAY], warm) for _ in rounds])
        add("`run` of 1 deal", [start([*RUN, "1"], warm) for _ in rounds])
        runs = [start([*RUN, str(options.deals)], warm) for _ in rounds]
        add(f"`run` of {options.deals:,} deals, all in all", runs)
        besides = [item.seconds - json.loads(item.output)["seconds"] for item in runs]
        rows.append(["the same less its games (aim: at most 2 s)", spread(besides), ""])
    print_table(["a whole process", "seconds", "CPU seconds"], rows)
    print(f"\nimport labyrinth_sim loads, of {', '.join(HEAVY)}: {loaded}")


def cold(code: str, rounds: int) -> list[Started]:
    """Run code in fresh processes, each with an empty folder for compiled kernels."""
    started = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "LABYRINTH_SIM_CACHE": folder}
            started.append(start(["-c", code], environment))
    return started


if __name__ == "__main__":
    main()
