"""How hard deals are, held to exact chances, to plain search, and to single games."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from labyrinth_sim.cli import main
from labyrinth_sim.core.solver import Bounds, Limits
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.resorts import fewest_resorts
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.players import find_player, playthrough
from labyrinth_sim.questions.difficulty import difficulty
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.testing import TOY

MINI = "pysol,suits=3,ranks=8,columns=5"


def chance(position, known: dict[bytes, float]) -> float:
    """The exact chance that a player wins who takes any legal move."""
    key = position.key()
    if key not in known:
        after = [chance(position.after(move), known) for move in position.legal()]
        known[key] = sum(after) / len(after) if after else float(position.status == "won")
    return known[key]


def test_playouts_win_as_often_as_chance_has_it() -> None:
    rules, seed, repeats = LabyrinthRules.read(MINI), 4, 400
    ids = [f"1/{seed}/{index}" for index in range(30, 36)]
    found = difficulty(rules, ids, repeats=repeats, most=0).found
    chances = [chance(GAME.start(deal(one).deck, rules), {}) for one in ids]
    assert any(0.05 < one < 0.95 for one in chances)
    for hard, share in zip(found, chances, strict=True):
        assert binomtest(hard.won, repeats, share).pvalue > 1e-4
        assert hard.won == 0 if share == 0 else hard.won > 0 or share < 0.05


def test_playouts_are_those_of_salted_players() -> None:
    rules, source, repeats = LabyrinthRules.read(MINI), SeededDeals(4), 12
    hard = difficulty(rules, ["1/4/33", "1/4/30"], repeats=repeats).found
    for one, index in zip(hard, (33, 30), strict=True):
        ways = []
        for salt in range(repeats):
            player = find_player(GAME, f"random:salt={salt}")
            ways.append(list(playthrough(GAME, rules, player, source, index)))
        assert one.won == sum(way[-1][1].status == "won" for way in ways)
        assert len({tuple(move for move, _ in way) for way in ways}) > repeats / 2


@pytest.mark.parametrize("game", [GAME, TOY])
def test_no_salt_leaves_the_draws_as_they_are(game) -> None:
    plain, salted, other = (
        find_player(game, spec) for spec in ("random", "random:salt=0", "random:salt=1")
    )
    assert plain == salted
    assert plain.spec == salted.spec == "random"  # what its draws are keyed by
    assert other.spec == "random:salt=1"
    with pytest.raises(InvalidInput, match="salt=-1 is out of range"):
        find_player(game, "random:salt=-1")


@pytest.mark.parametrize("kind", ["fit", "lift"])
@pytest.mark.parametrize("preset", ["ultimate", "wikipedia"])
def test_fewest_resorts_are_those_of_plain_search(kind: str, preset: str) -> None:
    rules = LabyrinthRules.read(f"{preset},suits=2,ranks=9,columns=4,resort={kind},resorts=1")
    plain, seen = PlainSolver(GAME), set()
    for index in range(25):
        deck = SeededDeals(12).deck(index)
        truth = None
        for resorts in (0, 1, 2):
            tried = replace(rules, resort=kind if resorts else "none", resorts=resorts)
            if plain.solve(GAME.start(deck, tried)).verdict == "winnable":
                truth = resorts
                break
        found = fewest_resorts(deck, rules, most=2)
        assert found == Bounds(3 if truth is None else truth, truth)
        seen.add(truth)
    assert len(seen) > 1


def test_limits_give_bounds_that_hold() -> None:
    rules, wide = LabyrinthRules.read("practical,resort=lift"), 0
    for index in range(40):
        deck = SeededDeals(1).deck(index)
        truth, found = fewest_resorts(deck, rules), fewest_resorts(deck, rules, 4, Limits(nodes=3))
        assert found.low <= truth.low
        assert found.high is None or (truth.high is not None and found.high >= truth.high)
        wide += found != truth
    assert wide > 0
    with pytest.raises(InvalidInput, match="has no resort"):
        fewest_resorts(deck, LabyrinthRules.read("practical"))
    with pytest.raises(InvalidInput, match="most=-1"):
        fewest_resorts(deck, rules, most=-1)
    assert [str(one) for one in (Bounds(2, 2), Bounds(1, 3), Bounds(2, None))] == [
        "2",
        "1 to 3",
        "2 or more",
    ]


def test_a_fit_is_a_lift_and_more_never_hurt() -> None:
    found = difficulty("ultimate", [f"1/2/{index}" for index in range(30)], repeats=1).found
    for one in found:
        fit, lift = one.appraised["fit"], one.appraised["lift"]
        assert lift.low <= fit.low
        assert (one.verdict == "winnable") == (fit.high == 0) == (lift.high == 0)


def test_the_hardest_are_winnable_and_no_other_is_harder() -> None:
    deals, repeats = 300, 5
    some = difficulty("practical", seed=7, deals=deals, hardest=8, repeats=repeats, n_jobs=1)
    ids = [f"1/7/{index}" for index in range(deals)]
    every = difficulty("practical", ids, repeats=repeats, most=0).found
    hard = {one.deal: (one.won, -one.nodes) for one in every if one.verdict == "winnable"}
    assert some.winnable == len(hard)
    assert [(one.won, -one.nodes) for one in some.found] == sorted(hard.values())[:8]
    assert all(hard[one.deal] == (one.won, -one.nodes) for one in some.found)
    wins = simulate("practical", "random", seed=7, deals=deals, keep="outcomes").outcomes["won"]
    once = difficulty("practical", ids[:50], repeats=1, most=0).found
    assert [one.won for one in once] == wins[:50].astype(int).tolist()
    again = difficulty("practical", seed=7, deals=deals, hardest=8, repeats=repeats, n_jobs=2)
    assert again.rows() == some.rows()


def test_a_won_playout_settles_what_the_solver_left_open() -> None:
    ids = [f"1/1/{index}" for index in range(60)]
    found = difficulty("wikipedia", ids, repeats=60, limits=Limits(nodes=2), most=0).found
    assert {one.verdict for one in found} >= {"winnable", "unknown"}
    assert not any(one.won and one.verdict != "winnable" for one in found)


def test_toy_game_and_given_decks() -> None:
    found = difficulty("short", deals=60, hardest=3, repeats=4, game=TOY, n_jobs=1)
    assert found.winnable > 0
    assert not found.found[0].appraised
    decks = ListedDeals(np.stack([SeededDeals(6).deck(index) for index in range(30)]))
    listed = difficulty("practical", decks=decks, hardest=1, repeats=3)
    assert listed.deals == 30


def test_command(capsys) -> None:
    words = ["difficulty", "--rules", "practical", "--repeats", "8"]
    assert main([*words, "--deals", "100", "--hardest", "3", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 3
    for row in rows:
        assert row["verdict"] == "winnable"
        assert row["share"] == row["playouts_won"] / 8
        assert row["fewest_resorts"] == {"fit": [0, 0], "lift": [0, 0]}
    ids = [row["deal"] for row in rows]
    assert main([*words, *ids, "--json"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == rows
    assert main([*words, *ids]) == 0
    assert "fewest lift" in capsys.readouterr().out
    frame = difficulty("practical", ids, repeats=8).frame()
    assert list(frame.lift_high) == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("difficulty 1/1/0 --deals 5", "1/1/0 and a range"),
        ("difficulty 1/1", "'1/1'"),
        ("difficulty --repeats 0", "repeats=0 is out of range"),
        ("difficulty --hardest 0", "hardest=0 is out of range"),
        ("difficulty --resorts -1", "most=-1 is out of range"),
        ("difficulty --deals 0", "deals=0"),
    ],
)
def test_bad_input(arguments: str, said: str, capsys) -> None:
    assert main(arguments.split()) == 2
    assert said in capsys.readouterr().err
