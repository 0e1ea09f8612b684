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

import threading
import time
from typing import Any

import numpy as np

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.maze.evaluation import tables_of
from labyrinth_sim.games.maze.reference import MazePosition, start
from labyrinth_sim.games.maze.rules import MazeRules
from labyrinth_sim.games.maze.shorten import shorten
from labyrinth_sim.protocols import Deck, Limits, Move, Solution

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""

VERDICTS = ("unwinnable", "winnable", "unknown")

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

_kept = threading.local()


def solve(
    deck: Deck,
    rules: MazeRules,
    limits: Limits | None = None,
    *,
    seconds: float | None = None,
) -> Solution:
    """Look for a win of a deal.

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
    rules : MazeRules
    limits : Limits, optional
    seconds : float, optional
        How long it may take: what is not decided by then is `unknown`, and not reproducible; nor
        is a line that was not shortened by then.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> solve(deal("1/1/0").deck, MazeRules()).verdict
    'winnable'
    """
    return solve_position(start(deck, rules), limits, seconds=seconds)


def solve_position(
    position: MazePosition, limits: Limits | None = None, *, seconds: float | None = None
) -> Solution:
    """Look for a win from any position, as `solve` does from a deal."""
    from labyrinth_sim.games.maze.kernels import flags_of
    from labyrinth_sim.games.maze.solver_kernels import solve_one

    limits = limits or Limits()
    if seconds is not None and not seconds > 0:
        raise InvalidInput(f"seconds={seconds!r} is out of range; give a number above 0")
    rules, cells = position.rules, np.frombuffer(position.key(), np.uint8)
    search, stop = search_of(limits.memory), np.zeros(1, np.uint8)
    setting = flags_of(rules), tables_of(rules)
    search.start[:] = cells
    solve_one(np.uint64(1), *setting, PLAN, search, stop)  # compiled before the clock runs
    shorten(cells, rules, np.zeros(0, np.uint16), stop)
    timer = threading.Timer(seconds or 0, stop.fill, [1])
    timer.daemon = True
    began = time.perf_counter()
    if seconds is not None:
        timer.start()
    verdict, nodes, length = solve_one(most_nodes(limits), *setting, PLAN, search, stop)
    took = time.perf_counter() - began
    moves = None
    late = seconds is not None and took > seconds  # the timer may be late itself
    if late:
        verdict = VERDICTS.index("unknown")
    elif VERDICTS[verdict] == "winnable":
        line = search.line[:length].copy()
        again, _, length = solve_one(most_nodes(limits), *setting, _WIDER, search, stop)
        if VERDICTS[again] == "winnable" and length < len(line):
            line = search.line[:length].copy()
        moves = [_move_text(code) for code in shorten(cells, rules, line, stop).tolist()]
    timer.cancel()
    took = time.perf_counter() - began
    return Solution(VERDICTS[verdict], moves, int(nodes), took, not (late or stop[0]))


def search_of(memory: int) -> Any:
    """The search of this worker: kept, as new memory is slow at its first touch."""
    from labyrinth_sim.games.maze.solver_kernels import new_search

    if getattr(_kept, "memory", None) != memory:
        _kept.memory, _kept.search = memory, new_search(memory)
    return _kept.search


def most_nodes(limits: Limits) -> np.uint64:
    """The limit of nodes as kernels take it."""
    return np.uint64(2**62 if limits.nodes is None else limits.nodes)


def _move_text(code: int) -> Move:
    return f"M {CARD_NAMES[code >> 6]} {code & 63}"
