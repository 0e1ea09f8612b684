"""Compiled kernels: nothing heavy at import, one compilation, and no stale machine code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_architecture import MODULES, imports_of

import labyrinth_sim
from labyrinth_sim.compiled import kernel_sources

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

# Ways in which a kernel's module may depend on STEP, which stands in table.py.
WAYS = {
    "plainly": "from labyrinth_sim.table import STEP",
    "in_lines": "from labyrinth_sim.table import (\n    OTHER,  # a word\n    STEP,\n)",
    "module": "from labyrinth_sim import table\nSTEP = table.STEP",
    "dotted": "import os, labyrinth_sim.table as steps\nSTEP = steps.STEP",
    "package": "from labyrinth_sim.folder import STEP",
    "through": "from labyrinth_sim.between import step\nSTEP = step()",
    "apart": "STEP = 1",
}
KERNEL = """
from labyrinth_sim.compiled import kernel

@kernel
def add(number):
    return number + STEP
"""
MINI = {
    "__init__.py": "",
    "table.py": "OTHER = 0\nSTEP = 1\n",
    "folder/__init__.py": "from labyrinth_sim.table import STEP",
    "between.py": "def step():\n    from labyrinth_sim.table import STEP\n    return STEP",
    **{f"{way}.py": source + KERNEL for way, source in WAYS.items()},
}
ADD = f"""
import importlib, sys
from pathlib import Path
import labyrinth_sim.compiled
def added():
    for way in {[*WAYS]}:
        name = f"labyrinth_sim.{{way}}"
        sys.modules.pop(name, None)
        add = importlib.import_module(name).add
        print(way, add(10), sum(add.stats.cache_misses.values()))
added()
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


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """A small package of our name, with kernels that depend on a table in different ways."""
    folder = tmp_path / "mini" / "labyrinth_sim"
    (folder / "folder").mkdir(parents=True)
    for name, text in MINI.items():
        (folder / name).write_text(text, "utf-8")
    for name in ("compiled.py", "errors.py"):
        shutil.copy(PACKAGE / name, folder)
    return folder


def added_by(mini: Path, code: str = ADD) -> list[tuple[str, int, int]]:
    """For each way: what its kernel adds to 10, and how often it was compiled."""
    cache = mini.parent / "cache"
    words = printed(python(code, cache, PYTHONPATH=str(mini.parent)))
    return [
        (way, int(sum_), int(misses))
        for way, sum_, misses in zip(words[::3], words[1::3], words[2::3], strict=True)
    ]


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
    assert {folder.name.partition("-")[0] for folder in ours.iterdir()} == {"kernels"}
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


def test_an_edit_recompiles_the_kernels_that_depend_on_it_and_no_others(mini: Path) -> None:
    assert added_by(mini) == [(way, 11, 1) for way in WAYS]
    assert added_by(mini) == [(way, 11, 0) for way in WAYS]
    edit(mini / "table.py", "STEP = 1", "STEP = 2")
    assert added_by(mini) == [("apart", 11, 0) if way == "apart" else (way, 12, 1) for way in WAYS]


def test_an_edit_counts_in_a_session_that_reloads_what_was_edited(mini: Path) -> None:
    session = f"""{ADD}
file = Path(labyrinth_sim.__file__).with_name("table.py")
file.write_text("OTHER = 0\\nSTEP = 20\\n")
for name in ("table", "folder", "between"):
    sys.modules.pop("labyrinth_sim." + name)
    vars(labyrinth_sim).pop(name)
added()
"""
    assert added_by(mini, session) == [
        *[(way, 11, 1) for way in WAYS],
        *[("apart", 11, 0) if way == "apart" else (way, 30, 1) for way in WAYS],
    ]


@pytest.mark.parametrize(
    "name", [name for name in MODULES if "labyrinth_sim.compiled" in imports_of(name)]
)
def test_all_that_a_module_imports_of_ours_counts(name: str) -> None:
    counted = {*kernel_sources(MODULES[name])}
    assert MODULES["labyrinth_sim.compiled"] in counted
    for other, path in MODULES.items():
        if path in counted:
            assert {MODULES[imported] for imported in imports_of(other)} <= counted


def test_one_game_is_not_compiled_for_an_edit_of_another() -> None:
    for name in ("free_edge.loops", "free_edge.solver_kernels"):
        files = kernel_sources(MODULES[f"labyrinth_sim.games.{name}"])
        assert not [file for file in files if "sliding" in file.parts]
    files = kernel_sources(MODULES["labyrinth_sim.games.sliding.loops"])
    assert not [file for file in files if {"free_edge", "gaps", "maze"} & {*file.parts}]


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
        copy / "games" / "free_edge" / "kernels.py",
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
    several = f"{DIGEST}\nimport labyrinth_sim.games.free_edge.loops"
    process = python(several, file / "cache")
    assert printed(process)[1] == printed(python(DIGEST, tmp_path / "ours"))[1]
    assert process.stderr.count("RuntimeWarning") == 1
    assert str(file / "cache") in process.stderr
    assert "set LABYRINTH_SIM_CACHE" in process.stderr
