"""Deciding deals with all seen: whether some legal line of moves wins, and which.

The search is depth first over what is left to decide. What it rests on:

**Safe plays are made at once** (`_settle`), under `optional` all plays. Take a winning line from
a position in which the play p is legal. It contains p, for all cards are played in the end, and no
resort comes before p, as one needs that no play is legal. Move p to the front of the line. What
came before p stays legal: a play, as taking a card away only frees others; a fill, as its cell
is still open and p, drawing nothing, took no stock card; a row under `any_time`; and under
`when_stuck` no row came before p, which was legal all along, since under forced refills a play of
another card leaves as many cells occupied next to p, or fewer. Nor does p change what another
play draws, unless it lies in the same column under `empty_column`, where this rule is therefore
left out while there is stock. Under `optional` a play draws nothing of itself, so any play may be
p, also the one of a top card: filling its cell is not forced. There a row may come before p in a
line of `any_time`; with p first it is as legal. So both values of `deal` win the same deals.

**Now or waiting.** Under `empty_column`, while there is stock, let p be a legal play whose card is
not alone in its column. Either the winning line leaves the card alone there at some time before it
plays it, or p may be moved to the front: nothing before it draws because of that, as a play of the
column's last card but one would have left the card of p alone. So p is made now, or its card
*waits*: it is not played until it was alone. It can't be if a higher card of its suit lies in its
column.

**Endings are exact** (`endgame`): once the stock is out nothing but resorts is left to decide.

**Out of reach** (`out_of_reach`): were all stock cards in hand already, they would bury nothing
and all else would be at least as available. If the game can't be won even so, with the resorts
that are left, it is lost.

**Visited positions** are kept as 127 bits of digest of the whole public position; the order of the
stock is the deal's. A collision could only make a winnable deal unwinnable. Over a study of D
deals with n positions each it is expected D · n² / 2**128 times: for ten million deals of 100,000
positions, far more than any has, less than 10**-21 times.

The table is bounded. Where it is full, a limit of nodes is reached, or an ending is cut short
(which needs more than four resorts), the verdict is `unknown`: never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Deals, Deck
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.deals import deal_source
from labyrinth_sim.games.free_edge.endgame import winning_resort
from labyrinth_sim.games.free_edge.players import drawing_play, safe_play
from labyrinth_sim.games.free_edge.reference import Position, start
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.solving import UNKNOWN, VERDICTS, WINNABLE, Clock, kept, most_nodes

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""


def search_of(limits: Limits) -> Any:
    """The search of this thread, of the memory that the limits allow."""
    from labyrinth_sim.games.free_edge.solver_kernels import new_search

    return kept(new_search, limits.memory)


def solve(
    deck: Deck,
    rules: LabyrinthRules,
    limits: Limits | None = None,
    *,
    seconds: float | None = None,
) -> Solution:
    """Decide a deal, and show a line that wins it.

    Parameters
    ----------
    deck : ndarray of uint8, shape (52,)
    rules : LabyrinthRules
    limits : Limits, optional
    seconds : float, optional
        How long it may take: what is not decided by then is `unknown`, and not reproducible.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> solution = solve(deal("1/20261130/1").deck, LabyrinthRules())
    >>> solution.verdict, len([move for move in solution.moves if move[0] == "P"])
    ('winnable', 48)
    """
    return solve_position(start(deck, rules), limits, seconds=seconds)


def solve_position(
    position: Position, limits: Limits | None = None, *, seconds: float | None = None
) -> Solution:
    """Decide any position, as `solve` does a deal."""
    from labyrinth_sim.games.free_edge import engine
    from labyrinth_sim.games.free_edge.kernels import FILL, flags_of
    from labyrinth_sim.games.free_edge.solver_kernels import WAIT, solve_one

    limits = limits or Limits()
    compiled, flags = engine.from_plain(position), flags_of(position.view.rules)
    search = search_of(limits)._replace(public=compiled.public, secret=compiled.secret)
    won = search._replace(public=np.zeros_like(compiled.public))
    clock = Clock(seconds)
    solve_one(np.uint64(1), flags, won, clock.stop)  # compiled before the clock runs
    most = most_nodes(limits)
    verdict, nodes, level = clock.start().run(solve_one, most, flags, search, clock.stop)
    took, late = clock.taken, clock.over
    if late:
        verdict = UNKNOWN
    moves = None
    if verdict == WINNABLE:
        branches = [code for code in search.line[:level] if not WAIT <= code < FILL]
        moves = list(_line(position, [engine.move_text(code) for code in branches]))
    return Solution(VERDICTS[verdict], moves, int(nodes), took, reproducible=not late)


def solve_deals(
    rules: LabyrinthRules,
    deals: Deals,
    limits: Limits,
    first: int,
    verdicts: NDArray[np.uint8],
    nodes: NDArray[np.uint64],
    stop: NDArray[np.uint8],
) -> int:
    """Decide the deals from `first` on, see `SolveBlock`: without lines, which take longer."""
    from labyrinth_sim.games.free_edge.kernels import flags_of
    from labyrinth_sim.games.free_edge.solver_kernels import solve_block

    done = solve_block(
        most_nodes(limits),
        flags_of(rules),
        deal_source(deals),
        np.uint64(first),
        search_of(limits),
        verdicts,
        nodes,
        stop,
    )
    return int(done)


def _line(position: Position, branches: list[Move]) -> Iterator[Move]:
    """The moves of a line of which the branches are known: plays made at once, and the ending."""
    for branch in [*branches, None]:
        while move := _settling(position):
            yield move
            position = position.after(move)
        if branch is not None:
            yield branch
            position = position.after(branch)
    while not position.view.won:
        move = _settling(position) or winning_resort(position.view)
        if move is None:
            return
        yield move
        position = position.after(move)


def _settling(position: Position) -> Move | None:
    """A play that is made at once."""
    view = position.view
    if view.rules.refill == "empty_column" and view.stock_left:
        return None
    safe = safe_play(view, ())
    return drawing_play(view, ()) if safe is None and view.rules.refill == "optional" else safe
