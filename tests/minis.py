"""What the solver is held to: mini packs small enough to try every legal move, and orderings."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from probed import collected

from labyrinth_sim.core.probe import Deck
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals, deal
from labyrinth_sim.games.free_edge import engine
from labyrinth_sim.games.free_edge.exhaustive import exhaust, new_room
from labyrinth_sim.games.free_edge.kernels import flags_of
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.games.solving import UNKNOWN, VERDICTS

SMALL = Limits(memory=2)
SEED = 31
REFILLS = ("always", "first_row_only", "optional", "empty_column")
RESORTS = (("none", 0), ("fit", 1), ("fit", 2), ("lift", 1), ("lift", 2), ("lift", 3))
PACKS = ((4, 4, 3), (4, 2, 6), (4, 3, 4), (4, 1, 13), (5, 2, 8))
"""Columns, suits, ranks."""

MINIS = [
    LabyrinthRules(refill, availability, when, *resort, *pack)
    for refill, availability, when, resort, pack in product(
        REFILLS, ("free_edge", "ends"), ("when_stuck", "any_time"), RESORTS, PACKS
    )
]
"""All 480."""

ORDERED = (
    ("ultimate", "ultimate,deal=any_time"),
    ("ultimate", "ultimate,resort=fit"),
    ("ultimate,resort=fit", "ultimate,resort=lift"),
    ("ultimate,resort=lift", "ultimate,resort=lift,resorts=2"),
    ("ultimate", "ultimate,refill=optional"),
    ("aisleriot", "aisleriot,refill=optional"),
    ("pysol", "pysol,refill=optional"),
    ("pysol", "pysol,availability=free_edge"),
    ("wikipedia,availability=ends", "wikipedia"),
)
"""Rules, and more generous ones (RULES §2.1)."""


def verdicts(rules: LabyrinthRules, first: int, deals: int, **options: Any) -> Any:
    """What the solver says: columns `winnable`, `unknown` and `nodes`."""
    source = SeededDeals(SEED)
    run = collected(
        LabyrinthSolver().probe(rules, source, SMALL),
        source,
        first=first,
        deals=deals,
        keep="outcomes",
        n_jobs=1,
        watched="winnable",
        **options,
    )
    return run.outcomes


def exhausted(rules: LabyrinthRules, index: int, positions: int = 200_000) -> str:
    """What trying every legal move says; most searches need little room."""
    position = engine.start(deck(index), rules)
    for few in (1_000, positions):
        room = new_room(few)
        verdict, _ = exhaust(flags_of(rules), position.public, position.secret, room)
        if verdict != UNKNOWN:
            break
    return VERDICTS[verdict]


@cache
def deck(index: int) -> Deck:
    return deal(f"1/{SEED}/{index}").deck


def check_against_exhaustive_search(rules: LabyrinthRules, first: int, deals: int) -> None:
    """Both say the same of every deal, and nothing is left open."""
    solved = verdicts(rules, first, deals)
    assert not solved["unknown"].any()
    for number, winnable in enumerate(solved["winnable"]):
        expected = exhausted(rules, first + number)
        assert expected == ("winnable" if winnable else "unwinnable"), first + number
