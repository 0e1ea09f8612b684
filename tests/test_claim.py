"""Published odds against what is found, held to exact shares and to single runs."""

import json
from itertools import product
from math import inf

import numpy as np
import pytest

from labyrinth_sim.cli import main
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.questions.claim import STEP, claim
from labyrinth_sim.questions.claim_result import judge
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.winnability import winnability
from labyrinth_sim.stats import Interval, sequence
from labyrinth_sim.stats.odds import Band, stands
from labyrinth_sim.testing import TOY

PLACES = ("below", "within", "reaches", "above", "undecided")


@pytest.mark.parametrize(
    ("odds", "tolerance", "low", "high"),
    [
        ("1/30", None, 1 / 30.5, 1 / 29.5),
        (" 1 in 30 ", None, 1 / 30.5, 1 / 29.5),
        ("1/30", 0, 1 / 30, 1 / 30),
        ("1/2", 1, 1 / 3, 1),
        ("2/3", 0.5, 2 / 3.5, 2 / 2.5),
        ("1/1", None, 1 / 1.5, 1),
        ("3%", None, 0.025, 0.035),
        ("3.30 %", None, 0.03295, 0.03305),
        ("3%", 2, 0.01, 0.05),
    ],
)
def test_bands(odds: str, tolerance: float | None, low: float, high: float) -> None:
    band = Band.read(odds, tolerance)
    assert (band.low, band.high) == pytest.approx((low, high))
    assert band.low <= band.share <= band.high


@pytest.mark.parametrize(
    ("odds", "tolerance"),
    [
        *(("", None), ("often", None), ("0/3", None), ("4/3", None), ("0%", None), ("101%", None)),
        *(("-1/3", None), ("1/2", 2), ("1/2", -1), ("1/2", inf)),
    ],
)
def test_no_odds(odds: str, tolerance: float | None) -> None:
    with pytest.raises(InvalidInput, match=r"odds|tolerance"):
        Band.read(odds, tolerance)


def test_where_an_interval_stands() -> None:
    band = Band("", 0.3, 0.2, 0.4)
    cases = {
        (0.05, 0.1): "below",
        (0.1, 0.2): "undecided",
        (0.1, 0.5): "undecided",
        (0.2, 0.4): "within",
        (0.3, 0.5): "reaches",
        (0.5, 0.6): "above",
    }
    for (low, high), place in cases.items():
        assert stands(Interval(low, low, high, "", 0.95), band) == place


def test_a_verdict_says_no_more_than_is_known() -> None:
    """Whatever shares are possible for what is known, the verdict is true of all of them."""
    shares = {"below": (1,), "within": (2,), "above": (3,), "reaches": (2, 3)}
    shares["undecided"] = (1, 2, 3)
    for perfect, fixed, best in product(PLACES, PLACES, PLACES):
        verdict = judge(perfect, [fixed, best], [fixed])
        for p, f, b in product(shares[perfect], shares[fixed], shares[best]):
            if max(f, b) > p:  # nobody wins more than perfect play
                continue
            true = {
                "too generous even for perfect play": p == 1,
                "what the fixed players win": f == 2,
                "too modest: every fixed player wins more": f == 3,
                "in reach of the best player here": b >= 2 or f >= 2,
                "in reach of perfect play, but no player here gets there": p >= 2 > max(f, b),
                "undecided": True,
            }
            assert true[verdict], (perfect, fixed, best, verdict)


def test_what_is_known_of_all_is_always_decided() -> None:
    for perfect, fixed, best in product(("below", "within", "above"), repeat=3):
        assert judge(perfect, [fixed, best], [fixed]) != "undecided"


@pytest.mark.parametrize("odds", ["1/40", "1/31", "1/3"])
def test_counts_are_those_of_single_runs(odds: str) -> None:
    """Verdicts and wins of the deals that were looked at, and of no others."""
    found = claim("practical", odds, deals=6000, first=100, seed=5, n_jobs=2)
    assert found.deals % STEP == 0 or found.deals == 6000
    same = {"seed": 5, "first": 100, "deals": found.deals}
    assert found.perfect.wins == winnability("practical", **same).winnable
    level = 1 - 0.05 / (1 + len(found.players))
    for rate in found.players:
        assert rate.wins == simulate("practical", rate.name, **same).wins
        truth = sequence(rate.wins, found.deals, level=level)
        assert (rate.interval.low, rate.interval.high) == (truth.low, truth.high)
        assert rate.stands == stands(truth, found.band)
    assert found.best.wins == max(rate.wins for rate in found.players)
    again = claim("practical", odds, deals=6000, first=100, seed=5, n_jobs=1)
    assert (again.verdict, again.deals) == (found.verdict, found.deals)
    # Without `optional` these are one and the same player (RULES §2.4).
    assert any({"greedy", "patient", "never"} <= set(names) for names in found.same)


def test_stops_as_soon_as_it_is_decided() -> None:
    early = claim("practical", "1/1", tolerance=0, deals=50_000)
    assert early.verdict == "too generous even for perfect play"
    assert early.deals == STEP
    late = claim("practical", "1/1", tolerance=0, deals=STEP - 1)
    assert late.deals == STEP - 1


def test_exact_shares_of_the_toy_game() -> None:
    """Four cards in a row: 8 of 24 orders can be won, by taking the lower end each time.

    Taking from the left wins 1 of 24, the order that rises.
    """
    perfect = claim("short", "1/3", tolerance=1, deals=1024, game=TOY, n_jobs=1)
    assert perfect.verdict == "what the fixed players win"
    rates = {rate.name: rate.interval for rate in (perfect.perfect, *perfect.players)}
    for name, share in {"perfect play": 8 / 24, "lower": 8 / 24, "left": 1 / 24}.items():
        assert rates[name].low < share < rates[name].high
    assert claim("short", "2/3", deals=100, game=TOY, n_jobs=1).verdict.startswith("too generous")


def test_unknown_deals_leave_perfect_play_open() -> None:
    from labyrinth_sim.core.solver import Limits

    found = claim("wikipedia", "9/10", tolerance=0, deals=1500, limits=Limits(nodes=5))
    assert found.perfect.unknown > 0
    assert found.perfect.stands == "undecided"
    assert claim("wikipedia", "9/10", tolerance=0, deals=1500).perfect.stands == "below"


def test_further_players_and_cheats() -> None:
    found = claim("practical", "1/1", players=["random", "greedy"], deals=STEP)
    names = [rate.name for rate in found.players]
    assert names == ["greedy", "patient", "never", "hasty", "lookahead:endgame=exact", "random"]

    class Seer:
        name, spec, full_spec, version, text = "seer", "seer", "seer", 1, "sees all"

        def __init__(self) -> None:
            from labyrinth_sim.core.player import Traits

            self.traits = Traits(foresight=-1)

        def choose(self, view, moves, rng) -> str:
            return moves[0]

    with pytest.raises(InvalidInput, match="sees what is hidden"):
        claim("practical", "1/2", players=[Seer()], deals=10)


def test_shipped_claims_can_be_read() -> None:
    for name in ("labyrinth", "maze", "gaps"):
        game = find_game(name)
        for one in game.catalog.odds():
            Band.read(one.odds)
            assert one.source
            assert game.rules.read(one.rules).spec == one.rules
    assert {one.rules for one in find_game().catalog.odds()} == {"ultimate", "wikipedia"}


def test_command(capsys) -> None:
    assert main(["claim", "--deals", "1024", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["rules_spec"], row["odds"]) for row in rows] == [
        (one.rules, one.odds) for one in find_game().catalog.odds()
    ]
    signs = np.array([0.5, -0.5])
    for row in rows:
        assert row["source"]
        assert "what a person wins, not what is winnable" in row["note"]
        assert np.isclose(1 / np.array(row["band"]), float(row["odds"][2:]) + signs).all()
    words = ["claim", "--rules", "pysol", "--odds", "1 in 9", "--tolerance", "2", "--deals", "500"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "9.091% to 14.286%" in said
    assert "what a person wins, not what is winnable" in said
    assert "greedy, patient, never" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("claim --rules pysol", "no odds are published for labyrinth, pysol"),
        ("claim --game labyrinth_sim.testing:TOY", "no odds are published for ends"),
        ("claim --odds often", "'often' are no odds"),
        ("claim --odds 1/2 --tolerance 3", "tolerance=3 is out of range"),
        ("claim --odds 1/2 --player greed", "'greed'"),
        ("claim --odds 1/2 --deals 0", "deals=0"),
        ("claim --odds 1/2 --level 1", "level=1"),
    ],
)
def test_bad_input(arguments: str, said: str, capsys) -> None:
    assert main(arguments.split()) == 2
    assert said in capsys.readouterr().err
