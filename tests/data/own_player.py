"""A family of players of one's own."""

from dataclasses import dataclass

from labyrinth_sim.extend import Named, whole


@dataclass(frozen=True)
class Nth(Named):
    """Takes the move at a place of the list."""

    place: int = whole(0, "the place, as far as the list goes", low=0, high=3)

    def choose(self, view, moves, rng):
        return moves[min(self.place, len(moves) - 1)]
