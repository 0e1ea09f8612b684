"""What solvers with kernels have in common: verdicts, a limit in seconds, the probe of a block."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import SOLVE, Identity, Subject
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.core.solver import VERDICT_COLUMNS, Limits
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.rulesets import RuleSet

VERDICTS = ("unwinnable", "winnable", "unknown")
UNWINNABLE, WINNABLE, UNKNOWN = (np.uint8(code) for code in range(3))
"""Verdicts as kernels give them: places in `VERDICTS`."""

SolveBlock = Callable[
    [Any, Deals, Limits, int, NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint8]], int
]
"""``solve_block(rules, deals, limits, first, verdicts, nodes, stop)`` fills the two arrays for the
deals from `first` on, and returns how many were decided."""

LOOK = 0.05
"""Seconds between two looks at signals and the clock, while a kernel runs."""

_kept = threading.local()


def most_nodes(limits: Limits) -> np.uint64:
    """The limit of nodes as kernels take it."""
    return np.uint64(2**62 if limits.nodes is None else limits.nodes)


def kept(new: Callable[..., Any], *size: Any) -> Any:
    """What ``new(*size)`` makes: kept by the thread, as new memory is slow at its first touch.

    Whoever uses it clears what must be clear first.
    """
    made = _kept.__dict__.get(new.__qualname__ + new.__module__)
    if made is None or made[0] != size:
        made = size, new(*size)
        _kept.__dict__[new.__qualname__ + new.__module__] = made
    return made[1]


def check_seconds(seconds: float | None) -> None:
    """Refuse a limit in seconds that is no time."""
    if seconds is not None and not 0 < seconds <= threading.TIMEOUT_MAX:
        raise InvalidInput(
            f"seconds={seconds!r} is out of range; give a number above 0 and up to "
            f"{threading.TIMEOUT_MAX:.0f}, or leave it out for no limit"
        )


class Clock:
    """A limit in seconds, which runs from `start` on: an answer that comes later is none.

    Kernels run in a thread of their own (`run`), as Python hears of Ctrl-C only in between.

    Parameters
    ----------
    seconds : float, optional
        None for no limit.

    Attributes
    ----------
    stop : ndarray of uint8, shape (1,)
        What kernels poll: not 0 once the time is over, or Ctrl-C was heard.

    Raises
    ------
    InvalidInput
        If `seconds` is no time.
    """

    def __init__(self, seconds: float | None) -> None:
        check_seconds(seconds)
        self.stop = np.zeros(1, np.uint8)
        self._seconds = seconds

    def start(self) -> Self:
        """Begin to count."""
        self._began = time.perf_counter()
        return self

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel that is given `stop`; it is told so when its time is over."""
        with ThreadPoolExecutor(1) as pool:
            try:
                answer = pool.submit(kernel, *arguments)
                # In slices, as a signal that comes just before a wait does not end it.
                while not wait([answer], self._slice).done:
                    if self.over:
                        self.stop[0] = 1
                return answer.result()
            except BaseException:  # Ctrl-C may come as soon as the thread is there
                self.stop[0] = 1
                raise

    @property
    def _slice(self) -> float:
        """How long to wait before the next look: to the end of the time, if that is sooner."""
        return LOOK if self._seconds is None or self.over else min(LOOK, self._seconds - self.taken)

    @property
    def taken(self) -> float:
        """Seconds since it was started."""
        return time.perf_counter() - self._began

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self._seconds is not None and self.taken > self._seconds


@dataclass(frozen=True)
class SolverProbe:
    """Solves every deal of a block.

    Parameters
    ----------
    game : str
    version, solver_version : int
        Of the game, and of its solver.
    solve_block : callable
        See `SolveBlock`.
    rules : RuleSet
    deals : Deals
    limits : Limits
    """

    game: str
    version: int
    solver_version: int
    solve_block: SolveBlock
    rules: RuleSet
    deals: Deals
    limits: Limits
    block_bits: int = 12
    columns: tuple[Column, ...] = VERDICT_COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        subject = Subject(self.limits.spec, self.solver_version)
        return Identity.of(SOLVE, self.game, self.version, self.rules, subject, self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        verdicts = np.zeros(len(out["nodes"]), np.uint8)
        done = self.solve_block(
            self.rules, self.deals, self.limits, first, verdicts, out["nodes"], stop
        )
        out["winnable"][:] = verdicts == WINNABLE
        out["unknown"][:] = verdicts == UNKNOWN
        return int(done)
