"""Integers of any kind, such as numpy's, are taken for what they are; nothing else is."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from labyrinth_sim import InvalidInput, Limits, find, load, replay, save, simulate, verify
from labyrinth_sim.deals import Deal, ListedDeals, SeededDeals, deal
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.questions.difficulty import difficulty
from labyrinth_sim.questions.solve import solve

KINDS = [np.int64, np.uint8, np.array]
NONE = [True, np.True_, 9.0, np.float64(9), "9", None]


@pytest.mark.parametrize("kind", KINDS)
def test_rules_are_the_same_rules(kind: Any) -> None:
    rules, plain = (LabyrinthRules(columns=n(9), resorts=n(2)) for n in (kind, int))
    assert rules == plain
    assert hash(rules) == hash(plain)
    assert (rules.spec, rules.digest) == (plain.spec, plain.digest)
    assert json.dumps(rules.as_dict()) == json.dumps(plain.as_dict())
    assert LabyrinthRules.preset("pysol", columns=kind(9)).spec == "pysol,columns=9"
    assert Limits(nodes=kind(9)).spec == Limits(nodes=9).spec


@pytest.mark.parametrize("wrong", [0, -1, 2**40])
@pytest.mark.parametrize("name", ["nodes", "memory"])
def test_limits_out_of_range_are_refused(name: str, wrong: int) -> None:
    with pytest.raises(InvalidInput, match=f"{name}={wrong} is out of range"):
        Limits(**{name: wrong})


@pytest.mark.parametrize("wrong", NONE)
def test_what_is_no_whole_number_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="columns="):
        LabyrinthRules(columns=wrong)
    with pytest.raises(InvalidInput, match="memory="):
        Limits(memory=wrong)
    with pytest.raises(InvalidInput, match="seed="):
        SeededDeals(wrong)
    with pytest.raises(InvalidInput, match="first="):
        simulate(deals=10, first=wrong)
    if wrong is not None:
        for name in ("deals", "n_jobs"):
            with pytest.raises(InvalidInput, match=f"{name}="):
                simulate(**{"deals": 10, name: wrong})


def test_out_of_range_stays_out_of_range() -> None:
    with pytest.raises(InvalidInput, match=r"columns=.*13.* is out of range.*4 to 12"):
        LabyrinthRules(columns=np.int64(13))
    with pytest.raises(InvalidInput, match=r"n_jobs=.*0.* is out of range"):
        simulate(deals=10, n_jobs=np.int64(0))


@pytest.mark.parametrize("kind", KINDS)
def test_runs_are_the_same_runs(kind: Any, tmp_path: Any) -> None:
    one, other = (
        simulate(
            "pysol",
            "random:salt=3",
            deals=n(200),
            seed=n(5),
            first=n(7),
            n_jobs=n(2),
            block_bits=n(4),
            keep="outcomes",
        )
        for n in (kind, int)
    )
    assert one == other
    assert one.complete is True
    told = [{**each.summary(), "seconds": 0} for each in (one, other)]
    assert json.dumps(told[0]) == json.dumps(told[1])
    save(one, tmp_path / "r.parquet")
    assert load(tmp_path / "r.parquet") == other
    assert verify(one, sample=kind(2), seed=kind(1)).holds


def test_deals_and_questions() -> None:
    place = Deal(np.int64(1), np.uint64(2**63))
    assert (place.id, repr(place)) == (f"1/1/{2**63}", repr(deal(place.id)))
    listed = ListedDeals(deal("1/1/8").deck[None])
    start = GAME.start(listed.deck(0), GAME.rules())
    assert replay(start, solve(np.int64(0), decks=listed).moves).result == "won"
    assert len(find("a.won", deals=np.int64(500), limit=np.int64(2)).numbers) == 2
    hard = difficulty(
        "practical", deals=np.int64(60), hardest=np.int64(1), repeats=np.int64(2), n_jobs=1
    )
    assert json.dumps(hard.rows())


def test_a_start_beyond_the_last_deck_is_named() -> None:
    listed = ListedDeals(deal("1/1/8").deck[None])
    with pytest.raises(InvalidInput, match="first=3 is beyond the last deal, 0"):
        simulate(decks=listed, first=3)
