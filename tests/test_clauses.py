"""Which clause changes the odds, held to deals decided and played one by one."""

import json

import pytest
from scipy.stats import binomtest

from labyrinth_sim.cli import main
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.questions.clauses import clauses
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.rulesets import ALL, single_changes
from labyrinth_sim.testing import TOY

MINI = ",suits=3,ranks=9,columns=5"
DEALS = range(20, 80)


def winnable(rules: LabyrinthRules) -> set[int]:
    source, plain = SeededDeals(3), PlainSolver(GAME)
    starts = {index: GAME.start(source.deck(index), rules) for index in DEALS}
    return {index for index, one in starts.items() if plain.solve(one).verdict == "winnable"}


def test_deals_that_turn_are_those_of_plain_search() -> None:
    a, b = "ultimate" + MINI, "practical,deal=any_time" + MINI
    found = clauses(a, b, player="hasty", seed=3, first=20, deals=60, n_jobs=1)
    before = winnable(LabyrinthRules.read(a))
    assert found.before["winnable"].estimate == len(before) / 60
    effects = found.of("winnable")
    assert list(effects) == ["availability=free_edge", "deal=any_time", ALL]
    turned = 0
    for one in effects.values():
        after = winnable(one.change.rules)
        assert found.ids(one.gained) == [f"1/3/{index}" for index in sorted(after - before)]
        assert found.ids(one.lost) == [f"1/3/{index}" for index in sorted(before - after)]
        gained, lost = len(after - before), len(before - after)
        assert one.paired.difference == pytest.approx((gained - lost) / 60)
        assert one.rate.estimate == len(after) / 60
        if gained + lost:
            assert one.paired.p == pytest.approx(binomtest(gained, gained + lost).pvalue)
        assert one.paired.comparisons == 3
        turned += gained + lost
    assert turned > 0
    for one in found.of("hasty").values():
        wins = [
            simulate(rules, "hasty", seed=3, first=20, deals=60).wins
            for rules in (one.change.rules, a)
        ]
        assert len(one.gained) - len(one.lost) == wins[0] - wins[1]
        assert one.paired.difference == pytest.approx((wins[0] - wins[1]) / 60)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("ultimate", "practical", ["availability=free_edge", "deal=any_time", ALL]),
        ("practical", "practical,resort=fit,resorts=2", ["resort=fit,resorts=2"]),
        ("wikipedia", "wikipedia,resort=none", ["resort=none,resorts=0"]),
        ("wikipedia", "wikipedia,resort=fit,resorts=3", ["resort=fit", "resorts=3", ALL]),
        ("wikipedia", "wikipedia,columns=7", ["columns=7"]),
    ],
)
def test_single_changes(a: str, b: str, expected: list[str]) -> None:
    first, last = LabyrinthRules.read(a), LabyrinthRules.read(b)
    changes = single_changes(first, last)
    assert [change.clause for change in changes] == expected
    assert changes[-1].rules == last


def test_every_change_is_rules_and_leads_nearer() -> None:
    presets = [LabyrinthRules.preset(name) for name in LabyrinthRules.presets]
    for a in presets:
        for b in presets:
            if a == b:
                continue
            far = sum(a.as_dict()[key] != value for key, value in b.as_dict().items())
            *single, last = single_changes(a, b)
            assert last.rules == b
            steps = []
            for change in single:
                now = change.rules.as_dict()
                changed = {key for key, value in a.as_dict().items() if now[key] != value}
                assert all(now[key] == b.as_dict()[key] for key in changed)
                steps += changed
            assert not single or len(steps) == len(set(steps)) == far


def test_generous_clauses_turn_deals_one_way_only() -> None:
    """RULES §2.1: whatever is won under the less generous value is won under the other."""
    found = clauses("ultimate", "ultimate,refill=optional,resort=lift", deals=800)
    for one in found.effects:
        assert not len(one.lost)
    back = clauses("ultimate,refill=optional,resort=lift", "ultimate", deals=800)
    assert list(back.effects[-1].lost) == list(found.effects[-1].gained)
    difference = found.effects[-1].paired.difference
    assert back.effects[-1].paired.difference == -difference
    singles = [one.paired.difference for one in found.effects[:-1]]
    assert found.together("winnable") == pytest.approx(difference - sum(singles))


def test_unknown_deals_give_bounds() -> None:
    rules = "ultimate", "practical"
    full = clauses(*rules, deals=800)
    cut = clauses(*rules, deals=800, limits=Limits(nodes=3))
    for known, bounded in zip(full.effects, cut.effects, strict=True):
        assert bounded.paired.undecided > 0
        assert bounded.paired.least <= known.paired.difference <= bounded.paired.most
        assert set(bounded.gained) <= set(known.gained)


def test_toy_game() -> None:
    found = clauses("short", "long", deals=60, player="lower", game=TOY, n_jobs=1)
    (effect,) = found.of("winnable").values()
    assert effect.change.clause == "cards=7"
    assert not len(effect.gained)  # seven cards that can be taken begin with four that can
    assert len(effect.lost) > 0
    won = found.of("lower")["cards=7"]
    assert list(won.lost) == list(effect.lost)  # the lower end is perfect play


def test_command(capsys) -> None:
    words = ["clauses", "--rules", "ultimate", "--rules", "practical", "--player", "greedy"]
    words += ["--deals", "300", "--show", "2"]
    assert main([*words, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["measure"] for row in rows] == ["winnable"] * 3 + ["greedy"] * 3
    turned = [row for row in rows if row["measure"] == "winnable" and row["deals_gained"]]
    assert turned
    for row in turned:
        assert len(row["deals_gained"]) == min(2, row["gained"])
        for rules, verdict in zip(row["rules"].values(), ("unwinnable", "winnable"), strict=True):
            assert main(["solve", *row["deals_gained"], "--rules", rules, "--json"]) == 0
            lines = capsys.readouterr().out.splitlines()
            assert {json.loads(line)["verdict"] for line in lines} == {verdict}
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "together beyond their sum" in said
    assert "gained" in said
    assert "no deal turns" in said  # dealing early is nothing that greedy would do


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("clauses --rules pysol", "1 rule sets were given"),
        ("clauses", "0 rule sets were given"),
        ("clauses --rules pysol --rules pysol", "are the same rules"),
        ("clauses --rules pysol --rules chess", "'chess'"),
        ("clauses --rules pysol --rules ultimate --player greed", "'greed'"),
        ("clauses --rules pysol --rules ultimate --show -1", "--show -1"),
    ],
)
def test_bad_input(arguments: str, said: str, capsys) -> None:
    assert main(arguments.split()) == 2
    assert said in capsys.readouterr().err


def test_frame() -> None:
    frame = clauses("ultimate", "practical", deals=200).frame()
    assert list(frame.clause) == ["availability=free_edge", "deal=any_time", ALL]
    assert frame.rules.iloc[-1] == "practical"
    with pytest.raises(InvalidInput, match="same rules"):
        single_changes(LabyrinthRules(), LabyrinthRules())
