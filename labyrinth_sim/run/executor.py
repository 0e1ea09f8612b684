"""Running a probe over blocks: workers, progress, interruption."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky import BrokenProcessPool
from numpy.typing import NDArray

from labyrinth_sim.core.probe import Probe
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.parameters import whole_number
from labyrinth_sim.run.blocks import Block
from labyrinth_sim.run.tally import Tally
from labyrinth_sim.run.workers import renew_workers

Outcomes = dict[str, NDArray[Any]]

MOST_JOBS = 1024
"""Far more workers than that can't be started, and how that fails is not nice."""


@dataclass(frozen=True)
class Done:
    """A finished block: its tally, and its outcomes if they are to be kept."""

    block: Block
    tally: Tally
    outcomes: Outcomes | None


@dataclass(frozen=True)
class Failed:
    """A block that failed. Raised in a worker, the error would overtake blocks before it."""

    error: RunFailed


def execute(probe: Probe, blocks: Iterable[Block], *, n_jobs: int, keep: bool) -> Iterator[Done]:
    """Compile a probe, then run it over blocks in parallel and give the finished ones in order.

    Ctrl-C raises `KeyboardInterrupt` after the blocks that were given; the running ones are
    told to stop. So does `RunFailed`, raised after all blocks before the one that failed.

    Parameters
    ----------
    probe : Probe
    blocks : iterable of Block
    n_jobs : int
        Workers, -1 for as many as there are cores: threads if the probe releases the GIL, else
        processes.
    keep : bool
        Whether outcomes are wanted, or only their tallies.
    """
    jobs = whole_number(n_jobs)
    if jobs is None or (jobs != -1 and not 1 <= jobs <= MOST_JOBS):
        raise InvalidInput(
            f"n_jobs={n_jobs!r} is out of range; give -1 (all cores), or 1 to {MOST_JOBS}"
        )
    heard = np.zeros(1, np.uint8)
    with _stopped_by_interrupt(heard):
        _run(probe, Block(0, 0), heard)  # compiles here, once, before workers start
        if heard[0]:  # numba can't pass on an interrupt that it hears while it loads its cache
            raise KeyboardInterrupt
    return _finished(probe, blocks, jobs, keep)


def _finished(probe: Probe, blocks: Iterable[Block], n_jobs: int, keep: bool) -> Iterator[Done]:
    stop = np.zeros(1, np.uint8)
    if not probe.threads and n_jobs != 1:
        renew_workers(probe.identity)
    # joblib's own batching would join blocks to longer tasks, which makes progress coarse.
    parallel = Parallel(
        n_jobs=n_jobs,
        backend="threading" if probe.threads else "loky",
        batch_size=1,
        return_as="generator",
    )
    finished = parallel(delayed(_finish)(probe, block, keep, stop) for block in blocks)
    with _stopped_by_interrupt(stop), _closed_quietly(finished):
        try:
            for done in finished:
                if done is None:
                    raise KeyboardInterrupt
                if isinstance(done, Failed):
                    raise done.error
                yield done
        except BrokenProcessPool as problem:
            raise RunFailed(f"a worker process ended: {problem}") from problem


def _finish(
    probe: Probe, block: Block, keep: bool, stop: NDArray[np.uint8]
) -> Done | Failed | None:
    """Run one block in a worker; None if it was stopped."""
    try:
        outcomes, count = _run(probe, block, stop)
    except RunFailed as error:
        return Failed(error)
    if count < block.count:
        return None
    return Done(block, Tally.of(outcomes), outcomes if keep else None)


def _run(probe: Probe, block: Block, stop: NDArray[np.uint8]) -> tuple[Outcomes, int]:
    outcomes = {column.name: np.zeros(block.count, column.dtype) for column in probe.columns}
    return outcomes, probe.run(block.first, outcomes, stop)


@contextmanager
def _closed_quietly(finished: Generator[Any, None, None]) -> Iterator[None]:
    """Cancel what is still to do; joblib would warn of it, but that is what is wanted."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*tasks", UserWarning, "joblib")
            finished.close()


@contextmanager
def _stopped_by_interrupt(stop: NDArray[np.uint8]) -> Iterator[None]:
    """Set the stop flag on Ctrl-C first, because kernels in threads see nothing else."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:
        stop[0] = 1
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        stop[0] = 1
