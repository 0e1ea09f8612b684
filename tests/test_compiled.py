"""Compiled kernels: nothing heavy at import, one compilation, and no stale machine code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import labyrinth_sim

PACKAGE = Path(labyrinth_sim.__file__).parent
HEAVY = ["pandas", "scipy", "matplotlib", "pyarrow", "joblib", "numba"]

# The digest of a view: its kernel stands in engine.py, its helpers in kernels.py and rng.py.
DIGEST = """
import labyrinth_sim
import numpy as np
from labyrinth_sim.games.free_edge import engine
from labyrinth_sim.games.free_edge.kernels import PUBLIC
public = np.zeros(1, PUBLIC)
public["where"] = np.arange(56)
digest = engine._view_digest(public)
misses = sum(engine._view_digest.stats.cache_misses.values())
print(labyrinth_sim.__file__, int(digest), misses)
"""

# Two plays are legal, of cards 1 and 14; their order is that of a table made of names in cards.py.
LEGAL = """
import labyrinth_sim
import numpy as np
from labyrinth_sim.games.free_edge import engine
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
deck = np.array([1, 14, *(code for code in range(52) if code not in (1, 14))], np.uint8)
print(labyrinth_sim.__file__, *engine.start(deck, LabyrinthRules(columns=4)).legal())
"""


def python(code: str, cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, with this folder for compiled kernels."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "LABYRINTH_SIM_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def printed(process: subprocess.CompletedProcess[str]) -> list[str]:
    assert process.returncode == 0, process.stderr
    return process.stdout.split()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may spoil."""
    folder = tmp_path / "copy" / "labyrinth_sim"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def digest_by(copy: Path, cache: Path) -> tuple[int, int]:
    """The digest as the copied package computes it, and how many kernels it had to compile."""
    file, digest, misses = printed(python(DIGEST, cache, PYTHONPATH=str(copy.parent)))
    assert Path(file).parent == copy
    return int(digest), int(misses)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


def test_importing_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys, labyrinth_sim; print(*sys.modules)"
    loaded = {name.split(".")[0] for name in printed(python(code, tmp_path))}
    assert "labyrinth_sim" in loaded
    assert not loaded & {*HEAVY}


def test_public_names_compile_nothing_until_they_are_called(tmp_path: Path) -> None:
    code = """
from numba.core import event

class Listener(event.Listener):
    def on_start(self, event): print("compiles")
    def on_end(self, event): pass

event.register("numba:compile", Listener())
import labyrinth_sim
for name in labyrinth_sim.__all__:
    getattr(labyrinth_sim, name)
rules = labyrinth_sim.find_game().rules.read("ultimate")
deck = labyrinth_sim.deal("1/1/0").deck
labyrinth_sim.find_game().start(deck, rules).legal()
"""
    assert printed(python(code, tmp_path)) == []
    code += "from labyrinth_sim.games.free_edge import engine; engine.start(deck, rules)"
    assert "compiles" in printed(python(code, tmp_path))  # so the listener does hear it


def test_a_second_process_compiles_nothing_and_the_users_own_cache_stays_theirs(
    tmp_path: Path,
) -> None:
    code = """
import numba
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.games.free_edge.loops import play_block
wins = [simulate(player=player, deals=100, n_jobs=2).wins for player in ("greedy", "random")]
misses, hits = play_block.stats.cache_misses, play_block.stats.cache_hits
print(sum(misses.values()), sum(hits.values()), numba.config.CACHE_DIR, *wins)
"""
    ours, users = tmp_path / "ours", tmp_path / "users"
    first, second = (python(code, ours, NUMBA_CACHE_DIR=str(users)) for _ in range(2))
    misses, _, folder, *wins = printed(first)
    assert misses == "1"
    assert printed(second) == ["0", "1", folder, *wins]
    assert folder == str(users)
    assert not users.exists()
    assert [folder.name.partition("-")[0] for folder in ours.iterdir()] == ["kernels"]
    assert first.stderr.count("compiling") == 1
    assert "compiling" not in second.stderr


def test_what_is_edited_in_another_file_changes_the_answer(copy: Path, tmp_path: Path) -> None:
    digest, misses = digest_by(copy, tmp_path / "ours")
    assert misses == 1
    assert digest_by(copy, tmp_path / "ours") == (digest, 0)
    seen = {digest}
    for file, old, new in (
        ("rng.py", "0xD2511F53", "0xD2511F55"),
        ("games/free_edge/kernels.py", "np.uint64(8 * byte)", "np.uint64(8 * (7 - byte))"),
    ):
        edit(copy / file, old, new)
        digest, misses = digest_by(copy, tmp_path / "ours")
        assert misses == 1
        assert digest not in seen
        seen.add(digest)


def test_a_table_made_in_a_file_without_kernels_changes_the_answer(
    copy: Path, tmp_path: Path
) -> None:
    for suits in ("CDHS", "DCHS"):  # so that card 1 is 2C, then 2D
        edit(copy / "cards.py", 'SUITS = "CDHS"', f'SUITS = "{suits}"')
        file, *moves = printed(python(LEGAL, tmp_path / "ours", PYTHONPATH=str(copy.parent)))
        assert Path(file).parent == copy
        assert moves == ["P", "2C", "P", "2D"]


def test_bounds_are_checked_on_request_though_the_cache_is_warm(copy: Path, tmp_path: Path) -> None:
    # Reads beyond the places of the cards, but within the record, so that it does no harm.
    edit(
        copy / "games" / "labyrinth" / "kernels.py",
        "public.where[16 * half + byte]",
        "public.where[17 * half + byte]",
    )
    digest_by(copy, tmp_path / "ours")
    _, misses = digest_by(copy, tmp_path / "ours")
    assert misses == 0
    spoilt, unspoilt = (
        python(DIGEST, tmp_path / "ours", NUMBA_BOUNDSCHECK="1", PYTHONPATH=str(folder.parent))
        for folder in (copy, PACKAGE)
    )
    assert spoilt.returncode != 0
    assert "IndexError" in spoilt.stderr
    assert unspoilt.returncode == 0


def test_a_cache_that_cant_be_written_is_said_and_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("No folder can be made below this, not even by root.")
    process = python(DIGEST, file / "cache")
    assert printed(process)[1] == printed(python(DIGEST, tmp_path / "ours"))[1]
    assert "RuntimeWarning" in process.stderr
    assert str(file / "cache") in process.stderr
    assert "set LABYRINTH_SIM_CACHE" in process.stderr
