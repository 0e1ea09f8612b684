"""Comparisons: the same numbers as brute force over outcomes, however they are made."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from doubles import Engine, Own, Scripted

from labyrinth_sim import ListedDeals, compare, compare_results, deal, find_game, load, simulate
from labyrinth_sim.cli import main
from labyrinth_sim.core.identity import Subject
from labyrinth_sim.errors import InvalidInput, PlayerFailed, RunFailed
from labyrinth_sim.questions.comparison import IDENTICAL
from labyrinth_sim.stats import paired, proportion
from labyrinth_sim.testing import TOY

KEYS = (
    "game rules a b seed first deals both only_a only_b neither difference low high method level p "
    "log10_p p_holm simultaneous_low simultaneous_high identical deals_only_a deals_only_b"
)
PLAYERS = ["greedy", "never", "random"]
RANGE = {"deals": 1500, "seed": 8, "first": 70}
TOY_NAME = "labyrinth_sim.testing:TOY"


@pytest.fixture(scope="module")
def won() -> dict[str, np.ndarray]:
    """Outcomes of each player in a run of its own."""
    return {
        player: simulate("wikipedia", player, keep="outcomes", n_jobs=1, **RANGE).outcomes["won"]
        for player in PLAYERS
    }


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict], str]:
    status = main([*arguments, "--json"])
    captured = capsys.readouterr()
    return status, [json.loads(line) for line in captured.out.splitlines()], captured.err


@pytest.mark.parametrize(("n_jobs", "block_bits"), [(1, 16), (2, 6), (2, 9)])
def test_tables_are_those_of_runs_made_one_by_one(
    won: dict[str, np.ndarray], n_jobs: int, block_bits: int
) -> None:
    found = compare(PLAYERS, "wikipedia", n_jobs=n_jobs, block_bits=block_bits, **RANGE)
    assert found.labels == tuple(PLAYERS)
    assert [(row["a"], row["b"]) for row in found.table] == [
        ("greedy", "never"),
        ("greedy", "random"),
        ("never", "random"),
    ]
    for row in found.table:
        a, b = won[row["a"]], won[row["b"]]
        counts = [(a & b).sum(), (a & ~b).sum(), (~a & b).sum(), (~a & ~b).sum()]
        assert [row[key] for key in ("both", "only_a", "only_b", "neither")] == counts
        alone = paired(np.reshape(counts, (2, 2)))
        assert (row["low"], row["high"], row["p"]) == (alone.low, alone.high, alone.p)
        assert row["p"] <= row["p_holm"] <= min(1, 3 * row["p"]) * (1 + 1e-12)
        assert row["simultaneous_low"] < row["low"] < row["high"] < row["simultaneous_high"]
        pair = found.pair(row["a"], row["b"])
        turned = found.pair(row["b"], row["a"])
        assert pair.difference == row["difference"] == -turned.difference
        assert (pair.simultaneous_low, pair.p_holm) == pytest.approx(
            (-turned.simultaneous_high, turned.p_holm)
        )
    for result, player in zip(found.results, PLAYERS, strict=True):
        alone = simulate("wikipedia", player, **RANGE)
        assert (result.tally, result.identity) == (alone.tally, alone.identity)
        assert (result.outcomes["won"] == won[player]).all()


def test_disagreements_are_all_deals_that_only_one_has_won(won: dict[str, np.ndarray]) -> None:
    found = compare(PLAYERS, "wikipedia", **RANGE)
    frame = found.disagreements("never", "greedy", limit=10_000)
    for winner, loser in (("never", "greedy"), ("greedy", "never")):
        expected = np.flatnonzero(won[winner] & ~won[loser]) + 70
        part = frame[frame.won_by == winner]
        assert part.deal.tolist() == [f"1/8/{index}" for index in expected]
        assert (part.lost_by == loser).all()
    assert len(found.disagreements(0, 1, limit=2)) == 4
    assert found.disagreements(0, 1, limit=0).empty


def test_shown_commands_show_what_they_promise(capsys) -> None:
    found = compare("greedy", ["wikipedia", "practical"], deals=300, seed=2)
    assert found.labels == ("wikipedia", "practical")
    row = found.disagreements("wikipedia", "practical", limit=1).iloc[0]
    for command, result in ((row.show_won, True), (row.show_lost, False)):
        program, *arguments = command.split()
        assert program == "labyrinth-sim"
        status, (shown,), _ = call(capsys, *arguments)
        assert (status, shown["won"]) == (0, result)


def test_players_and_rules_in_pairs() -> None:
    found = compare(["greedy", "never"], ["wikipedia", "pysol"], deals=200)
    assert found.labels == ("greedy@wikipedia", "never@pysol")
    assert found.table[0]["rules"] == {"a": "wikipedia", "b": "pysol"}
    assert found.pair("greedy@wikipedia", 1).deals == 200


def test_players_that_do_the_same_are_identical_on_these_deals(capsys) -> None:
    found = compare(["greedy", "patient"], "pysol", deals=2000)
    row = found.table[0]
    assert (row["identical"], row["p"], row["difference"]) == (True, 1, 0)
    assert IDENTICAL in str(found)
    assert IDENTICAL in found._repr_html_()
    arguments = ["--player", "greedy", "--player", "patient", "--rules", "pysol"]
    assert main(["compare", *arguments, "--deals", "500"]) == 0
    assert IDENTICAL in capsys.readouterr().out


def test_given_decks_are_compared_and_shown() -> None:
    decks = ListedDeals(np.array([deal(f"1/5/{index}").deck for index in range(80)]))
    found = compare(["patient", "never"], decks=decks)
    same = compare(["patient", "never"], seed=5, deals=80)
    assert found.deals == 80
    assert [row["only_a"] for row in found.table] == [row["only_a"] for row in same.table]
    row = found.disagreements(0, 1, limit=1).iloc[0]
    assert row.deal == "1"
    assert row.show_won.startswith(f"echo '{deal('1/5/0')}' | labyrinth-sim show --decks - ")


def test_any_game_and_players_in_python_are_compared(capsys) -> None:
    outcomes = [
        simulate(player=player, deals=600, game=TOY, keep="outcomes", n_jobs=1).outcomes["won"]
        for player in ("left", "lower")
    ]
    for jobs in ("1", "2"):
        arguments = ["compare", "--game", TOY_NAME, "--player", "left", "--player", "lower"]
        status, (row,), err = call(
            capsys, *arguments, "--deals", "600", "--show", "3", "--jobs", jobs
        )
        assert (status, err, row["game"]) == (0, "", "ends")
        assert set(KEYS.split()) <= set(row)
        assert row["only_b"] == (outcomes[1] > outcomes[0]).sum()
        first = np.flatnonzero(outcomes[1] > outcomes[0])[:3]
        assert row["deals_only_b"] == [f"1/1/{index}" for index in first]
        assert row["deals_only_a"] == []


def test_a_player_in_python_beside_a_compiled_one() -> None:
    found = compare([Own(), "greedy"], deals=40, n_jobs=2, block_bits=3)
    apart = [simulate(player=player, deals=40, n_jobs=1) for player in (Own(), "greedy")]
    assert [result.tally for result in found.results] == [result.tally for result in apart]


def kept(player: str, first: int, deals: int, seed: int = 1) -> Any:
    return simulate(player=player, first=first, deals=deals, seed=seed, keep="outcomes")


def test_results_that_are_there_are_compared_on_what_they_share() -> None:
    early, late = kept("greedy", 0, 700), kept("never", 300, 900)
    found = compare_results([early, late])
    assert (found.first, found.deals) == (300, 400)
    assert "only the 400 deals that all share" in found.note
    assert found.note in str(found)
    assert found.table == compare(["greedy", "never"], first=300, deals=400).table
    whole = compare_results([kept("greedy", 300, 400), kept("never", 300, 400)])
    assert whole.note == ""
    assert whole.table == found.table


def test_results_that_share_no_deals_are_never_paired() -> None:
    one = kept("greedy", 0, 100)
    for other, said in [
        (kept("never", 100, 50), "deals 0 to 99 .*deals 100 to 149"),
        (kept("never", 0, 100, seed=2), "seed 1.*seed 2"),
    ]:
        with pytest.raises(InvalidInput, match=f"share no deals.*{said}"):
            compare_results([one, other])
        with pytest.raises(InvalidInput, match="share no deals"):
            compare_results([kept("patient", 50, 100), one, other])
    with pytest.raises(InvalidInput, match="kept no outcomes"):
        compare_results([one, simulate(player="never", deals=100)])
    with pytest.raises(InvalidInput, match="of one game"):
        compare_results([one, simulate(game=TOY, deals=100, keep="outcomes")])
    with pytest.raises(InvalidInput, match="1 results"):
        compare_results([one])


@dataclass(frozen=True)
class Named(Scripted):
    """A scripted probe with the identity of its player."""

    name: str = ""

    @property
    def identity(self) -> Any:  # type: ignore[override]
        return replace(Scripted.identity, subjects=(Subject(self.name),))


def scripted(event: Any, at: int) -> Any:
    """A game whose player `never` meets an event at a deal."""

    def probe(rules: Any, player: Any, deals: Any) -> Named:
        return Named(event if player.spec == "never" else None, at, player.spec)

    return replace(find_game(), engine=Engine(probe))


def interrupt(stop: Any) -> None:
    raise KeyboardInterrupt


def fail(stop: Any) -> None:
    raise PlayerFailed("it has had enough")


def test_an_interruption_keeps_what_all_have_played(capsys, monkeypatch) -> None:
    game = scripted(interrupt, at=100)
    found = compare(["greedy", "never", "hasty"], game=game, deals=1000, block_bits=4, n_jobs=1)
    assert (found.complete, found.deals) == (False, 96)
    assert {len(result.outcomes["won"]) for result in found.results} == {96}
    assert {result.deals for result in found.results} == {96}
    assert found.table[0]["both"] == 48
    assert "interrupted" in str(found)

    monkeypatch.setitem(sys.modules, "toy", SimpleNamespace(GAME=scripted(interrupt, at=70_000)))
    arguments = ["--game", "toy:GAME", "--player", "greedy", "--player", "never", "--jobs", "1"]
    status, (row,), err = call(capsys, "compare", *arguments, "--deals", "200000")
    assert (status, row["deals"]) == (130, 65536)
    assert "first 65,536 deals, which all have played" in err
    with pytest.raises(KeyboardInterrupt):
        compare(["greedy", "never"], game=scripted(interrupt, at=3), deals=10, n_jobs=1)


def test_a_player_that_fails_leaves_what_was_compared_before() -> None:
    game = scripted(fail, at=100)
    with pytest.raises(RunFailed, match="had enough") as caught:
        compare(["greedy", "never"], game=game, deals=1000, block_bits=4, n_jobs=1)
    assert caught.value.result.deals == 96
    assert not caught.value.result.complete


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_output_holds_what_is_printed(ending: str, tmp_path: Path, capsys) -> None:
    target = tmp_path / f"c.{ending}"
    players = [word for name in PLAYERS for word in ("--player", name)]
    arguments = ["compare", *players, "--deals", "300"]
    _, rows, _ = call(capsys, *arguments, "--output", str(target))
    assert len(rows) == 3
    if ending == "json":
        written = json.loads(target.read_text())
        assert written["pairs"] == rows
        assert [run["player"] for run in written["runs"]] == PLAYERS
    elif ending == "csv":
        frame = pd.read_csv(target)
        assert frame.low.tolist() == pytest.approx([row["low"] for row in rows])
        assert frame.rules_a.tolist() == ["wikipedia"] * 3
    else:
        assert load(target).rows() == rows
        frame = pd.read_parquet(target)  # a row a deal
        assert frame["0/won"].sum() == rows[0]["both"] + rows[0]["only_a"]
        for number, row in enumerate(rows[:2], start=1):
            assert frame[f"{number}/won"].sum() == row["both"] + row["only_b"]
    assert main([*arguments, "--output", str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main([*arguments, "--output", str(target), "--force"]) == 0


def test_a_comparison_reads_as_tables(capsys) -> None:
    found = compare(PLAYERS, deals=400)
    text = str(found)
    rate = proportion(found.results[0].wins, 400)
    assert f"{rate.low:.3%} to {rate.high:.3%}" in text
    for name in ("wilson", "newcombe-10", "p holm", "3 at once", "of seed 1", *PLAYERS):
        assert name in text
        assert name in found._repr_html_()
    frame = found.frame()
    assert frame.both.tolist() == [row["both"] for row in found.table]
    assert {"rules_a", "rules_b", "p_holm", "method", "level"} <= set(frame.columns)
    players = [word for name in PLAYERS for word in ("--player", name)]
    assert main(["compare", *players, "--deals", "400", "--show", "1"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(text)
    assert "greedy wins, never does not\n  labyrinth-sim show 1/1/" in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "greedy alone can't be compared"),
        ("--player greedy", "greedy alone"),
        ("--player greedy --player greedy", "greedy on wikipedia is given twice"),
        ("--player greedy --rules wikipedia --rules wikipedia,resorts=1", "given twice"),
        ("--player greedy --player never --rules a --rules b --rules c", "can't be paired"),
        ("--player greedy --player nobody", "'nobody'"),
        ("--player greedy --player never --rules nowhere", "'nowhere'"),
        ("--player greedy --player never --deals 0", "deals=0"),
        ("--player greedy --player never --jobs 0", "n_jobs=0"),
        ("--player greedy --player never --level 95", "level=95"),
        ("--player greedy --player never --show -1", "--show -1"),
        ("--player greedy --player never --output c.docx", r"\.json"),
        ("--player greedy --player never --decks x --seed 1", "give one of them"),
    ],
)
def test_bad_input_is_wrong_usage(arguments: str, said: str, capsys) -> None:
    assert main(["compare", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.search(said, captured.err)


def test_runs_that_are_none_are_refused() -> None:
    found = compare(PLAYERS, deals=50)
    for run in ("nobody", 3, -1):
        with pytest.raises(InvalidInput, match="none of the runs"):
            found.pair("greedy", run)
    with pytest.raises(InvalidInput, match="same run"):
        found.pair("greedy", 0)
