"""Deciding deals with perfect information: whether some legal line of moves wins, and which.

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

**Visited positions** are stored as 127 bits of digest of the whole public position; the order of
the stock is the deal's. A collision could only make a winnable deal unwinnable. Over a study of D
deals with n positions each it is expected D · n² / 2**128 times: for ten million deals of 100,000
positions, far more than any has, less than 10**-21 times.

The table is bounded. Where it is full, a limit of nodes is reached, or an ending is cut short
(which needs more than four resorts), the verdict is `unknown`: never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Deck
from labyrinth_sim.core.solver import Bounds, Limits, Solution
from labyrinth_sim.games.free_edge.endgame import winning_resort
from labyrinth_sim.games.free_edge.players import drawing_play, safe_play
from labyrinth_sim.games.free_edge.probe import NAME
from labyrinth_sim.games.free_edge.probe import VERSION as GAME_VERSION
from labyrinth_sim.games.free_edge.reference import Position
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.solving import VERDICTS, Clock, KernelSolver
from labyrinth_sim.parameters import checked_whole

VERSION = 1
"""Changes whenever the verdict or the node count of some deal may."""

_ROOM = 112
"""Bytes that an exhaustive search takes for a position: 80, and up to four slots of 8."""


class LabyrinthSolver(KernelSolver):
    """The solver of Labyrinth, see `Solver`, `Exhaustive` and `Appraises`.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.reference import start
    >>> position = start(deal("1/20261130/1").deck, LabyrinthRules())
    >>> solution = LabyrinthSolver().solve(position)
    >>> solution.verdict, len([move for move in solution.moves if move[0] == "P"])
    ('winnable', 48)
    """

    game, version, solver_version = NAME, GAME_VERSION, VERSION
    appraisal = "fewest_resorts"
    appraisal_text = "fewest resorts that win it"

    def kernels(self) -> Any:
        from labyrinth_sim.games.free_edge import solver_kernels

        return solver_kernels

    def setting(self, rules: LabyrinthRules) -> tuple[Any, ...]:
        from labyrinth_sim.games.free_edge.kernels import flags_of

        return (flags_of(rules),)

    def rules_of(self, position: Position) -> LabyrinthRules:
        return position.view.rules

    def put(self, position: Position, search: Any) -> Any:
        from labyrinth_sim.games.free_edge import engine

        compiled = engine.from_plain(position)
        return search._replace(public=compiled.public, secret=compiled.secret)

    def line(
        self, position: Position, search: Any, length: int, left: np.uint64, clock: Clock
    ) -> list[Move]:
        from labyrinth_sim.games.free_edge import engine
        from labyrinth_sim.games.free_edge.kernels import FILL
        from labyrinth_sim.games.free_edge.solver_kernels import WAIT

        branches = [code for code in search.line[:length] if not WAIT <= code < FILL]
        return list(_line(position, [engine.move_text(code) for code in branches]))

    def exhaust(self, position: Position, limits: Limits) -> Solution:
        return exhaust(position, limits)

    def appraise(
        self, deck: Deck, rules: LabyrinthRules, limits: Limits, *, most: int | None = None
    ) -> Mapping[str, Bounds]:
        """The fewest resorts that win a deal, for `fit` and for `lift`, up to 4 by default.

        A lift does whatever a fit does (RULES §2.1), so fewer fits than lifts need not be tried.
        """
        from labyrinth_sim.games.free_edge.resorts import MOST_RESORTS, fewest_resorts

        most = MOST_RESORTS if most is None else checked_whole("most", most, 0)
        fit, lift = (replace(rules, resort=kind, resorts=1) for kind in ("fit", "lift"))
        lifts = fewest_resorts(deck, lift, most, limits)
        return {"fit": fewest_resorts(deck, fit, most, limits, low=lifts.low), "lift": lifts}


def exhaust(position: Position, limits: Limits) -> Solution:
    """Decide a position by trying every legal move, nothing pruned and keys exact.

    Parameters
    ----------
    position : Position
    limits : Limits
        Positions that there is no room for make the verdict `unknown`.

    Returns
    -------
    Solution
        `nodes` are the positions that were visited.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.reference import start
    >>> mini = LabyrinthRules.read("wikipedia,suits=2,ranks=4")
    >>> exhaust(start(deal("1/1/0").deck, mini), Limits()).verdict
    'winnable'
    """
    from labyrinth_sim.games.free_edge import engine
    from labyrinth_sim.games.free_edge.exhaustive import exhaust as search
    from labyrinth_sim.games.free_edge.exhaustive import new_room
    from labyrinth_sim.games.free_edge.kernels import flags_of

    compiled, flags = engine.from_plain(position), flags_of(position.view.rules)
    most = (limits.memory << 20) // _ROOM
    room = new_room(most if limits.nodes is None else min(most, limits.nodes))
    began = perf_counter()
    verdict, nodes = search(flags, compiled.public, compiled.secret, room)
    took = perf_counter() - began
    moves = None
    if VERDICTS[verdict] == "winnable":
        moves = []
        for tried, count in zip(room.moves, room.tried, strict=True):
            if position.status == "won":
                break
            moves.append(engine.move_text(tried[count - 1]))
            position = position.after(moves[-1])
    return Solution(VERDICTS[verdict], moves, int(nodes), took)


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
