"""Players from outside of the package; tests copy this file to where they want it."""

from dataclasses import dataclass

from labyrinth_sim.extend import CompiledPlayer, Named, whole


class Last:
    """Takes the last legal move."""

    def choose(self, view, moves, rng):
        return moves[-1]


@dataclass(frozen=True)
class Nth(Named):
    index: int = whole(0, "index in the list of moves; the last if it is shorter", low=0)

    def choose(self, view, moves, rng):
        return moves[min(self.index, len(moves) - 1)]


class Needy:
    def __init__(self, need):
        pass

    def choose(self, view, moves, rng):
        return moves[0]


class Wrong:
    """Resigns when it has played ten cards."""

    def choose(self, view, moves, rng):
        return moves[0] if view.cards_left > 38 else None


class Slow:
    """Falls asleep when it has played ten cards."""

    def choose(self, view, moves, rng):
        if view.cards_left <= 38:
            while True:
                try:
                    import time

                    time.sleep(0.05)
                except Exception:
                    pass
        return moves[0]


nth = Nth(index=2)


def nearly_last(public, moves, n, params, scratch, rng):
    """Takes the last legal move but so many."""
    return max(0, n - 1 - int(params[0]))


nearly_last = CompiledPlayer(nearly_last, params={"back": 0.0})

number = 3
