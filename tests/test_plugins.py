"""Players from elsewhere: by object, module and entry point, in Python and compiled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from labyrinth_sim import PlayerFailed, Result, RunFailed, simulate
from labyrinth_sim.cli import main
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.games.labyrinth.modifiers import with_endgame
from labyrinth_sim.games.labyrinth.players import Greedy
from labyrinth_sim.games.labyrinth.pointer import CompiledPlayer
from labyrinth_sim.games.labyrinth.pointer_loops import MEMORY, draw
from labyrinth_sim.games.labyrinth.rules import LabyrinthRules
from labyrinth_sim.parameters import Named, whole
from labyrinth_sim.players import PythonProbe, find_player, playthrough
from labyrinth_sim.plugins import as_player, source_digest
from labyrinth_sim.protocols import Traits
from labyrinth_sim.testing import TOY

GAME = find_game()

MODULE = '''
"""Players that a test writes to a file."""

from dataclasses import dataclass

from labyrinth_sim.games.labyrinth.pointer import CompiledPlayer
from labyrinth_sim.parameters import Named, whole


class Last:
    """Takes the last legal move."""

    def choose(self, view, moves, rng):
        return moves[-1]


@dataclass(frozen=True)
class Nth(Named):
    place: int = whole(0, "the place in the list, as far as it goes", low=0)

    def choose(self, view, moves, rng):
        return moves[min(self.place, len(moves) - 1)]


class Needy:
    def __init__(self, need):
        pass

    def choose(self, view, moves, rng):
        return moves[0]


class Wrong:
    """Resigns when it has played ten cards."""

    def choose(self, view, moves, rng):
        return moves[0] if view.cards_left > 38 else None


class Slow:
    """Falls asleep when it has played ten cards."""

    def choose(self, view, moves, rng):
        if view.cards_left <= 38:
            while True:
                try:
                    import time
                    time.sleep(0.05)
                except Exception:
                    pass
        return moves[0]


nth = Nth(place=2)


def nearly_last(public, moves, n, params, scratch, rng):
    """Takes the last legal move but so many."""
    return max(0, n - 1 - int(params[0]))


nearly_last = CompiledPlayer(nearly_last, params={"back": 0.0})

number = 3
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module `elsewhere` that can be imported."""
    path = tmp_path / "elsewhere.py"
    path.write_text(MODULE, "utf-8")
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


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    """Exit status, the object printed, and standard error of ``run --json``."""
    status = main(["run", "--json", *arguments])
    captured = capsys.readouterr()
    return status, json.loads(captured.out) if captured.out else None, captured.err


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
        ("elsewhere:Nth:place=-1", "place='-1'"),
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


class First:
    """Takes the first legal move."""

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return moves[0]


class Kept(First):
    def __init__(self, weights: Any) -> None:
        self.weights = weights


@dataclass(frozen=True)
class Depth(Named):
    depth: int = whole(1, "how deep", low=1)
    choose = First.choose


def test_what_a_player_leaves_out_is_supplied() -> None:
    player = as_player(First())
    assert player.spec == f"{__name__}:First"
    assert player.full_spec == f"{__name__}:First@{source_digest(First)}"
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
    module.write_text(MODULE.replace("number = 3", "number = 4"), "utf-8")
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


# Errors.


class Fails:
    """Plays on until its time has come, then does what it is told to."""

    def __init__(self, how: Any) -> None:
        self.how = how

    def choose(self, view: Any, moves: Any, rng: Any) -> Any:
        return self.how(moves) if view.cards_left <= 38 else moves[0]


def raises(moves: Any) -> Any:
    raise ZeroDivisionError("of its own")


def exits(moves: Any) -> Any:
    sys.exit("goodbye")


FAILURES = [
    (raises, r"it raised ZeroDivisionError: of its own \(test_plugins.py, line \d+, in raises\)"),
    (exits, "it raised SystemExit: goodbye"),
    (lambda moves: None, "it returned None, which is no move"),
    (lambda moves: 0, "it returned 0, which is no move"),
    (lambda moves: "P KS", "it returned 'P KS': P KS is illegal: KS does not fit"),
    (lambda moves: "nonsense", "it returned 'nonsense': 'nonsense' is no move"),
    (lambda moves: moves.clear() or "F 13", "it returned 'F 13'.*columns run from 1 to 8"),
    (lambda moves: time.sleep(30), "it took longer than the 0.2 s that a move may take"),
]


@pytest.fixture(scope="module")
def fails_at() -> int:
    """The first deal on which `Fails` comes to its time."""
    left = simulate(player=First(), deals=200, n_jobs=1, keep="outcomes").outcomes["cards_left"]
    return int(np.argmax(left <= 38))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("how", "why"), FAILURES)
def test_a_failure_names_all_and_keeps_what_is_done(
    fails_at: int, how: Any, why: str, n_jobs: int
) -> None:
    handler = signal.getsignal(signal.SIGALRM)
    with pytest.raises(PlayerFailed, match=why) as caught:
        simulate(
            player=Fails(how),
            deals=100,
            n_jobs=n_jobs,
            block_bits=0,
            keep="outcomes",
            move_seconds=0.2,
        )
    failure = caught.value
    assert isinstance(failure, RunFailed)
    text = str(failure)
    assert f"player {__name__}:Fails failed on deal 1/1/{fails_at}, after" in text
    (moves,) = [line for line in text.splitlines() if line.startswith("moves so far: ")]
    position = GAME.start(SeededDeals(1).deck(fails_at), GAME.rules())
    for move in moves.removeprefix("moves so far: ").split("; "):
        position = position.after(move)
    assert position.view.cards_left <= 38
    assert text.endswith(position.board())
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    kept = failure.result
    if not fails_at:
        assert kept is None
        return
    assert isinstance(kept, Result)
    assert (kept.deals, kept.complete) == (fails_at, False)
    assert len(kept.outcomes["won"]) == fails_at
    assert kept.wins == simulate(player=First(), deals=fails_at, n_jobs=1).wins


def test_the_traceback_of_the_player_is_among_the_notes() -> None:
    with pytest.raises(PlayerFailed) as caught:
        simulate(player=Fails(raises), deals=100, n_jobs=2, block_bits=2)
    assert any("in raises" in note for note in caught.value.__notes__)


def test_a_slow_player_that_nobody_can_interrupt_is_found_out_afterwards() -> None:
    import threading

    caught: list[BaseException] = []

    def run() -> None:
        try:
            simulate(
                player=Fails(lambda moves: time.sleep(0.3)), deals=9, n_jobs=1, move_seconds=0.1
            )
        except PlayerFailed as failure:
            caught.append(failure)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert "it took longer than the 0.1 s" in str(caught[0])


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "1"])
def test_a_limit_that_is_no_time_is_refused(seconds: Any) -> None:
    with pytest.raises(InvalidInput, match="move_seconds="):
        simulate(player=First(), deals=1, move_seconds=seconds)


def test_a_limit_for_a_compiled_player_is_refused() -> None:
    with pytest.raises(InvalidInput, match="move_seconds=1 is for players in Python; greedy is"):
        simulate(player="greedy", deals=1, move_seconds=1)


def test_the_command_prints_what_is_done_then_the_error(
    module: Path, capsys: Any, tmp_path: Path, fails_at: int
) -> None:
    options = ["--first", "0", "--deals", "600", "--jobs", "2", "--rules", "pysol"]
    status, result, error = ran(capsys, "--player", "elsewhere:Wrong", *options)
    assert status == 1
    assert "player elsewhere:Wrong failed on deal 1/1/" in error
    assert "it returned None" in error
    failed = int(error.partition("deal 1/1/")[2].partition(",")[0])
    assert result is None if failed < 256 else result["deals"] == failed // 256 * 256
    output = tmp_path / "kept.csv"
    status, result, error = ran(
        capsys,
        "--player",
        "elsewhere:Slow",
        "--move-seconds",
        "0.2",
        *options,
        "--output",
        str(output),
    )
    assert status == 1
    assert "it took longer than the 0.2 s" in error
    assert (result is not None) == output.exists()


# Compiled.


def greedily(public, moves, n, params, scratch, rng):
    """Plays as greedy does, all but the safe plays."""
    best, best_order = 0, 10_000
    for index in range(n):
        move = np.int64(moves[index])
        kind, what = move // 64, move % 64
        order = what % 13 * 4 + what // 13  # of cards: lowest rank, then suit
        if kind == 0:
            order = 2000
        elif kind == 1:
            order = what
        elif kind == 2:
            order += 1000
        elif what % 13 == public.built[what // 13]:
            order += 3000
        else:
            order += 4000
        if order < best_order:
            best, best_order = index, order
    return best


def at_random(public, moves, n, params, scratch, rng):
    return draw(rng, n)


def counts_scratch(public, moves, n, params, scratch, rng):
    """Takes the first move as long as it finds its scratch as promised."""
    for word in range(len(scratch)):
        if scratch[word] != 0:
            raise ValueError("not clean")
        scratch[word] = np.uint64(n)
    return 0 if len(scratch) == 64 and len(moves) == 64 else n


def wrong_index(public, moves, n, params, scratch, rng):
    return n if public.cards_left <= 38 else 0


def negative_index(public, moves, n, params, scratch, rng):
    return -1 if public.cards_left <= 38 else 0


def gives_up(public, moves, n, params, scratch, rng):
    if public.cards_left <= 38:
        raise ValueError("no hope")
    return 0


def same(one: Result, other: Result) -> bool:
    return all((one.outcomes[name] == other.outcomes[name]).all() for name in one.outcomes)


@pytest.fixture(scope="module")
def as_greedy() -> CompiledPlayer:
    return CompiledPlayer(greedily, safe_first=True)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("spec", [*LabyrinthRules.presets, "wikipedia,columns=5,resorts=2"])
def test_greedys_logic_has_greedys_outcomes(
    as_greedy: CompiledPlayer, spec: str, n_jobs: int
) -> None:
    options = {"deals": 20_000, "keep": "outcomes", "n_jobs": n_jobs, "block_bits": 11}
    assert same(simulate(spec, as_greedy, **options), simulate(spec, "greedy", **options))
    ended = simulate(spec, with_endgame(as_greedy), **options)
    assert same(ended, simulate(spec, "greedy:endgame=exact", **options))


def test_it_draws_as_the_shipped_random_player_of_the_same_spec() -> None:
    player = CompiledPlayer(at_random, name="random", randomized=True)
    options = {"deals": 3_000, "keep": "outcomes", "seed": 5}
    assert same(simulate(player=player, **options), simulate(player="random", **options))
    shown = [
        [move for move, _ in playthrough(GAME, GAME.rules(), each, SeededDeals(5), 0)]
        for each in (player, find_player(GAME, "random"))
    ]
    assert shown[0] == shown[1]


def test_who_draws_must_say_so(capsys: Any) -> None:
    with pytest.raises(PlayerFailed, match="must be declared with randomized=True"):
        simulate(player=CompiledPlayer(at_random), deals=10)


def test_scratch_is_clean_before_every_choice() -> None:
    assert MEMORY == 64
    assert simulate(player=CompiledPlayer(counts_scratch), deals=500).deals == 500


def test_all_that_a_view_shows_is_in_the_record() -> None:
    @CompiledPlayer
    def checks(public, moves, n, params, scratch, rng):
        cards = 0
        for card in range(52):
            cards += public.where[card] < 60
        occupied = 0
        for cell in range(64):
            occupied += (public.occupied >> np.uint64(cell)) & np.uint64(1)
        if cards != occupied or public.columns != 8 or public.resorts != 3 or public.ranks != 13:
            raise ValueError("not so")
        return 0

    rules = "wikipedia,resorts=3"
    fast = simulate(rules, checks, deals=50, keep="outcomes")
    probe = PythonProbe(GAME, find_rules(GAME, rules), checks, SeededDeals(1))
    out = {column.name: np.zeros(50, column.dtype) for column in probe.columns}
    assert probe.run(0, out, np.zeros(1, np.uint8)) == 50
    assert all((out[name] == fast.outcomes[name]).all() for name in out)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (wrong_index, r"it returned the index \d+; there are \d+ moves, from 0"),
        (negative_index, "it returned the index -1"),
        (gives_up, "it raised ValueError: no hope"),
    ],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_compiled_player_that_fails_is_named_with_its_deal(
    fails_at: int, function: Any, why: str, n_jobs: int
) -> None:
    with pytest.raises(PlayerFailed, match=why) as caught:
        simulate(player=CompiledPlayer(function), deals=100, n_jobs=n_jobs, block_bits=0)
    assert f"{function.__name__} failed on deal 1/1/{fails_at}, after" in str(caught.value)
    assert (caught.value.result.deals if fails_at else 0) == fails_at


def test_a_function_that_can_not_be_compiled_is_refused() -> None:
    def no_numba(public, moves, n, params, scratch, rng):
        return n.no_such_thing

    with pytest.raises(InvalidInput, match=r"numba can't compile .*no_numba"):
        CompiledPlayer(no_numba)
    with pytest.raises(InvalidInput, match="speed='fast' is no finite number"):
        CompiledPlayer(gives_up, params={"speed": "fast"})


def test_parameters_of_a_compiled_player(module: Path) -> None:
    player = find_player(GAME, "elsewhere:nearly_last:back=1,endgame=exact")
    assert player.spec == "elsewhere:nearly_last:back=1,endgame=exact"
    last = find_player(GAME, "elsewhere:nearly_last")
    options = {"deals": 40, "keep": "outcomes", "n_jobs": 1}
    assert same(simulate(player=last, **options), simulate(player="elsewhere:Last", **options))
    assert not same(simulate(player=player, **options), simulate(player=last, **options))
    assert player.explain() == "back (default 0)"
    assert [*CompiledPlayer(gives_up, params=[1, 2]).values] == ["p0", "p1"]


def test_a_game_may_be_ended_exactly_by_any_player(module: Path) -> None:
    options = {"deals": 100, "n_jobs": 1, "seed": 2}
    before = simulate(player="elsewhere:Last", **options)
    after = simulate(player="elsewhere:Last:endgame=exact", **options)
    assert after.player == "elsewhere:Last:endgame=exact"
    assert after.identity.player.endswith(":endgame=exact")
    assert after.wins > before.wins
    assert with_endgame(Greedy()) == Greedy(endgame="exact")
    assert find_player(GAME, "elsewhere:Last:endgame=none").spec == "elsewhere:Last"
    with pytest.raises(InvalidInput, match="takes no parameters"):
        find_player(TOY, "elsewhere:Last:endgame=exact")


# Processes of their own.


def python(code: str, folder: Path, **environment: str) -> list[str]:
    """What a script in a process of its own prints."""
    script = folder / "script.py"
    script.write_text(dedent(code), "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


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


def test_a_new_compiled_player_compiles_nothing_of_ours(tmp_path: Path) -> None:
    code = """
        import numba
        from numba.core import event

        class Listener(event.Listener):
            def on_start(self, event): compiled.append(event.data["dispatcher"].__name__)
            def on_end(self, event): pass

        compiled = []
        from labyrinth_sim import simulate
        from labyrinth_sim.games.labyrinth.pointer import CompiledPlayer
        from labyrinth_sim.games.labyrinth.pointer_loops import play_asked

        def one(public, moves, n, params, scratch, rng):
            return 0

        def other(public, moves, n, params, scratch, rng):
            return n - 1

        wins = [simulate(player=CompiledPlayer(each), deals=200).wins for each in (one, other)]
        event.register("numba:compile", Listener())
        wins.append(simulate(player=CompiledPlayer(lambda a, b, n, d, e, f: n // 2), deals=9).wins)
        stats = play_asked.stats
        print(sum(stats.cache_misses.values()), sum(stats.cache_hits.values()))
        print(len(play_asked.signatures), *wins, *compiled)
    """
    cache = {"LABYRINTH_SIM_CACHE": str(tmp_path / "cache")}
    first, second = (python(code, tmp_path, **cache) for _ in range(2))
    assert first[:2] == ["1", "0"]
    assert second[:2] == ["0", "1"]
    assert first[2] == "1"
    assert first[2:] == second[2:]
    assert first[-1] == "<lambda>"
    assert "play_asked" not in first
