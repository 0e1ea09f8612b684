"""The reference engine, the compiled one and a third opinion, move by move."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import independent
import numpy as np
import pytest
from combinations import CHOICES, columns, packs, words64
from hypothesis import given, settings
from positions import available, grid, legal, pack, start, walk

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.deals import Deal, deal
from labyrinth_sim.games.free_edge import engine, reference
from labyrinth_sim.games.free_edge.engine import CompiledPosition
from labyrinth_sim.games.free_edge.players import Patient
from labyrinth_sim.games.free_edge.reference import Position, View
from labyrinth_sim.games.free_edge.rules import LabyrinthRules


def assert_agree(plain: Position, fast: CompiledPosition) -> None:
    assert fast.legal() == plain.legal() == legal(plain.view)
    assert fast.view == plain.view
    assert fast.plain() == plain
    assert fast.status == plain.status
    assert fast.facts() == plain.facts()
    assert fast.key() == plain.key()
    takeable = available(plain.view)
    for card in pack(plain.view.rules):
        assert plain.view.available(card) == (card in takeable)


def assert_same_chance(plain: Position, fast: CompiledPosition, key: int) -> None:
    """A player's draws come from stream 1 of its key, at the digest of what it sees."""
    expected = next(independent.words(key, 1, fast.digest()))
    assert ViewRandom(np.uint64(key), plain).below(2**32) == expected
    assert ViewRandom(np.uint64(key), fast).below(2**32) == expected


def assert_sound(plain: Position, fast: CompiledPosition) -> None:
    """No card is lost, doubled or in two places."""
    view = plain.view
    built = [13 * suit + rank for suit in range(4) for rank in range(view.foundations[suit])]
    lying = [*grid(view).values(), *view.hand, *plain.stock, *built]
    assert sorted(lying) == pack(view.rules)
    assert view.stock_left == len(plain.stock)
    assert view.cards_left == len(lying) - len(built)
    assert all(len(row) == view.rules.columns for row in view.tableau)
    occupied = int(fast.public[0]["occupied"])
    assert occupied == sum(1 << row * view.rules.columns + column for row, column in grid(view))


@given(words64, words64, columns, packs, words64)
@settings(max_examples=8)
def test_engines_agree_move_by_move(
    choices: dict[str, Any], seed: int, index: int, columns: int, pack: dict[str, int], way: int
) -> None:
    rules = LabyrinthRules(**choices, columns=columns, **pack)
    deck = Deal(seed, index).deck
    for plain, fast in walk(start(deck, rules), random.Random(way), eager=way % 2 == 1):
        assert_agree(plain, fast)
        assert_same_chance(plain, fast, seed)
        assert_sound(plain, fast)


@pytest.mark.parametrize("index", range(2))
def test_engines_agree_about_the_end_of_games_that_are_won(
    choices: dict[str, Any], index: int
) -> None:
    # With so many resorts the patient player wins every deal, near its end under any rules.
    resort = "fit" if choices["resort"] == "fit" else "lift"
    rules = LabyrinthRules(**choices | {"resort": resort, "resorts": 48})
    pairs = [start(Deal(choices["resorts"], index).deck, rules)]
    while moves := pairs[-1][0].legal():
        move = Patient().choose(pairs[-1][0].view, moves, None)
        pairs.append((pairs[-1][0].after(move), pairs[-1][1].after(move)))
    for plain, fast in pairs[-20:]:
        assert_agree(plain, fast)
        for move in plain.legal():
            assert_agree(plain.after(move), fast.after(move))
    plain, fast = pairs[-1]
    assert plain.status == fast.status == "won"
    assert plain.legal() == fast.legal() == []
    assert_sound(plain, fast)


@pytest.mark.parametrize("start", [reference.start, engine.start], ids=["reference", "compiled"])
def test_known_lines_lead_where_they_should(
    known: Callable[[str], list[dict[str, Any]]], start: Callable[..., Any]
) -> None:
    answers = known("labyrinth_legal.jsonl")
    assert len(answers) > 200
    for answer in answers:
        position = start(deal(answer["deal"]).deck, LabyrinthRules(**answer["rules"]))
        end = replay(position, filter(None, answer["moves"].split("; ")))
        assert end.result != "illegal", answer
        assert end.position.legal() == answer["legal"], answer
        facts = end.position.facts()
        assert facts["stock_left"] == answer["stock_left"]
        assert facts["cards_left"] == answer["cards_left"]
        assert (end.result == "won") == answer["won"]
        assert (end.result == "open") == bool(answer["legal"])


@given(words64, words64)
@settings(max_examples=2)
def test_making_a_move_leaves_the_position_as_it_was(
    choices: dict[str, Any], seed: int, way: int
) -> None:
    pairs = walk(start(Deal(seed, 0).deck, LabyrinthRules(**choices)), random.Random(way), True)
    for plain, fast in pairs:
        before = fast.plain()
        for move in plain.legal():
            plain.after(move)
            fast.after(move)
        assert fast.plain() == plain == before


@given(words64, columns, packs)
@settings(max_examples=2)
def test_the_view_does_not_tell_the_order_of_the_stock(
    choices: dict[str, Any], seed: int, columns: int, pack: dict[str, int]
) -> None:
    rules = LabyrinthRules(**choices, columns=columns, **pack)
    deck = Deal(seed, 0).deck
    plain, fast = start(deck, rules)
    turned = deck.copy()
    turned[np.isin(deck, plain.stock)] = plain.stock[::-1]
    other, other_fast = start(turned, rules)
    assert other.stock == plain.stock[::-1]
    assert other.view == plain.view
    assert other_fast.public == fast.public
    assert other_fast.digest() == fast.digest()


@given(words64, columns, words64)
@settings(max_examples=20)
def test_two_views_have_two_keys_and_two_digests(seed: int, columns: int, way: int) -> None:
    rules = LabyrinthRules(columns=columns, resorts=3)
    seen: dict[View, tuple[bytes, int]] = {}
    for number in range(3):
        chooser = random.Random(f"{way}/{number}")
        for plain, fast in walk(start(Deal(seed, 0).deck, rules), chooser, eager=False):
            found = plain.key(), fast.digest()
            assert seen.setdefault(plain.view, found) == found
    assert len({key for key, _ in seen.values()}) == len(seen)
    assert len({digest for _, digest in seen.values()}) == len(seen)


def test_deals_are_the_same_under_all_choices() -> None:
    deck = Deal(1, 2).deck
    for choices in CHOICES:
        plain, fast = start(deck, LabyrinthRules(**choices))
        laid_out = [*plain.view.tableau[0], *plain.stock]
        assert laid_out == [card for card in deck if card % 13]
        assert fast.plain() == plain
