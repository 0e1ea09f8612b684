"""Compiled players from elsewhere: outcomes as the shipped logic has, failures, the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from from_elsewhere import GAME, python, same
from greedily import greedily

from labyrinth_sim import PlayerFailed, simulate
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_rules
from labyrinth_sim.games.free_edge.modifiers import with_endgame
from labyrinth_sim.games.free_edge.players import Greedy
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.games.free_edge.pointer_loops import MEMORY, draw
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.players import PythonProbe, find_player, playthrough
from labyrinth_sim.testing import TOY


def at_random(public, moves, n, params, scratch, rng):
    return draw(rng, n)


def counts_scratch(public, moves, n, params, scratch, rng):
    """Takes the first move as long as it finds its scratch as promised."""
    for word in range(len(scratch)):
        if scratch[word] != 0:
            raise ValueError("not clean")
        scratch[word] = np.uint64(n)
    return 0 if len(scratch) == 32 and len(moves) == 64 else n


def wrong_index(public, moves, n, params, scratch, rng):
    return n if public.cards_left <= 38 else 0


def negative_index(public, moves, n, params, scratch, rng):
    return -1 if public.cards_left <= 38 else 0


def gives_up(public, moves, n, params, scratch, rng):
    if public.cards_left <= 38:
        raise ValueError("no hope")
    return 0


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
    assert MEMORY == 32
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
    assert after.identity.subjects[0].spec.endswith(":endgame=exact")
    assert after.wins > before.wins
    assert with_endgame(Greedy()) == Greedy(endgame="exact")
    assert find_player(GAME, "elsewhere:Last:endgame=none").spec == "elsewhere:Last"
    with pytest.raises(InvalidInput, match="takes no parameters"):
        find_player(TOY, "elsewhere:Last:endgame=exact")


def test_a_new_compiled_player_compiles_nothing_of_ours(tmp_path: Path) -> None:
    code = """
        import numba
        from numba.core import event

        class Listener(event.Listener):
            def on_start(self, event): compiled.append(event.data["dispatcher"].__name__)
            def on_end(self, event): pass

        compiled = []
        from labyrinth_sim import simulate
        from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
        from labyrinth_sim.games.free_edge.pointer_loops import play_asked

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
