"""Gaps, also known as Montana (RULES §4)."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.core.game import Catalog, Game, Reference
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.games.sliding.gaps.reference import start
from labyrinth_sim.games.sliding.gaps.rules import NAME, VERSION, GapsRules
from labyrinth_sim.games.sliding.gaps.solver import GapsSolver
from labyrinth_sim.games.sliding.players import FIXED, PLAYERS, STRONG, with_limit
from labyrinth_sim.games.sliding.position import COLUMNS, LIMIT, read_move
from labyrinth_sim.games.sliding.probe import sliding_probe


def _flags_of(rules: GapsRules) -> Any:
    from labyrinth_sim.games.sliding.gaps.kernels import flags_of

    return flags_of(rules)


class GapsEngine:
    """The compiled engine of Gaps, see `Engine`."""

    def probe(self, rules: GapsRules, player: Player, deals: Deals) -> Probe | None:
        return sliding_probe(NAME, VERSION, _flags_of, rules, player, deals)


GAME = Game(
    name=NAME,
    title="Gaps",
    version=VERSION,
    rules=GapsRules,
    columns=COLUMNS,
    reference=Reference(start, read_move, LIMIT),
    engine=GapsEngine(),
    solver=GapsSolver(),
    catalog=Catalog(
        PLAYERS.copy,
        modifiers={"limit": with_limit},
        fixed=FIXED,
        strong=STRONG,
        baselines=("greedy",),
    ),
)
