"""explain: the fatal move against a plain search of every position, and what is said about it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from labyrinth_sim.cli import main
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.deals import Deal, ListedDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.games.search import PlainSolver, solver_of
from labyrinth_sim.questions.explain import HINDSIGHT, Explanation, explain
from labyrinth_sim.questions.load import load
from labyrinth_sim.testing import TOY

TOY_NAME = "labyrinth_sim.testing:TOY"
FEW = Limits(nodes=2000, memory=4)
MINIS = [
    "wikipedia,resort=none,suits=2,ranks=9,columns=4",
    "practical,suits=3,ranks=7,columns=4",
    "pysol,suits=3,ranks=6,columns=4",
]


def told(rules: str, player: str, count: int = 40, game=GAME) -> list[Explanation]:
    return [explain(f"1/41/{index}", player, rules, game=game) for index in range(count)]


def check_plainly(found: Explanation, game) -> None:
    """Hold an explanation to the verdicts of every position, none of them by bisection."""
    plain = [PlainSolver(game).solve(position).verdict for position in found.positions]
    assert "unknown" not in plain
    alive = plain.count("winnable")
    assert plain == ["winnable"] * alive + ["unwinnable"] * (len(plain) - alive)
    assert replay(found.positions[0], found.moves).position == found.positions[-1]
    if found.verdict == "won":
        assert alive == len(plain)
        assert found.fatal is None
    elif found.verdict == "unwinnable":
        assert (alive, found.line) == (0, ())
    else:
        assert found.verdict == "fatal"
        assert found.fatal == alive
        assert found.before.after(found.moves[found.fatal - 1]) == found.after
        assert replay(found.before, found.line).result == "won"


@pytest.mark.parametrize("rules", MINIS)
def test_fatal_moves_of_mini_packs(rules: str) -> None:
    explanations = [*told(rules, "hasty", 15), *told(rules, "random", 15)]
    for found in explanations:
        check_plainly(found, GAME)
    assert {found.verdict for found in explanations} >= {"won", "fatal"}


def test_fatal_moves_of_another_game() -> None:
    explanations = [*told("long", "left", 300, TOY), *told("short", "left", 100, TOY)]
    for found in explanations:
        check_plainly(found, TOY)
    assert {found.verdict for found in explanations} == {"won", "unwinnable", "fatal"}


@pytest.mark.parametrize("rules", ["wikipedia", "practical", "pysol"])
def test_full_packs(rules: str) -> None:
    solver = solver_of(GAME)
    for found in told(rules, "greedy", 20):
        assert found.verdict in ("won", "unwinnable", "fatal")
        if found.verdict == "fatal":
            assert replay(found.before, found.line).result == "won"
            assert solver.solve(found.after).verdict == "unwinnable"
            assert found.line[0] != found.moves[found.fatal - 1]


class Forgetful(LabyrinthSolver):
    """Decides nothing after some numbers of moves."""

    def __init__(self, blind: set[bytes]) -> None:
        self.blind = blind

    def solve(self, position, limits=None, *, seconds=None) -> Solution:
        if position.key() in self.blind:
            return Solution("unknown", None, 1, 0.0)
        return solver_of(GAME).solve(position, limits)


def test_unknown_positions_are_passed_over_and_never_guessed() -> None:
    found = next(one for one in told("wikipedia", "greedy") if (one.fatal or 0) > 3)
    fatal, keys = found.fatal, [position.key() for position in found.positions]

    def again(*blind: int) -> Explanation:
        solver = Forgetful({keys[number] for number in blind})
        return explain(found.deal, "greedy", "wikipedia", game=replace(GAME, solver=solver))

    assert again(0, len(keys) // 2, fatal - 2).fatal == fatal
    other = again(fatal - 1)
    assert (other.verdict, other.fatal, other.before) == ("unknown", None, None)
    assert (other.winnable_after, other.unwinnable_after) == (fatal - 2, fatal)
    assert replay(other.positions[fatal - 2], other.line).result == "won"
    blind = again(*range(len(keys)))
    assert (blind.verdict, blind.winnable_after) == ("unknown", None)
    assert "not known whether the deal could be won at all" in blind.text
    assert "could still be won after move" in other.text


def test_ctrl_c_leaves_what_is_known(monkeypatch, capsys) -> None:
    whole = next(one for one in told("wikipedia", "greedy") if (one.fatal or 0) > 3)
    answers = []

    class Interrupted(LabyrinthSolver):
        def solve(self, position, limits=None, *, seconds=None) -> Solution:
            if len(answers) == 2:
                raise KeyboardInterrupt
            answers.append(solver_of(GAME).solve(position, limits))
            return answers[-1]

    game = replace(GAME, solver=Interrupted())
    part = explain(whole.deal, "greedy", "wikipedia", game=game)
    assert (part.complete, part.verdict, part.fatal) == (False, "unknown", None)
    assert (part.winnable_after or 0) < whole.fatal <= (part.unwinnable_after or whole.fatal)
    assert "interrupted; so far" in part.text
    assert "more nodes" not in part.text
    monkeypatch.setattr("labyrinth_sim.run.request.find_game", lambda name: game)
    answers.clear()
    assert main(["explain", whole.deal, "1/1/0", "--player", "greedy"]) == 130
    out, err = capsys.readouterr()
    assert part.text in out
    assert "1/1/0" not in out
    assert "interrupted" in err


def test_limits_make_unknown() -> None:
    verdicts = {
        explain(f"1/41/{index}", "greedy", "pysol", limits=Limits(nodes=2)).verdict
        for index in range(30)
    }
    assert "unknown" in verdicts


def test_decks_and_deals_that_are_given() -> None:
    decks = ListedDeals(np.stack([deal(f"1/41/{index}").deck for index in range(5)]))
    for index in range(5):
        one = explain(index, "greedy", decks=decks)
        other = explain(Deal(41, index), "greedy")
        assert (one.verdict, one.fatal, one.moves) == (other.verdict, other.fatal, other.moves)
        assert one.deal == str(index + 1)


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("game", ["maze", TOY_NAME])
def test_read_back_it_has_its_positions(game: str, given: bool, tmp_path) -> None:
    decks = ListedDeals(deal("1/41/2").deck[None], ["third"]) if given else None
    found = explain(0 if given else "1/41/2", "random", game=game, decks=decks, limits=FEW)
    found.save(tmp_path / "e.parquet")
    again = load(tmp_path / "e.parquet", game=game)
    assert (again, again.deal, str(again)) == (found, found.deal, str(found))
    assert again.positions == found.positions
    assert len(again.positions) == len(found.moves) + 1


def test_other_limits_are_another_identity() -> None:
    one, other = (explain("1/1/0", limits=Limits(nodes=nodes)) for nodes in (5, 6))
    assert one.identity != other.identity
    assert one.identity == explain("1/1/0", limits=Limits(nodes=5)).identity


def test_boards_keep_their_lines_in_a_notebook() -> None:
    found = explain("1/1/0", "greedy")
    assert f"<pre>\n{found.before.board()}</pre>" in found._repr_html_()


@pytest.mark.parametrize(("deal", "decks"), [(0, False), (7, True), (-1, True), ("1/1/0", True)])
def test_indices_that_are_none(deal, decks: bool) -> None:
    listed = ListedDeals(np.arange(52, dtype=np.uint8)[None]) if decks else None
    with pytest.raises(InvalidInput, match="index"):
        explain(deal, decks=listed)


def command(*arguments: str) -> list[str]:
    return ["explain", *(f"1/41/{index}" for index in range(12)), *arguments]


@pytest.mark.parametrize("options", [[], ["--game", TOY_NAME, "--rules", "long"]])
def test_command(options: list[str], capsys) -> None:
    assert main(command(*options, "--json")) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["deal"] for row in rows] == [f"1/41/{index}" for index in range(12)]
    assert main(command(*options)) == 0
    text = capsys.readouterr().out
    fatal = [row for row in rows if row["verdict"] == "fatal"]
    assert text.count("is the fatal one") == text.count("before:") == len(fatal)
    assert text.count("could not be won") == sum(row["verdict"] == "unwinnable" for row in rows)
    assert text.count(HINDSIGHT) == sum(row["verdict"] != "won" for row in rows)
    assert all(row["note"] == HINDSIGHT for row in rows)
    for row in fatal:
        assert row["move"] == row["moves"].split("; ")[row["fatal"] - 1]
        assert row["alive"] == row["line"].split("; ")[0]
        assert row["before"] != row["after"]


def test_command_reads_decks(tmp_path, capsys) -> None:
    file = tmp_path / "decks.txt"
    file.write_text("\n".join(str(deal(f"1/41/{index}")) for index in range(3)))
    assert main(["explain", "--decks", str(file), "--json"]) == 0
    given = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main([*command()[:4], "--json"]) == 0
    named = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["fatal"] for row in given] == [row["fatal"] for row in named]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "no deal was given"),
        ("1/1", "no deal id"),
        ("1/1/0 --player nobody", "unknown player"),
        ("1/1/0 --nodes 0", "nodes=0 is out of range"),
        ("1/1/0 --color red", "--color"),
    ],
)
def test_bad_input(arguments: str, said: str, capsys) -> None:
    assert main(["explain", *arguments.split()]) == 2
    assert said in capsys.readouterr().err
