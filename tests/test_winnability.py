"""solve and winnability at the command line and in Python, for Labyrinth and for the toy game."""

import json
from itertools import islice

import pytest

from labyrinth_sim.cli import main
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.winnability import winnability
from labyrinth_sim.testing import TOY

SOLVE = "deal rules rules_spec verdict moves nodes seconds"
WINNABILITY = (
    "game rules rules_spec seed first deals winnable unwinnable unknown rate low high method "
    "level nodes seconds"
)
ENDS = ["--game", "labyrinth_sim.testing:TOY"]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict]:
    assert main([*arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("options", [[], ENDS])
def test_winnability_counts_what_solve_decides(options: list[str], capsys) -> None:
    ids = [f"1/8/{index}" for index in range(20, 60)]
    solved = call(capsys, "solve", *ids, *options)
    (counted,) = call(
        capsys, "winnability", *options, "--seed", "8", "--first", "20", "--deals", "40"
    )
    assert set(SOLVE.split()) <= set(solved[0])
    assert set(WINNABILITY.split()) <= set(counted)
    for verdict in ("winnable", "unwinnable", "unknown"):
        assert counted[verdict] == sum(one["verdict"] == verdict for one in solved)
    assert counted["nodes"] == sum(one["nodes"] for one in solved)
    assert counted["rate"] == counted["winnable"] / 40
    game = find_game(options[1]) if options else GAME
    for one in solved:
        assert (one["moves"] is not None) == (one["verdict"] == "winnable")
        if one["moves"]:
            line = replay(
                game.start(deal(one["deal"]).deck, game.rules()), one["moves"].split("; ")
            )
            assert line.result == "won"


def test_decks_may_be_given(tmp_path, capsys) -> None:
    file = tmp_path / "decks.txt"
    file.write_text("\n".join(str(deal(f"1/8/{index}")) for index in range(6)))
    given = call(capsys, "solve", "--decks", str(file), "--rules", "practical")
    named = call(capsys, "solve", *(f"1/8/{i}" for i in range(6)), "--rules", "practical")
    assert [one["moves"] for one in given] == [one["moves"] for one in named]
    (counted,) = call(capsys, "winnability", "--decks", str(file), "--rules", "practical")
    assert (counted["deals"], counted["seed"]) == (6, None)
    assert counted["winnable"] == sum(one["verdict"] == "winnable" for one in named)


def test_unknown_widens_the_interval_at_both_ends(capsys) -> None:
    (free,) = call(capsys, "winnability", "--deals", "2000")
    (bound,) = call(capsys, "winnability", "--deals", "2000", "--nodes", "15")
    assert free["unknown"] == 0
    assert bound["unknown"] > 0
    assert bound["low"] < free["low"] < free["high"] < bound["high"]


def test_same_answer_at_any_worker_count() -> None:
    one, two = (winnability("pysol", deals=3000, first=500, n_jobs=jobs) for jobs in (1, 2))
    assert (one.winnable, one.nodes, one.identity) == (two.winnable, two.nodes, two.identity)


def test_perfect_play_bounds_every_player() -> None:
    perfect = winnability("practical", deals=4000, keep="outcomes").outcomes["winnable"]
    for player in ("greedy", "hasty", "lookahead:depth=2", "random"):
        won = simulate("practical", player, deals=4000, keep="outcomes").outcomes["won"]
        assert not (won & ~perfect).any()


def test_plain_search_agrees_with_the_solver_on_minis() -> None:
    rules = GAME.rules.read("wikipedia,suits=2,ranks=5,columns=4")
    for index in range(40):
        position = GAME.start(deal(f"1/9/{index}").deck, rules)
        plain, own = PlainSolver(GAME).solve(position), GAME.solver.solve(position)
        assert plain.verdict == own.verdict
        if plain.moves is not None:
            assert replay(position, plain.moves).result == "won"


def test_plain_search_keeps_its_limits() -> None:
    position = TOY.start(deal("1/9/0").deck, TOY.rules(cards=7))
    assert PlainSolver(TOY).solve(position, Limits(nodes=1)).verdict in ("unknown", "unwinnable")
    deals = (TOY.start(deal(f"1/9/{index}").deck, TOY.rules(cards=7)) for index in range(50))
    found = [PlainSolver(TOY).solve(one, Limits(nodes=2)).verdict for one in islice(deals, 50)]
    assert "unknown" in found


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("solve", "no deal was given"),
        ("solve 1/1/0 --nodes 0", "nodes=0 is out of range"),
        ("solve 1/1/0 --memory 0", "memory=0 is out of range"),
        ("solve 1/1/0 --seconds 0", "seconds=0.0 is out of range"),
        ("winnability --deals 0", "deals=0"),
        ("winnability --nodes many", "'many' is no whole number"),
    ],
)
def test_bad_input(arguments: str, said: str, capsys) -> None:
    assert main(arguments.split()) == 2
    assert said in capsys.readouterr().err


def test_unknown_game_has_no_winnability() -> None:
    with pytest.raises(InvalidInput, match="unknown game"):
        winnability(game="chess")


def test_a_notebook_shows_a_table() -> None:
    found = winnability("wikipedia,ranks=4", deals=10)
    table = found._repr_html_()
    for name in ("winnable", "unwinnable", "unknown", "rate", "nodes"):
        assert f"<tr><th>{name}</th><td>{found.summary()[name]}</td></tr>" in table
