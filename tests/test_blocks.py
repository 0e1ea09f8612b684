"""Blocks of deals, their order, and tallies of their outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from doubles import Scripted
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from labyrinth_sim.run.blocks import cut
from labyrinth_sim.run.executor import execute
from labyrinth_sim.run.measure import nothing
from labyrinth_sim.run.pool import Pool
from labyrinth_sim.stats.tally import Tally


@given(st.data(), st.integers(0, 12))
def test_blocks_cover_the_range_and_meet_at_aligned_places(data: st.DataObject, bits: int) -> None:
    size = data.draw(st.sampled_from([5000, 2**64]))
    first = data.draw(st.one_of(st.integers(0, 4999), st.integers(size - 5000, size - 1)))
    deals = data.draw(st.integers(1, min(3000, size - first)))
    blocks = list(cut(first, deals, bits))
    ends = [block.first + block.count for block in blocks]
    assert [first, *ends[:-1]] == [block.first for block in blocks]
    assert ends[-1] == first + deals
    assert all(block.count >= 1 for block in blocks)
    assert all(end % 2**bits == 0 for end in ends[:-1])
    # Within a block there is no other place to cut at.
    assert all(
        block.first >> bits == (end - 1) >> bits for block, end in zip(blocks, ends, strict=True)
    )


def test_a_pool_that_is_stopped_has_done_nothing() -> None:
    pool = Pool((Scripted(), Scripted()))
    out = {column.name: np.zeros(1, column.dtype) for column in pool.columns}
    assert pool.run(5, out, np.zeros(1, np.uint8)) == 1
    assert pool.run(5, out, np.ones(1, np.uint8)) == 0


def test_the_executor_gives_blocks_in_order() -> None:
    blocks = list(cut(5, 300, 3))
    done = list(execute(Scripted(), blocks, n_jobs=3, wanted=nothing))
    assert [part.block for part in done] == blocks
    assert all(part.outcomes == {} for part in done)


columns_of_outcomes = st.lists(
    st.tuples(st.booleans(), st.integers(0, 255)), min_size=1, max_size=40
)


def arrays(rows: list[tuple[bool, int]]) -> dict[str, NDArray[Any]]:
    won, left = zip(*rows, strict=True)
    return {"won": np.array(won), "left": np.array(left, np.uint8)}


@given(st.lists(columns_of_outcomes, min_size=1, max_size=5))
def test_tallies_of_parts_add_up_to_that_of_the_whole(parts: list[Any]) -> None:
    rows = [row for part in parts for row in part]
    for tally in (
        Tally.total(Tally.of(arrays(part)) for part in parts),
        Tally.of(arrays(rows)),
    ):
        for at, name in enumerate(("won", "left")):
            values = [int(row[at]) for row in rows]
            assert tally.mean(name) == pytest.approx(sum(values) / len(values))
            for value in range(256):
                assert tally.count(name, value) == values.count(value)
