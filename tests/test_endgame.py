"""Exact endgames: against a search without any thought, plain against compiled, in play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from positions import fits, grid, start

from labyrinth_sim.cards import CARD_NAMES, card_code
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.probe import Deck
from labyrinth_sim.deals import Deal
from labyrinth_sim.games.free_edge.endgame import winning_resort
from labyrinth_sim.games.free_edge.endgame_kernels import endgame_scratch, winning_cards
from labyrinth_sim.games.free_edge.engine import CompiledPosition
from labyrinth_sim.games.free_edge.kernels import NOTHING, flags_of
from labyrinth_sim.games.free_edge.players import Patient
from labyrinth_sim.games.free_edge.reference import Position, View
from labyrinth_sim.games.free_edge.rules import LabyrinthRules

KINDS = [
    (availability, resort) for availability in ("free_edge", "ends") for resort in ("fit", "lift")
]
MINIS = {
    1: [(4, 5), (3, 7), (2, 13), (4, 8)],
    2: [(4, 6), (3, 8), (2, 9), (2, 12)],
    3: [(4, 6), (3, 8), (2, 11), (2, 13)],
}
"""Suits and ranks of packs that a search without any thought can deal with, by resorts."""


def rules_with(
    availability: str, resort: str, resorts: int, columns: int, pack: tuple[int, int], way: int
) -> LabyrinthRules:
    """Rules with these resorts; how the stock comes in, which they do not touch, varies."""
    refill = ("always", "first_row_only", "optional", "empty_column")[way % 4]
    return LabyrinthRules(
        refill=refill,
        availability=availability,
        deal=("any_time", "any_time", "when_stuck")[way % 3],
        resort=resort,
        resorts=resorts,
        columns=columns,
        suits=pack[0],
        ranks=pack[1],
    )


def endgames(rules: LabyrinthRules, index: int) -> Iterator[CompiledPosition]:
    """The positions of a game that ask for a resort; resorts are used at random.

    The game may be one where rows are dealt early, so that much is buried.
    """
    chooser = random.Random(f"{rules.spec}/{index}")
    haste = chooser.choice([0, 1, 1])
    position = start(deck(index), rules)[1]
    while moves := position.legal():
        if moves[0][0] == "R":
            yield position
        first = "D" if chooser.random() < haste else "P"
        position = position.after(
            chooser.choice([move for move in moves if move[0] == first] or moves)
        )


@cache
def deck(index: int) -> Deck:
    return Deal(11, index).deck


def winnable(position: Position, known: dict[bytes, bool]) -> bool:
    """Whether some sequence of legal moves wins."""
    key = position.key()
    if key not in known:
        known[key] = position.view.won or any(
            winnable(position.after(move), known) for move in position.legal()
        )
    return known[key]


def order(move: Move) -> tuple[int, int]:
    card = card_code(move[2:])
    return card % 13, card // 13


def candidates(view: View) -> list[Move]:
    """The moves that may be chosen, in order: all under `fit`, else neighbours of next cards."""
    if view.rules.resort == "fit":
        return sorted(view.legal(), key=order)
    cells = grid(view)
    nexts = [place for place, card in cells.items() if fits(view, card)]
    beside = {cells[row + step, column] for row, column in nexts for step in (-1, 1)}
    return sorted((f"R {CARD_NAMES[card]}" for card in beside), key=order)


@pytest.mark.parametrize("resorts", [1, 2, 3])
@pytest.mark.parametrize(("availability", "resort"), KINDS)
def test_a_search_of_all_moves_agrees(availability: str, resort: str, resorts: int) -> None:
    won = asked = 0
    for index in range(240 // resorts):
        pack = MINIS[resorts][index % 4]
        rules = rules_with(availability, resort, resorts, 4, pack, index)
        known: dict[bytes, bool] = {}
        for position in endgames(rules, index):
            plain, move = position.plain(), winning_resort(position.view)
            asked += 1
            assert (move is not None) == winnable(plain, known)
            if move is None:
                continue
            won += 1
            assert winnable(plain.after(move), known)
            if resort == "fit" or availability == "free_edge":
                winners = (
                    other for other in candidates(plain.view) if winnable(plain.after(other), known)
                )
                assert move == next(winners)
    assert 10 < won < asked - 5


def compiled_answers(
    rules: LabyrinthRules, positions: list[CompiledPosition], **options: int
) -> list[Move | None]:
    publics = np.concatenate([position.public for position in positions])
    out = np.zeros(len(publics), np.uint8)
    before = publics.copy()
    winning_cards(publics, flags_of(rules), endgame_scratch(**options), out)
    assert (publics == before).all()
    return [None if card == NOTHING else f"R {CARD_NAMES[card]}" for card in out]


def assert_same_answers(rules: LabyrinthRules, deals: int, **options: int) -> list[Move | None]:
    """The two forms agree on all endgames of so many games; their answers."""
    positions = [position for index in range(deals) for position in endgames(rules, index)]
    if not positions:
        return []
    answers = compiled_answers(rules, positions, **options)
    assert answers == [winning_resort(position.view, **options) for position in positions]
    return answers


@pytest.mark.parametrize("resorts", [1, 2, 3, 4, 6])
@pytest.mark.parametrize(("availability", "resort"), KINDS)
def test_compiled_answers_are_the_plain_ones(availability: str, resort: str, resorts: int) -> None:
    answers: list[Move | None] = []
    for columns in range(4, 13):
        for pack, deals in (((4, 13), 36), ((4, 9), 12), ((3, 11), 12), ((2, 13), 12)):
            rules = rules_with(availability, resort, resorts, columns, pack, columns + pack[1])
            answers += assert_same_answers(rules, deals // resorts)
    assert len(answers) > 200
    assert 50 < answers.count(None) < len(answers) - 50


@pytest.mark.parametrize(("availability", "resort"), KINDS)
def test_searches_that_are_cut_short_are_so_alike(availability: str, resort: str) -> None:
    missed = 0
    for columns in (4, 8):
        rules = rules_with(availability, resort, 4, columns, (4, 13), 2)
        answers = [assert_same_answers(rules, 25, most_tries=tries) for tries in (0, 5, 2000)]
        missed += answers[0].count(None) - answers[2].count(None)
    assert missed > 0


def test_one_scratch_serves_many_searches() -> None:
    rules = rules_with("ends", "lift", 4, 8, (4, 13), 2)
    positions = [position for index in range(40) for position in endgames(rules, index)]
    once = [compiled_answers(rules, [position])[0] for position in positions]
    assert compiled_answers(rules, positions) == once
    assert compiled_answers(rules, positions[::-1]) == once[::-1]


def play_out(position: Position, player: Patient) -> bool:
    while moves := position.legal():
        position = position.after(player.choose(position.view, moves, None))
    return position.view.won


@pytest.mark.parametrize("resorts", [1, 2, 3])
@pytest.mark.parametrize(("availability", "resort"), KINDS)
def test_an_exact_end_wins_whatever_the_usual_one_wins(
    availability: str, resort: str, resorts: int
) -> None:
    usual, exact = [], []
    for index in range(60):
        pack = (4, 13) if index % 4 == 0 else (4, 8)
        rules = rules_with(availability, resort, resorts, 4 + index % 5, pack, index)
        for stuck in endgames(rules, index):
            position = stuck.plain()
            usual.append(play_out(position, Patient()))
            exact.append(play_out(position, Patient(endgame="exact")))
            assert exact[-1] == (winning_resort(position.view) is not None)
    assert all(better >= worse for better, worse in zip(exact, usual, strict=True))
    assert sum(exact) > sum(usual)
