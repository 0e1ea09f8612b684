"""Several probes on the same deals as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.probe import Column, Probe
from labyrinth_sim.run.blocks import usual_bits
from labyrinth_sim.stats.tally import beginning_with


@dataclass(frozen=True)
class Pool:
    """Several probes of the same deals as one; column ``3/won`` is that of probe 3.

    Every block is done by all of them before it counts as done, so that whatever is done, all
    have done.
    """

    probes: tuple[Probe, ...]

    @property
    def threads(self) -> bool:
        return all(probe.threads for probe in self.probes)

    @property
    def block_bits(self) -> int:
        return min(map(usual_bits, self.probes))

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(
            replace(column, name=f"{number}/{column.name}")
            for number, probe in enumerate(self.probes)
            for column in probe.columns
        )

    @property
    def identity(self) -> Identity:
        return Identity.pool(tuple(probe.identity for probe in self.probes))

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        count = len(next(iter(out.values())))
        for number, probe in enumerate(self.probes):
            part = {column.name: out[f"{number}/{column.name}"] for column in probe.columns}
            if probe.run(first, part, stop) < count:
                return 0
        return count


def part(outcomes: Mapping[str, NDArray[Any]], number: int) -> dict[str, NDArray[Any]]:
    """The columns of one probe of a pool, under their own names."""
    return beginning_with(f"{number}/", outcomes)
