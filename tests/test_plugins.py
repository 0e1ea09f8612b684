"""Players from elsewhere: how they are found, and what they are called."""

from __future__ import annotations

import importlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from from_elsewhere import GAME, First, python, ran, same

from labyrinth_sim import RunFailed, simulate
from labyrinth_sim.cli import main
from labyrinth_sim.core.player import Traits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.players import Greedy
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.players import find_player, playthrough
from labyrinth_sim.plugins import as_player, source_digest
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
    status, result, _ = ran(capsys, "--player", "elsewhere:Nth:place=1", "--deals", "10")
    assert (status, result["player"]) == (0, "elsewhere:Nth:place=1")
    player = find_player(GAME, "elsewhere:Nth")
    assert player.spec == "elsewhere:Nth"
    assert player.full_spec.startswith("elsewhere:Nth@")
    assert player.full_spec.endswith(":place=0")
    import elsewhere

    same = find_player(GAME, elsewhere.Nth(place=1))
    assert same.full_spec == find_player(GAME, "elsewhere:Nth:place=1").full_spec
    assert find_player(GAME, "elsewhere:nth").full_spec.endswith(":place=2")
    assert main(["players", "elsewhere:Nth"]) == 0
    assert "place: the place in the list" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("greed", "did you mean greedy.*MODULE:NAME"),
        ("greed:fill=hold:2", "unknown player 'greed'.*greedy"),
        ("no_such_module:Player", "no_such_module.*MODULE:NAME"),
        ("elsewhere:Nobody", "elsewhere:Nobody.*Nobody"),
        ("elsewhere:number", "elsewhere:number is no player but of type int"),
        ("elsewhere:Last:place=1", "elsewhere:Last takes no parameters, so 'place=1'"),
        ("elsewhere:Nth:plaice=1", "unknown parameter 'plaice'; there is: place"),
        ("elsewhere:Nth:place=-1", "place=-1 is out of range"),
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
    _, result, _ = ran(capsys, "--player", "nth:place=2,endgame=exact", "--deals", "5")
    assert result["player"] == "nth:place=2,endgame=exact"
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
    assert player.full_spec == f"from_elsewhere:First@{source_digest(First)}"
    assert (player.version, player.traits) == (1, Traits())
    assert player.text == "Takes the first legal move."
    assert as_player(player) is player
    assert as_player(Greedy()) == Greedy()


def test_identity_tells_states_and_parameters_apart() -> None:
    specs = [as_player(Kept(weights)).full_spec for weights in ([1, 2], [1, 2], [1, 3], None)]
    assert specs[0] == specs[1]
    assert len({*specs}) == 3
    weights = np.zeros(10_000)
    before = as_player(Kept(weights.copy())).full_spec
    weights[5_000] = 1e-9  # what a repr would leave out
    assert as_player(Kept(weights)).full_spec != before
    assert as_player(Depth(depth=2)).spec == f"{__name__}:Depth:depth=2"
    by_name = [as_player(Kept(lambda: 1)).full_spec, as_player(Kept(lambda: 2)).full_spec]
    assert by_name[0] != by_name[1]
    with pytest.raises(InvalidInput, match="give it an attribute full_spec"):
        as_player(Kept(number for number in range(3)))


def test_identity_follows_the_source(module: Path) -> None:
    command = """
        from labyrinth_sim.games import find_game
        from labyrinth_sim.players import find_player
        for name in ("Last", "nearly_last"):
            print(find_player(find_game(), f"elsewhere:{name}").full_spec)
    """
    before = python(command, module.parent)
    assert python(command, module.parent) == before
    module.write_text(module.read_text("utf-8").replace("number = 3", "number = 4"), "utf-8")
    after = python(command, module.parent)
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_a_class_without_source_has_an_identity_all_the_same() -> None:
    digests = []
    for code in ("moves[0]", "moves[0]", "moves[1]"):
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(f"class P:\n  def choose(self, view, moves, rng): return {code}", names)
        names["P"].__module__ = "nowhere"
        digests.append(source_digest(names["P"]))
    assert digests[0] == digests[1] != digests[2]


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
    assert stale.full_spec == last.identity.player  # as long as it is not loaded again
    os.utime(module, (0, 0))  # within a second of the first import, Python would not look at it
    importlib.reload(elsewhere)
    edited = simulate(player=elsewhere.Last(), **options)
    assert edited.identity.player != last.identity.player
    assert same(edited, simulate(player=First(), **options))
    assert not same(edited, last)


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
