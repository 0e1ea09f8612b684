"""Runs go where joblib is told to go, and their answers do not depend on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from doubles import Own
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import BACKENDS, ThreadingBackend

from labyrinth_sim import compare, simulate


class Counting(ThreadingBackend):
    """Threads that count the tasks they are given."""

    tasks = 0
    workers: set[int]

    def submit(self, func, callback=None):
        Counting.tasks += 1
        return super().submit(func, callback)

    def configure(self, n_jobs=1, parallel=None, **options):
        n_jobs = super().configure(n_jobs, parallel, **options)
        Counting.workers.add(n_jobs)
        return n_jobs


@pytest.fixture
def counting() -> Iterator[type[Counting]]:
    Counting.tasks, Counting.workers = 0, set()
    register_parallel_backend("counting", Counting)
    yield Counting
    del BACKENDS["counting"]


@pytest.mark.parametrize("player", ["greedy", Own()], ids=["compiled", "python"])
def test_a_backend_of_the_users_own_runs_every_block(player, counting) -> None:
    options = {"player": player, "deals": 64, "block_bits": 3, "keep": "outcomes"}
    here = simulate(n_jobs=1, **options)
    assert counting.tasks == 0
    with parallel_config(backend="counting", n_jobs=3):
        there = simulate(**options)
    assert there == here
    assert (counting.tasks, counting.workers) == (8, {3})


def test_a_number_of_workers_that_is_given_goes_before_that_of_the_configuration(counting) -> None:
    with parallel_config(backend="counting", n_jobs=3):
        compare(["greedy", "never"], deals=64, block_bits=3, n_jobs=2)
    assert counting.workers == {2}
