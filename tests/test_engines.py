"""The reference and the compiled engine of Labyrinth, move by move, and a third opinion."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import independent
import numpy as np
import pytest
from combinations import CHOICES, columns, packs, words64
from hypothesis import given, settings
from hypothesis import strategies as st

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.deals import Deal, deal
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.games.labyrinth import engine, reference
from labyrinth_sim.games.labyrinth.engine import CompiledPosition
from labyrinth_sim.games.labyrinth.players import FIXED
from labyrinth_sim.games.labyrinth.reference import Position, View, read_move
from labyrinth_sim.games.labyrinth.rules import LabyrinthRules
from labyrinth_sim.games.replay import replay

Pair = tuple[Position, CompiledPosition]

NAMES = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
ALL_MOVES = [
    "D",
    *(f"F {column}" for column in range(15)),
    *(f"{verb} {name}" for verb in "PR" for name in NAMES),
]
PATIENT = next(player for player in FIXED if player.spec == "patient")


# A third opinion, straight from the words of the rules.


def grid(view: View) -> dict[tuple[int, int], int]:
    return {
        (row, column): card
        for row, cells in enumerate(view.tableau)
        for column, card in enumerate(cells)
        if card is not None
    }


def may_be_taken(view: View, card: int) -> bool:
    cells = grid(view)
    for (row, column), other in cells.items():
        if other == card:
            if view.rules.availability == "free_edge":
                return (row - 1, column) not in cells or (row + 1, column) not in cells
            rows = [r for r, c in cells if c == column]
            return row in (min(rows), max(rows))
    return card in view.hand


def playable(view: View) -> list[str]:
    fits = [13 * suit + view.foundations[suit] for suit in range(view.rules.suits)]
    fits = [card for suit, card in enumerate(fits) if view.foundations[suit] < view.rules.ranks]
    return [NAMES[card] for card in fits if may_be_taken(view, card)]


def legal(view: View) -> list[str]:
    rules, plays = view.rules, playable(view)
    if sum(view.foundations) == rules.suits * rules.ranks:
        return []
    moves = {f"P {name}" for name in plays}
    if view.stock_left and (rules.deal == "any_time" or not plays):
        moves.add("D")
    if view.stock_left and rules.refill == "optional":
        top = {column for row, column in grid(view) if row == 0}
        moves |= {f"F {column + 1}" for column in set(range(rules.columns)) - top}
    if not view.stock_left and not plays and view.resorts_used < rules.resorts:
        for card in grid(view).values():
            if rules.resort == "lift" or card % 13 == view.foundations[card // 13]:
                moves.add(f"R {NAMES[card]}")
    return sorted(moves)


# What is asked of every position.


def assert_agree(plain: Position, fast: CompiledPosition) -> None:
    assert fast.legal() == plain.legal() == legal(plain.view)
    assert fast.view == plain.view
    assert fast.plain() == plain
    assert fast.status == plain.status
    assert fast.facts() == plain.facts()
    assert fast.key() == plain.key()
    assert fast.board() == plain.board()
    for card in grid(plain.view).values():
        assert plain.view.available(card) == may_be_taken(plain.view, card)


def assert_same_chance(plain: Position, fast: CompiledPosition, key: int) -> None:
    """A player's draws depend on its key and the digest of the view, in stream 1."""
    words = independent.words(key, 1, fast.digest())
    for position in (plain, fast):
        assert ViewRandom(np.uint64(key), position).below(2**32) == next(words)
        words = independent.words(key, 1, fast.digest())


def assert_sound(plain: Position, fast: CompiledPosition) -> None:
    """No card is lost, doubled or in two places."""
    view, rules = plain.view, plain.view.rules
    lying = [
        *grid(view).values(),
        *view.hand,
        *plain.stock,
        *(13 * suit + rank for suit in range(4) for rank in range(view.foundations[suit])),
    ]
    assert sorted(lying) == [
        13 * suit + rank for suit in range(rules.suits) for rank in range(rules.ranks)
    ]
    assert view.stock_left == len(plain.stock)
    assert view.cards_left == len(lying) - sum(view.foundations)
    assert all(len(row) == rules.columns for row in view.tableau)
    occupied = int(fast.public[0]["occupied"])
    assert occupied == sum(1 << row * rules.columns + column for row, column in grid(view))


# Reasons for which a move may be refused, and when each is true.
REASONS: dict[str, Callable[[Position, str], bool]] = {
    "the game is won": lambda p, what: sum(p.view.foundations) == len(pack(p)),
    "the stock is out": lambda p, what: not p.stock,
    r"a row may be dealt only when no card can be played \(here (.*) can\)": (
        lambda p, names: names.split(", ") == playable(p.view) != []
    ),
    r"refill=(\w+) leaves no choice of filling gaps": (
        lambda p, refill: p.view.rules.refill == refill != "optional"
    ),
    r"there is no column (\d+); columns run from 1 to \d+": (
        lambda p, column: not 1 <= int(column) <= p.view.rules.columns
    ),
    r"the top cell of column (\d+) is not open": (
        lambda p, column: (0, int(column) - 1) in grid(p.view)
    ),
    "(..) is not in this pack": lambda p, name: name not in pack(p),
    "(..) lies on its foundation already": (
        lambda p, name: NAMES.index(name) % 13 < p.view.foundations[NAMES.index(name) // 13]
    ),
    "(.. does not fit; the next is ..)": (
        lambda p, said: NAMES.index(said[-2:]) % 13 == p.view.foundations["CDHS".index(said[1])]
        and said[:2] != said[-2:]
    ),
    "(..) is still in the stock": lambda p, name: NAMES.index(name) in p.stock,
    "(..) has cards above and below it in its column": (
        lambda p, name: p.view.rules.availability == "ends"
        and not may_be_taken(p.view, NAMES.index(name))
    ),
    "(..) has a card directly above and directly below it": (
        lambda p, name: p.view.rules.availability == "free_edge"
        and not may_be_taken(p.view, NAMES.index(name))
    ),
    "these rules have no resort": lambda p, what: p.view.rules.resort == "none",
    "a resort may be used only once the stock is out": lambda p, what: bool(p.stock),
    r"a resort may be used only when no card can be played \(here (.*) can\)": (
        lambda p, names: names.split(", ") == playable(p.view) != []
    ),
    r"all (\d+) resorts of the game are used": (
        lambda p, number: p.view.resorts_used == p.view.rules.resorts == int(number)
    ),
    "(..) is in hand already": lambda p, name: NAMES.index(name) in p.view.hand,
    "(..) does not fit its foundation, as resort=fit asks": (
        lambda p, name: p.view.rules.resort == "fit"
        and NAMES.index(name) % 13 != p.view.foundations[NAMES.index(name) // 13]
    ),
}


def pack(position: Position) -> list[str]:
    rules = position.view.rules
    return [NAMES[13 * suit + rank] for suit in range(rules.suits) for rank in range(rules.ranks)]


def assert_refused(plain: Position, fast: CompiledPosition, move: str) -> None:
    """Both engines refuse a move, for the same reason, and the reason is true."""
    with pytest.raises(IllegalMove) as refusal:
        plain.after(move)
    with pytest.raises(IllegalMove) as other:
        fast.after(move)
    assert str(refusal.value) == str(other.value)
    said, _, reason = str(refusal.value).partition(" is illegal: ")
    assert said == move
    matches = [(true, m) for text, true in REASONS.items() if (m := re.fullmatch(text, reason))]
    assert len(matches) == 1, reason
    true, match = matches[0]
    assert true(plain, match[match.lastindex or 0]), reason


def start(deck: Any, rules: LabyrinthRules) -> Pair:
    return reference.start(deck, rules), engine.start(deck, rules)


def walk(pair: Pair, chooser: random.Random, eager: bool) -> Iterator[Pair]:
    """Random legal play in both engines; an eager one leaves few plays out and gets far."""
    plain, fast = pair
    yield pair
    while moves := plain.legal():
        plays = [move for move in moves if move[0] == "P"]
        move = chooser.choice(plays if plays and eager and chooser.random() < 0.9 else moves)
        before = plain.key()
        after = plain.after(move), fast.after(move)
        assert fast.key() == plain.key() == before  # positions never change
        plain, fast = after
        yield after


@given(words64, words64, columns, packs, words64, st.booleans())
@settings(max_examples=8)
def test_engines_agree_move_by_move(
    choices: dict[str, Any],
    seed: int,
    index: int,
    columns: int,
    pack: dict[str, int],
    way: int,
    eager: bool,
) -> None:
    rules = LabyrinthRules(**choices, columns=columns, **pack)
    chooser = random.Random(way)
    for plain, fast in walk(start(Deal(seed, index).deck, rules), chooser, eager):
        assert_agree(plain, fast)
        assert_same_chance(plain, fast, seed)
        assert_sound(plain, fast)
        for move in chooser.sample(ALL_MOVES, 4):
            if move not in plain.legal():
                assert_refused(plain, fast, move)


@pytest.mark.parametrize("index", range(2))
def test_engines_agree_about_the_end_of_games_that_are_won(
    choices: dict[str, Any], index: int
) -> None:
    # With so many resorts the patient player wins every deal, near its end under any rules.
    if choices["resort"] == "none":
        choices = choices | {"resort": "lift"}
    rules = LabyrinthRules(**choices | {"resorts": 48})
    pairs = [start(Deal(choices["resorts"], index).deck, rules)]
    while moves := pairs[-1][0].legal():
        move = PATIENT.choose(pairs[-1][0].view, moves, None)
        pairs.append((pairs[-1][0].after(move), pairs[-1][1].after(move)))
    for plain, fast in pairs[-20:]:
        assert_agree(plain, fast)
        for move in plain.legal():
            assert_agree(plain.after(move), fast.after(move))
    plain, fast = pairs[-1]
    assert plain.status == fast.status == "won"
    assert plain.legal() == fast.legal() == []
    assert_sound(plain, fast)
    for move in ALL_MOVES:
        assert_refused(plain, fast, move)


@pytest.mark.parametrize("index", range(4))
def test_every_move_that_is_not_legal_is_refused_with_a_true_reason(
    choices: dict[str, Any], index: int
) -> None:
    chooser = random.Random(index)
    rules = LabyrinthRules(**choices, ranks=(13, 13, 13, 7)[index], suits=(4, 4, 4, 3)[index])
    pairs = list(walk(start(Deal(8, index).deck, rules), chooser, eager=True))
    for plain, fast in [*chooser.sample(pairs, min(len(pairs), 3)), pairs[-1]]:
        for move in sorted({*ALL_MOVES} - {*plain.legal()}):
            assert_refused(plain, fast, move)


@pytest.mark.parametrize("start", [reference.start, engine.start], ids=["reference", "compiled"])
def test_known_lines_lead_where_they_should(
    known: Callable[[str], list[dict[str, Any]]], start: Callable[..., Any]
) -> None:
    answers = known("labyrinth_legal.jsonl")
    assert len(answers) > 200
    for answer in answers:
        position = start(deal(answer["deal"]).deck, LabyrinthRules(**answer["rules"]))
        end = replay(position, answer["moves"].split("; "))
        assert end.result != "illegal", answer
        assert end.position.legal() == answer["legal"], answer
        facts = end.position.facts()
        assert facts["stock_left"] == answer["stock_left"]
        assert facts["cards_left"] == answer["cards_left"]
        assert (end.result == "won") == answer["won"]
        assert (end.result == "open") == bool(answer["legal"])


def test_a_replay_stops_at_the_first_illegal_move() -> None:
    for position in start(deal("1/20261130/1").deck, LabyrinthRules()):
        end = replay(position, ["p 2h", "F 7", "F 7", "D"])
        assert (end.result, end.at) == ("illegal", 3)
        assert end.why == "F 7 is illegal: the top cell of column 7 is not open"
        assert end.position.key() == position.after("P 2H").after("F 7").key()


@given(words64, columns, st.sampled_from(CHOICES))
def test_no_view_tells_the_order_of_the_stock(seed: int, columns: int, choices: Any) -> None:
    rules = LabyrinthRules(**choices, columns=columns)
    deck = Deal(seed, 0).deck
    laid = [at for at, card in enumerate(deck) if card % 13][:columns]
    other = np.concatenate([deck[: laid[-1] + 1], deck[laid[-1] + 1 :][::-1]])
    (plain, fast), (plain2, fast2) = start(deck, rules), start(other, rules)
    assert plain.stock != plain2.stock
    assert plain.view == plain2.view
    assert fast.digest() == fast2.digest()


@given(words64, columns, words64)
def test_a_change_of_the_view_changes_its_key_and_digest(seed: int, columns: int, way: int) -> None:
    seen: dict[View, tuple[bytes, int]] = {}
    for number in range(3):
        rules = LabyrinthRules(columns=columns, resorts=3)
        chooser = random.Random(f"{way}/{number}")
        for plain, fast in walk(start(Deal(seed, 0).deck, rules), chooser, eager=False):
            assert seen.setdefault(plain.view, (plain.key(), fast.digest())) == (
                plain.key(),
                fast.digest(),
            )
    assert len({key for key, _ in seen.values()}) == len(seen)
    assert len({digest for _, digest in seen.values()}) == len(seen)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("D", "D"),
        ("d", "D"),
        (" D ", "D"),
        ("F 3", "F 3"),
        ("f 12", "F 12"),
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
def test_text_that_is_no_move_is_refused_as_such(text: str) -> None:
    for position in start(Deal(1, 0).deck, LabyrinthRules()):
        with pytest.raises(InvalidInput) as refusal:
            position.after(text)
        assert not isinstance(refusal.value, IllegalMove)
        assert repr(text.split()[-1].upper() if text[:2] in ("P ", "R ") else text) or True
