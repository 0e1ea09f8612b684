"""Positions of Maze and Gaps, and a third opinion of their rules, from the words of RULES."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from labyrinth_sim.cards import CARD_NAMES, card_code
from labyrinth_sim.deals import Deal
from labyrinth_sim.games import find_game
from labyrinth_sim.games.sliding.gaps.reference import GapsPosition
from labyrinth_sim.games.sliding.gaps.rules import GapsRules
from labyrinth_sim.games.sliding.maze.reference import MazePosition
from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.sliding.position import SlidingPosition

MAZES = [
    MazeRules(*values)
    for values in product(
        ["yes", "no"],
        ["none", "ends"],
        ["corners", "runs", "ordered"],
        ["9+18", "53+54"],
        ["kings", "aces"],
    )
]
GAPS = [GapsRules(*values) for values in product(["bound", "free"], ["own_suit", "any_suit"])]
EVERY = [*MAZES, *GAPS]
"""Every combination of the rules of both games, 48 and 4."""


def name_of(rules: Any) -> str:
    return f"{rules.title}-{'-'.join(rules.as_dict().values())}"


def start(rules: Any, index: int) -> SlidingPosition:
    position: Any = find_game(rules.title.lower()).start(Deal(5, index).deck, rules)
    return position


def lay(rules: Any, names: str) -> SlidingPosition:
    """A position by the names of its cards, gaps as ``--``."""
    cells = tuple(None if name == "--" else card_code(name) for name in names.split())
    return (MazePosition if isinstance(rules, MazeRules) else GapsPosition)(rules, cells)


def walk(position: SlidingPosition, chooser: random.Random, most: int) -> Iterator[SlidingPosition]:
    """Random legal play."""
    yield position
    for _ in range(most):
        if not (moves := position.legal()):
            return
        position = position.after(chooser.choice(moves))
        yield position


def nearly_won(rules: Any, chooser: random.Random) -> SlidingPosition:
    """Four runs, gaps somewhere between them or not; now and then two cells swapped."""
    suits = chooser.sample("CDHS", 4) if chooser.random() < 0.8 else "CDHS"
    runs = [[rank + suit for rank in ranks(rules)] for suit in suits]
    if isinstance(rules, GapsRules):
        cells = [card for run in runs for card in (*run, "--")]
    else:
        cells = [card for run in runs for card in run]
        whole = chooser.random() < 0.5
        for _ in range(6):
            places = [12 * k for k in range(5)] if whole else range(1, 48)
            before = [cells.index(runs[k][0]) for k in range(4)] + [len(cells)]
            place = chooser.choice(before) if whole else chooser.choice(places)
            cells.insert(place, "--")
        turn = chooser.randrange(54) if chooser.random() < 0.3 else 0
        cells = cells[turn:] + cells[:turn]
    if chooser.random() < 0.3:
        one, other = chooser.sample(range(len(cells)), 2)
        cells[one], cells[other] = cells[other], cells[one]
    return lay(rules, " ".join(cells))


# A third opinion, straight from the words of the rules.


def ranks(rules: Any) -> str:
    low = "A23456789TJQ"
    return low if getattr(rules, "removed", "aces") == "kings" else "23456789TJQK"


def names(position: SlidingPosition) -> list[str]:
    return ["--" if card is None else CARD_NAMES[card] for card in position.cells]


def won(position: SlidingPosition) -> bool:
    """Whether the cards lie as the words say."""
    rules, cells = position.rules, names(position)
    runs = {suit: [rank + suit for rank in ranks(rules)] for suit in "CDHS"}
    if isinstance(rules, GapsRules):
        rows = [cells[row : row + 12] for row in range(0, 52, 13)]
        if rules.win == "own_suit":
            return rows == list(runs.values())
        return all(row in runs.values() for row in rows)
    if rules.win == "runs":
        starts = [cells.index(run[0]) for run in runs.values()]
        return all(
            (cells + cells)[start : start + 12] == run
            for start, run in zip(starts, runs.values(), strict=True)
        )
    cards = [card for card in cells if card != "--"]
    if not all(cards[place : place + 12] in runs.values() for place in range(0, 48, 12)):
        return False
    return rules.win == "ordered" or (cells[0] != "--" and cells[53] != "--")


def may_move(rules: Any, cells: list[str], card: str, cell: int) -> bool:
    """Whether a card may move into a gap, whose cell is numbered from 1."""
    rank, suit = card
    order = ranks(rules)
    if rank not in order:
        return False
    low, high = order[0], order[-1]
    lower = order[order.index(rank) - 1] + suit if rank != low else None
    higher = order[order.index(rank) + 1] + suit if rank != high else None
    if isinstance(rules, GapsRules):
        row, column = divmod(cell - 1, 13)
        if column == 0:
            return rank == "2" and (rules.twos == "free" or suit == "CDHS"[row])
        return lower is not None and cells[cell - 2] == lower
    ring = rules.ring == "yes"
    left = cells[cell - 2] if cell > 1 else cells[53] if ring else "--"
    right = cells[cell] if cell < 54 else cells[0] if ring else "--"
    return (
        (lower is not None and left == lower)
        or (higher is not None and right == higher)
        or (rank == low and left[0] == high)
        or (
            rules.entries == "ends"
            and ((rank == low and cell == 1) or (rank == high and (cell == 54 or right[0] == low)))
        )
    )


def legal(position: SlidingPosition) -> list[str]:
    rules, cells = position.rules, names(position)
    gaps = [] if won(position) else [number for number, card in enumerate(cells, 1) if card == "--"]
    every = ((card, cell) for card in CARD_NAMES for cell in gaps)
    return sorted(f"M {card} {cell}" for card, cell in every if may_move(rules, cells, card, cell))
