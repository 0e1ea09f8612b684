"""The heuristic family: the compiled form against the plain one, turn by turn."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turns import play_turn

from labyrinth_sim.deals import deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge import engine
from labyrinth_sim.games.free_edge.choices import knobs_of
from labyrinth_sim.games.free_edge.heuristic import AS_FAMILY, Heuristic
from labyrinth_sim.games.free_edge.kernels import flags_of
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.loops import new_scratch
from labyrinth_sim.games.free_edge.players import FIXED, safe_play
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.players import find_player
from labyrinth_sim.questions.simulate import simulate

FILLS = ("at_once", "stuck", "never", "empty", "before_row", "hold:0", "hold:3", "hold:50")
GAPS = ("leftmost", "fewest", "most", "distant")
ORDERS = ("lowest", "highest", "frees", "fullest")
DEALS = ("late", "no_safe", "cover:0", "cover:2", "near:0", "near:3", "short:1", "short:5")
REFILLS = ("always", "first_row_only", "optional", "empty_column")


def rule_sets(**choices: Any) -> st.SearchStrategy[LabyrinthRules]:
    resorts = st.sampled_from([("none", 0), ("fit", 2), ("lift", 1), ("lift", 3)])
    return st.builds(
        lambda resort, **values: LabyrinthRules(resort=resort[0], resorts=resort[1], **values),
        resort=resorts,
        availability=st.sampled_from(["free_edge", "ends"]),
        columns=st.integers(4, 12),
        suits=st.integers(1, 4),
        ranks=st.integers(5, 13),
        **choices,
    )


def follow(rules: LabyrinthRules, player: Heuristic, index: int) -> None:
    """Play a deal in both engines and compare whenever no safe play is left.

    In between they differ: the compiled one makes several safe plays in one turn.
    """
    flags, knobs = flags_of(rules), knobs_of(player)
    compiled = engine.start(deal(f"1/11/{index}").deck, rules)
    plain = compiled.plain()
    scratch = new_scratch()._replace(public=compiled.public, secret=compiled.secret)

    def turn() -> None:
        play_turn(knobs, player.endgame == "exact", flags, scratch)

    def move() -> Any:
        return plain.after(player.choose(plain.view, plain.legal(), rng=None))

    while True:
        while safe_play(compiled.view, []):
            turn()
        while safe_play(plain.view, []):
            plain = move()
        assert compiled.view == plain.view
        assert compiled.plain().stock == plain.stock
        if not plain.legal():
            return
        turn()
        plain = move()


@pytest.mark.parametrize("refill", REFILLS)
@pytest.mark.parametrize("when", ["when_stuck", "any_time"])
@pytest.mark.parametrize("fill", FILLS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_compiled_and_plain_play_alike(refill: str, when: str, fill: str, data: Any) -> None:
    rules = data.draw(rule_sets(refill=st.just(refill), deal=st.just(when)))
    player = Heuristic(
        fill=fill,
        gap=data.draw(st.sampled_from(GAPS)),
        order=data.draw(st.sampled_from(ORDERS)),
        deal=data.draw(st.sampled_from(DEALS)),
        endgame=data.draw(st.sampled_from(["none", "exact"])),
    )
    follow(rules, player, data.draw(st.integers(0, 10**6)))


@pytest.mark.parametrize("deal_early", DEALS)
@pytest.mark.parametrize("order", ORDERS)
def test_every_order_and_deal_on_full_packs(order: str, deal_early: str) -> None:
    for number, refill in enumerate(REFILLS):
        rules = LabyrinthRules(refill=refill, deal="any_time")
        follow(rules, Heuristic(order=order, deal=deal_early, gap=GAPS[number]), number)


@pytest.mark.parametrize("kind", FIXED)
@pytest.mark.parametrize("preset", LabyrinthRules.presets)
def test_fixed_players_are_members(kind: Any, preset: str) -> None:
    rules = LabyrinthRules.preset(preset)
    for index in range(10):
        position = GAME.start(deal(f"1/12/{index}").deck, rules)
        while moves := position.legal():
            move = kind().choose(position.view, moves, rng=None)
            assert AS_FAMILY[kind.name].choose(position.view, moves, rng=None) == move
            position = position.after(move)


@pytest.mark.parametrize(("preset", "spec"), [
    ("wikipedia", "heuristic:fill=hold:3"),
    ("practical", "heuristic:deal=near:3"),
])  # fmt: skip
def test_some_member_beats_the_fixed_players(preset: str, spec: str) -> None:
    """On the same deals; the paired difference is more than five standard errors."""
    members = [spec, "patient", "greedy"]
    best, *others = (
        simulate(preset, name, deals=40_000, seed=77, keep="outcomes").outcomes["won"].astype(int)
        for name in members
    )
    for other in others:
        difference = best - other
        assert difference.mean() > 5 * difference.std() / np.sqrt(len(difference))


def test_specs_are_canonical_and_fully_defaulted() -> None:
    player = find_player(GAME, "heuristic:deal=late,fill=hold:2")
    assert player.spec == "heuristic:fill=hold:2"
    assert find_player(GAME, player.full_spec) == player
    assert find_player(GAME, player.spec) == player
    assert {pair.split("=")[0] for pair in player.full_spec.split(":", 1)[1].split(",")} == {
        "endgame",
        "fill",
        "gap",
        "order",
        "deal",
    }


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("heuristic:fill=sometimes", "'sometimes'; there is: at_once, stuck.*hold:k"),
        ("heuristic:fill=hold", "'hold'; there is"),
        ("heuristic:fill=hold:x", "'hold:x'"),
        ("heuristic:fill=hold:-1", "'hold:-1'"),
        ("heuristic:fill=stuck:3", "'stuck:3'"),
        ("heuristic:filling=stuck", "'filling'.*fill"),
        ("heuristic:fill", "can't read 'fill'"),
        ("heuristic:fill=never,fill=stuck", "given twice"),
        ("greedy:fill=never", "'fill'; there is: endgame"),
    ],
)
def test_wrong_specs_say_what_there_is(spec: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        find_player(GAME, spec)
