"""Whatever ends the command, what is done is saved and said."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from labyrinth_sim import load, simulate

NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


TELLING = """
import os
from tqdm import tqdm
from labyrinth_sim.__main__ import entry

update = tqdm.update
def update_and_tell(bar, count=1):
    os.write(1, b"block\\n")
    return update(bar, count)
tqdm.update = update_and_tell
entry()
"""


def started(words: str, action: signal.Handlers) -> subprocess.Popen[str]:
    """The command, which tells of every block that is done; signals do as `action` says at first.

    Whoever runs the tests, nohup for instance, may have them ignored.
    """

    def prepare() -> None:
        for number in NUMBERS:
            signal.signal(number, action)

    return subprocess.Popen(
        [sys.executable, "-c", TELLING, *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,
    )


@pytest.mark.parametrize("number", NUMBERS)
def test_a_run_that_is_told_to_end_keeps_what_is_done(number: int, tmp_path: Path) -> None:
    file = tmp_path / "s.parquet"
    words = f"run --deals {2**40} --jobs 2 --json --output {file}"
    with started(words, signal.SIG_DFL) as process:
        for _ in range(3):
            assert process.stdout.readline() == "block\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, "interrupted" in err) == (128 + number, True)
    kept, row = load(file), json.loads(out.splitlines()[-1])
    assert (kept.complete, kept.deals, kept.wins) == (False, row["deals"], row["wins"])
    assert kept.deals > 0
    assert kept.wins == simulate(deals=kept.deals).wins


def test_a_signal_that_is_ignored_at_the_start_stays_ignored(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    words = f"run --deals 3000000 --jobs 1 --output {file}"
    with started(words, signal.SIG_IGN) as process:
        for number in NUMBERS:
            assert process.stdout.readline() == "block\n"
            process.send_signal(number)
        process.communicate(timeout=120)
    assert process.returncode == 0
    assert json.loads(file.read_text())["deals"] == 3000000
