"""One turn of a compiled player, to be looked at."""

from typing import Any

from labyrinth_sim.compiled import kernel
from labyrinth_sim.games.free_edge.endgame_kernels import finish
from labyrinth_sim.games.free_edge.kernels import (
    NOTHING,
    ONE,
    available,
    first_suit,
    may_resort,
)
from labyrinth_sim.games.free_edge.loops import family_game


@kernel
def play_turn(knobs: Any, exact: Any, flags: Any, scratch: Any) -> None:
    public = scratch.public[0]
    plays = first_suit(public, available(public, flags)) != NOTHING
    if exact and may_resort(public, flags, plays):
        finish(flags, public, scratch.endgame, ONE)
    else:
        family_game(exact, knobs, flags, public, scratch.secret, ONE)
