"""Philox and bounded draws, plain and inside kernels, against published and independent truth."""

from __future__ import annotations

from itertools import islice
from math import gcd
from typing import Any

import independent
import numba
import numpy as np
import pytest
from combinations import words64
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim import rng

u64 = np.uint64
sizes = st.one_of(st.integers(1, 2**32), st.integers(1, 104))

# Random123's kat_vectors for philox4x32 with 10 rounds: counter, key, output.
PUBLISHED = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


def parsed(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@numba.njit
def philox_in_kernel(c0: Any, c1: Any, c2: Any, c3: Any, key: Any) -> Any:
    return rng.philox(c0, c1, c2, c3, key)


@numba.njit
def below_in_kernel(n: Any, key: Any, stream: Any, index: Any, number: Any) -> Any:
    return rng.below(n, key, stream, index, number)


@pytest.mark.parametrize(("counter", "key", "output"), PUBLISHED)
def test_philox_gives_the_published_answers(counter: str, key: str, output: str) -> None:
    k0, k1 = parsed(key)
    arguments = [*map(u64, parsed(counter)), u64(k0 | k1 << 32)]
    assert list(rng.philox(*arguments)) == parsed(output)
    assert list(philox_in_kernel(*arguments)) == parsed(output)
    assert independent.philox(parsed(counter), parsed(key)) == parsed(output)


@given(words64, words64, words64, st.integers(0, 2**34 - 5))
def test_words_are_the_output_words_of_blocks_in_order(
    key: int, stream: int, index: int, start: int
) -> None:
    stream %= 2**32
    expected = list(islice(independent.words(key, stream, index, start), 5))
    found = [rng.word(u64(key), u64(stream), u64(index), u64(start + more)) for more in range(5)]
    assert found == expected


@given(sizes, words64, st.sampled_from([0, 1, 2**32 - 1]), words64, st.integers(0, 1000))
def test_a_draw_is_lemires(n: int, key: int, stream: int, index: int, number: int) -> None:
    draw, taken = independent.below(n, independent.words(key, stream, index, number))
    arguments = u64(n), u64(key), u64(stream), u64(index), u64(number)
    assert rng.below(*arguments) == (draw, number + taken)
    assert below_in_kernel(*arguments) == (draw, number + taken)
    assert 0 <= draw < n


@given(words64, st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4))
def test_philox_can_be_undone(key: int, counter: list[int]) -> None:
    halves = [key % 2**32, key // 2**32]
    assert independent.unphilox(independent.philox(counter, halves), halves) == counter


@given(st.one_of(sizes, st.sampled_from([2, 3, 48, 52, 2**31 + 1])), words64, words64)
def test_a_draw_is_made_again_exactly_below_the_threshold(n: int, key: int, rest: int) -> None:
    threshold, step = 2**32 % n, gcd(n, 2**32)
    # Low halves of products are multiples of `step`: the last one refused, the first accepted.
    for low in {max(threshold - step, 0), threshold}:
        word = low // step * pow(n // step, -1, 2**32 // step) % 2**32
        assert word * n % 2**32 == low
        output = [word, rest % 2**32, rest // 2**32, 7]
        block, stream, *index = independent.unphilox(output, [key % 2**32, key // 2**32])
        arguments = u64(n), u64(key), u64(stream), u64(index[0] + index[1] * 2**32), u64(4 * block)
        source = independent.words(key, stream, index[0] + index[1] * 2**32, 4 * block)
        draw, taken = independent.below(n, source)
        assert (taken > 1) == (low < threshold)
        assert rng.below(*arguments) == (draw, 4 * block + taken)
        assert below_in_kernel(*arguments) == (draw, 4 * block + taken)


@given(words64, words64, words64)
def test_a_digest_depends_on_all_that_it_absorbed(state: int, first: int, second: int) -> None:
    digest = rng.absorb(u64(state), u64(first), u64(second))
    changed = [
        rng.absorb(u64(state ^ 1), u64(first), u64(second)),
        rng.absorb(u64(state), u64(first ^ 1), u64(second)),
        rng.absorb(u64(state), u64(first ^ 2**63), u64(second)),
        rng.absorb(u64(state), u64(first), u64(second ^ 1)),
        rng.absorb(u64(state), u64(first), u64(second ^ 2**63)),
    ]
    assert digest not in changed


def test_players_keys_differ_by_seed_and_by_spec() -> None:
    keys = {rng.player_key(seed, spec) for seed in range(50) for spec in ("random", "greedy", "")}
    assert len(keys) == 150
    assert rng.player_key(3, "random") == rng.player_key(3, "random")
    assert not {int(key) for key in keys} & set(range(2**16))  # none is its seed
