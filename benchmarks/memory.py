"""Peak memory of a long run of which only the summary is kept.

    python benchmarks/memory.py

Each row is a fresh process. The aim is less than 500 MB for 100 million deals.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
from concurrent.futures import ProcessPoolExecutor

from tables import print_machine, print_table  # not labyrinth_sim: see `peak`

UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


def peak(deals: int) -> tuple[float, float]:
    """Play deals (0: only import) with all cores; return the peak memory in MB and the seconds.

    It imports the package itself: a new process inherits the peak of the one that starts it.
    """
    from labyrinth_sim import simulate

    seconds = 0.0
    if deals:
        seconds = simulate(deals=deals, keep="summary", progress=False).seconds
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 1e6, seconds


def main() -> None:
    """Play in fresh processes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=100_000_000)
    options = parser.parse_args()
    print_machine()
    rows = []
    spawn = multiprocessing.get_context("spawn")
    # One deal first: if the kernels must be compiled, that process is not the one to look at.
    for deals in (1, 0, 1, options.deals // 100, options.deals):
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            megabytes, seconds = pool.submit(peak, deals).result()
        rows.append([f"{deals:,}" if deals else "none, import only", f"{megabytes:.0f}"])
        rows[-1].append(f"{seconds:.1f}")
    print_table(["deals", "peak memory, MB", "seconds"], rows[1:])


if __name__ == "__main__":
    main()
