"""Players from elsewhere: how they are found, and what they are called."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from from_elsewhere import GAME, First, python, ran, same
from joblib.externals.loky import get_reusable_executor

from labyrinth_sim import RunFailed, compare, simulate, winnability
from labyrinth_sim.cli import main
from labyrinth_sim.core.identity import Subject
from labyrinth_sim.core.player import Traits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.lookahead import Lookahead
from labyrinth_sim.games.free_edge.modifiers import with_endgame
from labyrinth_sim.games.free_edge.players import Greedy
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.players import find_player, playthrough
from labyrinth_sim.plugins import as_player
from labyrinth_sim.source import source_of
from labyrinth_sim.testing import TOY

# By name.


def test_a_module_and_a_name_at_the_command_line(module: Path, capsys: Any) -> None:
    status, result, _ = ran(capsys, "--player", "elsewhere:Last", "--deals", "20", "--jobs", "2")
    assert (status, result["player"]) == (0, "elsewhere:Last")
    import elsewhere

    assert result["wins"] == simulate(player=elsewhere.Last(), deals=20, n_jobs=1).wins
    assert main(["show", "1/1/0", "--player", "elsewhere:Last", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["moves"].startswith("P 2D; F 2")


def test_parameters_of_a_player_from_a_module(module: Path, capsys: Any) -> None:
    status, result, _ = ran(capsys, "--player", "elsewhere:Nth:index=1", "--deals", "10")
    assert (status, result["player"]) == (0, "elsewhere:Nth:index=1")
    player = find_player(GAME, "elsewhere:Nth")
    assert player.spec == "elsewhere:Nth"
    assert player.full_spec == "elsewhere:Nth:index=0"
    import elsewhere

    same = find_player(GAME, elsewhere.Nth(index=1))
    assert same.full_spec == find_player(GAME, "elsewhere:Nth:index=1").full_spec
    assert find_player(GAME, "elsewhere:nth").full_spec.endswith(":index=2")
    assert main(["players", "elsewhere:Nth"]) == 0
    assert "index: index in the list of moves" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("greed", "did you mean greedy.*MODULE:NAME"),
        ("greed:fill=hold:2", "unknown player 'greed'.*greedy"),
        ("no_such_module:Player", "no_such_module.*MODULE:NAME"),
        ("elsewhere:Nobody", "elsewhere:Nobody.*Nobody"),
        ("elsewhere:number", "elsewhere:number is no player but of type int"),
        ("elsewhere:Last:index=1", "elsewhere:Last takes no parameters, so 'index=1'"),
        ("elsewhere:Nth:indx=1", "unknown parameter 'indx'; there is: index"),
        ("elsewhere:Nth:index=-1", "index=-1 is out of range"),
        ("elsewhere:Needy", "can't make a player of elsewhere:Needy.*need"),
        ("elsewhere:Last:endgame=some", "unknown value of endgame 'some'.*exact"),
        ("elsewhere:nearly_last:forth=1", "unknown parameter 'forth'; there is: back"),
        ("elsewhere:nearly_last:back=x", "back='x' is no finite number"),
        ("broken:Player", "broken:Player.*SyntaxError"),
    ],
)
def test_what_is_no_player_is_refused_by_name(
    module: Path, capsys: Any, spec: str, named: str
) -> None:
    module.with_name("broken.py").write_text("def (", "utf-8")
    with pytest.raises(InvalidInput, match=named):
        find_player(GAME, spec)
    assert main(["run", "--player", spec, "--deals", "1"]) == 2
    assert capsys.readouterr().err.startswith("labyrinth-sim: ")


def test_entry_points_add_players_but_take_no_name_away(installed: None, capsys: Any) -> None:
    status, result, _ = ran(capsys, "--player", "last-move", "--deals", "5")
    assert (status, result["player"]) == (0, "last-move")
    _, result, _ = ran(capsys, "--player", "nth:index=2,endgame=exact", "--deals", "5")
    assert result["player"] == "nth:index=2,endgame=exact"
    assert isinstance(find_player(GAME, "greedy"), Greedy)
    assert find_player(TOY, "last-move").choose(None, ["L", "R"], None) == "R"
    assert main(["players"]) == 0
    assert "last-move  of another package: elsewhere:Last" in capsys.readouterr().out
    with pytest.raises(InvalidInput, match="random, last-move, nth"):
        find_player(GAME, "nobody")


def test_an_object_that_is_no_player_is_refused() -> None:
    class Nothing:
        pass

    class Untrue:
        traits = "honest"

        def choose(self, view: Any, moves: Any, rng: Any) -> str:
            return moves[0]

    for player, named in (
        (Nothing(), "is no player but of type Nothing"),
        (Untrue, r"Untrue is a class; give an object of it, e.g. Untrue\(\)"),
        (Untrue(), "the traits of .*Untrue are 'honest'"),
        (3, "3 is no player but of type int"),
    ):
        with pytest.raises(InvalidInput, match=named):
            simulate(player=player, deals=1)


# Identity.


class Kept(First):
    def __init__(self, weights: Any) -> None:
        self.weights = weights


@dataclass(frozen=True)
class Depth(Named):
    depth: int = whole(1, "how deep", low=1)
    choose = First.choose


def test_what_a_player_leaves_out_is_supplied() -> None:
    player = as_player(First())
    assert player.spec == "from_elsewhere:First"
    assert player.full_spec == "from_elsewhere:First"
    assert player.source == source_of(First())
    assert (player.version, player.traits) == (1, Traits())
    assert player.text == "Takes the first legal move."
    assert as_player(player) is player
    assert as_player(Greedy()) == Greedy()


def subject(player: Any) -> Subject:
    return Subject.of(as_player(player))


def closure(number: int) -> Any:
    class Closed(First):
        def choose(self, view: Any, moves: Any, rng: Any) -> str:
            return moves[number % len(moves)]

    return Closed()


def with_attribute(value: Any) -> Any:
    return type("Attributed", (First,), {"order": value, "__module__": __name__})()


def of_a_cell(text: str) -> Any:
    """The player of a notebook cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(text, names)
    return names["P"]()


CELL = """
WEIGHTS = [1, 2]
def helper(moves): return moves[{index}]
class P:
    def choose(self, view, moves, rng): return helper(moves) if WEIGHTS[{weight}] else moves[0]
"""


class Wrapped(First):
    def __init__(self, choice: Any) -> None:
        self.choice = choice


def pick(index: int, moves: Any) -> Any:
    return moves[index]


def compiled(back: float) -> CompiledPlayer:
    def choice(public, moves, n, params, scratch, rng):  # type: ignore[no-untyped-def]
        return max(0, n - 1 - int(params[0]))

    return CompiledPlayer(choice, params={"back": back})


DIFFERENT: dict[str, Callable[[], list[Any]]] = {
    "closures": lambda: [closure(0), closure(1)],
    "class attributes": lambda: [
        with_attribute([1, 2]),
        with_attribute([2, 1]),
        with_attribute({}),
    ],
    "helpers of a cell": lambda: [
        of_a_cell(CELL.format(index=index, weight=weight)) for index in (0, -1) for weight in (0, 1)
    ],
    "globals of a cell": lambda: [
        of_a_cell(CELL.format(index=0, weight=0)),
        of_a_cell(CELL.format(index=0, weight=0).replace("[1, 2]", "[1, 3]")),
    ],
    "states": lambda: [Kept([1, 2]), Kept([1, 3]), Kept(None), Kept({1, 2}), Kept(np.arange(2))],
    "partials": lambda: [Wrapped(partial(pick, 0)), Wrapped(partial(pick, 1))],
    "functions without a name": lambda: [Kept(lambda: 1), Kept(lambda: 2)],
    "defaults": lambda: [
        Wrapped(lambda moves, k=0: moves[k]),
        Wrapped(lambda moves, k=1: moves[k]),
    ],
    "bound methods": lambda: [Wrapped(Kept(1).choose), Wrapped(Kept(2).choose)],
    "parameters": lambda: [Depth(depth=1), Depth(depth=2)],
    "compiled parameters": lambda: [compiled(1.0), compiled(1.0 + 2**-50)],
    "weights": lambda: [
        Lookahead(weights=(1.0, *[0.0] * 5)),
        Lookahead(weights=(1.0 + 2**-50, *[0.0] * 5)),
    ],
    "named by themselves": lambda: [Sourced("one"), Sourced("two")],
}
"""Players that play otherwise, or may."""


class Sourced(First):
    def __init__(self, source: str) -> None:
        self.source = source


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_players_have_different_identities_and_equal_ones_the_same(name: str) -> None:
    players, again = DIFFERENT[name](), DIFFERENT[name]()
    assert len({subject(player) for player in players}) == len(players)
    assert [subject(player) for player in again] == [subject(player) for player in players]


def test_what_can_not_be_told_apart_is_refused() -> None:
    with pytest.raises(InvalidInput, match="give it an attribute source"):
        as_player(Kept(number for number in range(3)))
    weights = np.zeros(10_000)
    before = subject(Kept(weights.copy()))
    weights[5_000] = 1e-9  # what a repr would leave out
    assert subject(Kept(weights)) != before


@pytest.mark.parametrize("seed", ["0", "1"])
def test_identity_is_the_same_in_every_process(
    seed: str, module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = """
        from labyrinth_sim.games import find_game
        from labyrinth_sim.players import find_player
        for name in ("Last", "Nth", "nearly_last"):
            print(find_player(find_game(), f"elsewhere:{name}").source)
    """
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    before = python(command, module.parent)
    for name, digest in zip(("Last", "Nth", "nearly_last"), before, strict=True):
        assert find_player(GAME, f"elsewhere:{name}").source == digest
    module.write_text(module.read_text("utf-8").replace("moves[-1]", "moves[-2]"), "utf-8")
    after = python(command, module.parent)
    assert (after[0] != before[0], after[1:]) == (True, before[1:])


HELPED = """
import helper_module
from helper_module import pick

class Helped:
    def choose(self, view, moves, rng):
        return helper_module.pick(moves)

class Other:
    def choose(self, view, moves, rng):
        return moves[0]
"""


def test_a_helper_module_that_is_loaded_again_makes_another_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers play it as well, and refuse to play what was edited but not loaded again."""
    helper = tmp_path / "helper_module.py"
    helper.write_text("def pick(moves):\n    return moves[0]\n")
    (tmp_path / "helped_player.py").write_text(HELPED)
    monkeypatch.syspath_prepend(tmp_path)
    helped = importlib.import_module("helped_player")
    options: dict[str, Any] = {"deals": 40, "block_bits": 3, "keep": "outcomes"}
    first = simulate(player=helped.Helped(), n_jobs=2, **options)
    assert same(first, simulate(player=First(), **options))
    helper.write_text("def pick(moves):\n    return moves[-1]\n")
    os.utime(helper, (0, 0))
    get_reusable_executor().shutdown(wait=True)  # so that workers import what is edited
    with pytest.raises(RunFailed, match=r"Helped was edited since it was loaded"):
        simulate(player=helped.Helped(), n_jobs=2, **options)
    importlib.reload(helped.helper_module)
    second = simulate(player=helped.Helped(), n_jobs=2, **options)
    assert second.identity != first.identity
    assert same(second, simulate(player=helped.Helped(), n_jobs=1, **options))
    assert not same(second, first)
    for name in ("helped_player", "helper_module"):
        sys.modules.pop(name)


@pytest.mark.parametrize(
    ("attribute", "value", "named"),
    [
        ("version", "new", "the version of .*First is 'new'; give an integer"),
        ("source", 3, "the source of .*First is 3; give a text that changes"),
        ("source", "", "the source of .*First is ''"),
    ],
)
def test_attributes_that_say_nothing_are_refused(attribute: str, value: Any, named: str) -> None:
    player = First()
    setattr(player, attribute, value)
    with pytest.raises(InvalidInput, match=named):
        simulate(player=player, deals=1)


def test_a_game_that_a_player_names_is_the_only_one_that_it_plays() -> None:
    player = First()
    player.game = "maze"
    for given in (player, with_endgame(player)):
        with pytest.raises(InvalidInput, match="is a player of maze, not of labyrinth"):
            find_player(GAME, given)


def test_a_subclass_of_a_shipped_player_plays_as_itself() -> None:
    class Contrary(Greedy):
        def choose(self, view: Any, moves: Any, rng: Any) -> str:
            return moves[-1]

    played = playthrough(GAME, GAME.rules(), find_player(GAME, Contrary()), SeededDeals(1), 0)
    moves = [move for move, _ in played]
    first = [move for move, _ in playthrough(GAME, GAME.rules(), Greedy(), SeededDeals(1), 0)]
    assert moves != first
    assert simulate(player=Contrary(), deals=1, n_jobs=1, keep="outcomes").outcomes["fills"] == sum(
        move[0] == "F" for move in moves
    )


# In workers.


def test_a_player_that_was_edited_and_loaded_again_is_played_anew(module: Path) -> None:
    import elsewhere

    options = {"deals": 40, "n_jobs": 2, "block_bits": 3, "keep": "outcomes"}
    last = simulate(player=elsewhere.Last(), **options)
    module.write_text(module.read_text("utf-8").replace("return moves[-1]", "return moves[0]"))
    stale = find_player(GAME, elsewhere.Last())
    assert Subject.of(stale) == last.identity.subjects[0]  # as long as it is not loaded again
    os.utime(module, (0, 0))  # within a second of the first import, Python would not look at it
    importlib.reload(elsewhere)
    edited = simulate(player=elsewhere.Last(), **options)
    assert edited.identity.subjects != last.identity.subjects
    assert same(edited, simulate(player=First(), **options))
    assert not same(edited, last)


def test_the_second_of_two_players_is_played_anew_as_well(module: Path) -> None:
    import elsewhere

    options: dict[str, Any] = {"deals": 60, "block_bits": 3}
    compare([First(), elsewhere.Last()], n_jobs=2, **options)
    module.write_text(module.read_text("utf-8").replace("return moves[-1]", "return moves[0]"))
    os.utime(module, (0, 0))
    importlib.reload(elsewhere)
    players = [Kept(1), elsewhere.Last()]
    two, one = (compare(players, n_jobs=jobs, **options) for jobs in (2, 1))
    assert two == one
    assert two.pair(0, 1).identical  # both take the first legal move now


@pytest.mark.parametrize("ask", [simulate, winnability])
def test_a_game_that_was_edited_and_loaded_again_is_played_anew(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (Path(__file__).parent / "data/own_game.py").read_text("utf-8")
    file = tmp_path / "edited_game.py"
    file.write_text(code, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "edited_game", raising=False)
    import edited_game

    options: dict[str, Any] = {"deals": 60, "block_bits": 3, "keep": "outcomes"}
    before = ask(game=edited_game.GAME, n_jobs=2, **options)
    file.write_text(code.replace("self.row[0] > self.last", "self.row[0] < self.last + 40"))
    os.utime(file, (0, 0))
    importlib.reload(edited_game)
    two, one = (ask(game=edited_game.GAME, n_jobs=jobs, **options) for jobs in (2, 1))
    assert two == one
    assert not same(two, before)


def test_workers_that_have_started_find_a_module_all_the_same(module: Path) -> None:
    simulate(player=First(), deals=8, n_jobs=2, block_bits=2)
    more = module.parent / "more"
    more.mkdir()
    module.with_name("more").joinpath("others.py").write_text(module.read_text("utf-8"), "utf-8")
    sys.path.append(str(more))
    try:
        assert simulate(player="others:Last", deals=8, n_jobs=2, block_bits=2).deals == 8
    finally:
        sys.path.remove(str(more))


class Dies(First):
    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        os._exit(3)


def test_a_worker_that_dies_is_a_failed_run() -> None:
    with pytest.raises(RunFailed, match="a worker process ended"):
        simulate(player=Dies(), deals=8, n_jobs=2, block_bits=2)
    assert simulate(player=First(), deals=8, n_jobs=2, block_bits=2).deals == 8


def test_a_player_of_a_script_goes_to_workers(tmp_path: Path) -> None:
    code = """
        from labyrinth_sim import simulate

        class Mine:
            def choose(self, view, moves, rng):
                return moves[-1]

        if __name__ == "__main__":
            for n_jobs in (1, 2):
                print(simulate(player=Mine(), deals=40, n_jobs=n_jobs, block_bits=3).wins)
    """
    one, two = python(code, tmp_path)
    assert one == two


@dataclass
class Unhashable(First):
    weights: Any = None


def test_a_player_that_can_not_be_hashed_is_one_like_others() -> None:
    one, other = Unhashable([1]), Unhashable([2])
    assert as_player(one) == as_player(Unhashable([1])) != as_player(other)
    assert compare([one, other], deals=8, n_jobs=1).deals == 8
