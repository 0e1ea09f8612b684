"""Bad input to questions, and to what they are put with: named, with advice, never a traceback."""

from __future__ import annotations

import pytest

from labyrinth_sim import deal, save, simulate, solve
from labyrinth_sim.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run --jobs 100000", "n_jobs=100000 is out of range; give -1 (all cores), or 1 to 1024"),
        ("skill --first 4 --decks decks.txt", "first=4 is beyond the last deal, 0"),
        ("skill --deals 0", "give an integer of 1 or more"),
        ("solve 1/1/0 --seconds inf", "seconds=inf is out of range"),
        ("solve 1/1/0 --seconds -1 --game labyrinth_sim.testing:TOY", "seconds=-1.0"),
        ("solve 1/1/0 --seconds inf --game gaps", "seconds=inf"),
        ("run --game maze --player greedy:limit=-1", "limit=-1 is out of range; give an integer"),
        ("run --player random:salt=-5", "salt=-5 is out of range"),
        ("run --game :", "can't load the game ':'"),
        ("claim --tolerance 2", "tolerance=2 is out of range for 1/2"),
        ("difficulty 1/1/0 --first 5", "1/1/0 and a range"),
        ("verify kept.parquet --decks decks.txt", "of seed 1; give no decks"),
        ("verify kept.parquet --game labyrinth_sim.testing:TOY", "of labyrinth, not of ends"),
    ],
)
def test_it_is_wrong_usage(words: str, said: str, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks.txt").write_text(str(deal("1/1/0")))
    save(simulate(deals=5, n_jobs=1, keep="outcomes"), "kept.parquet")
    assert main(words.split()) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


def test_decks_may_begin_with_a_byte_order_mark(tmp_path, capsys) -> None:
    file = tmp_path / "decks.txt"
    file.write_text(str(deal("1/1/0")), encoding="utf-8-sig")
    assert main(["show", "--decks", str(file)]) == 0
    given = capsys.readouterr().out
    assert main(["show", "1/1/0"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == given.splitlines()[1:]


@pytest.mark.parametrize("verb", ["solve 1/1/0", "explain 1/1/0", "winnability --deals 5 --jobs 1"])
def test_more_memory_than_there_is(verb: str, capsys) -> None:
    assert main([*verb.split(), "--memory", "900000000"]) == 1
    assert "not enough memory" in capsys.readouterr().err


@pytest.mark.parametrize("resorts", [48, 2**64])
def test_more_resorts_than_any_game_can_use(resorts: int) -> None:
    assert solve("1/1/0", f"wikipedia,resorts={resorts}").verdict == "winnable"
