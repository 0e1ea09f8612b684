"""Imports point one way: every module imports only from its own layer or from earlier ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

import labyrinth_sim

LAYERS = [
    {"version", "errors", "parameters", "rulesets", "compiled", "source", "conditions"},
    {"cards"},
    {"core"},
    {"drawing"},
    {"rng", "shuffle"},
    {"deals", "chance"},
    {"plugins", "playing"},
    {"stats"},
    {"games"},
    {"players"},
    {"files"},
    {"run", "saving"},
    {"questions"},
    {"frames"},
    {"plots"},
    {"report"},
    {"testing", "cli", "extend"},
    {"__main__", "labyrinth_sim"},
]
"""The layers in order; a name is a module or a folder, and the last one the package itself."""

PACKAGE = Path(labyrinth_sim.__file__).parent
MODULES = {}
"""Every file of the package by its dotted name."""
for path in sorted(PACKAGE.rglob("*.py")):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    MODULES[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path


def imported(source: str, package: str) -> Iterator[str]:
    """Our own modules that a source in `package` imports, at its top or inside of functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{module}.{alias.name}" for alias in node.names]
            found = [name if name in MODULES else module for name in names]
        else:
            continue
        yield from (name for name in found if name.split(".")[0] == PACKAGE.name)


def imports_of(name: str) -> list[str]:
    path = MODULES[name]
    package = ".".join(path.relative_to(PACKAGE.parent).parts[:-1])
    return list(imported(path.read_text("utf-8"), package))


def layer(name: str) -> int:
    """Number of the layer of a module, by its dotted name."""
    first = name.split(".")[:2][-1]
    found = [number for number, names in enumerate(LAYERS) if first in names]
    assert len(found) == 1, f"{first} has no layer yet: say in LAYERS where it belongs"
    return found[0]


def game(name: str) -> str | None:
    """The game whose folder a module is in, if it is in one."""
    parts = name.split(".")
    in_folder = (
        parts[1:2] == ["games"] and len(parts) > 2 and (PACKAGE / "games" / parts[2]).is_dir()
    )
    return parts[2] if in_folder else None


def test_imports_are_seen_wherever_they_stand() -> None:
    source = """
import os, labyrinth_sim.rng
from labyrinth_sim.run import blocks
if True:
    from labyrinth_sim.cards import CARDS
    def f():
        from ..run.measure import measure
        from . import search
        import labyrinth_sim.stats as s
"""
    assert sorted(imported(source, "labyrinth_sim.games")) == [
        "labyrinth_sim.cards",
        "labyrinth_sim.games.search",
        "labyrinth_sim.rng",
        "labyrinth_sim.run.blocks",
        "labyrinth_sim.run.measure",
        "labyrinth_sim.stats",
    ]


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_to_earlier_rooms(name: str) -> None:
    for other in imports_of(name):
        assert layer(other) <= layer(name), f"{name} imports {other}"


@pytest.mark.parametrize("name", [name for name in MODULES if ".games" in name])
def test_games_do_not_know_each_other(name: str) -> None:
    for other in imports_of(name):
        assert game(other) in (None, game(name)), f"{name} imports {other}"
