"""Players from elsewhere that several test files use, and scripts that run on their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from labyrinth_sim import Result
from labyrinth_sim.cli import main
from labyrinth_sim.games import find_game

GAME = find_game()


class First:
    """Takes the first legal move."""

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return moves[0]


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    """Exit status, the object printed, and standard error of ``run --json``."""
    status = main(["run", "--json", *arguments])
    captured = capsys.readouterr()
    return status, json.loads(captured.out) if captured.out else None, captured.err


def same(one: Result, other: Result) -> bool:
    return all((one.outcomes[name] == other.outcomes[name]).all() for name in one.outcomes)


def python(code: str, folder: Path, **environment: str) -> list[str]:
    """What a script in a process of its own prints."""
    script = folder / "script.py"
    script.write_text(dedent(code), "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
