"""The solver of Gaps: known answers, exhaustive search without any pruning, limits."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from layouts import walk
from probed import collected

from labyrinth_sim.cards import read_deck
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals, deal
from labyrinth_sim.games.sliding.gaps import GAME
from labyrinth_sim.games.sliding.gaps.reference import GapsPosition
from labyrinth_sim.games.sliding.gaps.rules import GapsRules

DATA = Path(__file__).parent / "data"
SMALL = Limits(memory=16)
SHORT = Limits(nodes=20_000, memory=1)
RULES = [
    GapsRules(twos=twos, win=win) for twos in ("bound", "free") for win in ("own_suit", "any_suit")
]


def known(rules: str) -> list[dict]:
    lines = (DATA / "gaps_solved.jsonl").read_text().splitlines()
    return [case for case in map(json.loads, lines) if case["rules"] == rules]


def solved(position: GapsPosition, limits: Limits = SMALL) -> Any:
    """What the solver says; a win is played in the reference engine."""
    solution = GAME.solver.solve(position, limits)
    if solution.verdict == "winnable":
        assert replay(position, solution.moves).result == "won"
    else:
        assert solution.moves is None
    return solution


def exhausted(position: GapsPosition, limits: Limits) -> str:
    """What exhaustive search says; a win of it is played as well."""
    solution = GAME.solver.exhaust(position, limits)
    if solution.verdict == "winnable":
        assert replay(position, solution.moves).result == "won"
    return solution.verdict


def verdicts(rules: GapsRules, first: int, deals: int, limits: Limits = SMALL, **options: Any):
    source = SeededDeals(41)
    run = collected(
        GAME.solver.probe(rules, source, limits),
        source,
        first=first,
        deals=deals,
        keep="outcomes",
        n_jobs=1,
        watched="winnable",
        **options,
    )
    return run.outcomes


def test_known_verdicts_of_basic() -> None:
    for case in known("basic"):
        position = GAME.start(read_deck(case["deck"]), GapsRules())
        solution = solved(position)
        assert solution.verdict == case["verdict"]
        if case["verdict"] == "unwinnable" and case["unique_states"] < 30_000:
            all_of_it = GAME.solver.exhaust(position, SMALL)
            assert (all_of_it.verdict, all_of_it.nodes) == ("unwinnable", case["unique_states"])
            assert solution.nodes <= all_of_it.nodes
            assert solution.nodes < all_of_it.nodes or all_of_it.nodes < 50


def test_exhaustive_search_keeps_to_its_nodes() -> None:
    cases = [case for case in known("basic") if case["verdict"] == "unwinnable"]
    case = min(cases, key=lambda case: abs(case["unique_states"] - 1_000))
    position, states = (
        GAME.start(read_deck(case["deck"]), GapsRules()),
        case["unique_states"],
    )
    for nodes, verdict in ((states, "unwinnable"), (states - 1, "unknown"), (1, "unknown")):
        found = GAME.solver.exhaust(position, Limits(nodes=nodes))
        assert (found.verdict, found.nodes) == (verdict, nodes)


def test_known_verdicts_of_one_deal() -> None:
    decided = 0
    for case in known("one_deal"):
        position = GAME.start(read_deck(case["deck"]), GapsRules.preset("one_deal"))
        verdict = solved(position, Limits(nodes=60_000, memory=2)).verdict
        assert verdict in ("unknown", case["verdict"])
        decided += verdict != "unknown"
    assert decided > 0.4 * len(known("one_deal"))


def compare(position: GapsPosition, room: Limits) -> str:
    """Both verdicts, which agree; the solver may miss a win that the other happens to hit on."""
    expected, verdict = (
        exhausted(position, room),
        solved(position, Limits(nodes=150_000, memory=1)).verdict,
    )
    if expected != "unknown":
        lucky = position.rules.twos == "free" and expected == "winnable"
        assert verdict == expected or (lucky and verdict == "unknown")
    return "unknown" if verdict == "unknown" else expected


@pytest.mark.parametrize("rules", RULES[:2], ids=lambda rules: rules.spec)
def test_deals_against_exhaustive_search(rules: GapsRules) -> None:
    """With bound twos; with free ones hardly a deal can be exhausted."""
    deals = (GAME.start(deal(f"1/42/{index}").deck, rules) for index in range(60))
    found = [compare(position, Limits(memory=4)) for position in deals]
    assert {"winnable", "unwinnable"} <= set(found)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.spec)
def test_closing_stages_against_exhaustive_search(rules: GapsRules) -> None:
    """Positions late on a line that wins a deal, and where random moves lead from there."""
    rng, found = random.Random(45), []
    for index in range(12):
        position = GAME.start(deal(f"1/45/{index}").deck, rules)
        line = solved(position, Limits(nodes=150_000)).moves or []
        for number, move in enumerate(line):
            if number >= len(line) - 60 and number % 3 == 0:
                *_, stray = walk(position, rng, 6)
                found += [compare(one, Limits(memory=1)) for one in (position, stray)]
            position = position.after(move)
    assert found.count("winnable") > 40
    assert found.count("unwinnable") > 10


def nearly_won(rules: GapsRules, rng: random.Random) -> GapsPosition:
    """Some cards out of place at the ends of rows that may hold any suit: often won, often not."""
    suits = [0, 1, 2, 3]
    if rules.win == "any_suit" or rng.random() < 0.3:
        rng.shuffle(suits)
    cells = [code for suit in suits for code in [*range(13 * suit + 1, 13 * suit + 13), 52]]
    columns = rng.choice([(0, 4), (0, 6), (5, 13), (0, 13)])
    places = [place for place in range(52) if columns[0] <= place % 13 < columns[1]]
    places = rng.sample(places, min(len(places), rng.randint(6, 26)))
    gaps = [place for place in range(52) if cells[place] == 52]
    places = sorted({*places, *rng.sample(gaps, rng.randint(1, 4))})
    moved = [cells[place] for place in places]
    rng.shuffle(moved)
    for place, code in zip(places, moved, strict=True):
        cells[place] = code
    return GapsPosition(rules, tuple(None if code == 52 else code for code in cells))


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.spec)
def test_made_up_positions_against_exhaustive_search(rules: GapsRules) -> None:
    """Every card of every closing stage: the reductions leave no win behind."""
    rng = random.Random(43)
    found = [compare(nearly_won(rules, rng), Limits(memory=1)) for _ in range(500)]
    assert found.count("winnable") > 60
    assert found.count("unwinnable") > 60


def test_any_suit_wins_no_less_and_free_twos_neither() -> None:
    own, any_suit = (verdicts(rules, 0, 40)["winnable"] for rules in RULES[:2])
    assert not (own & ~any_suit).any()
    free = verdicts(RULES[3], 0, 40, SHORT)
    assert not (any_suit & ~free["winnable"] & ~free["unknown"]).any()


def test_same_answer_however_cut() -> None:
    whole, cut = verdicts(RULES[0], 5, 50), verdicts(RULES[0], 5, 50, block_bits=3)
    assert all((whole[name] == cut[name]).all() for name in whole)


def test_a_full_memory_makes_unknown() -> None:
    much, little = (verdicts(RULES[0], 0, 60, Limits(memory=size)) for size in (16, 1))
    assert not much["unknown"].any()
    assert little["unknown"].any()
    decided = ~little["unknown"]
    assert (little["winnable"][decided] == much["winnable"][decided]).all()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.spec)
def test_a_limit_of_nodes_makes_unknown_and_leaves_nothing_behind(rules: GapsRules) -> None:
    free = verdicts(rules, 0, 40, SHORT)
    bound = verdicts(rules, 0, 40, Limits(nodes=100, memory=1))
    decided = ~bound["unknown"]
    assert bound["unknown"].any()
    assert (bound["nodes"] <= 100).all()
    assert (bound["winnable"][decided] == free["winnable"][decided]).all()
    assert bound["unknown"][free["nodes"] > 100].all()
    again = verdicts(rules, 0, 40, SHORT)
    assert all((free[name] == again[name]).all() for name in free)


def test_a_limit_in_seconds_marks_what_it_cut() -> None:
    slow = GAME.start(read_deck(known("basic")[6]["deck"]), GapsRules())  # a million positions
    late = GAME.solver.solve(slow, seconds=1e-6)
    assert (late.verdict, late.moves, late.reproducible) == ("unknown", None, False)
    in_time = GAME.solver.solve(slow, seconds=600)
    assert (in_time.verdict, in_time.reproducible) == ("unwinnable", True)


def test_a_won_position_needs_no_moves() -> None:
    cells = [
        code for suit in (1, 0, 3, 2) for code in [*range(13 * suit + 1, 13 * suit + 13), None]
    ]
    for rules in RULES:
        solution = solved(GapsPosition(rules, tuple(cells)))
        if rules.win == "any_suit":
            assert (solution.verdict, solution.moves) == ("winnable", [])
        else:
            assert solution.verdict == "unwinnable"
