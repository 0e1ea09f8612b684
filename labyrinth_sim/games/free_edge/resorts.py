"""How many resorts a deal needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labyrinth_sim.core.probe import Deck
from labyrinth_sim.core.solver import Bounds, Limits
from labyrinth_sim.deals import ListedDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.games.solving import VERDICTS
from labyrinth_sim.parameters import checked_whole

MOST_RESORTS = 4
"""So many resorts are tried by default: endings are always exact up to there, see `endgame`."""


def fewest_resorts(
    deck: Deck,
    rules: LabyrinthRules,
    most: int = MOST_RESORTS,
    limits: Limits | None = None,
    *,
    low: int = 0,
) -> Bounds:
    """Decide a deal with 0, 1, 2, … resorts, until it can be won.

    A further resort never hurts (RULES §2.1), so the answer is one number, or bounds of it where
    a limit was reached.

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
    rules : LabyrinthRules
        Its `resort` says what a resort is; its `resorts` does not matter.
    most : int, default 4
        How many are tried.
    limits : Limits, optional
        For each number of resorts.
    low : int, default 0
        With fewer it is known that the deal can't be won.

    Raises
    ------
    InvalidInput
        If the rules have no resort, `most` is not an integer from 0, or `deck` is no deck.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> fewest_resorts(deal("1/1/0").deck, LabyrinthRules.read("ultimate,resort=lift"))
    Bounds(low=..., high=...)
    """
    if rules.resort == "none":
        raise InvalidInput(f"{rules.spec} has no resort; give resort=fit or resort=lift")
    most = checked_whole("most", most, 0)
    for resorts in range(low, most + 1):
        resort = rules.resort if resorts else "none"
        verdict = _verdict(deck, replace(rules, resort=resort, resorts=resorts), limits or Limits())
        if verdict == "winnable":
            return Bounds(low, resorts)
        if verdict == "unwinnable":
            low = resorts + 1
    return Bounds(low, None)


def _verdict(deck: Deck, rules: LabyrinthRules, limits: Limits) -> str:
    """Decide a deal without a line of moves, which would take ten times as long."""
    verdicts, nodes = np.zeros(1, np.uint8), np.zeros(1, np.uint64)
    deals = ListedDeals(deck[np.newaxis])
    stop = np.zeros(1, np.uint8)
    LabyrinthSolver().decide(rules, deals, limits, 0, verdicts, nodes, stop)
    return VERDICTS[verdicts[0]]
