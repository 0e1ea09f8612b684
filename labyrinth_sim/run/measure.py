"""The one loop over blocks of deals: progress, interruption, failures, and when to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.probe import Probe
from labyrinth_sim.errors import RunFailed
from labyrinth_sim.run.blocks import Block, cut, usual_bits
from labyrinth_sim.run.executor import Done, Outcomes, Wanted, execute
from labyrinth_sim.run.progress import progress_bar
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats.tally import Tally

T = TypeVar("T")

Step = Callable[[Any, Done], tuple[Any, bool]]
"""What a question makes of the next block: what it knows then, and whether that is enough."""


def everything(name: str) -> bool:
    """Want every column deal by deal."""
    return True


def nothing(name: str) -> bool:
    """Want no column deal by deal."""
    return False


@dataclass(frozen=True)
class Measured:
    """What a probe brought.

    Parameters
    ----------
    identity : Identity
        Of the probe.
    first, deals : int
        The range that was finished.
    tally : Tally
    outcomes : dict of str to ndarray
        The columns that were wanted, shape (deals,).
    seconds : float
        From the start of the first deal to the end of the last.
    complete : bool
        Whether all that was asked for is finished, or enough is known.
    failure : RunFailed or None
        What ended it early, if it was no interruption.
    state : object
        What the question made of the blocks, if it gave a step.
    """

    identity: Identity
    first: int
    deals: int
    tally: Tally = field(default_factory=Tally)
    outcomes: Outcomes = field(default_factory=dict)
    seconds: float = 0.0
    complete: bool = True
    failure: RunFailed | None = None
    state: Any = None


@dataclass(frozen=True)
class _Known:
    """What is known after some blocks, replaced whole, as Ctrl-C may come between any two lines."""

    deals: int
    tally: Tally
    blocks: int
    state: Any
    enough: bool = False


def measure(
    request: Request,
    probe: Probe,
    *,
    wanted: Wanted = nothing,
    watched: str = "won",
    blocks: Iterable[Block] | None = None,
    step: Step | None = None,
    state: Any = None,
    what: str = "",
    keep: bool = True,
) -> Measured:
    """Run a probe over the deals of a request.

    Parameters
    ----------
    request : Request
    probe : Probe
    wanted : callable
        Which columns are wanted deal by deal, by name; by default none.
    watched : str, default "won"
        The column whose share is shown beside the progress.
    blocks : iterable of Block, optional
        How the range is cut, by default into aligned blocks.
    step : callable, optional
        ``step(state, done)`` gives a new state and whether it is enough; it is called for every
        block in order, and must leave the old state as it was.
    state : object, optional
        Before the first block.
    what : str
        Said beside the progress.
    keep : bool, default True
        Whether the columns that are wanted are kept; else only `step` sees them.

    Raises
    ------
    RunFailed, KeyboardInterrupt
        If that came before the first block was done.
    """
    if blocks is None:
        bits = usual_bits(probe) if request.block_bits is None else request.block_bits
        blocks = cut(request.first, request.deals, bits)
    finished = execute(probe, blocks, n_jobs=request.n_jobs, wanted=wanted)
    known = _Known(0, Tally(), 0, state)
    parts: list[Outcomes] = []
    failure: RunFailed | None = None
    start = time.perf_counter()
    try:
        with closing(_shown(finished, request, watched, what)) as shown:
            for done in shown:
                if keep:
                    parts.append(done.outcomes)
                state, enough = (known.state, False) if step is None else step(known.state, done)
                known = _Known(
                    known.deals + done.block.count,
                    known.tally + done.tally,
                    known.blocks + 1,
                    state,
                    enough,
                )
                if enough:
                    break
    except (KeyboardInterrupt, RunFailed) as problem:
        if not known.blocks:
            raise
        failure = problem if isinstance(problem, RunFailed) else None
    return Measured(
        identity=probe.identity,
        first=request.first,
        deals=known.deals,
        tally=known.tally,
        outcomes=_joined(parts[: known.blocks]),
        seconds=time.perf_counter() - start,
        complete=known.enough or known.deals == request.deals,
        failure=failure,
        state=known.state,
    )


@dataclass
class Worked(Generic[T]):
    """What came of a list of things to do, one after another.

    Parameters
    ----------
    done : list
    ended : KeyboardInterrupt or RunFailed, optional
        What ended it early.
    """

    done: list[T] = field(default_factory=list)
    ended: KeyboardInterrupt | RunFailed | None = None

    @property
    def failure(self) -> RunFailed | None:
        """What ended it early, if it was no interruption."""
        return self.ended if isinstance(self.ended, RunFailed) else None


def work_through(
    items: Iterable[T], *, progress: bool | None, total: int | None = None
) -> Worked[T]:
    """Take items as they are made, each of them long work, and keep those before an interruption.

    Parameters
    ----------
    items : iterable
        Lazy: each is made when its turn comes.
    progress : bool, optional
        Whether they are counted on standard error; by default if that is a terminal.
    total : int, optional
        How many there will be.

    Raises
    ------
    RunFailed, KeyboardInterrupt
        If that came before the first item was done.

    Examples
    --------
    >>> work_through((n * n for n in range(3)), progress=False).done
    [0, 1, 4]
    """
    worked: Worked[T] = Worked()
    try:
        with progress_bar(progress, total=total, unit=" deals") as bar:
            for item in items:
                worked.done.append(item)
                bar.update()
    except (KeyboardInterrupt, RunFailed) as problem:
        if not worked.done:
            raise
        worked.ended = problem
    return worked


def _joined(parts: list[Outcomes]) -> Outcomes:
    return {name: np.concatenate([part[name] for part in parts]) for name in (parts or [{}])[0]}


def _shown(finished: Iterator[Done], request: Request, watched: str, what: str) -> Any:
    """Pass finished blocks on, showing deals a second and the share of an outcome so far."""
    events = count = 0
    with progress_bar(
        request.progress, desc=what or None, total=request.deals, unit=" deals", unit_scale=True
    ) as bar:
        for part in finished:
            events += part.tally.count(watched, 1)
            count += part.block.count
            name = watched.rpartition("/")[2]
            bar.set_postfix_str(f"{name} {events / count:.2%}", refresh=False)
            bar.update(part.block.count)
            yield part
