"""The solver: known answers, exhaustive search without any pruning, orderings, symmetry."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from minis import (
    MINIS,
    ORDERED,
    REFILLS,
    SMALL,
    check_against_exhaustive_search,
    exhausted,
    verdicts,
)
from probed import collected

from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.deals import SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.reference import start
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.questions.simulate import simulate

DATA = Path(__file__).parent / "data"


def solve(deck: Any, rules: LabyrinthRules, *limits: Limits, **options: Any) -> Solution:
    return LabyrinthSolver().solve(start(deck, rules), *limits, **options)


def known() -> list[dict]:
    return [json.loads(line) for line in (DATA / "labyrinth_solved.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("label", sorted({case["label"] for case in known()}))
def test_known_verdicts_and_lines_that_win(label: str) -> None:
    for case in known():
        if case["label"] == label:
            rules = LabyrinthRules(**case["rules"])
            deck = deal(case["deal"]).deck
            solution = solve(deck, rules, SMALL)
            assert solution.verdict == case["verdict"]
            if solution.verdict == "winnable":
                assert replay(start(deck, rules), solution.moves).result == "won"
            else:
                assert solution.moves is None


@pytest.mark.parametrize("rules", MINIS, ids=lambda rules: rules.spec)
def test_mini_packs_against_exhaustive_search(rules: LabyrinthRules) -> None:
    check_against_exhaustive_search(rules, first=1000 * rules.ranks, deals=40)


@settings(deadline=None, max_examples=25)
@given(
    index=st.integers(0, 10**6),
    columns=st.integers(4, 12),
    refill=st.sampled_from(REFILLS),
    resort=st.sampled_from([("none", 0), ("fit", 1), ("lift", 1)]),
)
def test_full_packs_against_exhaustive_search(
    index: int, columns: int, refill: str, resort: Any
) -> None:
    rules = LabyrinthRules(
        refill=refill, columns=columns, resort=resort[0], resorts=resort[1], deal="any_time"
    )
    expected = exhausted(rules, index, 100_000)
    solution = solve(deal(f"1/31/{index}").deck, rules, SMALL)
    assert expected in ("unknown", solution.verdict)
    if solution.verdict == "winnable":
        line = replay(start(deal(f"1/31/{index}").deck, rules), solution.moves)
        assert line.result == "won"


@pytest.mark.parametrize(("strict", "generous"), ORDERED)
def test_more_generous_rules_win_no_less(strict: str, generous: str) -> None:
    first, second = (
        verdicts(LabyrinthRules.read(spec), 0, 2000)["winnable"] for spec in (strict, generous)
    )
    assert not (first & ~second).any()


def test_under_optional_both_values_of_deal_win_the_same() -> None:
    for spec in ("wikipedia", "wikipedia,resort=none,availability=ends"):
        stuck, any_time = (
            verdicts(LabyrinthRules.read(f"{spec},deal={when}"), 0, 2000)["winnable"]
            for when in ("when_stuck", "any_time")
        )
        assert (stuck == any_time).all()


@pytest.mark.parametrize("preset", LabyrinthRules.presets)
def test_suits_may_change_their_names(preset: str) -> None:
    rules = LabyrinthRules.preset(preset)
    for index in range(40):
        deck = deal(f"1/32/{index}").deck
        renamed = ((deck // 13 + 1 + index % 3) % 4 * 13 + deck % 13).astype(np.uint8)
        assert solve(deck, rules, SMALL).verdict == solve(renamed, rules, SMALL).verdict


def test_every_win_of_a_player_is_winnable() -> None:
    for spec in ("wikipedia", "practical", "pysol"):
        rules = LabyrinthRules.read(spec)
        won = simulate(spec, "heuristic:endgame=exact", deals=3000, seed=31, keep="outcomes")
        assert not (won.outcomes["won"] & ~verdicts(rules, 0, 3000)["winnable"]).any()


def test_same_answer_however_cut() -> None:
    rules = LabyrinthRules()
    whole, cut = verdicts(rules, 5, 600), verdicts(rules, 5, 600, block_bits=3)
    assert all((whole[name] == cut[name]).all() for name in whole)


def test_limits_make_unknown_and_never_a_guess() -> None:
    rules = LabyrinthRules()
    free = verdicts(rules, 0, 400)
    source = SeededDeals(31)
    probe = LabyrinthSolver().probe(rules, source, Limits(nodes=20, memory=1))
    bound = collected(
        probe, source, deals=400, keep="outcomes", n_jobs=1, watched="winnable"
    ).outcomes
    known_ones = ~bound["unknown"]
    assert bound["unknown"].any()
    assert (bound["nodes"] <= 20).all()
    assert (bound["winnable"][known_ones] == free["winnable"][known_ones]).all()
    assert bound["unknown"][free["nodes"] > 20].all()
    assert known_ones[free["nodes"] < 20].all()


@pytest.mark.parametrize("spec", ["practical", "wikipedia", "pysol"])
def test_a_search_that_was_cut_short_leaves_nothing_behind(spec: str) -> None:
    """A worker keeps its table; what a limit cut must not be taken for visited later."""
    rules, source = LabyrinthRules.read(spec), SeededDeals(31)
    before = verdicts(rules, 0, 200)
    for nodes in range(1, 12):
        probe = LabyrinthSolver().probe(rules, source, Limits(nodes=nodes, memory=SMALL.memory))
        collected(probe, source, deals=200, n_jobs=1, watched="winnable")
    after = verdicts(rules, 0, 200)
    assert all((before[name] == after[name]).all() for name in before)


def test_a_limit_in_seconds_marks_what_it_cut() -> None:
    """A deal that takes long is given up; a quick one is decided well before."""
    quick = solve(deal("1/20261130/1").deck, LabyrinthRules(), seconds=60)
    assert quick.verdict == "winnable"
    assert quick.reproducible
    rules = LabyrinthRules.read("wikipedia,columns=4")
    slow = solve(deal("1/1/7923").deck, rules, seconds=1e-6)  # it has tens of thousands of nodes
    assert slow.verdict == "unknown"
    assert not slow.reproducible
    assert slow.moves is None


@pytest.mark.parametrize("limits", [{"nodes": 0}, {"memory": 0}, {"nodes": 1.5}])
def test_wrong_limits(limits: dict) -> None:
    with pytest.raises(InvalidInput, match="out of range"):
        Limits(**limits)
