"""Comparisons on the same deals, against the paper, statsmodels, enumeration and simulation."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations_with_replacement, product
from math import comb, log2, log10, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats import all_paired, holm, paired
from labyrinth_sim.stats.paired import power_of_ten

PUBLISHED = [
    ((36, 12, 2, 0), (0.0569, 0.3404)),
    ((20, 12, 2, 16), (0.0562, 0.3292)),
    ((18, 12, 2, 18), (0.0562, 0.3290)),
    ((36, 14, 0, 0), (0.1528, 0.4167)),
    ((35, 14, 0, 1), (0.1461, 0.4175)),
    ((18, 14, 0, 18), (0.1441, 0.3963)),
    ((2, 97, 1, 0), (0.8721, 0.9854)),
    ((1, 97, 1, 1), (0.8736, 0.9850)),
    ((0, 29, 1, 0), (0.6666, 0.9882)),
    ((2, 98, 0, 0), (0.9178, 0.9945)),
    ((1, 98, 0, 1), (0.9171, 0.9916)),
    ((0, 30, 0, 0), (0.8395, 1.0000)),
    ((54, 0, 0, 0), (-0.0664, 0.0664)),
    ((53, 0, 0, 1), (-0.0729, 0.0729)),
]
"""Newcombe 1998, table III, method 10: both, only a, only b, neither; 95 % interval."""

COUNTS = st.tuples(*[st.integers(0, 60)] * 4).filter(any)


def square(both: int, only_a: int, only_b: int, neither: int) -> list[list[int]]:
    return [[both, only_a], [only_b, neither]]


def slowly(counts: tuple[int, ...], level: float) -> tuple[float, float]:
    """Method 10 as the paper writes it, on the Wilson ends of statsmodels."""
    e, f, g, h = counts
    n = sum(counts)
    p1, p2 = (e + f) / n, (e + g) / n
    l1, u1 = proportion_confint(e + f, n, 1 - level, "wilson")
    l2, u2 = proportion_confint(e + g, n, 1 - level, "wilson")
    numerator = e * h - f * g
    if numerator > n / 2:
        numerator -= n / 2
    elif numerator > 0:
        numerator = 0
    denominator = (e + f) * (g + h) * (e + g) * (f + h)
    phi = numerator / sqrt(denominator) if denominator else 0
    delta = sqrt(max(0, (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2))
    epsilon = sqrt(max(0, (u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2))
    return p1 - p2 - delta, p1 - p2 + epsilon


@pytest.mark.parametrize(("counts", "ends"), PUBLISHED)
def test_intervals_are_those_of_the_paper(
    counts: tuple[int, ...], ends: tuple[float, float]
) -> None:
    found = paired(square(*counts))
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-4)
    assert slowly(counts, 0.95) == pytest.approx(ends, abs=1e-4)
    assert (found.method, found.level) == ("newcombe-10", 0.95)


@given(COUNTS, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_intervals_are_the_formula_on_other_wilson_ends(
    counts: tuple[int, ...], level: float
) -> None:
    found = paired(square(*counts), level=level)
    low, high = slowly(counts, level)
    assert (found.low, found.high) == pytest.approx((max(-1, low), min(1, high)), abs=1e-7)
    assert found.low <= found.difference <= found.high


@given(COUNTS)
def test_exchanging_the_players_mirrors_everything(counts: tuple[int, ...]) -> None:
    found = paired(square(*counts))
    both, only_a, only_b, neither = counts
    mirrored = paired(square(both, only_b, only_a, neither))
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
    assert (mirrored.difference, mirrored.p) == (-found.difference, found.p)


@given(COUNTS)
def test_p_is_that_of_statsmodels_and_of_exact_fractions(counts: tuple[int, ...]) -> None:
    found = paired(square(*counts))
    _, only_a, only_b, _ = counts
    pairs = only_a + only_b
    tail = sum(comb(pairs, few) for few in range(min(only_a, only_b) + 1))
    assert found.p == pytest.approx(min(1, float(Fraction(2 * tail, 2**pairs))), rel=1e-12)
    expected = statsmodels_mcnemar(square(*counts), exact=True).pvalue
    assert found.p == pytest.approx(expected, rel=1e-9)
    assert found.log10_p == pytest.approx(log10(found.p), abs=1e-12)


@pytest.mark.parametrize(("only_a", "only_b"), [(3000, 500), (0, 1100), (20_000, 9000), (900, 2)])
def test_p_that_is_too_small_for_a_float_has_a_logarithm(only_a: int, only_b: int) -> None:
    found = paired(square(7, only_a, only_b, 7))
    few, pairs = min(only_a, only_b), only_a + only_b
    term = total = comb(pairs, few)
    for number in range(few, 0, -1):
        term = term * number // (pairs - number + 1)
        total += term
    shift = max(0, total.bit_length() - 900)  # what a float can hold
    exact = (log2(total >> shift) + shift + 1 - pairs) * log10(2)
    assert exact < -260
    assert found.log10_p == pytest.approx(exact, rel=1e-11)
    assert found.p == pytest.approx(10**exact, rel=1e-9)


def test_logarithms_join_where_floats_end() -> None:
    logs = [paired(square(0, only_a, 400, 0)).log10_p for only_a in range(2000, 2300)]
    assert min(logs) < -300 < -285 < max(logs)
    steps = np.diff(logs)
    assert (steps < 0).all()
    assert np.abs(np.diff(steps)).max() < 1e-3


def test_no_discordant_pair_is_identical() -> None:
    found = paired(square(30, 0, 0, 70))
    assert found.identical
    assert (found.difference, found.p, found.log10_p) == (0, 1, 0)
    assert found.low < 0 < found.high
    assert str(found) == "identical on these 100 deals"
    assert not paired(square(30, 1, 1, 68)).identical


BOTH, ONLY_A, ONLY_B, NEITHER = range(4)
MAY_BE = [(BOTH, ONLY_A), (ONLY_B, NEITHER), (BOTH, ONLY_B), (ONLY_A, NEITHER), range(4)]
"""What a deal may turn out as: won by a and open, lost and open, open and won, and so on."""


def all_known(counts: tuple[int, ...], unknown: tuple[int, ...]) -> Iterator[list[int]]:
    """Every table that the undecided deals may lead to."""
    choices = [
        combinations_with_replacement(cells, number)
        for cells, number in zip(MAY_BE, unknown, strict=True)
    ]
    for chosen in product(*choices):
        table = list(counts)
        for cell in chain(*chosen):
            table[cell] += 1
        yield table


@settings(max_examples=60)
@given(COUNTS, st.tuples(*[st.integers(0, 2)] * 5))
def test_undecided_deals_give_bounds_on_all_that_they_may_come_to(
    counts: tuple[int, ...], unknown: tuple[int, ...]
) -> None:
    both, only_a, only_b, neither = counts
    won_open, lost_open, open_won, open_lost, open_open = unknown
    found = paired(
        [[both, only_a, won_open], [only_b, neither, lost_open], [open_won, open_lost, open_open]]
    )
    assert (found.undecided, found.deals) == (sum(unknown), sum(counts) + sum(unknown))
    assert not (found.identical and any(unknown))
    ends = [paired(square(*table)) for table in all_known(counts, unknown)]
    for name, of, expected in [
        ("difference", min, found.least),
        ("difference", max, found.most),
        ("low", min, found.low),
        ("high", max, found.high),
        ("p", max, found.p),
    ]:
        assert of(getattr(end, name) for end in ends) == pytest.approx(expected, abs=1e-12)


def test_holm_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(20261130)
    for size in (1, 2, 3, 10, 45):
        p = rng.random(size) ** 4
        p[::3] = p[0]  # ties
        expected = multipletests(p, method="holm")[1]
        assert 10 ** holm(np.log10(p)) == pytest.approx(expected, rel=1e-12)
    assert holm([-5000, -4000, 0]).tolist() == pytest.approx([log10(3) - 5000, log10(2) - 4000, 0])
    assert holm([]).tolist() == []


def test_several_comparisons_are_adjusted_together() -> None:
    counts = [(36, 12, 2, 0), (18, 14, 0, 18), (30, 0, 0, 70), (40, 9, 4, 47)]
    found = all_paired([square(*one) for one in counts], level=0.9)
    adjusted = multipletests([one.p for one in found], method="holm")[1]
    for one, alone, p in zip(found, counts, adjusted, strict=True):
        assert (one.comparisons, one.level) == (4, 0.9)
        assert one.p_holm == pytest.approx(p, rel=1e-12)
        strict = paired(square(*alone), level=1 - 0.1 / 4)
        assert one.simultaneous_level == pytest.approx(0.975)
        assert (one.simultaneous_low, one.simultaneous_high) == pytest.approx(
            (strict.low, strict.high)
        )
        assert one.simultaneous_low < one.low < one.high < one.simultaneous_high
    only = paired(square(*counts[0]))
    assert (only.p_holm, only.simultaneous_low, only.simultaneous_high) == pytest.approx(
        (only.p, only.low, only.high)
    )


@pytest.mark.parametrize(
    ("chances", "deals"),
    [
        ((0.20, 0.08, 0.05, 0.67), 200),
        ((0.26, 0.01, 0.002, 0.728), 2000),
        ((0.9, 0.03, 0.03, 0.04), 100),
    ],
)
def test_intervals_cover_the_true_difference_as_often_as_they_say(
    chances: tuple[float, ...], deals: int
) -> None:
    rng = np.random.default_rng(1998)
    true = chances[1] - chances[2]
    tables = rng.multinomial(deals, chances, size=4000)
    found = [paired(square(*table)) for table in tables.tolist()]
    covered = np.mean([one.low <= true <= one.high for one in found])
    assert 0.94 < covered < 0.975
    # Never more often than 5 % under the null hypothesis; less often, as the test is discrete.
    same = rng.multinomial(deals, (0.3, 0.1, 0.1, 0.5), size=4000)
    assert np.mean([paired(square(*table)).p <= 0.05 for table in same.tolist()]) <= 0.055


def test_simultaneous_intervals_hold_all_at_once() -> None:
    rng = np.random.default_rng(7)
    shares = np.array([0.3, 0.3, 0.34, 0.4])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    held = []
    for _ in range(600):
        won = rng.random((300, 1)) * 0.5 + rng.random((300, 4)) * 0.5 < shares
        tables = [
            np.histogram2d(~won[:, a], ~won[:, b], bins=[[0, 1, 2]] * 2)[0].astype(int)
            for a, b in pairs
        ]
        true = [_mean_of_two(shares[a]) - _mean_of_two(shares[b]) for a, b in pairs]
        found = all_paired(tables)
        held.append(
            all(
                one.simultaneous_low <= difference <= one.simultaneous_high
                for one, difference in zip(found, true, strict=True)
            )
        )
    assert np.mean(held) > 0.94


def _mean_of_two(share: float) -> float:
    """How often the mean of two uniform numbers is below a share of at most a half."""
    return 2 * share**2


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([[1, 2]], "shape"),
        ([[1, 2], [3, -1]], "no counts"),
        ([[0, 0], [0, 0]], "not only 0"),
        ([[1.5, 2], [3, 4]], "integers from 0"),
        ([[True, False], [False, True]], "integers from 0"),
    ],
)
def test_tables_that_count_nothing_are_refused(table: list, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        paired(table)
    with pytest.raises(InvalidInput, match="level=2"):
        paired([[1, 2], [3, 4]], level=2)


def test_small_probabilities_read_as_powers_of_ten() -> None:
    assert power_of_ten(0) == "1"
    assert power_of_ten(log10(0.0456)) == "0.046"
    assert power_of_ten(log10(0.00123)) == "1.2e-03"
    assert power_of_ten(-400 + log10(9.96)) == "1.0e-399"


def test_importing_loads_no_scipy() -> None:
    code = "import sys, labyrinth_sim, labyrinth_sim.stats; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
