"""Identity tells players apart by what they are made of, and equal ones alike in every process."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import numba
import numpy as np
import pytest
from from_elsewhere import GAME, First, python
from hypothesis import given
from hypothesis import strategies as st
from numba import cloudpickle

from labyrinth_sim.core.identity import Subject
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.parameters import Named, numbers, whole
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.source import source_of, standing


def key(player: Any) -> str:
    """Key of the identity of a run of a player."""
    probe = probe_for(GAME, GAME.rules(), find_player(GAME, player), SeededDeals(1))
    return probe.identity.key


class Holds(First):
    """A player that holds something."""

    def __init__(self, what: Any) -> None:
        self.what = what


class Slots(First):
    __slots__ = ("one", "other")

    def __init__(self, one: Any, other: Any) -> None:
        self.one, self.other = one, other


@dataclass
class Lists(First):
    weights: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Weighs(Named):
    weights: tuple[float, ...] = numbers((1.0, 0.0), "two numbers")
    depth: int = whole(1, "how deep", low=1)
    choose = First.choose


class Colour(Enum):
    RED = 1
    BLUE = 2


def closure(number: int) -> Any:
    class Closes(First):
        def choose(self, view: Any, moves: Any, rng: Any) -> str:
            return moves[number % len(moves)]

    return Closes()


def attribute(value: Any) -> Any:
    class Has(First):
        weights = value

    return Has()


def default(value: Any) -> Any:
    class Defaults(First):
        def choose(self, view: Any, moves: Any, rng: Any, *, at: Any = value) -> str:
            return moves[at]

    return Defaults()


def base(value: Any) -> Any:
    class Below(type(attribute(value))):  # type: ignore[misc]
        pass

    return Below()


def wrapped(number: int) -> Any:
    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def inner(*arguments: Any) -> Any:
            return function(*arguments) if number else None

        return inner

    class Wraps(First):
        choose = decorate(First.choose)

    return Wraps()


def kept(number: int) -> Any:
    @functools.cache
    def answer() -> int:
        return number

    return Holds(answer)


def computed(number: int) -> Any:
    class Computes(First):
        @functools.cached_property
        def table(self) -> int:
            return number

        @property
        def other(self) -> int:
            return -number

    return Computes()


def compiled(number: float, **options: Any) -> CompiledPlayer:
    def choose(public, moves, n, params, scratch, rng):
        return n - 1 if number > params[0] else 0

    return CompiledPlayer(choose, name="one", params={"low": 0.0}, **options)


def compiled_helper(number: int) -> CompiledPlayer:
    @numba.njit
    def helper(n: int) -> int:
        return n - number

    def choose(public, moves, n, params, scratch, rng):
        return helper(n)

    return CompiledPlayer(choose, name="one")


def cell(text: str) -> Any:
    """The player that a cell of a notebook defines."""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(dedent(text), space)
    return space["Mine"]()


CELL = """
    {top}
    def helper(moves):
        return {inner}
    class Mine:
        def choose(self, view, moves, rng):
            return helper(moves)
"""


def in_a_cell(top: str, inner: str = "moves[table[0]]") -> Any:
    return cell(CELL.format(top=top, inner=inner))


DIFFERENT: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "closures": (lambda: closure(0), lambda: closure(1)),
    "lists of a class": (lambda: attribute([1, 2]), lambda: attribute([1, 3])),
    "dicts of a class": (lambda: attribute({"a": 1}), lambda: attribute({"a": 2})),
    "arrays of a class": (lambda: attribute(np.zeros(3)), lambda: attribute(np.zeros(4))),
    "types of arrays": (
        lambda: attribute(np.zeros(3)),
        lambda: attribute(np.zeros(3, np.float32)),
    ),
    "sets of a class": (lambda: attribute({1, 2}), lambda: attribute({1, 3})),
    "attributes of a base": (lambda: base([1]), lambda: base([2])),
    "defaults": (lambda: default(0), lambda: default(-1)),
    "decorators": (lambda: wrapped(0), lambda: wrapped(1)),
    "functions with a cache": (lambda: kept(0), lambda: kept(1)),
    "properties": (lambda: computed(1), lambda: computed(2)),
    "lambdas": (lambda: Holds(lambda: 1), lambda: Holds(lambda: 2)),
    "lambdas of other names": (lambda: Holds(lambda a: a.b), lambda: Holds(lambda a: a.c)),
    "partials": (
        lambda: Holds(functools.partial(max, 1)),
        lambda: Holds(functools.partial(max, 2)),
    ),
    "bound methods": (lambda: Holds([1].count), lambda: Holds([2].count)),
    "bound methods of one's own": (
        lambda: Holds(Holds(1).choose),
        lambda: Holds(Holds(2).choose),
    ),
    "kinds of numbers": (lambda: Holds(1), lambda: Holds(1.0)),
    "truth and numbers": (lambda: Holds(True), lambda: Holds(1)),
    "text and bytes": (lambda: Holds("a"), lambda: Holds(b"a")),
    "signs of zero": (lambda: Holds(0.0), lambda: Holds(-0.0)),
    "the last digit": (lambda: Holds(0.1 + 0.2), lambda: Holds(0.3)),
    "nesting": (lambda: Holds([[1], 2]), lambda: Holds([[1, 2]])),
    "order": (lambda: Holds({"a": 1, "b": 2}), lambda: Holds({"b": 2, "a": 1})),
    "slots": (lambda: Slots(1, 2), lambda: Slots(2, 1)),
    "data classes": (lambda: Lists([1.0]), lambda: Lists([2.0])),
    "enumerations": (lambda: Holds(Colour.RED), lambda: Holds(Colour.BLUE)),
    "patterns": (lambda: Holds(re.compile("a")), lambda: Holds(re.compile("a", re.I))),
    "random states": (lambda: Holds(Random(1)), lambda: Holds(Random(2))),
    "generators of numpy": (
        lambda: Holds(np.random.default_rng(1)),
        lambda: Holds(np.random.default_rng(2)),
    ),
    "classes": (lambda: Holds(int), lambda: Holds(float)),
    "functions of modules": (lambda: Holds(np.add), lambda: Holds(np.subtract)),
    "methods of classes": (lambda: Holds(str.lower), lambda: Holds(str.upper)),
    "globals of a cell": (lambda: in_a_cell("table = [0]"), lambda: in_a_cell("table = [-1]")),
    "helpers of a cell": (
        lambda: in_a_cell("", "moves[0]"),
        lambda: in_a_cell("", "moves[-1]"),
    ),
    "modules under one name": (
        lambda: in_a_cell("import math as m", "m.pi"),
        lambda: in_a_cell("import cmath as m", "m.pi"),
    ),
    "weights of a class": (
        lambda: Weighs(weights=(0.1 + 0.2, 0.0)),
        lambda: Weighs(weights=(0.3, 0.0)),
    ),
    "lookahead weights": (
        lambda: "lookahead:weights=0.1/1/1/1/1/1",
        lambda: "lookahead:weights=0.1000000000000001/1/1/1/1/1",
    ),
    "parameters of compiled players": (
        lambda: compiled(1).read("low=0.1"),
        lambda: compiled(1).read("low=0.1000000000000001"),
    ),
    "closures of compiled players": (lambda: compiled(1.0), lambda: compiled(2.0)),
    "helpers of compiled players": (lambda: compiled_helper(1), lambda: compiled_helper(2)),
    "options of compiled players": (lambda: compiled(1), lambda: compiled(1, safe_first=True)),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_players_are_told_apart(name: str) -> None:
    one, other = DIFFERENT[name]
    assert key(one()) != key(other())


# Functions and properties with a cache can't be sent by value before Python 3.12.
CACHED = ("functions with a cache", "properties")


@pytest.mark.parametrize("name", [name for name in DIFFERENT if name not in CACHED])
def test_equal_players_are_not_and_stay_what_they_are_in_workers(name: str) -> None:
    for make in DIFFERENT[name]:
        player = make()
        before = key(player)
        assert before == key(make()) == key(player)
        there = find_player(GAME, cloudpickle.loads(cloudpickle.dumps(player)))
        assert Subject.of(there).source == Subject.of(find_player(GAME, player)).source
        assert key(player) == before


def test_they_are_the_same_in_every_process(tmp_path: Path) -> None:
    code = """
        from test_source import DIFFERENT, key
        for name, pair in DIFFERENT.items():
            if "of compiled" not in name or name.startswith("helpers"):
                print(*(key(make()) for make in pair))
    """
    keys = [
        python(code, tmp_path, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        for seed in ("1", "2")
    ]
    assert keys[0] == keys[1]
    assert len({*keys[0]}) > len(DIFFERENT)


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(), inner, max_size=3)
        | st.frozensets(st.integers() | st.text(), max_size=3)
    ),
    max_leaves=8,
)


@given(values, values)
def test_of_plain_values_a_digest_is_what_their_text_is(one: Any, other: Any) -> None:
    def told(value: Any) -> str:
        if isinstance(value, frozenset):
            return f"frozenset({sorted(map(repr, value))})"
        if isinstance(value, list | tuple):
            return f"{type(value).__name__}({[*map(told, value)]})"
        if isinstance(value, dict):
            return f"dict({[(told(k), told(v)) for k, v in value.items()]})"
        return repr(value)

    assert (source_of(one) == source_of(other)) == (told(one) == told(other))
    assert source_of(cloudpickle.loads(cloudpickle.dumps(one))) == source_of(one)


def test_a_family_of_a_game_of_ones_own_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent / "data")
    from own_game import GAME as CLIMB
    from own_game import Careful

    before = Subject.of(find_player(CLIMB, "careful"))
    assert before.source
    monkeypatch.setattr(Careful, "choose", lambda self, view, moves, rng: moves[0])
    assert Subject.of(find_player(CLIMB, "careful")).source != before.source
    sys.modules.pop("own_game")


# What does not count.


def test_what_a_player_has_cached_does_not_count() -> None:
    player = computed(1)
    before = key(player)
    assert player.table == 1
    assert key(player) == before
    answers = kept(0)
    before = key(answers)
    answers.what()
    assert key(answers) == before


def test_comments_lines_and_annotations_do_not_count() -> None:
    plain = "class Mine:\n  def choose(self, view, moves, rng): return moves[0]"
    told = plain.replace("self,", "self: int,").replace(": return", ":\n\n    # first\n    return")
    assert key(cell(plain)) == key(cell(told))


def test_what_a_player_gives_as_its_source_stands_for_all() -> None:
    players = [Holds(number for number in range(3)) for _ in range(2)]
    for player in players:
        player.source = "three numbers"  # type: ignore[attr-defined]
    assert key(players[0]) == key(players[1])
    players[1].source = "other numbers"  # type: ignore[attr-defined]
    assert key(players[0]) != key(players[1])


@pytest.mark.parametrize(
    "what",
    [
        (number for number in range(3)),
        open(__file__),  # noqa: SIM115, PTH123
        functools.reduce(lambda deep, _: [deep], range(10_000), []),
    ],
    ids=["generator", "file", "nesting"],
)
def test_what_can_not_be_told_is_refused(what: Any) -> None:
    with pytest.raises(InvalidInput, match=r"can't tell .*Holds from others.*an attribute source"):
        find_player(GAME, Holds(what))


def test_what_is_part_of_itself_is_told_apart_too() -> None:
    def loop(value: int) -> list[Any]:
        found: list[Any] = [value]
        found.append(found)
        return found

    assert source_of(loop(1)) == source_of(loop(1)) != source_of(loop(2))


# Modules of one's own.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of players that looks into modules in every way, as `mine.players`."""
    package = tmp_path / "mine"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "players.py").write_text(
        dedent(
            """
            import mine.whole
            import mine.aside
            from mine import attribute as other
            from mine.taken import taken

            class Looks:
                def choose(self, view, moves, rng):
                    from .late import late
                    import mine.later
                    found = mine.whole.number, other.number, taken(), late(), mine.later.number
                    return moves[sum(found) % len(moves)]
            """
        )
    )
    for name in ("whole", "attribute", "later", "aside"):
        (package / f"{name}.py").write_text("number = 1\nspare = 1\n")
    for name in ("taken", "late"):
        (package / f"{name}.py").write_text(f"number = 1\ndef {name}(): return number\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "mine"]:
        del sys.modules[name]


def edit(path: Path, old: str, new: str) -> None:
    """Edit a file, and load the module again."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, (0, 0))  # within a second of the first import, Python would not look at it
    importlib.invalidate_caches()
    importlib.reload(importlib.import_module(f"mine.{path.stem}"))


@pytest.mark.parametrize("name", ["whole", "attribute", "taken", "late", "later"])
def test_helpers_in_modules_beside_count_as_they_are_loaded(folder: Path, name: str) -> None:
    from mine.players import Looks

    before = key(Looks())
    assert key(Looks()) == before
    file = folder / f"{name}.py"
    file.write_text(file.read_text().replace("number = 1", "number = 2"))
    assert key(Looks()) == before  # as long as it is not loaded again
    edit(file, "number = 2", "number = 3")
    assert key(Looks()) != before
    edit(file, "number = 3", "number = 1")
    assert key(Looks()) == before


def test_what_is_not_looked_at_does_not_count(folder: Path) -> None:
    from mine.players import Looks

    before = key(Looks())
    edit(folder / "whole.py", "spare = 1", "spare = 2")
    edit(folder / "aside.py", "spare = 1", "spare = 2")
    assert key(Looks()) == before
    sys.modules["mine.players"].mine.whole.number = [7]  # loaded, and changed since
    assert key(Looks()) != before


def test_what_stands_for_a_module(folder: Path) -> None:
    assert standing("mine.players") is None
    assert standing("mine.never_loaded") is None
    assert standing("no_such_module") is None
    assert standing(__name__) is None
    assert standing("numpy.random") == f"numpy {np.__version__}"
    assert standing("email.mime") == "email"


def test_the_version_of_a_shipped_player_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from labyrinth_sim.games.free_edge.players import Greedy

    before = key(Holds(Greedy()))
    monkeypatch.setattr(Greedy, "version", 9, raising=False)
    assert key(Holds(Greedy())) != before
    assert Subject.of(Greedy()).version == 9
