"""Worker processes, which outlive a run: those that may hold outdated code are ended."""

from __future__ import annotations

import sys

from labyrinth_sim.core.identity import Identity

_loaded: set[str] = set()
"""Sources of the players from elsewhere that the workers were started for."""

_path: list[str] = []
"""Where they look for modules."""


def renew_workers(identity: Identity) -> None:
    """End workers if a player is to be played that they were not started for.

    A worker gets the module path when it starts, and keeps what it has imported, so a player that
    was edited and loaded again, or a helper module of its, would be played as it was before.
    """
    sources = {one.source for one in identity.every_subject() if one.source}
    if _path and (_path != sys.path or not sources <= _loaded):
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)
        _loaded.clear()
    _loaded.update(sources)
    _path[:] = sys.path
