"""The command: what RULES §5 promises, and clear errors for bad input."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from labyrinth_sim.cli import main
from labyrinth_sim.deals import deal
from labyrinth_sim.games.free_edge.rules import LabyrinthRules

DATA = Path(__file__).parent / "data"
KEYS = {
    "run": "game rules rules_spec player seed first deals wins win_rate low high method level "
    "cards_left_mean seconds",
    "show": "deal rules rules_spec player won cards_left rows_dealt resorts_used moves",
    "replay": "deal result cards_left stock_left legal",
}
FIXED = ("greedy", "patient", "never", "hasty")


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict], str]:
    """Exit status, JSON objects on standard output, and standard error."""
    status = main([*arguments, "--json"])
    captured = capsys.readouterr()
    return status, [json.loads(line) for line in captured.out.splitlines()], captured.err


def known(file: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / file).read_text().splitlines()]


def spec(rules: dict) -> str:
    return LabyrinthRules(**rules).spec


@pytest.mark.parametrize("case", known("labyrinth_players.jsonl")[::24], ids=lambda c: c["label"])
@pytest.mark.parametrize("player", FIXED)
def test_show_known_games(case: dict, player: str, capsys) -> None:
    status, (shown,), _ = call(
        capsys, "show", case["deal"], "--rules", spec(case["rules"]), "--player", player
    )
    expected = case[player]
    assert status == 0
    assert set(KEYS["show"].split()) <= set(shown)
    assert shown["rules"] == case["rules"]
    for key in ("won", "cards_left", "rows_dealt", "resorts_used"):
        assert shown[key] == expected[key]
    assert len(shown["moves"].split("; ")) == expected["move_count"]
    assert expected["moves"] in (None, shown["moves"])


@pytest.mark.parametrize("case", known("labyrinth_legal.jsonl")[::5], ids=lambda c: c["label"])
def test_replay_known_positions(case: dict, capsys) -> None:
    moves = case["moves"].lower()
    status, (made,), _ = call(
        capsys, "replay", case["deal"], "--rules", spec(case["rules"]), "--moves", moves
    )
    result = "won" if case["won"] else "open" if case["legal"] else "lost"
    assert status == 0
    assert made["result"] == result
    assert [made[key] for key in ("legal", "stock_left", "cards_left")] == [
        case[key] for key in ("legal", "stock_left", "cards_left")
    ]


def test_run_adds_up_what_show_shows(capsys) -> None:
    choice = ["--rules", "practical,resort=lift,resorts=3", "--player", "random"]
    ids = [f"1/9/{index}" for index in range(40, 90)]
    _, games, _ = call(capsys, "show", *ids, *choice)
    call(capsys, "run", "--deals", "1")  # a first run may say that it compiles
    status, (ran,), err = call(
        capsys, "run", *choice, "--seed", "9", "--first", "40", "--deals", "50", "--jobs", "2"
    )
    assert (status, err) == (0, "")
    assert set(KEYS["run"].split()) <= set(ran)
    assert ran["wins"] == sum(game["won"] for game in games)
    assert ran["cards_left_mean"] == pytest.approx(sum(g["cards_left"] for g in games) / 50)
    assert (ran["seed"], ran["first"], ran["deals"], ran["player"]) == (9, 40, 50, "random")
    assert ran["low"] <= ran["win_rate"] <= ran["high"]


def test_largest_deal_survives_json(capsys) -> None:
    last = str(2**64 - 1)
    _, (ran,), _ = call(capsys, "run", "--seed", last, "--first", last, "--deals", "1")
    assert (ran["seed"], ran["first"]) == (2**64 - 1, 2**64 - 1)


def test_decks_from_a_file_are_the_deals_they_came_from(tmp_path: Path, capsys) -> None:
    file = tmp_path / "decks.txt"
    decks = [str(deal(f"1/4/{index}")) for index in range(5)]
    file.write_text("\n\n".join(decks).lower().replace("t", "10"))
    _, from_file, _ = call(capsys, "show", "--decks", str(file), "--player", "patient")
    _, from_ids, _ = call(
        capsys, "show", *(f"1/4/{index}" for index in range(5)), "--player", "patient"
    )
    assert [game["moves"] for game in from_file] == [game["moves"] for game in from_ids]
    assert [game["deal"] for game in from_file] == ["1", "3", "5", "7", "9"]
    _, (ran,), _ = call(capsys, "run", "--decks", str(file), "--player", "patient")
    assert (ran["deals"], ran["seed"]) == (5, None)
    assert ran["wins"] == sum(game["won"] for game in from_ids)


def test_replay_names_the_illegal_move(capsys) -> None:
    status, (made,), _ = call(capsys, "replay", "1/1/0", "--moves", "P 2D; F 2; P 5H")
    assert status == 1
    assert (made["result"], made["at"]) == ("illegal", 3)
    assert "5H does not fit; the next is 2H" in made["why"]
    assert made["stock_left"] == 39


def test_moves_after_a_win_are_illegal(capsys) -> None:
    choice = ["--rules", "wikipedia,ranks=2", "1/1/0"]
    _, (shown,), _ = call(capsys, "show", *choice)
    assert shown["won"]
    status, (made,), _ = call(capsys, "replay", *choice, "--moves", shown["moves"] + "; D")
    assert (status, made["result"], made["at"]) == (1, "illegal", 5)
    assert "won" in made["why"]
    assert made["legal"] == []


def test_rules_explains_and_players_lists(capsys) -> None:
    status, (rules,), _ = call(capsys, "rules", "pysol,columns=9")
    assert (status, rules["rules_spec"], rules["rules"]["columns"]) == (0, "pysol,columns=9", 9)
    assert main(["rules"]) == 0
    table = capsys.readouterr().out
    assert all(preset in table for preset in LabyrinthRules.presets)
    assert "how often the resort serves" in table
    _, players, _ = call(capsys, "players")
    assert {*FIXED, "heuristic", "lookahead", "random"} <= {player["player"] for player in players}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run --rules wikipidia", "'wikipidia'; there is: wikipedia.*did you mean wikipedia"),
        ("run --rules wikipedia,colums=8", "'colums'.*columns"),
        ("run --rules wikipedia,refill=sometimes", "'sometimes'; there is: always"),
        ("run --rules wikipedia,columns=13", "columns=13 is out of range.*4 to 12"),
        ("run --rules wikipedia,columns=eight", "'eight'.*not an integer"),
        ("run --rules ultimate,resorts=2", "resort=none contradicts resorts=2"),
        ("run --rules wikipedia,resort=lift,resorts=0", "contradicts resorts=0"),
        ("run --rules wikipedia,columns=8,columns=9", "given twice"),
        ("run --rules wikipedia,columns", "can't read 'columns'"),
        ("run --player greedi", "'greedi'.*greedy, patient"),
        ("run --game chess", "'chess'.*labyrinth"),
        ("run --seed -1", "seed=-1 is out of range"),
        ("run --seed 18446744073709551616", "out of range"),
        ("run --first 18446744073709551615 --deals 2", "reach beyond the last one"),
        ("run --deals 0", "deals=0 is out of range"),
        ("run --jobs 0", "n_jobs=0 is out of range"),
        ("run --deals many", "--deals.*'many' is no whole number"),
        ("bench --deals 1e6", "'1e6' is no whole number"),
        ("run --decks nowhere.txt", "nowhere.txt.*No such file"),
        ("run --decks decks.txt --seed 3", "give one of them"),
        ("run --output nowhere/r.json", "nowhere"),
        ("run --output r.docx", r"\.json, \.csv, \.parquet"),
        ("run --output taken.json", "taken.json exists already.*--force"),
        ("show", "no deal was given"),
        ("show 1/1", "'1/1' is no deal id"),
        ("show 2/1/1", "scheme 2"),
        ("show 1/1/18446744073709551616", "out of range"),
        ("show 1/1/0 --decks decks.txt", "not both"),
        ("show --decks short.txt", "short.txt: line 1: 4C is missing.*51 cards were read"),
        ("show --decks doubled.txt", "line 1: place 3.*AC stands at place 2"),
        ("show --decks binary", "binary: this is no text"),
        ("replay 1/1/0 --moves P5H", "'P5H' is no move"),
        ("replay 1/1/0 --moves X", "'X' is no move"),
        ("frobnicate", "frobnicate"),
    ],
)
def test_bad_input_is_wrong_usage(
    arguments: str, said: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    deck = str(deal("1/1/0"))
    Path("decks.txt").write_text(deck)
    Path("short.txt").write_text(deck.replace(" 4C", ""))
    Path("doubled.txt").write_text(deck.replace("2D", "AC"))
    Path("binary").write_bytes(bytes(range(256)))
    Path("taken.json").write_text("kept")
    assert main(arguments.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert re.search(said, captured.err.replace("\n", " "))
    assert Path("taken.json").read_text() == "kept"


def test_output_is_kept_and_replaced_only_when_told(tmp_path: Path, capsys) -> None:
    target = tmp_path / "r.parquet"
    arguments = ["run", "--deals", "300", "--output", str(target)]
    _, (ran,), _ = call(capsys, *arguments)
    assert pd.read_parquet(target)["won"].sum() == ran["wins"]
    assert main(arguments) == 2
    assert main([*arguments, "--force", "--deals", "200"]) == 0
    assert len(pd.read_parquet(target)) == 200


def run_process(*arguments: str, **keywords) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "labyrinth_sim", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        **keywords,
    )


def test_full_disk_on_standard_output() -> None:
    with Path("/dev/full").open("w") as full:
        ended = run_process("rules", stdout=full)
    assert ended.returncode == 1
    assert "No space left" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_reader_that_has_enough() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "labyrinth_sim", "show", *["1/1/0"] * 2000],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.read(10)
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    assert process.wait(timeout=120) == 1
