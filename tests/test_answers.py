"""Every kind of answer is kept whole, looks the same when read back, and can be made again."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from doubles import Own
from IPython.lib.pretty import pretty
from pyarrow import parquet

import labyrinth_sim as lab
from labyrinth_sim.cards import deck_text
from labyrinth_sim.cli import main
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.questions.load import load
from labyrinth_sim.run.answer import Answer
from labyrinth_sim.saving import KEY
from labyrinth_sim.testing import TOY

MINI = "practical,suits=3,ranks=9,columns=5"
SMALL: dict[str, Any] = {"deals": 60, "n_jobs": 1}
TOYS: dict[str, Any] = {"game": "labyrinth_sim.testing:TOY", **SMALL}

KINDS: dict[str, Callable[[], Answer]] = {
    "run": lambda: lab.simulate(MINI, "patient", first=7, **SMALL),
    "run, outcomes": lambda: lab.simulate("pysol", "hasty", seed=2**63, keep="outcomes", **SMALL),
    "run, another game": lambda: lab.simulate("long", "lower", **TOYS),
    "run, maze": lambda: lab.simulate(game="maze", player="greedy:limit=50", deals=5, n_jobs=1),
    "compare": lambda: lab.compare(["greedy", "never", "random:salt=2"], MINI, **SMALL),
    "compare, rules": lambda: lab.compare("greedy", ["pysol", "practical"], level=0.9, **SMALL),
    "compare, pairs": lambda: lab.compare(["greedy", "never"], ["pysol", "practical"], **SMALL),
    "compare, another game": lambda: lab.compare(["left", "lower"], "long", **TOYS),
    "compare, results": lambda: lab.compare_results(
        [
            lab.simulate(player=name, first=first, keep="outcomes", **SMALL)
            for name, first in (("greedy", 0), ("never", 20))
        ]
    ),
    "find": lambda: lab.find("a.won and not b.won", ["patient", "greedy"], "wikipedia", limit=2),
    "find, nothing": lambda: lab.find("a.cards_left > 60", "patient", **SMALL),
    "find, named": lambda: lab.find(
        "me.won", runs={"me": ("greedy", "pysol"), "you": ("never", None)}, limit=None, **SMALL
    ),
    "winnability": lambda: lab.winnability(MINI, **SMALL),
    "winnability, unknown": lambda: lab.winnability(
        "wikipedia", limits=lab.Limits(nodes=3, memory=1), keep="outcomes", **SMALL
    ),
    "skill": lambda: lab.skill(["greedy", "hasty"], MINI, **SMALL),
    "claim": lambda: lab.claim(MINI, "83%", tolerance=2.5, deals=2048, n_jobs=1),
    "claim, published": lambda: lab.claim("ultimate", players=["random"], **SMALL),
    "clauses": lambda: lab.clauses(MINI, f"{MINI},deal=when_stuck", **SMALL),
    "clauses, player": lambda: lab.clauses("ultimate", "practical", player="hasty", **SMALL),
    "difficulty": lambda: lab.difficulty(MINI, repeats=3, hardest=2, **SMALL),
    "difficulty, named": lambda: lab.difficulty(MINI, ["1/1/3", "1/2/5", "1/1/9"], repeats=3),
    "solve": lambda: lab.solve("1/1/8", "ultimate,resort=lift"),
    "solve, maze": lambda: lab.solve("1/1/1", game="maze"),
    "explain": lambda: lab.explain("1/1/8", "hasty", "wikipedia"),
    "explain, won": lambda: lab.explain("1/1/3", "greedy"),
    "tune": lambda: lab.tune("heuristic:order=lowest,gap=most,fill=stuck", fresh=100, **SMALL_TUNE),
}
SMALL_TUNE: dict[str, Any] = {"deals": 100, "n_jobs": 1}


@cache
def made(name: str) -> Answer:
    return KINDS[name]()


@pytest.mark.parametrize("name", KINDS)
def test_it_is_read_back_equal_and_looks_the_same(name: str, tmp_path: Path) -> None:
    answer, file = made(name), tmp_path / "answer.parquet"
    answer.save(file)
    again = load(file, game=TOY if answer.game == TOY.name else None)
    assert type(again) is type(answer)
    assert again == answer
    assert str(again) == str(answer)
    assert again._repr_html_() == answer._repr_html_()
    assert again.summary() == answer.summary()
    assert again.provenance == answer.provenance
    assert again.command == answer.command
    pd.testing.assert_frame_equal(again.frame(), answer.frame())


@pytest.mark.parametrize("name", KINDS)
def test_its_command_gives_an_equal_answer(name: str, tmp_path: Path, capsys: Any) -> None:
    answer, file = made(name), tmp_path / "again.parquet"
    program, *words = shlex.split(answer.provenance["command"])
    assert program == "labyrinth-sim"
    assert main([*words, "--output", str(file)]) == 0
    again = load(file, game=TOY if answer.game == TOY.name else None)
    if answer.verb in ("run", "winnability"):  # whose files hold every deal
        again = replace(again, outcomes=answer.outcomes)
    assert again == answer


@pytest.mark.parametrize("name", KINDS)
def test_its_face_is_plain(name: str) -> None:
    answer = made(name)
    json.loads(json.dumps(answer.summary(), allow_nan=False))
    for row in answer.rows():
        json.loads(json.dumps(row, allow_nan=False))
    for column in answer.frame():
        kinds = {type(value) for value in answer.frame()[column]}
        assert not kinds & {dict, list, tuple, np.ndarray}, column
    assert answer.title().splitlines() == [answer.title()]
    assert pretty(answer) == str(answer)
    assert answer._repr_html_().startswith("<")


def test_every_kind_is_among_them() -> None:
    shipped = {
        kind for kind in Answer.kinds.values() if kind.__module__.startswith("labyrinth_sim")
    }
    asked = {type(made(name)) for name in KINDS}
    assert {kind.verb for kind in shipped - asked} <= {"verify"}  # its own test is in test_verify


def test_decks_of_a_file_are_named_in_the_command(tmp_path: Path, capsys: Any) -> None:
    decks = tmp_path / "some decks.txt"
    decks.write_text("\n".join(deck_text(SeededDeals(3).deck(index)) for index in range(9)))
    first, again = tmp_path / "a.parquet", tmp_path / "b.parquet"
    assert main(["run", "--decks", str(decks), "--first", "2", "--output", str(first)]) == 0
    answer = load(first)
    assert shlex.split(answer.command).count(str(decks)) == 1
    assert main([*shlex.split(answer.command)[1:], "--output", str(again)]) == 0
    assert load(again) == answer


@pytest.mark.parametrize("ask", [lab.solve, lab.explain])
def test_a_given_deck_is_piped_into_the_command(
    ask: Any, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    decks = np.stack([SeededDeals(3).deck(index) for index in range(4)])
    answer, file = ask(2, rules=MINI, decks=lab.ListedDeals(decks)), tmp_path / "again.parquet"
    deck, _, command = answer.provenance["command"].partition(" | ")
    echo, text = shlex.split(deck)
    assert (echo, text) == ("echo", deck_text(decks[2]))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{text}\n"))
    assert main([*shlex.split(command)[1:], "--output", str(file)]) == 0
    assert load(file) == answer
    assert answer.deal == "3"
    assert str(answer).startswith("deal 3, ")


def test_what_no_command_can_name_is_said() -> None:
    for answer in (lab.simulate(player=Own(), **SMALL), lab.simulate("long", game=TOY, **SMALL)):
        assert answer.command == answer.provenance["command"] == ""
        assert (
            "was given as an object, which no command can name" in answer.provenance["no_command"]
        )


def test_an_answer_that_was_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "answer.parquet"
    made("run, outcomes").save(file)
    whole = file.read_bytes()
    table = parquet.read_table(file)
    about = json.loads(table.schema.metadata[KEY])
    about["content"]["tally"]["counts"]["won"]["values"][1] += 1
    changed = table.replace_schema_metadata({KEY: json.dumps(about).encode()})
    parquet.write_table(changed, file)
    with pytest.raises(InvalidInput, match=r"damaged.*labyrinth-sim run"):
        load(file)
    unnoticed = []
    rng = np.random.default_rng(5)
    for _ in range(200):
        damaged = bytearray(whole)
        place = int(rng.integers(len(whole)))
        damaged[place] ^= 1 << int(rng.integers(8))
        file.write_bytes(damaged)
        try:
            again = load(file)
        except InvalidInput:
            continue
        if again != made("run, outcomes"):
            unnoticed.append(place)
    assert not unnoticed
