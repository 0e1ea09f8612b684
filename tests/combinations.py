"""Every combination of the rules' choices, and strategies that draw deals and rule sets."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import strategies as st

CHOICES: list[dict[str, Any]] = [
    {
        "refill": refill,
        "availability": availability,
        "deal": deal,
        "resort": resort,
        "resorts": resorts,
    }
    for refill, availability, deal, (resort, resorts) in product(
        ["always", "first_row_only", "optional", "empty_column"],
        ["free_edge", "ends"],
        ["when_stuck", "any_time"],
        [("none", 0), *product(["fit", "lift"], [1, 2, 3])],
    )
]
"""All 112, with up to three resorts."""

words64 = st.one_of(
    st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
)
columns = st.one_of(st.just(8), st.integers(4, 12))
packs = st.one_of(
    st.just({"suits": 4, "ranks": 13}),
    st.fixed_dictionaries({"suits": st.integers(1, 4), "ranks": st.integers(1, 13)}),
)
