"""Stand-ins for tests of runs: a probe that follows a script, and a player in Python."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from labyrinth_sim.core.identity import Identity, Subject
from labyrinth_sim.core.player import Traits
from labyrinth_sim.core.probe import Column
from labyrinth_sim.games import find_game


@dataclass(frozen=True)
class Scripted:
    """A probe that counts: each deal is won whose index is even. At one deal, `event` happens."""

    event: Callable[[NDArray[np.uint8]], None] | None = None
    at: int = -1
    threads: ClassVar[bool] = True
    identity: ClassVar[Identity] = Identity("play", "toy", 1, (), (Subject("scripted"),), seed=1)
    columns: ClassVar[tuple[Column, ...]] = (
        Column("won", "bool", "index is even"),
        Column("cards_left", "uint8", "index, of 52"),
    )

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        for number in range(len(out["won"])):
            if self.event and first + number == self.at:
                self.event(stop)
            if stop[0]:
                return number
            out["won"][number] = (first + number) % 2 == 0
            out["cards_left"][number] = (first + number) % 52
        return len(out["won"])


@dataclass(frozen=True)
class Engine:
    """A compiled engine whose probes a function makes."""

    probe: Callable[..., Any]


def scripted(event: Callable[[NDArray[np.uint8]], None] | None = None, at: int = -1) -> Any:
    """A game that such a probe plays."""
    return replace(find_game("labyrinth"), engine=Engine(lambda *_: Scripted(event, at)))


@dataclass(frozen=True)
class Until:
    """A probe that does what another one does, in small blocks, until `event` happens at a deal."""

    probe: Any
    event: Callable[[NDArray[np.uint8]], None]
    at: int
    block_bits: ClassVar[int] = 4
    threads: ClassVar[bool] = False

    @property
    def identity(self) -> Identity:
        return self.probe.identity

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.probe.columns

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        if 0 <= self.at - first < len(next(iter(out.values()))):
            self.event(stop)
        return 0 if stop[0] else self.probe.run(first, out, stop)


@dataclass(frozen=True)
class SolverUntil:
    """A solver that meets an event at a deal."""

    solver: Any
    event: Callable[[NDArray[np.uint8]], None]
    at: int

    def probe(self, *arguments: Any) -> Until:
        return Until(self.solver.probe(*arguments), self.event, self.at)


def until(event: Callable[[NDArray[np.uint8]], None], at: int, *, solver: bool = False) -> Any:
    """Labyrinth, whose players, or whose solver, meet an event at a deal."""
    game = find_game("labyrinth")
    if solver:
        return replace(game, solver=SolverUntil(game.solver, event, at))
    return replace(
        game,
        engine=Engine(lambda *asked: Until(game.engine.probe(*asked), event, at)),
    )


@dataclass(frozen=True)
class Own:
    """A player in Python: the first legal move, or on demand something else."""

    answer: str | None = None
    spec: ClassVar[str] = "own"
    full_spec: ClassVar[str] = "own"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()
    text: ClassVar[str] = "the first legal move"

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return self.answer if self.answer and view.cards_left < 8 else moves[0]


def interrupt_call(name: str, at: int, late: bool, patch: pytest.MonkeyPatch) -> None:
    """Let Ctrl-C come before or after call number `at`, from 1, of what a dotted name finds."""
    place, _, attribute = name.rpartition(".")
    owner = pkgutil.resolve_name(place)
    call, calls = getattr(owner, attribute), count(1)

    def interrupted(*arguments: Any, **options: Any) -> Any:
        now = next(calls) == at
        if now and not late:
            raise KeyboardInterrupt
        answer = call(*arguments, **options)
        if now:
            raise KeyboardInterrupt
        return answer

    patch.setattr(owner, attribute, interrupted)
