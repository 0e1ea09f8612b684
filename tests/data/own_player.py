"""A family of players of one's own."""

from dataclasses import dataclass

from labyrinth_sim.extend import Named, whole


@dataclass(frozen=True)
class Nth(Named):
    """Takes the move at an index of the list."""

    index: int = whole(0, "index in the list of moves; the last if it is shorter", low=0, high=3)

    def choose(self, view, moves, rng):
        return moves[min(self.index, len(moves) - 1)]
