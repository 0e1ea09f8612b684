"""The confidence sequence, held to the formula of its source and to continuous looking."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.stats import proportion, sequence


@given(st.data(), st.integers(1, 3000), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_ends_are_those_of_robbins(data: st.DataObject, trials: int, level: float) -> None:
    """Robbins 1970: p is kept as long as (n + 1) · b(n, p, x) is not below 1 - level."""
    wins = data.draw(st.integers(0, trials))
    found = sequence(wins, trials, level=level)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    for end in (found.low, found.high):
        if 0 < end < 1:
            kept = (trials + 1) * binom.pmf(wins, trials, end)
            assert kept == pytest.approx(1 - level, rel=1e-6)
    assert (found.low == 0) == (wins == 0)
    assert (found.high == 1) == (wins == trials)


@given(st.integers(1, 500), st.data())
def test_mirrored_and_monotone(trials: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, trials - 1))
    one, other = sequence(wins, trials), sequence(trials - wins, trials)
    assert one.low == pytest.approx(1 - other.high, abs=1e-12)
    more = sequence(wins + 1, trials)
    assert more.low > one.low
    assert more.high > one.high or one.high == 1
    undecided = sequence(wins, trials, undecided=1)
    assert (undecided.low, undecided.high) == (one.low, more.high)


@cache
def ends(wins: int, trials: int, method: str) -> tuple[float, float]:
    if method == "sequence":
        found = sequence(wins, trials, level=0.9)
    else:
        found = proportion(wins, trials, level=0.9)
    return found.low, found.high


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_looking_all_along_does_no_harm(share: float) -> None:
    """Of many runs that are looked at after every trial, few ever miss the true share."""
    rng = np.random.Generator(np.random.PCG64(20261130))
    runs, looks = 1500, 120
    wins = np.cumsum(rng.random((runs, looks)) < share, axis=1)
    missed = {}
    for method in ("sequence", "fixed"):
        low, high = (
            np.array(
                [
                    [ends(w, n, method)[side] if w <= n else 0 for n in range(1, looks + 1)]
                    for w in range(looks + 1)
                ]
            )
            for side in (0, 1)
        )
        columns = np.arange(looks)[None, :]
        out = (low[wins, columns] > share) | (high[wins, columns] < share)
        missed[method] = out.any(axis=1).mean()
    slack = 3 * (0.1 * 0.9 / runs) ** 0.5
    assert missed["sequence"] <= 0.1 + slack
    assert missed["fixed"] > 0.15  # else the looks would not be many enough to tell anything


@pytest.mark.parametrize("counts", [(-1, 3), (4, 3), (0, 0)])
def test_bad_input(counts: tuple[int, int]) -> None:
    with pytest.raises(InvalidInput, match="do not add up"):
        sequence(*counts)
    with pytest.raises(InvalidInput, match="level=1"):
        sequence(1, 3, level=1)
    with pytest.raises(InvalidInput, match="do not add up"):
        sequence(2, 3, undecided=2)
