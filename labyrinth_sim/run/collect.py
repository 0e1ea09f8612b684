"""Putting a probe to a range of deals, and gathering what the blocks bring."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.deals import check_word
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.run.blocks import cut, usual_bits
from labyrinth_sim.run.executor import Done, Outcomes, execute
from labyrinth_sim.run.progress import progress_bar
from labyrinth_sim.run.tally import Tally

DEFAULT_DEALS = 100_000


@dataclass(frozen=True)
class Collected:
    """What a run brought.

    Parameters
    ----------
    first, deals : int
        The range that was finished.
    tally : Tally
    outcomes : dict of str to ndarray, or None
        If they were to be kept.
    seconds : float
        From the start of the first deal to the end of the last.
    complete : bool
        Whether all that was asked for is finished.
    failure : RunFailed or None
        What ended the run early, if it was no interruption.
    """

    first: int
    deals: int
    tally: Tally
    outcomes: Outcomes | None
    seconds: float
    complete: bool
    failure: RunFailed | None


def collect(
    probe: Probe,
    source: Deals,
    *,
    deals: int | None = None,
    first: int = 0,
    n_jobs: int = -1,
    keep: str = "summary",
    block_bits: int | None = None,
    progress: bool | None = None,
    watched: str = "won",
) -> Collected:
    """Run a probe over a range of deals; the arguments are those of `simulate`.

    Parameters
    ----------
    probe : Probe
    source : Deals
        Where the range is taken from.
    watched : str, default "won"
        The outcome column whose share is shown beside the progress.

    Raises
    ------
    InvalidInput
        If an argument is not allowed.
    RunFailed, KeyboardInterrupt
        If that came before the first block was done.
    """
    if keep not in ("summary", "outcomes"):
        raise InvalidInput(f"keep={keep!r} is not allowed; give 'summary' or 'outcomes'")
    first, deals = checked_range(source, first, deals)
    bits = usual_bits(probe) if block_bits is None else block_bits
    blocks = cut(first, deals, bits, source.size)
    finished = execute(probe, blocks, n_jobs=n_jobs, keep=keep == "outcomes")
    done, kept, failure = (Tally(), 0), [], None
    start = time.perf_counter()
    try:
        for part in _watched(finished, deals, progress, watched):
            if part.outcomes is not None:
                kept.append(part.outcomes)
            # One assignment, as Ctrl-C may come between any two.
            done = done[0] + part.tally, done[1] + part.block.count
    except (KeyboardInterrupt, RunFailed) as problem:
        if not done[1]:
            raise
        failure = problem if isinstance(problem, RunFailed) else None
    seconds = time.perf_counter() - start
    tally, count = done
    outcomes = _joined(kept, count) if keep == "outcomes" else None
    return Collected(first, count, tally, outcomes, seconds, count == deals, failure)


T = TypeVar("T")


def handed(result: T, failure: RunFailed | None) -> T:
    """Give a result; if a failure ended the work early, raise that with the result as its own."""
    if failure is None:
        return result
    failure.result = result
    raise failure


def checked_range(source: Deals, first: int, deals: int | None) -> tuple[int, int]:
    """First deal and number of deals, by default 100,000 of a seed or all given decks.

    Raises
    ------
    InvalidInput
        If one of the two is not allowed; whether the range ends in time, `cut` checks.
    """
    first = check_word("first", first)
    if first >= source.size:
        raise InvalidInput(f"first={first} is beyond the last deal, {source.size - 1}; give less")
    if deals is None:
        deals = min(source.size - first, DEFAULT_DEALS if source.seed is not None else source.size)
    return first, checked_whole("deals", deals, 1)


def _joined(parts: list[Outcomes], deals: int) -> Outcomes:
    return {name: np.concatenate([part[name] for part in parts])[:deals] for name in parts[0]}


def _watched(
    finished: Iterator[Done], deals: int, progress: bool | None, watched: str
) -> Iterator[Done]:
    """Pass finished blocks on, showing deals a second and the share of an outcome so far."""
    events = count = 0
    with progress_bar(progress, total=deals, unit=" deals", unit_scale=True) as bar:
        for part in finished:
            events += part.tally.count(watched, 1)
            count += part.block.count
            bar.set_postfix_str(f"{watched} {events / count:.2%}", refresh=False)
            bar.update(part.block.count)
            yield part
