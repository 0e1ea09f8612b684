"""Looking for wins of Maze with all seen, by beam search.

Nearly every deal is winnable, and in far more ways than one could list, so the work is to find a
win. From one layer to the next, *all* moves are made in all positions of a beam; of the positions
that are new, the best are the next layer, as many as the beam is wide.

**What is best** (`evaluation`) is a sum of looked up numbers: over pairs of cards that follow one
another, gaps skipped, over gaps by their neighbours, and over cards by their cells. A move changes
few of them. In ``win=corners`` the last card must end up in cell 54, and at a boundary of runs
cards only get past it to the left, so what counts most besides cards in sequence is that a last
run grows where it will have to lie. Scores are sorted by counting.

**What is new** was not in a beam of the same attempt before, told by 63 bits of digest, so that
lines do not go in circles. Candidates of one layer that are the same have the same score, and are
dropped as the best are picked.

**Attempts** follow one another as `PLAN` says, each with digests and noise of its own: with narrow
beams first, then wider ones, then the widest for which there is memory, with three evaluations
in turn. An attempt ends when positions had to be left out and the best score has not risen for a
number of layers, when there is no room for more positions, or with no position left.

**Verdicts.** A win found is `winnable`; a line is replayed again once it has been shortened. A deal
is `unwinnable` if two attempts ran out of positions and had left none out: then every position that
can be reached has been looked into. One attempt could miss a position because its digest is that
of another, with a chance below n² / 2**64 for n positions; that two with unrelated digests do both
miss has at most the square of it, which is 10**-14 for a million positions. All else is `unknown`:
the attempts that memory allows, or the nodes, were used up. `nodes` counts the positions that were
in a beam.

Lines are shortened (`shorten`) after a second search by a wider beam, whose lines are shorter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.deals import deal_source
from labyrinth_sim.games.sliding.maze.evaluation import tables_of
from labyrinth_sim.games.sliding.maze.reference import MazePosition
from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.sliding.maze.shorten import shorten
from labyrinth_sim.games.solving import UNKNOWN, VERDICTS, WINNABLE, Clock, kept, most_nodes

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""

_WIDEST = 1 << 40
PLAN = np.array(
    [
        (100, 50, 1, 0),
        (100, 50, 2, 1),
        (800, 60, 3, 0),
        (800, 60, 4, 1),
        (6_400, 60, 5, 0),
        (6_400, 60, 6, 1),
        (6_400, 60, 7, 2),
        (_WIDEST, 80, 8, 2),
        (_WIDEST, 80, 9, 1),
        (_WIDEST, 80, 10, 0),
        (_WIDEST, 80, 11, 2),
        (_WIDEST, 80, 12, 1),
        (_WIDEST, 80, 13, 0),
        (_WIDEST, 80, 14, 2),
        (_WIDEST, 80, 15, 1),
    ]
)
"""Attempts: width of the beam, layers without progress that end it, seed of its digests, and its
evaluation. No beam is wider than memory allows: 24,576 positions with 64 megabytes."""

_WIDER = np.array([(4_000, 20, 12, 0)])
"""The second search, for a shorter line."""


def solve_position(
    position: MazePosition,
    limits: Limits | None = None,
    *,
    seconds: float | None = None,
    short: bool = True,
) -> Solution:
    """Look for a line that wins from a position.

    Parameters
    ----------
    position : MazePosition
    limits : Limits, optional
        The second search, for a shorter line, gets what the first has left of the nodes.
    seconds : float, optional
        How long it may take: what is not decided by then is `unknown`, and not reproducible; nor
        is a line that was not shortened by then.
    short : bool, default True
        Whether to look for a shorter line; otherwise it is that of the first search.

    Returns
    -------
    Solution
        `nodes` are those of the first search.

    Raises
    ------
    InvalidInput
        If `seconds` is no time.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.sliding.maze.reference import start
    >>> from labyrinth_sim.games.sliding.maze.rules import MazeRules
    >>> solve_position(start(deal("1/1/0").deck, MazeRules())).verdict
    'winnable'
    """
    from labyrinth_sim.games.sliding.maze.kernels import flags_of
    from labyrinth_sim.games.sliding.maze.solver_kernels import solve_one

    limits = limits or Limits()
    rules, cells = position.rules, np.frombuffer(position.key(), np.uint8)
    search, setting = search_of(limits), (flags_of(rules), tables_of(rules))
    search.start[:] = cells
    clock = Clock(seconds)
    solve_one(np.uint64(1), *setting, PLAN, search, clock.stop)  # compiled before the clock runs
    shorten(cells, rules, np.zeros(0, np.uint16), clock.stop)
    most = most_nodes(limits)
    clock.start()
    verdict, nodes, length = clock.run(solve_one, most, *setting, PLAN, search, clock.stop)
    moves, late = None, clock.over
    if late:
        verdict = UNKNOWN
    elif verdict == WINNABLE:
        line = search.line[:length].copy()
        if short:
            left = most - np.uint64(nodes)
            again, _, length = clock.run(solve_one, left, *setting, _WIDER, search, clock.stop)
            if again == WINNABLE and length < len(line):
                line = search.line[:length].copy()
            line = clock.run(shorten, cells, rules, line, clock.stop)
        moves = [_move_text(code) for code in line.tolist()]
    return Solution(VERDICTS[verdict], moves, int(nodes), clock.taken, not clock.over)


def search_of(limits: Limits) -> Any:
    """The search of this thread, of the memory that the limits allow."""
    from labyrinth_sim.games.sliding.maze.solver_kernels import new_search

    return kept(new_search, limits.memory)


def solve_deals(
    rules: MazeRules,
    deals: Deals,
    limits: Limits,
    first: int,
    verdicts: NDArray[np.uint8],
    nodes: NDArray[np.uint64],
    stop: NDArray[np.uint8],
) -> int:
    """Decide the deals from `first` on, see `SolveBlock`."""
    from labyrinth_sim.games.sliding.maze.kernels import flags_of
    from labyrinth_sim.games.sliding.maze.solver_kernels import solve_block

    done = solve_block(
        most_nodes(limits),
        flags_of(rules),
        tables_of(rules),
        PLAN,
        deal_source(deals),
        np.uint64(first),
        search_of(limits),
        verdicts,
        nodes,
        stop,
    )
    return int(done)


def _move_text(code: int) -> Move:
    return f"M {CARD_NAMES[code >> 6]} {code & 63}"
