"""Gaps, also known as Montana (RULES §4)."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.games.gaps.reference import start
from labyrinth_sim.games.gaps.rules import NAME, VERSION, GapsRules
from labyrinth_sim.games.gaps.solver_probe import GapsSolver, exhaust
from labyrinth_sim.games.sliding import COLUMNS, LIMIT, read_move
from labyrinth_sim.games.sliding_players import FIXED, PLAYERS, STRONG, with_limit
from labyrinth_sim.games.sliding_probe import sliding_probe
from labyrinth_sim.protocols import Deals, Game, Player, Probe


def _flags_of(rules: GapsRules) -> Any:
    from labyrinth_sim.games.gaps.kernels import flags_of

    return flags_of(rules)


def _compiled(rules: GapsRules, player: Player, deals: Deals) -> Probe | None:
    return sliding_probe(NAME, VERSION, _flags_of, rules, player, deals)


GAME = Game(
    name=NAME,
    title="Gaps",
    version=VERSION,
    rules=GapsRules,
    columns=COLUMNS,
    start=start,
    players=PLAYERS.copy,
    read_move=read_move,
    compiled=_compiled,
    modifiers={"limit": with_limit},
    limit=LIMIT,
    fixed=FIXED,
    strong=STRONG,
    solver=GapsSolver(),
    exhaust=exhaust,
)
