"""Deciding deals: whether some legal line of moves wins, and which.

(docs to come)
"""

from __future__ import annotations

import threading
import time

import numpy as np

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.gaps.reference import GapsPosition, start
from labyrinth_sim.games.gaps.rules import GapsRules
from labyrinth_sim.protocols import Deck, Limits, Solution

NAME, GAME_VERSION = "gaps", 1

_WON = np.roll(np.arange(52).reshape(4, 13), -1, axis=1).ravel()

VERDICTS = ("unwinnable", "winnable", "unknown")

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""


def solve(
    deck: Deck,
    rules: GapsRules,
    limits: Limits | None = None,
    *,
    seconds: float | None = None,
) -> Solution:
    """Decide a deal, and show a line that wins it.

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
    rules : GapsRules
    limits : Limits, optional
    seconds : float, optional
        How long it may take: what is not decided by then is `unknown`, and not reproducible.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> solve(deal("1/1/2").deck, GapsRules()).verdict
    'unwinnable'
    """
    return solve_position(start(deck, rules), limits, seconds=seconds)


def solve_position(
    position: GapsPosition, limits: Limits | None = None, *, seconds: float | None = None
) -> Solution:
    """Decide any position, as `solve` does a deal."""
    from labyrinth_sim.games.gaps.solver_kernels import new_search, solve_one

    limits = limits or Limits()
    if seconds is not None and not seconds > 0:
        raise InvalidInput(f"seconds={seconds!r} is out of range; give a number above 0")
    rules = position.rules
    bound, own = rules.twos == "bound", rules.win == "own_suit"
    search = new_search(limits.memory, bound)
    stop = np.zeros(1, np.uint8)
    search.deck[:] = _WON
    solve_one(np.uint64(1), bound, own, search, stop)  # compiled before the clock runs
    search.deck[:] = list(position.key())
    timer = threading.Timer(seconds or 0, stop.fill, [1])
    timer.daemon = True
    began = time.perf_counter()
    if seconds is not None:
        timer.start()
    verdict, nodes, length = solve_one(most_nodes(limits), bound, own, search, stop)
    took = time.perf_counter() - began
    timer.cancel()
    late = seconds is not None and took > seconds  # the timer may be late itself
    if late:
        verdict = VERDICTS.index("unknown")
    moves = None
    if VERDICTS[verdict] == "winnable":
        moves = [_move_text(card, place) for card, place in search.trail[:length, ::2].tolist()]
    return Solution(VERDICTS[verdict], moves, int(nodes), took, reproducible=not late)


def most_nodes(limits: Limits) -> np.uint64:
    """The limit of nodes as kernels take it."""
    return np.uint64(2**63 if limits.nodes is None else limits.nodes)


def _move_text(card: int, place: int) -> str:
    """A move of the kernels, which count in sixteens and columns from 1, as text."""
    name = CARD_NAMES[card // 16 * 13 + card % 16]
    return f"M {name} {place // 16 * 13 + place % 16}"
