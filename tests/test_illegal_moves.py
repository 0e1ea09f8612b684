"""Moves that are not legal are refused, by both engines, with a reason that is true."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import ALL_MOVES, NAMES, available, fits, grid, pack, playable, start, walk

from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.deals import Deal, deal
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.games.free_edge.engine import CompiledPosition
from labyrinth_sim.games.free_edge.reference import Position, read_move
from labyrinth_sim.games.free_edge.rules import LabyrinthRules


def buried(position: Position, name: str, availability: str) -> bool:
    card = NAMES.index(name)
    lies = card in grid(position.view).values()
    rules = position.view.rules
    return lies and rules.availability == availability and card not in available(position.view)


def on_foundation(position: Position, name: str) -> bool:
    suit, rank = divmod(NAMES.index(name), 13)
    return rank < position.view.foundations[suit]


def can_be_played(position: Position, names: str) -> bool:
    return names.split(", ") == [NAMES[card] for card in playable(position.view)]


REASONS: dict[str, Callable[[Position, str], bool]] = {
    "the game is won": lambda p, _: sum(p.view.foundations) == len(pack(p.view.rules)),
    "the stock is out": lambda p, _: not p.stock,
    r"a row may be dealt only when no card can be played \(here (.+) can\)": can_be_played,
    r"refill=(\w+) leaves no choice of filling gaps": (
        lambda p, refill: p.view.rules.refill == refill != "optional"
    ),
    r"there is no column (\d+); columns run from 1 to \d+": (
        lambda p, column: not 1 <= int(column) <= p.view.rules.columns
    ),
    r"the top cell of column (\d+) is not open": (
        lambda p, column: (0, int(column) - 1) in grid(p.view)
    ),
    r"(..) is not in this pack": lambda p, name: NAMES.index(name) not in pack(p.view.rules),
    r"(..) lies on its foundation already": on_foundation,
    r".. does not fit; the next is (..)": lambda p, name: fits(p.view, NAMES.index(name)),
    r"(..) is still in the stock": lambda p, name: NAMES.index(name) in p.stock,
    r"(..) has cards above and below it in its column": lambda p, name: buried(p, name, "ends"),
    r"(..) has a card directly above and directly below it": (
        lambda p, name: buried(p, name, "free_edge")
    ),
    r"these rules have no resort": lambda p, _: p.view.rules.resort == "none",
    r"a resort may be used only once the stock is out": lambda p, _: bool(p.stock),
    r"a resort may be used only when no card can be played \(here (.+) can\)": can_be_played,
    r"all (\d+) resorts of the game are used": (
        lambda p, number: p.view.resorts_used == p.view.rules.resorts == int(number)
    ),
    r"(..) is in hand already": lambda p, name: NAMES.index(name) in p.view.hand,
    r"(..) does not fit its foundation, as resort=fit asks": (
        lambda p, name: p.view.rules.resort == "fit" and not fits(p.view, NAMES.index(name))
    ),
}
"""Each reason that may be given, and when it is true of a position and what the reason names."""


def assert_refused(plain: Position, fast: CompiledPosition, move: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        plain.after(move)
    with pytest.raises(IllegalMove) as other:
        fast.after(move)
    assert str(refusal.value) == str(other.value)
    said, _, reason = str(refusal.value).partition(" is illegal: ")
    assert said == move
    found = [(true, m) for text, true in REASONS.items() if (m := re.fullmatch(text, reason))]
    assert len(found) == 1, reason
    true, match = found[0]
    assert true(plain, match[match.lastindex or 0]), reason


@given(st.integers(0, 2**32), st.sampled_from([(4, 13), (4, 13), (3, 7), (1, 4)]))
@settings(max_examples=2)
def test_every_move_that_is_not_legal_is_refused_with_a_true_reason(
    choices: dict[str, Any], way: int, size: tuple[int, int]
) -> None:
    chooser = random.Random(way)
    rules = LabyrinthRules(**choices, suits=size[0], ranks=size[1])
    pairs = list(walk(start(Deal(8, way).deck, rules), chooser, eager=True))
    for plain, fast in (chooser.choice(pairs), chooser.choice(pairs[-4:]), pairs[-1]):
        for move in sorted({*ALL_MOVES} - {*plain.legal()}):
            assert_refused(plain, fast, move)


def test_after_a_win_every_move_is_refused() -> None:
    rules = LabyrinthRules(suits=2, ranks=3, resorts=2)
    *_, (plain, fast) = walk(start(Deal(1, 0).deck, rules), random.Random(1), eager=True)
    assert plain.status == fast.status == "won"
    for move in ALL_MOVES:
        assert_refused(plain, fast, move)
        assert replay(fast, [move]).why == f"{move} is illegal: the game is won"


def test_a_replay_stops_at_the_first_illegal_move() -> None:
    for position in start(deal("1/20261130/1").deck, LabyrinthRules()):
        end = replay(position, ["p 2h", "F 7", "F 7", "D"])
        assert (end.result, end.at) == ("illegal", 3)
        assert end.why == "F 7 is illegal: the top cell of column 7 is not open"
        assert end.position.key() == position.after("P 2H").after("F 7").key()


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("D", "D"),
        (" d ", "D"),
        ("F 3", "F 3"),
        ("f  12", "F 12"),
        ("F 03", "F 3"),
        ("P 5H", "P 5H"),
        ("p 5h", "P 5H"),
        ("P 10H", "P TH"),
        ("r\t9c", "R 9C"),
    ],
)
def test_moves_are_read_in_either_case(text: str, move: str) -> None:
    assert read_move(text) == move


@pytest.mark.parametrize(
    "text",
    ["", "X", "D 1", "F", "F x", "F -1", "F 1.0", "F ３", "F " + "9" * 5000, "P", "P 1H", "P 5H 6H",
     "R", "P5H", "M 5H 17", "P 5H;"],
)  # fmt: skip
def test_text_that_is_no_move_is_no_illegal_move_either(text: str) -> None:
    for position in start(Deal(1, 0).deck, LabyrinthRules()):
        with pytest.raises(InvalidInput, match=r"is no (move|card)") as refusal:
            position.after(text)
        assert not isinstance(refusal.value, IllegalMove)
