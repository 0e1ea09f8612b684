"""What solvers with kernels have in common: they bring a search, and all else is here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import SOLVE, Identity, Subject
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.core.solver import VERDICT_COLUMNS, Limits, Solution
from labyrinth_sim.deals import deal_source
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.rulesets import RuleSet

VERDICTS = ("unwinnable", "winnable", "unknown")
UNWINNABLE, WINNABLE, UNKNOWN = (np.uint8(code) for code in range(3))
"""Verdicts as kernels give them: indices of `VERDICTS`."""

LOOK = 0.05
"""Seconds between two looks at signals and the clock, while a kernel runs."""

_made = threading.local()


def most_nodes(limits: Limits) -> np.uint64:
    """The limit of nodes as kernels take it."""
    return np.uint64(2**62 if limits.nodes is None else limits.nodes)


def reused(new: Callable[..., Any], *size: Any) -> Any:
    """What ``new(*size)`` makes: made once a thread, as new memory is slow at its first touch.

    Whoever uses it clears what must be clear first.
    """
    made = _made.__dict__.get(new.__qualname__ + new.__module__)
    if made is None or made[0] != size:
        made = size, new(*size)
        _made.__dict__[new.__qualname__ + new.__module__] = made
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


class KernelSolver:
    """A solver whose search is a pair of kernels; see `Solver`, which it is.

    A game brings its search (`kernels`, `setting`, `new_search`) and what a position and a line
    are for it (`put`, `line`). The module of kernels has

    - ``solve_one(most_nodes, *setting, search, stop)``, which decides the position that was put
      into `search` and returns verdict, nodes and length of the line;
    - ``solve_block(most_nodes, *setting, source, first, search, verdicts, nodes, stop)``, which
      calls it for the deals of `source` from `first` on, fills the two arrays, and returns how
      many were decided. Each search has its own, as a kernel that takes another one can't be
      cached on disk.

    Both return early once ``stop[0]`` is not 0. A search is used again and again: it clears what
    must be clear when it begins.

    Attributes
    ----------
    game : str
    version, solver_version : int
        Of the game, and of its solver.
    """

    game: ClassVar[str]
    version: ClassVar[int]
    solver_version: ClassVar[int]

    def kernels(self) -> Any:
        """The module of the kernels, which is imported no earlier than needed."""
        raise NotImplementedError

    def setting(self, rules: Any) -> tuple[Any, ...]:
        """The rules, and whatever else is the same for all deals, as the kernels take them."""
        raise NotImplementedError

    def search(self, rules: Any, limits: Limits) -> Any:
        """The search of this thread, of the memory that the limits allow."""
        return reused(self.kernels().new_search, limits.memory)

    def rules_of(self, position: Any) -> Any:
        """The rules of a position."""
        return position.rules

    def put(self, position: Any, search: Any) -> Any:
        """The search with the position put into it."""
        raise NotImplementedError

    def line(self, position: Any, search: Any, length: int, left: np.uint64, clock: Clock) -> Any:
        """The list of moves of a win that was found.

        What takes long may use up the nodes that are left, and is run by the clock.
        """
        raise NotImplementedError

    def block_bits(self, rules: Any) -> int:
        """The size of a block, as a power of 2: a second's work or so."""
        return 12

    def solve(
        self, position: Any, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        """Decide a position, and show a line that wins it.

        Parameters
        ----------
        position : Position
        limits : Limits, optional
        seconds : float, optional
            How long it may take: what is not decided by then is `unknown`, and not reproducible.

        Raises
        ------
        InvalidInput
            If `seconds` is no time.
        """
        limits, clock = limits or Limits(), Clock(seconds)
        kernel, rules, most = self.kernels().solve_one, self.rules_of(position), most_nodes(limits)
        setting, search = self.setting(rules), self.put(position, self.search(rules, limits))
        kernel(most, *setting, search, np.ones(1, np.uint8))  # compiled before the clock runs
        clock.start()
        verdict, nodes, length = clock.run(kernel, most, *setting, search, clock.stop)
        moves = None
        if clock.over:
            verdict = UNKNOWN
        elif verdict == WINNABLE:
            moves = self.line(position, search, length, most - np.uint64(nodes), clock)
        return Solution(VERDICTS[verdict], moves, int(nodes), clock.taken, not clock.over)

    def decide(
        self,
        rules: Any,
        deals: Deals,
        limits: Limits,
        first: int,
        verdicts: NDArray[np.uint8],
        nodes: NDArray[np.uint64],
        stop: NDArray[np.uint8],
    ) -> int:
        """Decide deals without lines, which take longer; returns how many were decided.

        Parameters
        ----------
        rules : RuleSet
        deals : Deals
        limits : Limits
        first : int
            The first of the deals.
        verdicts : ndarray of uint8, shape (count,)
            Filled with indices of `VERDICTS`.
        nodes : ndarray of uint64, shape (count,)
            Filled.
        stop : ndarray of uint8, shape (1,)
            Not 0: return early.
        """
        source, search = deal_source(deals), self.search(rules, limits)
        solve_block, setting = self.kernels().solve_block, self.setting(rules)
        return int(
            solve_block(
                most_nodes(limits),
                *setting,
                source,
                np.uint64(first),
                search,
                verdicts,
                nodes,
                stop,
            )
        )

    def probe(self, rules: Any, deals: Deals, limits: Limits) -> SolverProbe:
        """A probe of the verdicts."""
        return SolverProbe(self, rules, deals, limits)


@dataclass(frozen=True)
class SolverProbe:
    """Solves every deal of a block.

    Parameters
    ----------
    solver : KernelSolver
    rules : RuleSet
    deals : Deals
    limits : Limits
    """

    solver: KernelSolver
    rules: RuleSet
    deals: Deals
    limits: Limits
    columns: tuple[Column, ...] = VERDICT_COLUMNS
    threads: bool = True

    @property
    def block_bits(self) -> int:
        return self.solver.block_bits(self.rules)

    @property
    def identity(self) -> Identity:
        subject = Subject(self.limits.spec, self.solver.solver_version)
        game, version = self.solver.game, self.solver.version
        return Identity.of(SOLVE, game, version, self.rules, subject, self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        verdicts = np.zeros(len(out["nodes"]), np.uint8)
        done = self.solver.decide(
            self.rules, self.deals, self.limits, first, verdicts, out["nodes"], stop
        )
        out["winnable"][:] = verdicts == WINNABLE
        out["unknown"][:] = verdicts == UNKNOWN
        return done
