"""Worker processes, which outlive a run: those that remember something outdated are ended."""

from __future__ import annotations

import sys

from labyrinth_sim.core.identity import Identity

_known: dict[str, str] = {}
"""The digest of the source of each player from elsewhere that workers have loaded, by its name."""

_path: list[str] = []
"""Where they look for modules."""


def renew_workers(identity: Identity) -> None:
    """End workers that would not find the player's module, or have another text of it.

    A worker gets the module path when it starts, and keeps what it has imported, so a player that
    was edited and loaded again would be played as it was before.
    """
    loaded = {one.spec: one.source for one in identity.every_subject() if one.source}
    outdated = any(_known.get(name, digest) != digest for name, digest in loaded.items())
    if _known and (_path != sys.path or outdated):
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)
        _known.clear()
    _known.update(loaded)
    _path[:] = sys.path
