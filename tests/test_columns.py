"""Outcome columns end to end: declared, counted, summarised, framed and drawn by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from labyrinth_sim import column_frame, plots, simulate
from labyrinth_sim.core.probe import Column
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats import mean
from labyrinth_sim.stats.tally import Tally
from labyrinth_sim.testing import TOY


@pytest.mark.parametrize("dtype", ["int8", "int64", "float64", "U3", "object", "complex64"])
def test_what_could_be_negative_or_fractional_is_refused_when_it_is_declared(dtype: str) -> None:
    with pytest.raises(InvalidInput, match=f"'score' can't be of dtype {dtype!r}"):
        Column("score", dtype, "points")


@pytest.mark.parametrize("value", [-1, 0.5, 256, "2", None])
def test_an_outcome_that_its_column_can_not_hold_is_refused_not_cut(value: Any) -> None:
    position = type(TOY.start(np.arange(52, dtype=np.uint8), TOY.rules()))

    class Scoring(position):  # type: ignore[misc, valid-type]
        def outcome(self, moves: Any) -> Any:
            return {**super().outcome(moves), "score": value}

    def start(deck: Any, rules: Any) -> Any:
        return Scoring(TOY.start(deck, rules).row)

    game = replace(
        TOY,
        columns=(*TOY.columns, Column("score", "uint8", "points")),
        reference=replace(TOY.reference, start=start),
    )
    with pytest.raises(InvalidInput, match=r"score.*uint8"):
        simulate(game=game, deals=3, n_jobs=1)


def test_every_column_is_in_the_summary_with_mean_interval_and_quantiles() -> None:
    result = simulate("practical", "patient", deals=3000, keep="outcomes")
    told = result.summary()["columns"]
    assert list(told) == list(result.outcomes)
    for name, values in result.outcomes.items():
        numbers = values.astype(float)
        low = high = numbers.mean()
        if numbers.std():
            low, high = stats.t.interval(0.95, 2999, numbers.mean(), stats.sem(numbers))
        assert told[name]["mean"] == pytest.approx(numbers.mean())
        assert (told[name]["low"], told[name]["high"]) == pytest.approx((low, high))
        for key, share in {"q05": 0.05, "median": 0.5, "q95": 0.95}.items():
            assert told[name][key] == np.quantile(numbers, share, method="inverted_cdf")
    (row,) = column_frame([result], "fills").to_dict("records")
    assert row["mean"] == told["fills"]["mean"]
    assert row["median"] == told["fills"]["median"]


def test_a_wide_column_has_a_mean_with_interval_and_no_quantiles() -> None:
    result = simulate(game="maze", player="greedy", deals=40, keep="outcomes")
    moves = result.outcomes["moves"].astype(float)
    told = result.summary()["columns"]["moves"]
    low, high = stats.t.interval(0.95, 39, moves.mean(), stats.sem(moves))
    assert (told["low"], told["high"]) == pytest.approx((low, high))
    assert "median" not in told
    with pytest.raises(InvalidInput, match="moves are not counted one by one"):
        result.tally.quantile("moves", 0.5)


@given(st.lists(st.integers(0, 2**40), min_size=2, max_size=30), st.integers(1, 29))
def test_sums_of_squares_are_exact_however_deals_are_cut(values: list[int], at: int) -> None:
    column = np.array(values, np.uint64)
    won = np.zeros(len(values), bool)
    parts = [
        Tally.of({"won": won[part], "nodes": column[part]}) for part in (slice(at), slice(at, None))
    ]
    tally = parts[0] + parts[1]
    assert tally == Tally.of({"won": won, "nodes": column})
    assert tally.moments("nodes") == (len(values), sum(values), sum(v * v for v in values))


def test_the_interval_of_a_mean_holds_its_level() -> None:
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(2000):
        sample = rng.poisson(3.0, 12)
        found = mean(12, int(sample.sum()), int((sample**2).sum()), level=0.9)
        held += found.low <= 3.0 <= found.high
    assert abs(held / 2000 - 0.9) < 0.02


def test_columns_are_drawn_by_name() -> None:
    result = simulate("pysol", deals=500, keep="outcomes")
    (line,) = plots.column(result, "plays").lines
    counts = np.bincount(result.outcomes["plays"])
    assert np.allclose(line.get_ydata(), counts / 500)
    with pytest.raises(InvalidInput, match=r"unknown column .playes.*did you mean plays"):
        plots.column(result, "playes")
    with pytest.raises(InvalidInput, match="unknown column 'playes'"):
        column_frame([result], "playes")
