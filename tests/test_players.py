"""The fixed players and the random one, plain and compiled (RULES §2.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from combinations import columns, packs, words64
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.games.free_edge.probe import CompiledProbe
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.players import find_player, players_of, playthrough, probe_for
from labyrinth_sim.players.python import PythonProbe

GAME = find_game("labyrinth")
FIXED = ["greedy", "patient", "never", "hasty"]
NO_STOP = np.zeros(1, np.uint8)


def outcomes(probe: Probe, first: int, count: int) -> Mapping[str, NDArray[Any]]:
    out = {column.name: np.zeros(count, column.dtype) for column in probe.columns}
    assert probe.run(first, out, NO_STOP) == count
    return out


def compiled(rules: LabyrinthRules, player: str, deals: Deals, first: int, count: int) -> Any:
    """Outcomes by the compiled loop, a dict a deal."""
    probe = probe_for(GAME, rules, find_player(GAME, player), deals)
    assert isinstance(probe, CompiledProbe)
    out = outcomes(probe, first, count)
    return [{name: int(out[name][at]) for name in out} for at in range(count)]


def plain(rules: LabyrinthRules, player: str, deals: Deals, first: int, count: int) -> Any:
    """Outcomes by the reference engine and the player in Python, a dict a deal."""
    out = outcomes(PythonProbe(GAME, rules, find_player(GAME, player), deals), first, count)
    return [{name: int(out[name][at]) for name in out} for at in range(count)]


def moves(rules: LabyrinthRules, player: str, deals: Deals, index: int) -> list[str]:
    return [move for move, _ in playthrough(GAME, rules, find_player(GAME, player), deals, index)]


def test_the_players_there_are() -> None:
    assert list(players_of(GAME))[:4] == FIXED
    assert list(players_of(GAME))[-1] == "random"
    assert find_player(GAME).spec == "greedy"
    with pytest.raises(InvalidInput, match=r"'greed'.*greedy.*patient.*never.*hasty.*random"):
        find_player(GAME, "greed")


@pytest.mark.parametrize("player", FIXED)
def test_known_games_move_by_move(
    known: Callable[[str], list[dict[str, Any]]], player: str
) -> None:
    answers = [answer for answer in known("labyrinth_players.jsonl") if answer[player]["moves"]]
    assert len(answers) > 90
    for answer in answers:
        dealt = deal(answer["deal"])
        rules = LabyrinthRules(**answer["rules"])
        played = moves(rules, player, SeededDeals(dealt.seed), dealt.index)
        assert "; ".join(played) == answer[player]["moves"], answer


@pytest.mark.parametrize("player", FIXED)
def test_known_outcomes(known: Callable[[str], list[dict[str, Any]]], player: str) -> None:
    answers = known("labyrinth_players.jsonl")
    assert len(answers) == 840
    for answer in answers:
        dealt = deal(answer["deal"])
        rules = LabyrinthRules(**answer["rules"])
        (outcome,) = compiled(rules, player, SeededDeals(dealt.seed), dealt.index, 1)
        expected = answer[player]
        for name in ("won", "cards_left", "rows_dealt", "resorts_used"):
            assert outcome[name] == expected[name], (answer, name)
        count = sum(outcome[name] for name in ("plays", "fills", "rows_dealt", "resorts_used"))
        assert count - 1 == expected["move_count"]  # the first row is no move


@given(words64, st.integers(0, 2**64 - 3), columns, packs)
@settings(max_examples=3)
def test_compiled_games_end_as_plain_ones(
    choices: dict[str, Any], seed: int, first: int, columns: int, pack: dict[str, int]
) -> None:
    deals, rules = SeededDeals(seed), LabyrinthRules(**choices, columns=columns, **pack)
    for player in (*FIXED, "random"):
        games = rules, player, deals, first, 2
        assert compiled(*games) == plain(*games), (rules.spec, player)


@given(words64)
@settings(max_examples=2)
def test_without_a_choice_of_filling_three_players_are_one(
    choices: dict[str, Any], seed: int
) -> None:
    rules = LabyrinthRules(**choices)
    greedy, patient, never = (moves(rules, player, SeededDeals(seed), 0) for player in FIXED[:3])
    if rules.refill != "optional":
        assert greedy == patient == never
    assert not [move for move in never if move[0] == "F"]


def test_with_a_choice_of_filling_they_differ() -> None:
    played = {
        player: [moves(LabyrinthRules(), player, SeededDeals(3), index) for index in range(20)]
        for player in FIXED
    }
    assert played["greedy"] != played["patient"] != played["never"] != played["greedy"]


@pytest.mark.parametrize("resort", ["fit", "lift"])
def test_resorts_without_limit_win_every_deal(choices: dict[str, Any], resort: str) -> None:
    rules = LabyrinthRules(**choices | {"resort": resort, "resorts": 1000})
    for player in FIXED:
        assert all(game["won"] for game in compiled(rules, player, SeededDeals(5), 0, 200))


@given(words64, columns, packs)
@settings(max_examples=2)
def test_outcomes_add_up(
    choices: dict[str, Any], seed: int, columns: int, pack: dict[str, int]
) -> None:
    rules = LabyrinthRules(**choices, columns=columns, **pack)
    stock = rules.suits * (rules.ranks - 1)
    for player in (*FIXED, "random"):
        for game in compiled(rules, player, SeededDeals(seed), 0, 50):
            by_resort = game["resorts_used"] if rules.resort == "fit" else 0
            assert game["plays"] + by_resort + game["cards_left"] == stock
            assert game["won"] == (game["cards_left"] == 0)
            assert game["resorts_used"] <= rules.resorts
            assert 1 <= game["rows_dealt"] <= max(1, -(-stock // columns))
            assert rules.refill == "optional" or game["fills"] == 0


def test_random_games_do_not_depend_on_where_the_deck_came_from() -> None:
    # What is drawn depends on the key and the view alone; listed decks have the key of seed 0.
    seeded = SeededDeals(0)
    listed = ListedDeals(np.stack([seeded.deck(index) for index in range(50)]))
    rules = LabyrinthRules()
    assert compiled(rules, "random", listed, 0, 50) == compiled(rules, "random", seeded, 0, 50)


@pytest.mark.parametrize("player", [*FIXED, "random"])
def test_a_probe_that_is_told_to_stop_returns_early(player: str) -> None:
    stop = np.ones(1, np.uint8)
    for make in (CompiledProbe, lambda *of: PythonProbe(GAME, *of)):
        probe = make(LabyrinthRules(), find_player(GAME, player), SeededDeals(1))
        out = {column.name: np.zeros(3000, column.dtype) for column in probe.columns}
        assert probe.run(0, out, stop) < 3000
