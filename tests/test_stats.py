"""Intervals for proportions, against scipy and statsmodels."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats import proportion

LEVELS = [0.5, 0.9, 0.95, 0.99, 0.9999]
COUNTS = [
    (successes, trials)
    for trials in (1, 2, 9, 10, 25, 100, 1000, 10**6)
    for successes in sorted({0, 1, trials // 30, trials // 2, trials - 1, trials})
]
# scipy finds the exact ends by root finding, to about twelve digits.
NEAR = {"rel": 1e-9, "abs": 1e-12}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_ends_are_those_of_scipy_and_statsmodels(method: str, level: float) -> None:
    scipys = {"wilson": "wilson", "clopper-pearson": "exact"}[method]
    statsmodels = {"wilson": "wilson", "clopper-pearson": "beta"}[method]
    for successes, trials in COUNTS:
        found = proportion(successes, trials, level=level, method=method)
        expected = binomtest(successes, trials).proportion_ci(level, scipys)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), **NEAR)
        expected = proportion_confint(successes, trials, 1 - level, statsmodels)
        assert (found.low, found.high) == pytest.approx(expected, **NEAR)
        assert found.estimate == successes / trials
        assert (found.method, found.level) == (method, level)


@pytest.mark.parametrize(
    ("successes", "undecided", "method"),
    [
        (0, 0, "clopper-pearson"),
        (9, 0, "clopper-pearson"),
        (10, 0, "wilson"),
        (90, 0, "wilson"),
        (91, 0, "clopper-pearson"),
        (100, 0, "clopper-pearson"),
        (9, 50, "clopper-pearson"),
        (10, 80, "wilson"),
        (10, 81, "clopper-pearson"),
    ],
)
def test_few_events_on_either_side_are_treated_exactly(
    successes: int, undecided: int, method: str
) -> None:
    assert proportion(successes, 100, undecided=undecided).method == method


@given(st.data(), st.sampled_from([None, "wilson", "clopper-pearson"]), st.sampled_from(LEVELS))
def test_undecided_trials_widen_both_ends(
    data: st.DataObject, method: str | None, level: float
) -> None:
    trials = data.draw(st.integers(1, 2000))
    successes = data.draw(st.integers(0, trials))
    undecided = data.draw(st.integers(0, trials - successes))
    found = proportion(successes, trials, undecided=undecided, level=level, method=method)
    as_lost = proportion(successes, trials, level=level, method=found.method)
    as_won = proportion(successes + undecided, trials, level=level, method=found.method)
    assert (found.low, found.high) == (as_lost.low, as_won.high)
    assert found.estimate == successes / trials
    assert 0 <= found.low <= successes / trials
    assert (successes + undecided) / trials <= found.high <= 1


@given(st.integers(1, 2000), st.data(), st.sampled_from(["wilson", "clopper-pearson"]))
def test_counting_failures_mirrors_the_interval(
    trials: int, data: st.DataObject, method: str
) -> None:
    successes = data.draw(st.integers(0, trials))
    found = proportion(successes, trials, method=method)
    mirrored = proportion(trials - successes, trials, method=method)
    assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), **NEAR)


def test_more_trials_narrow_the_interval_and_a_higher_level_widens_it() -> None:
    for method, (level, higher) in product(["wilson", "clopper-pearson"], pairwise(LEVELS)):
        wide = proportion(30, 100, level=higher, method=method)
        narrow = proportion(30, 100, level=level, method=method)
        many = proportion(300, 1000, level=level, method=method)
        assert wide.low < narrow.low < many.low < many.high < narrow.high < wide.high


@pytest.mark.parametrize(
    ("successes", "trials", "undecided"),
    [(0, 0, 0), (-1, 10, 0), (11, 10, 0), (6, 10, 5), (5, 10, -1), (1, -5, 0)],
)
def test_counts_that_do_not_add_up_are_refused(successes: int, trials: int, undecided: int) -> None:
    with pytest.raises(InvalidInput, match=f"{successes} successes and {undecided} undecided"):
        proportion(successes, trials, undecided=undecided)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_levels_outside_0_to_1_are_refused(level: float) -> None:
    with pytest.raises(InvalidInput, match=f"level={level}"):
        proportion(3, 10, level=level)


def test_an_unknown_method_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match=r"'wald'.*wilson.*clopper-pearson"):
        proportion(3, 10, method="wald")


def test_an_interval_reads_as_its_numbers() -> None:
    text = str(proportion(50, 200))
    low, high = binomtest(50, 200).proportion_ci(0.95, "wilson")
    assert text == f"25.000% ({low:.3%} to {high:.3%}, 0.95 wilson)"
