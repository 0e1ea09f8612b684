"""The page on writing a player, run as it stands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from labyrinth_sim.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "writing-a-player.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
FILES = {
    block.splitlines()[0].removeprefix("# "): block for kind, block in BLOCKS if kind == "python"
}
COMMANDS = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_has_two_players_and_their_tests() -> None:
    assert [*FILES] == ["keepers.py", "keepers_compiled.py", "test_keepers.py"]
    assert len(COMMANDS) == 8


def test_the_players_pass_the_suite(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_keepers.py"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    passed, skipped = re.search(r"(\d+) passed, (\d+) skipped", done.stdout).groups()
    assert int(passed) + int(skipped) == 41
    assert int(skipped) == 2  # a player in Python has no other engine to agree with


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_do_as_they_say(folder: Path, command: str, capsys) -> None:
    program, *arguments = shlex.split(command)
    assert program == "labyrinth-sim"
    assert main(arguments) == 0
    assert "eeper" in capsys.readouterr().out


def test_the_command_finds_modules_of_the_working_folder(folder: Path) -> None:
    command = [Path(sys.executable).with_name("labyrinth-sim"), "players", "keepers:Keeper"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.stdout.startswith("keepers:Keeper:stock=20")
