"""Lookahead: the compiled search against the plain one, and against values worked out by hand."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labyrinth_sim.cards import card_code
from labyrinth_sim.compiled import kernel
from labyrinth_sim.deals import deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge import engine
from labyrinth_sim.games.free_edge.kernels import PUBLIC, flags_of
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.lookahead import FEATURES, Lookahead, features, touches
from labyrinth_sim.games.free_edge.lookahead_kernels import LEVELS, TODO, best_touch
from labyrinth_sim.games.free_edge.players import safe_play
from labyrinth_sim.games.free_edge.reference import View
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.players import find_player
from labyrinth_sim.questions.simulate import simulate

REFILLS = ("always", "first_row_only", "optional", "empty_column")


@kernel
def _best_touch(public: Any, flags: Any, depth: Any, weights: Any, levels: Any, todo: Any) -> int:
    return int(best_touch(public[0], flags, depth, weights, levels, todo))


def compiled_choice(player: Lookahead, position: engine.CompiledPosition) -> str:
    code = _best_touch(
        position.public,
        flags_of(position.rules),
        np.uint64(player.depth),
        np.array(player.weights),
        np.zeros(LEVELS, PUBLIC),
        np.zeros(TODO, np.uint64),
    )
    return engine.move_text(code)


weights = st.tuples(*[st.floats(-2, 2, width=16)] * len(FEATURES))


@pytest.mark.parametrize("refill", REFILLS)
@pytest.mark.parametrize("availability", ["free_edge", "ends"])
@pytest.mark.parametrize("when", ["when_stuck", "any_time"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@settings(deadline=None, max_examples=6)
@given(
    index=st.integers(0, 10**6),
    weights=weights,
    columns=st.integers(4, 12),
    suits=st.integers(1, 4),
    ranks=st.integers(5, 13),
)
def test_compiled_and_plain_choose_alike(
    refill: str, availability: str, when: str, depth: int, index: int, weights: Any, **pack: int
) -> None:
    rules = LabyrinthRules(refill=refill, availability=availability, deal=when, **pack)
    player = Lookahead(depth=depth, weights=weights)
    position = engine.start(deal(f"1/21/{index}").deck, rules)
    while (moves := position.legal()) and moves[0][0] != "R":
        move = player.choose(position.view, moves, rng=None)
        if safe_play(position.view, moves) is None:
            assert compiled_choice(player, position) == move
        position = position.after(move)


@pytest.mark.parametrize("preset", LabyrinthRules.presets)
@pytest.mark.parametrize("player", ["lookahead", "lookahead:depth=2"])
def test_batches_play_as_the_plain_player(preset: str, player: str) -> None:
    result = simulate(preset, player, deals=12, seed=5, n_jobs=1, keep="outcomes")
    chosen = find_player(GAME, player)
    for index in range(12):
        position = GAME.start(deal(f"1/5/{index}").deck, LabyrinthRules.preset(preset))
        moves = []
        while legal := position.legal():
            moves.append(chosen.choose(position.view, legal, rng=None))
            position = position.after(moves[-1])
        outcome = {name: int(values[index]) for name, values in result.outcomes.items()}
        assert outcome == position.outcome(moves)


def view(*rows: str, built: tuple[int, ...], stock_left: int, **rules: Any) -> View:
    tableau = tuple(
        tuple(None if word == "--" else card_code(word) for word in row.split()) for row in rows
    )
    return View(LabyrinthRules(columns=4, **rules), tableau, built, (), stock_left, 0)


def test_features_by_hand() -> None:
    position = view("5C -- 4H 2H", "KD 7C 9H 3H", "KH KC KS --", built=(4, 1, 1, 1), stock_left=3)
    # 5C and 2H fit, 4H and 7C need 2 cards, 3H 1, KC 8, KH and KS 11; shut in: KD 11, 9H 7.
    near = 4096 * 2 + (4096 >> 2) * 2 + (4096 >> 1) + (4096 >> 8) + (4096 >> 11) * 2
    buried = (4096 >> 11) + (4096 >> 7)
    expected = (7 * 4096, near, buried, 4096, 3 * 4096, 8 * 4096)
    assert features(position) == expected


def test_a_touch_plays_on_what_it_frees() -> None:
    """Playing 2C opens the top of its column, which frees 3C and then 4C below it."""
    position = view("2C KD", "3C KH", "4C KS", "JC QC", built=(1, 1, 1, 1), stock_left=5)
    after = dict(touches(position, position.legal()))["P 2C"]
    assert after.foundations == (4, 1, 1, 1)


def test_it_beats_patient_on_the_same_deals() -> None:
    for preset in ("wikipedia", "practical"):
        ahead, patient = (
            simulate(preset, name, deals=40_000, seed=78, keep="outcomes").outcomes["won"]
            for name in ("lookahead", "patient")
        )
        difference = ahead.astype(int) - patient
        assert difference.mean() > 5 * difference.std() / np.sqrt(len(difference))


@pytest.mark.parametrize(
    "spec", ["depth=0", "depth=4", "weights=1/2", "weights=1/1/1/1/1/x", "weights=1/1/1/1/1/nan"]
)
def test_wrong_parameters(spec: str) -> None:
    with pytest.raises(InvalidInput, match=spec.partition("=")[0]):
        find_player(GAME, f"lookahead:{spec}")
