"""What authors of players and games test theirs with; see `docs/writing-a-player.md`.

`PlayerSuite` needs pytest, and the toy games `TOY` and `PAIRS`, of two packs, do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labyrinth_sim.testing.pairs import PAIRS
from labyrinth_sim.testing.toy import TOY

if TYPE_CHECKING:
    from labyrinth_sim.testing.conformance import PlayerSuite

__all__ = ["PAIRS", "TOY", "PlayerSuite"]


def __getattr__(name: str) -> Any:
    if name != "PlayerSuite":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from labyrinth_sim.testing.conformance import PlayerSuite

    return PlayerSuite
