"""Running a probe over blocks: where it runs, and how it is stopped."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky import BrokenProcessPool
from joblib.parallel import get_active_backend
from numpy.typing import NDArray

from labyrinth_sim.core.probe import Probe
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.parameters import whole_number
from labyrinth_sim.run.blocks import Block
from labyrinth_sim.run.workers import renew_workers
from labyrinth_sim.stats.tally import Tally

Outcomes = dict[str, NDArray[Any]]
"""Outcome columns by name, shape (deals,) each."""

Wanted = Callable[[str], bool]
"""Whether a column, by its name, is wanted deal by deal; of all columns there is a tally."""

MOST_JOBS = 1024
"""Far more workers than that can't be started, and how that fails is not nice."""

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""What may end a run; it does if Python code hears it."""


@dataclass(frozen=True)
class Done:
    """A finished block: its tally, and the outcomes that were wanted deal by deal."""

    block: Block
    tally: Tally
    outcomes: Outcomes


@dataclass(frozen=True)
class Failed:
    """A block that failed. Raised in a worker, the error would overtake blocks before it."""

    error: RunFailed


def check_jobs(n_jobs: int | None) -> int | None:
    """Refuse a number of workers that can't be."""
    if n_jobs is None:
        return None
    jobs = whole_number(n_jobs)
    if jobs is None or (jobs != -1 and not 1 <= jobs <= MOST_JOBS):
        raise InvalidInput(
            f"n_jobs={n_jobs!r} is out of range; give -1 (all cores), or 1 to {MOST_JOBS}"
        )
    return jobs


def execute(
    probe: Probe, blocks: Iterable[Block], *, n_jobs: int | None, wanted: Wanted
) -> Iterator[Done]:
    """Compile a probe, then run it over blocks in parallel and give the finished ones in order.

    Where nothing else is said by ``joblib.parallel_config``, workers are threads if the probe
    releases the GIL, else processes.

    Parameters
    ----------
    probe : Probe
    blocks : iterable of Block
    n_jobs : int, optional
        Workers, -1 for as many as there are cores; by default as many as an enclosing
        ``joblib.parallel_config`` says, else -1.
    wanted : callable
        Which columns are wanted deal by deal.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C, after the blocks that were given; the running ones are told to stop.
    RunFailed
        After all blocks before the one that failed.
    """
    heard = np.zeros(1, np.uint8)
    with _stopped_by_signals(heard):
        _run(probe, Block(0, 0), heard)  # compiles here, once, before workers start
        if heard[0]:  # numba can't pass on an interrupt that it hears while it loads its cache
            raise KeyboardInterrupt
    return _finished(probe, blocks, n_jobs, wanted)


def _finished(
    probe: Probe, blocks: Iterable[Block], n_jobs: int | None, wanted: Wanted
) -> Iterator[Done]:
    stop = np.zeros(1, np.uint8)
    if n_jobs is None and get_active_backend()[1] is None:
        n_jobs = -1
    if not probe.threads and n_jobs != 1:
        renew_workers(probe)
    # joblib's own batching would join blocks to longer tasks, which makes progress coarse.
    parallel = Parallel(
        n_jobs=n_jobs,
        prefer="threads" if probe.threads else "processes",
        batch_size=1,
        return_as="generator",
    )
    names = [column.name for column in probe.columns if wanted(column.name)]
    finished = parallel(delayed(_finish)(probe, block, names, stop) for block in blocks)
    with _stopped_by_signals(stop), _closed_quietly(finished):
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
    probe: Probe, block: Block, names: list[str], stop: NDArray[np.uint8]
) -> Done | Failed | None:
    """Run one block in a worker; None if it was stopped."""
    try:
        outcomes, count = _run(probe, block, stop)
    except RunFailed as error:
        return Failed(error)
    if count < block.count:
        return None
    return Done(block, Tally.of(outcomes), {name: outcomes[name] for name in names})


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
def _stopped_by_signals(stop: NDArray[np.uint8]) -> Iterator[None]:
    """Set the stop flag before Python code hears a signal, as kernels in threads see nothing else.

    A signal that Python code does not hear, as it is ignored or ends the process, stays as it is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    heard = {number: handler for number, handler in handlers.items() if callable(handler)}

    def stop_first(number: int, frame: FrameType | None) -> None:
        stop[0] = 1
        heard[signal.Signals(number)](number, frame)

    for number in heard:
        signal.signal(number, stop_first)
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
        stop[0] = 1
