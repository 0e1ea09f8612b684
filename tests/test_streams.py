"""Output goes into whatever streams there are."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from labyrinth_sim import load
from labyrinth_sim.cli import main
from labyrinth_sim.cli.streams import make_streams_safe

MINI = "practical,suits=3,ranks=9,columns=5"
WORDS = {
    "run": f"run --rules {MINI} --deals 50",
    "compare": f"compare --rules {MINI} --player greedy --player hasty --deals 50",
    "skill": f"skill --rules {MINI} --deals 50",
    "claim": f"claim --rules {MINI} --odds 83% --tolerance 2 --deals 50",
    "clauses": f"clauses --rules {MINI} --rules {MINI},deal=when_stuck --deals 50",
    "difficulty": f"difficulty --rules {MINI} --deals 50 --repeats 2 --hardest 1",
    "winnability": f"winnability --rules {MINI} --deals 50",
    "find": f"find --where a.won --rules {MINI} --limit 1",
    "explain": "explain 1/1/8 --player hasty",
    "rules": "rules",
    "players": "players heuristic",
    "help": "--help",
    "show --help": "show --help",
}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437", "cp932"])
@pytest.mark.parametrize("name", WORDS)
def test_any_encoding_will_do(name: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    make_streams_safe()
    assert main(shlex.split(WORDS[name])) == 0
    out.flush()
    if "help" in name:
        assert out.buffer.getvalue()  # where a stream is ASCII, typer writes its help as UTF-8
    else:
        text = out.buffer.getvalue().decode(encoding)
        assert text.strip()
        assert "?" not in text


@pytest.mark.parametrize("closed", ["2>&-", ">&-", ">&- 2>&-"])
def test_a_stream_that_is_closed_is_no_failure(closed: str, tmp_path: Path) -> None:
    file = tmp_path / "r.parquet"
    command = shlex.join([sys.executable, "-m", "labyrinth_sim", *shlex.split(WORDS["run"])])
    ended = subprocess.run(
        ["bash", "-c", f"{command} --json --output {file} {closed}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0
    assert load(file).deals == 50
    if closed == "2>&-":
        assert json.loads(ended.stdout)["deals"] == 50  # and nothing else


@pytest.mark.parametrize("sink", ["| true", "> /dev/full"])
@pytest.mark.parametrize("name", ["run", "compare", "winnability"])
def test_an_answer_is_saved_before_it_is_printed(name: str, sink: str, tmp_path: Path) -> None:
    file = tmp_path / "r.parquet"
    command = shlex.join([sys.executable, "-m", "labyrinth_sim", *shlex.split(WORDS[name])])
    ended: Any = subprocess.run(
        ["bash", "-c", f"{command} --output {file} {sink}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in ended.stderr
    assert load(file).deals == 50
