"""What authors of players and games test theirs with; see `docs/writing-a-player.md`.

`PlayerSuite` needs pytest, and `TOY` does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labyrinth_sim.testing.toy import TOY

if TYPE_CHECKING:
    from labyrinth_sim.testing.conformance import PlayerSuite

__all__ = ["TOY", "PlayerSuite"]


def __getattr__(name: str) -> Any:
    if name != "PlayerSuite":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from labyrinth_sim.testing.conformance import PlayerSuite

    return PlayerSuite
