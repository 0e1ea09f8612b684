"""Worker processes, which outlive a run: those that may hold outdated code are ended."""

from __future__ import annotations

import sys

from labyrinth_sim.core.probe import Probe
from labyrinth_sim.source import source_of

_loaded: set[str] = set()
"""Sources of the games, and of the players from elsewhere, that workers were started for."""

_path: list[str] = []
"""Where they look for modules."""


def renew_workers(probe: Probe) -> None:
    """End workers if a game or a player is to be played that they were not started for.

    A worker gets the module path when it starts, and keeps what it has imported, so what was
    edited and loaded again, or a helper module of its, would be played as it was before.
    """
    parts = getattr(probe, "probes", (probe,))
    sources = {source_of(part.game) for part in parts if hasattr(part, "game")}
    sources |= {one.source for one in probe.identity.every_subject() if one.source}
    if _path and (_path != sys.path or not sources <= _loaded):
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)
        _loaded.clear()
    _loaded.update(sources)
    _path[:] = sys.path
