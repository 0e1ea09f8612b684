"""A question, a family of players and a game of one's own are a file each, and run through all."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from labyrinth_sim import cli, load
from labyrinth_sim.cli.ending import heard
from labyrinth_sim.cli.options import GAME, OUTPUT, PLAYER, RANGE, RULES, option, verb

DATA = Path(__file__).parent / "data"
GAME_OF_ONES_OWN = "--game own_game:GAME"
SMALL = f"{GAME_OF_ONES_OWN} --deals 40 --jobs 1"
VERBS = {
    "rules": f"rules {GAME_OF_ONES_OWN}",
    "one rule set": f"rules short,skips=3 {GAME_OF_ONES_OWN}",
    "players": f"players {GAME_OF_ONES_OWN}",
    "one player": f"players careful:room=3 {GAME_OF_ONES_OWN}",
    "run": f"run --player own_player:Nth:index=1 {SMALL}",
    "compare": f"compare --player careful --player own_player:Nth {SMALL}",
    "find": f"find --where 'a.thrown > b.won' --player careful --player careful:room=4 {SMALL}",
    "show": f"show 1/1/3 --player own_player:Nth {GAME_OF_ONES_OWN}",
    "replay": f"replay 1/1/3 --moves 'S; T' {GAME_OF_ONES_OWN}",
    "solve": f"solve 1/1/3 1/1/4 {GAME_OF_ONES_OWN}",
    "winnability": f"winnability {SMALL}",
    "skill": f"skill --player careful --player own_player:Nth {SMALL}",
    "claim": f"claim {SMALL}",
    "claim with odds": f"claim --rules strict --odds 1/9 {SMALL}",
    "clauses": f"clauses --rules short --rules strict --player careful {SMALL}",
    "difficulty": f"difficulty --repeats 5 --hardest 2 {SMALL}",
    "explain": f"explain 1/1/3 --player own_player:Nth {GAME_OF_ONES_OWN}",
    "tune": f"tune {GAME_OF_ONES_OWN} --deals 100 --fresh 100 --jobs 1",
    "bench": f"bench {GAME_OF_ONES_OWN} --deals 20",
    "nearly": f"nearly --most 2 {SMALL}",
}


@pytest.fixture(autouse=True)
def there(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Modules of one's own, and the verb of the question."""
    monkeypatch.syspath_prepend(DATA)
    app = typer.Typer(add_completion=False)
    for one in cli.VERBS:
        app.command()(heard(one))
    nearly = verb(
        "own_question:nearly",
        "Count games that were nearly won.",
        *(GAME, RULES, PLAYER, *RANGE, option("most", int, "So many cards are few.", 3), *OUTPUT),
    )
    app.command()(heard(nearly))
    monkeypatch.setattr(cli, "app", app)
    yield
    for name in ("own_game", "own_player", "own_question"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb(name: str, capsys: Any) -> None:
    assert cli.main(shlex.split(VERBS[name])) == 0
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("name", [name for name in VERBS if name not in ("show", "explain")])
def test_every_verb_for_programs(name: str, capsys: Any) -> None:
    assert cli.main([*shlex.split(VERBS[name]), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows
    assert all(row.get("game", "climb") == "climb" for row in rows)


def test_an_answer_of_ones_own_is_kept_and_asked_again(tmp_path: Path, capsys: Any) -> None:
    file, again = tmp_path / "nearly.parquet", tmp_path / "again.parquet"
    command = f"{VERBS['nearly']} --player own_player:Nth --output {file}"
    assert cli.main(shlex.split(command)) == 0
    from own_game import GAME as CLIMB

    kept = load(file, game=CLIMB)
    assert kept.most == 2
    status = cli.main([*shlex.split(kept.command)[1:], "--output", str(again)])
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    assert load(again, game=CLIMB) == kept
    assert said.out.count(str(kept.share)) == 2


def test_what_is_kept_of_ones_own_game_can_be_verified(tmp_path: Path, capsys: Any) -> None:
    for words in (f"run --player careful {SMALL}", f"winnability {SMALL}"):
        file = tmp_path / f"{words.split()[0]}.parquet"
        assert cli.main(shlex.split(f"{words} --output {file}")) == 0
        assert cli.main(["verify", str(file), *GAME_OF_ONES_OWN.split()]) == 0
        assert "nothing contradicts" in capsys.readouterr().out
