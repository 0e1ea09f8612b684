"""Putting a probe to a range of deals, without a question around it."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.run.measure import Measured, everything, measure, nothing
from labyrinth_sim.run.request import Request


def collected(
    probe: Probe, source: Deals, *, keep: str = "summary", watched: str = "won", **asked: Any
) -> Measured:
    """What a probe brings for the deals that are asked for."""
    request = Request.of(decks=source, **asked)
    wanted = everything if keep == "outcomes" else nothing
    return measure(request, probe, wanted=wanted, watched=watched)
