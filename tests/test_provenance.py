"""Provenance names the commit of the checkout, and does without where there is none to be told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from labyrinth_sim.run import provenance as module
from labyrinth_sim.run.provenance import provenance

ROOT = Path(module.__file__).parents[2]


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    module._commit.cache_clear()
    yield
    module._commit.cache_clear()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the package lies in no checkout")
def test_the_commit_is_that_of_the_checkout() -> None:
    head = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    assert provenance("")["commit"].removesuffix("-dirty") == head.stdout.strip()


@pytest.mark.parametrize("script", ["echo fatal: dubious ownership >&2; exit 128", None])
def test_git_that_fails_or_is_not_there_leaves_it_empty(
    script: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script is not None:
        git = tmp_path / "git"
        git.write_text(f"#!/bin/sh\n{script}\n")
        git.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance("")["commit"] == ""
