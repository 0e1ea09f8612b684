"""Finding deals: the same as brute force, and conditions that do nothing but compare."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from doubles import Engine, Scripted
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim import ListedDeals, deal, find, find_game, simulate
from labyrinth_sim.cli import main
from labyrinth_sim.conditions import read_condition
from labyrinth_sim.errors import InvalidInput, PlayerFailed
from labyrinth_sim.testing import TOY

NAMES = {"a": ["won", "cards_left"], "b": ["won", "cards_left"]}
RANGE = {"deals": 3000, "seed": 4, "first": 100}


@pytest.fixture(scope="module")
def played() -> dict[str, SimpleNamespace]:
    """Outcome columns of two players, as integers."""
    return {
        name: SimpleNamespace(
            **{
                column: values.astype(int)
                for column, values in simulate(
                    "wikipedia", player, keep="outcomes", n_jobs=1, **RANGE
                ).outcomes.items()
            }
        )
        for name, player in (("a", "patient"), ("b", "greedy"))
    }


def by_hand(where: str, played: dict[str, SimpleNamespace]) -> list[str]:
    """Ids of the deals that Python itself finds, one deal at a time."""
    found = []
    for place in range(RANGE["deals"]):
        here = {
            name: SimpleNamespace(**{key: values[place] for key, values in vars(columns).items()})
            for name, columns in played.items()
        }
        if eval(where, {}, here):
            found.append(f"1/4/{place + 100}")
    return found


@pytest.mark.parametrize(
    "where",
    [
        "a.won and not b.won",
        "a.won == b.won == 0 and 3 < a.cards_left <= 2 * b.cards_left - 4",
        "a.cards_left - b.cards_left >= 5 or (b.won and a.rows_dealt != b.rows_dealt)",
        "-a.cards_left + +b.cards_left > 0.5",
        "a.cards_left",
        "not a.cards_left * b.cards_left",
        "a.won + b.won == 1",
        "a.resorts_used > 5",
    ],
)
def test_what_is_found_is_what_python_finds_deal_by_deal(
    where: str, played: dict[str, SimpleNamespace]
) -> None:
    expected = by_hand(where, played)
    for n_jobs in (1, 2):
        for limit in (None, 7):
            found = find(where, ["patient", "greedy"], limit=limit, n_jobs=n_jobs, **RANGE)
            assert found.ids == expected[:limit]
            assert found.complete
            full = limit is not None and len(expected) >= limit
            last = int(expected[limit - 1].split("/")[2]) if full else RANGE["deals"] + 99
            assert (found.first, found.deals) == (100, last - 99)


def test_found_deals_come_with_their_outcomes(played: dict[str, SimpleNamespace]) -> None:
    found = find("a.won > b.won", ["patient", "greedy"], limit=20, **RANGE)
    frame = found.frame()
    assert frame.deal.tolist() == found.ids
    places = np.array(found.numbers) - 100
    for name, columns in played.items():
        for column, values in vars(columns).items():
            assert (frame[f"{name}.{column}"] == values[places]).all()
    row = found.rows()[0]
    assert (row["deal"], row["a"]["won"], row["b"]["won"]) == (found.ids[0], True, False)
    assert found.ids[0] in found._repr_html_()


def test_found_deals_can_be_shown(capsys) -> None:
    arguments = ["find", "--where", "x.won and not y.won", "--limit", "2", "--seed", "6"]
    runs = ["--run", "x=heuristic:fill=never@pysol,columns=9", "--run", "y=greedy"]
    assert main([*arguments, *runs, "--rules", "ultimate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line.split() for line in lines if "labyrinth-sim show" in line]
    assert len(shown) == 4
    for number, (_, *words) in enumerate(shown):
        assert main([*words, "--json"]) == 0
        game = json.loads(capsys.readouterr().out)
        expected = ("pysol,columns=9", True) if number % 2 == 0 else ("ultimate", False)
        assert (game["rules_spec"], game["won"]) == expected
        assert game["deal"] in lines


def test_json_is_a_line_a_deal(capsys) -> None:
    arguments = ["find", "--where", "b.won", "--player", "left", "--player", "lower", "--json"]
    game = ["--game", "labyrinth_sim.testing:TOY", "--deals", "400", "--limit", "5"]
    for jobs in ("1", "2"):
        assert main([*arguments, *game, "--jobs", jobs]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        won = simulate(player="lower", game=TOY, deals=400, keep="outcomes").outcomes["won"]
        assert [row["deal"] for row in rows] == [f"1/1/{i}" for i in np.flatnonzero(won)[:5]]
        assert all(row["b"] == {"won": True, "cards_left": 0} for row in rows)


def test_given_decks_are_searched() -> None:
    decks = ListedDeals(np.array([deal(f"1/5/{index}").deck for index in range(60)]))
    found = find("a.won", "patient", decks=decks, limit=None)
    seeded = find("a.won", "patient", seed=5, deals=60, limit=None)
    assert found.numbers == seeded.numbers
    assert found.ids == [str(number + 1) for number in seeded.numbers]
    assert "labyrinth-sim show --decks -" in str(found)


def test_nothing_found_says_where_was_looked() -> None:
    found = find("a.won > 1", "never", deals=500)
    assert found.ids == []
    assert found.frame().empty
    assert str(found).startswith("0 found among deals 0 to 499 of seed 1: a.won > 1; a = never@")


def test_a_search_ends_soon_when_enough_is_found() -> None:
    found = find("a.cards_left < 99", "greedy", deals=2**50, limit=300)
    assert found.numbers == tuple(range(300))


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("__import__('os').system('true')", "not allowed"),
        ("a.__class__", "unknown column 'a.__class__'"),
        ("a.won.__class__.__bases__", "'a.won.__class__.__bases__' is not allowed"),
        ("a.won.real", "not allowed"),
        ("().__class__", "not allowed"),
        ("(lambda: 1)()", "not allowed"),
        ("lambda: a.won", "not allowed"),
        ("a['won']", "not allowed"),
        ("a.won[0]", "not allowed"),
        ("a.won()", "not allowed"),
        ("'x' == 'x'", "not allowed"),
        ("b'x'", "not allowed"),
        ("f'{a.won}'", "not allowed"),
        ("None", "'None' is not allowed"),
        ("...", "not allowed"),
        ("1j", "not allowed"),
        ("9**9**9**9", r"'9\*\*9\*\*9\*\*9' is not allowed"),
        ("a.won**2 == 1", "not allowed"),
        ("a.won / 0", "not allowed"),
        ("a.won // 2", "not allowed"),
        ("a.won % 2", "not allowed"),
        ("1 << 99", "not allowed"),
        ("a.won & b.won", "not allowed"),
        ("~a.won", "not allowed"),
        ("a.won is b.won", "not allowed"),
        ("a.won in (0, 1)", "not allowed"),
        ("[a.won]", "not allowed"),
        ("{a.won}", "not allowed"),
        ("{**a.won}", "not allowed"),
        ("[x for x in a.won]", "not allowed"),
        ("a.won if b.won else 1", "not allowed"),
        ("(x := a.won)", "not allowed"),
        ("won", "'won' is not allowed"),
        ("a", "'a' is not allowed"),
        ("c.won", "unknown column 'c.won'; there is: a.won, a.cards_left, b.won, b.cards_left"),
        ("a.wonn", "did you mean a.won"),
        ("a.won; b.won", "can't read"),
        ("a.won = 1", "can't read"),
        ("import os", "can't read"),
        ("a.won and", "can't read"),
        ("", "can't read"),
        ("a.won\0", "can't read"),
        ("yield a.won", "can't read"),
        ("9" * 20, "too large"),
        ("1e999 > a.won", "too large"),
        ("9" * 900, "too large"),
        ("(" * 400 + "1" + ")" * 400, "can't read|too deeply"),
        ("-" * 900 + "1", "too deeply"),
        ("not " * 240 + "1", "too deeply"),
        ("a.won" + " and a.won" * 200, "2,005 characters"),
    ],
)
def test_what_is_no_plain_condition_is_refused(where: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_condition(where, NAMES)


def test_the_command_refuses_it_too(capsys) -> None:
    assert main(["find", "--where", "open('x', 'w')", "--player", "greedy"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "not allowed in a condition; write columns such as a.won" in captured.err
    assert "Columns: a.won, a.cards_left" in captured.err


FORMULAS = st.recursive(
    st.sampled_from(["a.won", "a.cards_left", "b.won", "b.cards_left", "0", "1", "2.5", "True"]),
    lambda part: st.one_of(
        st.tuples(
            part, st.sampled_from(["+", "-", "*", "and", "or", "<", "<=", "==", "!="]), part
        ).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(st.sampled_from(["not ", "-", "+"]), part).map(lambda two: f"({two[0]}{two[1]})"),
        st.tuples(part, part, part).map(lambda three: f"({three[0]} < {three[1]} >= {three[2]})"),
    ),
    max_leaves=12,
)


@given(FORMULAS, st.lists(st.tuples(*[st.integers(0, 52)] * 2, *[st.booleans()] * 2), min_size=1))
def test_conditions_mean_what_python_means(where: str, deals: list[tuple]) -> None:
    left_a, left_b, won_a, won_b = (np.array(column) for column in zip(*deals, strict=True))
    columns = {
        "a": {"won": won_a, "cards_left": left_a.astype(np.uint8)},
        "b": {"won": won_b, "cards_left": left_b.astype(np.uint8)},
    }
    held = read_condition(where, NAMES)(columns, len(deals))
    for place in range(len(deals)):
        here = {
            name: SimpleNamespace(**{key: int(values[place]) for key, values in own.items()})
            for name, own in columns.items()
        }
        assert held[place] == bool(eval(where, {}, here))


def scripted(event: Any, at: int) -> Any:
    return replace(find_game(), engine=Engine(lambda *_: Scripted(event, at)))


def interrupt(stop: Any) -> None:
    raise KeyboardInterrupt


def fail(stop: Any) -> None:
    raise PlayerFailed("it has had enough")


def test_an_interruption_keeps_what_was_found(capsys, monkeypatch) -> None:
    game = scripted(interrupt, at=1000)  # in the block of deals 768 to 1791
    found = find("a.cards_left == 2", "greedy", game=game, deals=5000, limit=50, n_jobs=1)
    assert (found.complete, found.deals) == (False, 768)
    assert found.numbers == tuple(range(2, 768, 52))
    assert "interrupted" in str(found)
    monkeypatch.setitem(sys.modules, "toy", SimpleNamespace(GAME=game))
    arguments = ["find", "--where", "a.cards_left == 2", "--game", "toy:GAME", "--limit", "50"]
    assert main([*arguments, "--deals", "5000", "--jobs", "1"]) == 130
    assert "only the first 768 deals were searched" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        find("a.won", game=scripted(interrupt, at=3), deals=10, n_jobs=1)
    # What comes after the last deal that is wanted, nobody hears of.
    assert find("a.won", game=game, deals=5000, limit=50, n_jobs=1).complete


def test_a_player_that_fails_leaves_what_was_found_before() -> None:
    with pytest.raises(PlayerFailed, match="had enough") as caught:
        find("a.cards_left == 2", game=scripted(fail, at=1000), deals=5000, limit=50, n_jobs=1)
    assert caught.value.result.deals == 768


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"limit": 0}, "limit=0"),
        ({"limit": 2.5}, "limit=2.5"),
        ({"deals": 0}, "deals=0"),
        ({"first": -1}, "first=-1"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"players": "nobody"}, "'nobody'"),
        ({"players": ["greedy"] * 27}, "27 runs"),
        ({"runs": {}}, "names no run"),
        ({"runs": {"and": ("greedy", None)}}, "'and' can't be the name"),
        ({"runs": {"a b": ("greedy", None)}}, "'a b' can't be the name"),
        ({"runs": {"a": ("greedy", None)}, "players": "never"}, "not both"),
    ],
)
def test_arguments_that_are_none_are_refused(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        find("a.won", **keywords)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--run greedy", "write NAME=PLAYER"),
        ("--run a=", "write NAME=PLAYER"),
        ("--run a=greedy --run a=never", "called a already"),
        ("--run a=greedy --player never", "give no --player"),
        ("--run a=greedy@nowhere", "'nowhere'"),
        ("--player greedy --limit 0", "limit=0"),
        ("--player greedy --limit few", "'few' is no whole number"),
    ],
)
def test_bad_options_are_wrong_usage(arguments: str, said: str, capsys) -> None:
    assert main(["find", "--where", "a.won", *arguments.split()]) == 2
    assert said in capsys.readouterr().err
