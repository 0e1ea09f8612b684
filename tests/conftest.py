"""Fixtures that several test files share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from combinations import CHOICES
from from_elsewhere import First
from hypothesis import settings

from labyrinth_sim import simulate

# Compilation happens in whichever example comes first, so no example has a deadline.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

DATA = Path(__file__).parent / "data"


@pytest.fixture(
    scope="module", params=CHOICES, ids=lambda rules: "-".join(map(str, rules.values()))
)
def choices(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One combination of rules; a test that asks for it runs once for each of the 112."""
    return request.param


@pytest.fixture(scope="session")
def known() -> Callable[[str], list[dict[str, Any]]]:
    """Known answers by file name, a dict a line."""
    return lambda name: [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module `elsewhere` with players, which can be imported."""
    path = tmp_path / "elsewhere.py"
    path.write_text((DATA / path.name).read_text("utf-8"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    sys.modules.pop("elsewhere", None)


@pytest.fixture
def installed(tmp_path: Path, module: Path) -> None:
    """A package that says that it has players."""
    info = tmp_path / "elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[labyrinth_sim.players]\nlast-move = elsewhere:Last\nnth = elsewhere:Nth\n"
        "greedy = elsewhere:Last\n"
    )


@pytest.fixture(scope="session")
def fails_at() -> int:
    """The first deal on which a player that takes first moves has played ten cards."""
    played = simulate(player=First(), deals=200, n_jobs=1, keep="outcomes")
    return int(np.argmax(played.outcomes["cards_left"] <= 38))
