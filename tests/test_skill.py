"""What players win of the deals that can be won, held to games played and solved one by one."""

import json

import numpy as np
import pytest
from scipy.stats import binomtest

from labyrinth_sim.cli import main
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import ListedDeals, SeededDeals
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.players import find_player, playthrough
from labyrinth_sim.questions.skill import settled, skill
from labyrinth_sim.stats.shares import Share
from labyrinth_sim.testing import TOY

MINI = "practical,suits=3,ranks=9,columns=5"


def one_by_one(game, rules: str, player: str, seed: int, deals: range) -> tuple[set, set]:
    """Deals that the player wins and that can be won: reference engine and plain search."""
    chosen, found, source = game.rules.read(rules), find_player(game, player), SeededDeals(seed)
    won, winnable = set(), set()
    for index in deals:
        start = game.start(source.deck(index), chosen)
        end = [start, *(after for _, after in playthrough(game, chosen, found, source, index))][-1]
        won |= {index} if end.status == "won" else set()
        winnable |= {index} if PlainSolver(game).solve(start).verdict == "winnable" else set()
    return won, winnable


@pytest.mark.parametrize(
    ("game", "rules", "player"),
    [(GAME, MINI, "hasty"), (GAME, MINI, "random"), (TOY, "short", "left")],
)
def test_wins_and_winnable_are_those_of_single_deals(game, rules: str, player: str) -> None:
    deals = range(30, 110)
    won, winnable = one_by_one(game, rules, player, 4, deals)
    found = skill([player], rules, seed=4, first=30, deals=80, game=game, n_jobs=1)
    (share,) = found.shares
    assert 0 < len(won) < len(winnable) < 80
    assert (share.wins, share.winnable, share.unknown) == (len(won), len(winnable), 0)
    truth = binomtest(len(won), len(winnable))
    assert share.least == share.most == truth.statistic
    interval = truth.proportion_ci(method="wilson" if share.method == "wilson" else "exact")
    assert (share.low, share.high) == pytest.approx((interval.low, interval.high))
    assert found.lost(player) == sorted(winnable - won)


def test_unknown_deals_give_bounds_and_a_win_settles_them() -> None:
    players = ["greedy", "lookahead:endgame=exact"]
    full = skill(players, deals=600)
    cut = skill(players, deals=600, limits=Limits(nodes=20))
    assert cut.unknown.any()
    assert not full.unknown.any()
    assert not (cut.unknown & np.logical_or(*cut.won)).any()
    assert not (cut.winnable & ~full.winnable).any()
    for known, bounded in zip(full.shares, cut.shares, strict=True):
        assert bounded.wins == known.wins
        assert bounded.least < known.least == known.most < bounded.most
        assert bounded.low < known.low
        assert bounded.high > known.high


def test_no_winnable_deal_leaves_all_open() -> None:
    for unknown in (0, 7):
        share = Share.of(0, 0, unknown)
        assert (share.most, share.low, share.high, share.method) == (None, 0.0, 1.0, None)


def test_settled_by_hand() -> None:
    flags = [np.array(column, bool) for column in ([1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0])]
    winnable, unknown = settled(flags[0], flags[1], flags[2:], SeededDeals(1), 0)
    assert winnable.tolist() == [True, True, False, False]
    assert unknown.tolist() == [False, False, True, False]
    with pytest.raises(RunFailed, match="deal 1/1/13 was won, but the solver"):
        settled(flags[0], flags[1], [np.array([0, 0, 0, 1], bool)], SeededDeals(1).label, 10)


def test_same_answer_at_any_worker_count() -> None:
    one, two = (skill("patient", "pysol", first=700, deals=1500, n_jobs=jobs) for jobs in (1, 2))
    assert one.shares == two.shares
    assert one.lost(0) == two.lost(0)


def test_command(capsys, tmp_path) -> None:
    words = ["skill", "--player", "greedy", "--player", "hasty", "--rules", "practical"]
    assert main([*words, "--deals", "200", "--show", "2", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["player"] for row in rows] == ["greedy", "hasty"]
    for row in rows:
        assert row["winnable"] - row["wins"] == row["lost_winnable"]
        assert row["skill"] == row["wins"] / row["winnable"]
        assert len(row["lost"]) == 2
        assert main(["solve", *row["lost"], "--rules", "practical", "--json"]) == 0
        solved = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {one["verdict"] for one in solved} == {"winnable"}
        assert main(["show", row["lost"][0], *words[5:], "--player", row["player"], "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["won"] is False
    assert main([*words, "--deals", "200", "--show", "1"]) == 0
    said = capsys.readouterr()
    assert f"{rows[0]['lost'][0]} can be won, greedy loses it" in said.out
    file = tmp_path / "decks.txt"
    file.write_text("\n".join(str(find_deck(index)) for index in range(3)))
    assert main([*words, "--decks", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["deals"] == 3


def find_deck(index: int) -> str:
    from labyrinth_sim.cards import deck_text

    return deck_text(SeededDeals(1).deck(index))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("skill --player greedy --player greedy", "given twice"),
        ("skill --player greed", "'greed'"),
        ("skill --show -1", "--show -1 is out of range"),
        ("skill --level 2", "level=2"),
        ("skill --deals 0", "deals=0"),
        ("skill --seed 1 --decks -", "give one of them"),
    ],
)
def test_bad_input(arguments: str, said: str, capsys) -> None:
    assert main(arguments.split()) == 2
    assert said in capsys.readouterr().err


def test_frame_and_given_decks() -> None:
    decks = ListedDeals(np.stack([SeededDeals(6).deck(index) for index in range(40)]))
    frame = skill(["greedy", "hasty"], "practical", decks=decks).frame()
    same = skill(["greedy", "hasty"], "practical", seed=6, deals=40).frame()
    assert frame[["player", "wins", "winnable"]].equals(same[["player", "wins", "winnable"]])
    with pytest.raises(InvalidInput, match="unknown game"):
        skill(game="chess")
