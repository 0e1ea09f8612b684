"""Runs give the same answer however they are cut; bad arguments are refused by name."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from doubles import Own
from hypothesis import given, settings
from hypothesis import strategies as st

from labyrinth_sim.deals import ListedDeals, SeededDeals
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.questions.simulate import Result, simulate
from labyrinth_sim.stats.tally import Tally


def assert_same_outcomes(result: Result, other: Result) -> None:
    assert result.outcomes is not None
    assert other.outcomes is not None
    assert result.outcomes.keys() == other.outcomes.keys()
    for name, values in result.outcomes.items():
        assert values.dtype == other.outcomes[name].dtype
        assert (values == other.outcomes[name]).all()


@pytest.mark.parametrize("player", ["greedy", "random"])
def test_one_seed_gives_one_answer_at_any_number_of_workers_and_block_size(player: str) -> None:
    def run(**options: Any) -> Result:
        return simulate("pysol", player, seed=5, first=77, deals=3000, keep="outcomes", **options)

    expected = run(n_jobs=1)
    assert expected.complete
    assert expected.deals == len(expected.outcomes["won"]) == 3000
    for options in (
        {"n_jobs": 1, "block_bits": 4},
        {"n_jobs": 2, "block_bits": 7},
        {"n_jobs": 3, "block_bits": 0},
        {"n_jobs": -1, "block_bits": 10},
        {"n_jobs": -1, "progress": True},
    ):
        result = run(**options)
        assert_same_outcomes(result, expected)
        assert result.summary() | {"seconds": 0} == expected.summary() | {"seconds": 0}


@given(st.lists(st.integers(1, 999), max_size=5, unique=True), st.integers(0, 9))
@settings(max_examples=30)
def test_any_split_of_a_range_gives_the_same_answer(places: list[int], bits: int) -> None:
    borders = [0, *sorted(places), 1000]
    parts = [
        simulate(seed=9, first=10_000 + a, deals=b - a, keep="outcomes", n_jobs=1, block_bits=bits)
        for a, b in pairwise(borders)
    ]
    whole = simulate(seed=9, first=10_000, deals=1000, keep="outcomes", n_jobs=1)
    joined = {name: np.concatenate([p.outcomes[name] for p in parts]) for name in whole.outcomes}
    assert_same_outcomes(replace(whole, outcomes=joined), whole)
    assert sum(part.wins for part in parts) == whole.wins
    total = Tally.total(part.tally for part in parts)
    assert total.mean("cards_left") == pytest.approx(whole.cards_left_mean)


def test_the_last_deals_of_a_seed_are_played() -> None:
    result = simulate(first=2**64 - 5, seed=2**64 - 1, keep="outcomes", n_jobs=2, block_bits=1)
    assert (result.first, result.deals, result.complete) == (2**64 - 5, 5, True)
    decks = np.stack([SeededDeals(2**64 - 1).deck(2**64 - 5 + at) for at in range(5)])
    assert_same_outcomes(simulate(decks=ListedDeals(decks), keep="outcomes"), result)


@pytest.mark.parametrize("rules", ["wikipedia", "aisleriot,columns=5"])
def test_listed_decks_play_as_the_deals_they_are(rules: str) -> None:
    decks = np.stack([SeededDeals(4).deck(index) for index in range(300)])
    listed = simulate(rules, decks=ListedDeals(decks), keep="outcomes", n_jobs=2, block_bits=5)
    seeded = simulate(rules, seed=4, deals=300, keep="outcomes")
    assert_same_outcomes(listed, seeded)
    assert (listed.deals, listed.seed, seeded.seed) == (300, None, 4)
    assert listed.identity != seeded.identity
    part = simulate(rules, decks=ListedDeals(decks), first=100, deals=50, keep="outcomes")
    assert (part.outcomes["cards_left"] == seeded.outcomes["cards_left"][100:150]).all()


def test_outcomes_are_kept_only_on_request_and_the_tally_is_theirs() -> None:
    kept = simulate("practical", deals=2000, seed=3, keep="outcomes")
    summary = simulate("practical", deals=2000, seed=3)
    assert summary.outcomes is None
    assert summary.wins == kept.wins == kept.outcomes["won"].sum()
    assert summary.cards_left_mean == pytest.approx(kept.outcomes["cards_left"].mean())
    assert summary.win_rate().estimate == kept.outcomes["won"].mean()


def test_a_player_in_python_gives_one_answer_at_any_number_of_workers() -> None:
    one = simulate(player=Own(), deals=60, keep="outcomes", n_jobs=1)
    two = simulate(player=Own(), deals=60, keep="outcomes", n_jobs=2, block_bits=3)
    assert_same_outcomes(two, one)
    (subject,) = one.identity.subjects
    assert subject.spec.startswith("own")
    assert one.identity == two.identity


@pytest.mark.parametrize(
    ("answer", "n_jobs"), [("F 13", 1), ("P 2C", 1), ("nonsense", 1), ("P 1H", 1), ("R 2C", 2)]
)
def test_a_player_that_answers_with_no_legal_move_is_named_with_its_deal(
    answer: str, n_jobs: int
) -> None:
    good = simulate(player=Own(), deals=200, keep="outcomes", n_jobs=1)
    index = int(np.argmax(good.outcomes["cards_left"] < 8))  # the first deal where it comes to it
    assert index > 2
    with pytest.raises(RunFailed, match=rf"\bown\b.* deal 1/1/{index}\b.* moves: ") as failure:
        simulate(player=Own(answer), deals=200, n_jobs=n_jobs, block_bits=1, keep="outcomes")
    assert answer.split()[-1] in str(failure.value)
    done = failure.value.result  # the blocks before
    assert (done.complete, done.deals) == (False, index // 2 * 2)
    assert done.wins == good.outcomes["won"][: done.deals].sum()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"n_jobs": -2}, "n_jobs=-2"),
        ({"n_jobs": 1.5}, "n_jobs=1.5"),
        ({"deals": 0}, "deals=0"),
        ({"deals": -3}, "deals=-3"),
        ({"deals": 10.0}, "deals=10.0"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, f"seed={2**64}"),
        ({"seed": "x"}, "seed='x'"),
        ({"first": -1}, "first=-1"),
        ({"first": 2**64}, f"first={2**64}"),
        ({"first": "x"}, "first='x'"),
        ({"first": "x", "deals": None}, "first='x'"),
        ({"first": 2**64 - 5, "deals": 6}, f"{2**64 - 5} to {2**64}"),
        ({"keep": "all"}, "keep='all'"),
        ({"block_bits": -1}, "block_bits=-1"),
        ({"block_bits": 1.5}, "block_bits=1.5"),
        ({"rules": "wikipedia,colums=8"}, "'colums'"),
        ({"player": "greed"}, "'greed'"),
        ({"game": "labyrint"}, "'labyrint'"),
        ({"game": "no_such_module:GAME"}, "no_such_module"),
        ({"game": "os:path"}, "os:path"),
        ({"rules": 3}, "int"),
    ],
)
def test_bad_arguments_are_refused_by_name_before_anything_is_played(
    options: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidInput, match=r".+") as refusal:
        simulate(**{"deals": 10} | options)
    assert named in str(refusal.value)


def test_a_range_beyond_listed_decks_is_refused() -> None:
    decks = ListedDeals(np.stack([SeededDeals(1).deck(index) for index in range(3)]))
    with pytest.raises(InvalidInput, match="deals 1 to 3 reach beyond the last one, 2"):
        simulate(decks=decks, first=1, deals=3)
    assert simulate(decks=decks, first=1).deals == 2


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    plain = simulate(seed=3, first=2**63 + 5, deals=10)
    numpys = simulate(seed=np.uint64(3), first=np.uint64(2**63 + 5), deals=np.int64(10))
    assert numpys.summary() | {"seconds": 0} == plain.summary() | {"seconds": 0}
    assert all(type(numpys.summary()[name]) is int for name in ("seed", "first", "deals", "wins"))
    assert simulate(first=np.uint64(2**64 - 1), deals=1).deals == 1
