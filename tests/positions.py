"""Positions of Labyrinth in both engines, walks through them, and a third opinion of the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from labyrinth_sim.games.free_edge import engine, reference
from labyrinth_sim.games.free_edge.engine import CompiledPosition
from labyrinth_sim.games.free_edge.reference import Position, View
from labyrinth_sim.games.free_edge.rules import LabyrinthRules

Pair = tuple[Position, CompiledPosition]
"""One position in the reference engine and in the compiled one."""

NAMES = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
ALL_MOVES = [
    "D",
    *(f"F {column}" for column in range(15)),
    *(f"{verb} {name}" for verb in "PR" for name in NAMES),
]


def start(deck: Any, rules: LabyrinthRules) -> Pair:
    return reference.start(deck, rules), engine.start(deck, rules)


def walk(pair: Pair, chooser: random.Random, eager: bool) -> Iterator[Pair]:
    """Random legal play in both engines; an eager one leaves few plays out and gets far."""
    plain, fast = pair
    yield pair
    while moves := plain.legal():
        plays = [move for move in moves if move[0] == "P"]
        move = chooser.choice(plays if plays and eager and chooser.random() < 0.9 else moves)
        plain, fast = plain.after(move), fast.after(move)
        yield plain, fast


# A third opinion, straight from the words of the rules.


def pack(rules: LabyrinthRules) -> list[int]:
    return [13 * suit + rank for suit in range(rules.suits) for rank in range(rules.ranks)]


def grid(view: View) -> dict[tuple[int, int], int]:
    """The card in each cell, by row and column; open cells are left out."""
    return {
        (row, column): card
        for row, cells in enumerate(view.tableau)
        for column, card in enumerate(cells)
        if card is not None
    }


def available(view: View) -> set[int]:
    """The cards that may be taken, those in hand included."""
    cells, found = grid(view), {*view.hand}
    for (row, column), card in cells.items():
        if view.rules.availability == "free_edge":
            free = (row - 1, column) not in cells or (row + 1, column) not in cells
        else:
            rows = [r for r, c in cells if c == column]
            free = row in (min(rows), max(rows))
        if free:
            found.add(card)
    return found


def fits(view: View, card: int) -> bool:
    return card % 13 == view.foundations[card // 13]


def playable(view: View) -> list[int]:
    return sorted(card for card in available(view) if fits(view, card))


def legal(view: View) -> list[str]:
    rules, plays = view.rules, playable(view)
    if sum(view.foundations) == rules.suits * rules.ranks:
        return []
    moves = {f"P {NAMES[card]}" for card in plays}
    if view.stock_left and (rules.deal == "any_time" or not plays):
        moves.add("D")
    if view.stock_left and rules.refill == "optional":
        top = {column for row, column in grid(view) if row == 0}
        moves |= {f"F {column + 1}" for column in set(range(rules.columns)) - top}
    if not view.stock_left and not plays and view.resorts_used < rules.resorts:
        for card in grid(view).values():
            if rules.resort == "lift" or fits(view, card):
                moves.add(f"R {NAMES[card]}")
    return sorted(moves)
