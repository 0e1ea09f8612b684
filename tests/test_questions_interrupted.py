"""Questions that are interrupted, or whose player fails, say so and print what they have so far."""

from __future__ import annotations

import json
import sys
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from doubles import interrupt_call, until

from labyrinth_sim.cli import main
from labyrinth_sim.errors import PlayerFailed
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.questions.claim import STEP, claim
from labyrinth_sim.questions.find import find
from labyrinth_sim.questions.load import load


def interrupt(stop: Any) -> None:
    raise KeyboardInterrupt


def tell_to_stop(stop: Any) -> None:
    stop[0] = 1


def fail(stop: Any) -> None:
    raise PlayerFailed("it has had enough")


EVENTS = {
    interrupt: (130, "interrupted; "),
    tell_to_stop: (130, "interrupted; "),
    fail: (1, "enough"),
}
"""What may happen, with exit status and words on standard error."""

MINI = "practical,suits=3,ranks=9,columns=5"
QUESTIONS = {
    "run": (f"run --rules {MINI}", 300, 288),
    "compare": (f"compare --rules {MINI} --player greedy --player hasty", 300, 288),
    "winnability": (f"winnability --rules {MINI}", 100, 96),
    "skill": (f"skill --rules {MINI} --player greedy --player hasty", 100, 96),
    "claim": (f"claim --rules {MINI} --odds 83% --tolerance 2", 1500, 1024),
    "clauses": (f"clauses --rules {MINI} --rules {MINI},deal=when_stuck --player hasty", 100, 96),
    "difficulty": (f"difficulty --rules {MINI} --repeats 2 --hardest 3", 100, 96),
}
"""The deal at which something happens, and how many deals are done before."""


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a game where the command finds it."""
    return lambda game: monkeypatch.setitem(sys.modules, "toy", SimpleNamespace(GAME=game))


def asked(capsys: Any, words: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    status = main(words.split())
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return status, said.out, said.err


def rows(text: str) -> list[dict[str, Any]]:
    """What was printed with --json, but for what differs from run to run."""
    found = [json.loads(line) for line in text.splitlines()]
    return [{key: row[key] for key in row if key not in ("seconds", "complete")} for row in found]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_done_is_printed(name: str, event: Any, game: Any, capsys: Any) -> None:
    words, at, done = QUESTIONS[name]
    game(until(event, at, solver=name == "winnability"))
    broken = f"{words} --jobs 1 --deals 5000 --game toy:GAME"
    code, why = EVENTS[event]
    status, out, err = asked(capsys, f"{broken} --json")
    assert (status, why in err) == (code, True)
    assert f" {done:,} deals" in err or event is fail
    status, whole, _ = asked(capsys, f"{words} --jobs 1 --deals {done} --json")
    assert status == 0
    assert rows(out) == rows(whole) != []
    status, out, _ = asked(capsys, broken)
    assert (status, "interrupted" in out) == (code, True)


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_before_anything_is_done_there_is_nothing_to_print(
    name: str, event: Any, game: Any, capsys: Any
) -> None:
    game(until(event, 3, solver=name == "winnability"))
    words = f"{QUESTIONS[name][0]} --jobs 1 --deals 5000 --game toy:GAME --json"
    status, out, err = asked(capsys, words)
    code, why = EVENTS[event]
    assert (status, out, why in err) == (code, "", True)


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", ["run", "winnability"])
def test_what_is_done_is_saved(name: str, event: Any, game: Any, capsys: Any, tmp_path) -> None:
    words, at, done = QUESTIONS[name]
    game(until(event, at, solver=name == "winnability"))
    file = tmp_path / "kept.parquet"
    words += f" --jobs 1 --deals 5000 --game toy:GAME --output {file}"
    assert asked(capsys, words)[0] == EVENTS[event][0]
    kept = load(file)
    assert (kept.deals, kept.complete) == (done, False)


@pytest.mark.parametrize("event", [interrupt, fail])
@pytest.mark.parametrize("options", ["--deals 50 --hardest 6", "1/1/1 1/1/2 1/1/3 1/1/4 1/1/5"])
def test_difficulty_keeps_the_deals_that_it_has_judged(
    options: str, event: Any, monkeypatch: Any, capsys: Any
) -> None:
    words = f"difficulty --rules {MINI} --repeats 2 --json {options}"
    whole = rows(asked(capsys, words)[1])
    calls, fewest = count(), LabyrinthSolver.appraise

    def third_ends(self: Any, *arguments: Any, **options: Any) -> Any:
        return event(None) if next(calls) == 2 else fewest(self, *arguments, **options)

    monkeypatch.setattr(LabyrinthSolver, "appraise", third_ends)
    status, out, err = asked(capsys, words)
    assert (status, EVENTS[event][1] in err) == (EVENTS[event][0], True)
    assert rows(out) == whole[:2]


def test_claims_that_were_judged_stay_when_the_next_is_interrupted(
    monkeypatch: Any, capsys: Any
) -> None:
    from labyrinth_sim.questions import claim

    calls, measure = count(), claim.measure

    def second_ends(*arguments: Any, **options: Any) -> Any:
        return interrupt(None) if next(calls) else measure(*arguments, **options)

    monkeypatch.setattr(claim, "measure", second_ends)
    status, out, err = asked(capsys, "claim --deals 1024 --json")
    assert (status, len(rows(out))) == (130, 1)
    assert "interrupted; nothing more was finished" in err


TINY = "practical,suits=2,ranks=7,columns=4"
STEPPED: dict[str, tuple[Any, int, list[str]]] = {
    "claim": (
        lambda deals: claim(
            TINY, "97%", tolerance=0.1, deals=deals, first=100, block_bits=9, n_jobs=1
        ),
        STEP,
        ["part", "settled", "sequence", "_Count.after", "_Count.decided", "_Count.rates"],
    ),
    "find": (
        lambda deals: find(
            *("a.won and not b.won", ["patient", "hasty"], TINY),
            **{"limit": None, "deals": deals, "first": 100, "n_jobs": 1},
            game=until(interrupt, -1),  # in small blocks
        ),
        1,
        ["part", "_Hits"],
    ),
}
"""Questions with a step of their own: the deals between two of its answers, and what it calls."""

MEASURE = ["labyrinth_sim.run.measure._Known", "labyrinth_sim.stats.tally.Tally.__add__"]
PLACES = [
    (name, call)
    for name, (_, _, calls) in STEPPED.items()
    for call in [*MEASURE, *(f"labyrinth_sim.questions.{name}.{call}" for call in calls)]
]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(("name", "call"), PLACES)
def test_an_interruption_anywhere_in_a_step_leaves_a_whole_answer(
    name: str, call: str, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is handed over is what the same question gives of the deals that it tells of."""
    ask, apart, _ = STEPPED[name]
    seen, raised = set(), 0
    for at in (1, 2, 3, 4, 5, 9, 17, 30, 47):
        with monkeypatch.context() as patch:
            interrupt_call(call, at, late, patch)
            try:
                found = ask(2500)
            except KeyboardInterrupt:  # before there was an answer, or when it was made
                raised += 1
                continue
        assert found.complete == (found.deals == 2500)
        assert found.complete or found.deals % apart == 0
        if found.deals not in seen:
            assert told(found) == told(ask(found.deals))
            seen.add(found.deals)
    assert raised
    assert seen


def told(answer: Any) -> list[dict[str, Any]]:
    """What an answer says, as it is printed."""
    return rows("\n".join(map(json.dumps, answer.rows())))
