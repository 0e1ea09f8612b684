"""The fewest resorts that `solve` tells, held to plain search with every number of resorts."""

import json

import pytest

from labyrinth_sim import InvalidInput, solve
from labyrinth_sim.cli import main
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import ListedDeals, deal
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.testing import TOY

MINI = ",suits=2,ranks=9,columns=4"
DEALS = [f"1/13/{index}" for index in range(25)]


def plainly(preset: str, kind: str, id: str) -> list[int | None]:
    """The first number of resorts with which plain search wins, as bounds."""
    for resorts in range(5):
        choice = f"resort={kind},resorts={resorts}" if resorts else "resort=none"
        rules = GAME.rules.read(f"{preset}{MINI},{choice}")
        if PlainSolver(GAME).solve(GAME.start(deal(id).deck, rules)).verdict == "winnable":
            return [resorts, resorts]
    return [5, None]


@pytest.mark.parametrize("preset", ["ultimate", "wikipedia,availability=ends"])
def test_fewest_resorts_are_those_of_plain_search(preset: str, capsys) -> None:
    assert main(["solve", *DEALS, "--rules", preset + MINI, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    needed = set()
    for row in rows:
        truth = {kind: plainly(preset, kind, row["deal"]) for kind in ("fit", "lift")}
        assert row["fewest_resorts"] == truth
        needed.add(tuple(truth["lift"]))
    assert len(needed) > 2


def test_limits_give_bounds_in_which_the_number_lies() -> None:
    wide = 0
    for id in DEALS:
        exact = solve(id, "practical").appraised
        for kind, bounds in solve(id, "practical", limits=Limits(nodes=3)).appraised.items():
            truth = exact[kind]
            assert bounds.low <= truth.low
            assert bounds.high is None or (truth.high is not None and truth.high <= bounds.high)
            wide += bounds != truth
    assert wide > 0


def test_in_plain_words(capsys) -> None:
    assert main(["solve", "1/1/0", "--rules", "ultimate"]) == 0
    assert "  fewest resorts that win it: fit 3, lift 3\n" in capsys.readouterr().out


def test_games_without_resorts_say_nothing_of_them(capsys) -> None:
    ends = ["--game", "labyrinth_sim.testing:TOY"]
    assert main(["solve", "1/1/0", *ends]) == 0
    assert main(["solve", "1/1/0", *ends, "--json"]) == 0
    assert "resort" not in capsys.readouterr().out
    assert solve("1/1/0", game=TOY).appraised == {}


def test_a_deal_that_was_given_up_is_left_alone() -> None:
    given_up = solve("1/1/7923", "wikipedia,columns=4", seconds=1e-6)
    assert given_up.verdict == "unknown"
    assert given_up.appraised == {}


def test_in_python() -> None:
    decks = ListedDeals(deal("1/1/8").deck[None])
    for solved in (solve("1/1/8"), solve(deal("1/1/8")), solve(0, decks=decks)):
        position = GAME.start(deal("1/1/8").deck, GAME.rules())
        assert replay(position, solved.moves).result == "won"
    for wrong in ("1/1", 0, None):
        with pytest.raises(InvalidInput, match="deal"):
            solve(wrong)
    with pytest.raises(InvalidInput, match="no index of the decks"):
        solve(1, decks=decks)
