"""Deciding deals: whether some legal line of moves wins, and which.

The search is depth first. A card is moved only into the cell right of its predecessor, so a
position has few moves, and a gap that is not in column 1 takes one card only. Say that the
predecessor of a two is the wall left of column 1, of its own row where twos are bound. What the
search rests on:

**A won position has no legal moves**: its gaps lie right of kings.

**What may move** (`mobility.spread`). Let F be some cards that are frozen. Of all cards that are
not, and all cells, take the least set of pairs (card, cell) such that a card may be where it is,
and may come to the cell right of where its predecessor may be, if that cell is a gap or the card
in it may come elsewhere. By induction over a line of moves, no line in which no card of F moves
brings a card where it may not be: the cell that it enters was a gap, or its first card had left.

**Hopeless positions** (`mobility.hopeless`). If nothing is frozen, and a card may not come to
where every win that the rules allow has it, there is no win.

**Stubborn sets** (`mobility.persistent`; Valmari 1989). Let T be a set of cards, one of which can
move, and σ any line of moves of other cards. Suppose that σ leaves it as it is that

1. a card of T that can't move can't: no card lying right of its predecessor leaves (or the
   predecessor is in the last column), and the predecessor does not move;
2. for a card c of T that can move, from x to the gap g, its predecessor does not move;
3. and the next card n of the suit does not move to x + 1: it lies there already, or c is a king, or
   x is in the last column, or x + 1 is no gap and its card does not move.

Then g stays a gap during σ, as only c could enter it. So after σ, c can still make the same move;
and c may as well move before σ. That takes nothing from σ: a move in it needs a card that is not
of T, a gap, and the card left of the gap. The card left of it is c only for a move of n, which 3
excludes; nothing else of the position has changed but that g is filled and x is a gap. Both orders
lead to the same position. Now take a shortest win. It has a move of T, else one that is possible
now would be possible at its end. The first of them is, by 1, of a card that can move now; put it
in front: a win as short, of which the rest is a win from the position after a move of T. So by
induction the moves of T will do, and positions that come again do no harm. That nothing outside T
moves that should not is read off `spread` with T frozen. T is grown from each card that can move:
what would break 1, 2 or 3 is put inside; the set with the fewest moves is taken. If there is one
move, nothing branches.

Free twos compete for the gaps of column 1, so all of them go into T with one of them, and no card
of column 1 outside T may move. Then σ leaves the gaps of column 1 as they are, and the above holds
of each move of each two.

**Going on** (`mobility.going_on`). Let {c} have been found stubborn with the moving cards P and the
vacant cells V of `spread`, and c have moved from x to g. If g + 1 is not in V, no pair is new for
c being at g, and x takes nothing but the card c' that follows its left neighbour. If what would
break {c'} is not in P, neither is that neighbour; nor is c free to move on, as its predecessor is
not in P. So what may move with c' frozen lies within P, and {c'} is stubborn.

**Visited positions** are stored as 127 bits of a Zobrist key. A collision could only make a
winnable deal unwinnable. Over a study of D deals with n positions each it is expected
D · n² / 2**128 times: for ten million deals of three million positions, which is all that 64 MiB
hold, less than 10**-18 times.

**Order.** Moves into the column where a win has the card come first, then low ranks.

**Free twos are bound first.** Whoever may put any two into any row may also bind the rows to suits
and keep to that: a win so found is a win. So the position is first searched with twos bound, in
each of the 24 ways (where rows must hold their own suits, in that one way), and only then with free
twos, which is a far larger search. Their nodes are counted together.

The table is bounded. Where it is full, or a limit of nodes is reached, the verdict is `unknown`:
never a guess.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.games.sliding.gaps.reference import GapsPosition
from labyrinth_sim.games.sliding.gaps.rules import NAME, GapsRules
from labyrinth_sim.games.sliding.gaps.rules import VERSION as GAME_VERSION
from labyrinth_sim.games.solving import VERDICTS, Clock, KernelSolver, reused

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""


class GapsSolver(KernelSolver):
    """The solver of Gaps, see `Solver` and `Exhaustive`.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.sliding.gaps.reference import start
    >>> GapsSolver().solve(start(deal("1/1/2").deck, GapsRules())).verdict
    'unwinnable'
    """

    game, version, solver_version = NAME, GAME_VERSION, VERSION

    def kernels(self) -> Any:
        from labyrinth_sim.games.sliding.gaps import solver_kernels

        return solver_kernels

    def setting(self, rules: GapsRules) -> tuple[Any, ...]:
        """Whether twos are bound, and rows to their own suits."""
        return rules.twos == "bound", rules.win == "own_suit"

    def search(self, rules: GapsRules, limits: Limits) -> Any:
        return reused(self.kernels().new_search, limits.memory, rules.twos == "bound")

    def put(self, position: GapsPosition, search: Any) -> Any:
        search.start[:] = list(position.key())
        return search

    def line(
        self, position: GapsPosition, search: Any, length: int, left: np.uint64, clock: Clock
    ) -> list[Move]:
        return [_move_text(card, cell) for card, cell in search.trail[:length, ::2].tolist()]

    def block_bits(self, rules: GapsRules) -> int:
        return 4 if rules.twos == "bound" else 1

    def exhaust(self, position: GapsPosition, limits: Limits) -> Solution:
        return exhaust(position, limits)


def exhaust(position: GapsPosition, limits: Limits) -> Solution:
    """Decide a position by trying every legal move, nothing pruned and keys exact.

    Parameters
    ----------
    position : GapsPosition
    limits : Limits
        Positions that there is no room for make the verdict `unknown`.

    Returns
    -------
    Solution
        `nodes` are the positions that were visited.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.sliding.gaps.reference import start
    >>> exhaust(start(deal("1/1/2").deck, GapsRules()), Limits()).verdict
    'unwinnable'
    """
    from labyrinth_sim.games.sliding.gaps.exhaustive import BYTES, new_room
    from labyrinth_sim.games.sliding.gaps.exhaustive import exhaust as search
    from labyrinth_sim.games.sliding.gaps.kernels import flags_of

    most = (limits.memory << 20) // BYTES
    room = new_room(most if limits.nodes is None else min(most, limits.nodes))
    room.cells[0, : len(position.cells)] = list(position.key())
    began = perf_counter()
    verdict, positions, here = search(flags_of(position.rules), room)
    took = perf_counter() - began
    moves: list[str] | None = None
    if VERDICTS[verdict] == "winnable":
        moves = []
        while here:
            before = int(room.before[here])
            (gap,) = np.flatnonzero(
                (room.cells[here] != room.cells[before]) & (room.cells[here] < 52)
            )
            moves.insert(0, f"M {CARD_NAMES[room.cells[here, gap]]} {gap + 1}")
            here = before
    return Solution(VERDICTS[verdict], moves, int(positions), took)


def _move_text(card: int, cell: int) -> str:
    """A move of the kernels, which count in sixteens and columns from 1, as text."""
    name = CARD_NAMES[card // 16 * 13 + card % 16]
    return f"M {name} {cell // 16 * 13 + cell % 16}"
