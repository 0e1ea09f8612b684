"""Proofs that take too long for every run: ``make test-long``."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from minis import MINIS, ORDERED, check_against_exhaustive_search
from numpy.typing import NDArray

from labyrinth_sim.cards import read_deck
from labyrinth_sim.compiled import kernel
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal_source
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.sliding.gaps import GAME as GAPS
from labyrinth_sim.questions.winnability import winnability
from labyrinth_sim.shuffle import take_deck

MILLION = 1_000_000

pytestmark = pytest.mark.long


def winnable(rules: Any, **options: Any) -> NDArray[np.bool_]:
    found = winnability(rules, deals=MILLION, keep="outcomes", **options)
    assert found.unknown == 0
    return found.outcomes["winnable"]


@pytest.mark.parametrize("rules", MINIS, ids=lambda rules: rules.spec)
def test_mini_packs_against_exhaustive_search(rules: LabyrinthRules) -> None:
    check_against_exhaustive_search(rules, first=MILLION, deals=1000)


@pytest.mark.parametrize(("strict", "generous"), ORDERED)
def test_more_generous_rules_win_no_less(strict: str, generous: str) -> None:
    assert not (winnable(strict) & ~winnable(generous)).any()


@kernel
def deal_all(source: Any, decks: Any) -> None:
    for index in range(len(decks)):
        take_deck(source, np.uint64(index))
        decks[index] = source.deck


@pytest.mark.parametrize("preset", LabyrinthRules.presets)
def test_suits_may_change_their_names(preset: str) -> None:
    decks = np.zeros((MILLION, 52), np.uint8)
    deal_all(deal_source(SeededDeals(1)), decks)
    suits = np.random.default_rng(np.random.SeedSequence([7, 11])).permuted(
        np.tile(np.arange(4, dtype=np.uint8), (MILLION, 1)), axis=1
    )
    renamed = np.take_along_axis(suits, (decks // 13).astype(np.intp), axis=1) * 13 + decks % 13
    assert (winnable(preset, decks=ListedDeals(renamed)) == winnable(preset)).all()


def test_both_values_of_deal_win_the_same_under_optional() -> None:
    assert (winnable("wikipedia") == winnable("wikipedia,deal=any_time")).all()


@pytest.mark.parametrize("preset", LabyrinthRules.presets)
def test_no_unknown_in_ten_million_deals(preset: str) -> None:
    assert winnability(preset, deals=10 * MILLION).unknown == 0


def test_the_hard_case_has_no_unknown_either() -> None:
    assert winnability("wikipedia,availability=ends,resorts=3", deals=MILLION).unknown == 0


GAPS_CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "gaps_solved.jsonl").read_text().splitlines()
]
ROOMY = Limits(memory=1024)


@pytest.mark.parametrize("number", range(len(GAPS_CASES)))
def test_known_deals_of_gaps(number: int) -> None:
    case = GAPS_CASES[number]
    position = GAPS.start(read_deck(case["deck"]), GAPS.rules.read(case["rules"]))
    solution = GAPS.solver.solve(position, ROOMY)
    assert solution.verdict == case["verdict"]
    if solution.moves is not None:
        assert replay(position, solution.moves).result == "won"
    if case.get("unique_states"):
        all_of_it = GAPS.solver.exhaust(position, ROOMY)
        assert (all_of_it.verdict, all_of_it.nodes) == ("unwinnable", case["unique_states"])
        assert solution.nodes < all_of_it.nodes or case["rules"] != "basic" or all_of_it.nodes < 50
