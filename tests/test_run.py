"""Runs: the same answer however they are cut, and interruption that loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from labyrinth_sim.deals import ListedDeals, SeededDeals
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games import find_game
from labyrinth_sim.protocols import Column, Identity, Traits
from labyrinth_sim.run.blocks import cut
from labyrinth_sim.run.executor import execute
from labyrinth_sim.run.result import Result
from labyrinth_sim.run.simulate import simulate
from labyrinth_sim.run.tally import Tally

GAME = find_game("labyrinth")


def assert_same_outcomes(result: Result, other: Result) -> None:
    assert result.outcomes is not None
    assert other.outcomes is not None
    assert result.outcomes.keys() == other.outcomes.keys()
    for name, values in result.outcomes.items():
        assert values.dtype == other.outcomes[name].dtype
        assert (values == other.outcomes[name]).all()


@dataclass(frozen=True)
class Scripted:
    """A probe that counts: each deal is won whose index is even. At one deal, `event` happens."""

    event: Callable[[NDArray[np.uint8]], None] | None = None
    at: int = -1
    threads: ClassVar[bool] = True
    identity: ClassVar[Identity] = Identity("toy", 1, "none", "scripted", 1, "1/1")
    columns: ClassVar[tuple[Column, ...]] = (
        Column("won", "bool", "index is even"),
        Column("cards_left", "uint8", "index, of 52"),
    )

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        for number in range(len(out["won"])):
            if self.event and first + number == self.at:
                self.event(stop)
            if stop[0]:
                return number
            out["won"][number] = (first + number) % 2 == 0
            out["cards_left"][number] = (first + number) % 52
        return len(out["won"])


def scripted(event: Callable[[NDArray[np.uint8]], None] | None = None, at: int = -1) -> Any:
    return replace(GAME, compiled=lambda rules, player, deals: Scripted(event, at))


# Cutting.


@given(st.data(), st.integers(0, 12))
def test_blocks_cover_the_range_and_meet_at_aligned_places(data: st.DataObject, bits: int) -> None:
    size = data.draw(st.sampled_from([5000, 2**64]))
    first = data.draw(st.one_of(st.integers(0, 4999), st.integers(size - 5000, size - 1)))
    deals = data.draw(st.integers(1, min(3000, size - first)))
    blocks = list(cut(first, deals, bits, size))
    ends = [block.first + block.count for block in blocks]
    assert [first, *ends[:-1]] == [block.first for block in blocks]
    assert ends[-1] == first + deals
    assert all(block.count >= 1 for block in blocks)
    assert all(end % 2**bits == 0 for end in ends[:-1])
    # Within a block there is no other place to cut at.
    assert all(
        block.first >> bits == (end - 1) >> bits for block, end in zip(blocks, ends, strict=True)
    )


@pytest.mark.parametrize("player", ["greedy", "random"])
def test_one_seed_gives_one_answer_at_any_number_of_workers_and_block_size(player: str) -> None:
    def run(**options: Any) -> Result:
        return simulate("pysol", player, seed=5, first=77, deals=3000, keep="outcomes", **options)

    expected = run(n_jobs=1)
    assert expected.complete
    assert expected.deals == len(expected.outcomes["won"]) == 3000
    for options in (
        {"n_jobs": 1, "block_bits": 4},
        {"n_jobs": 2, "block_bits": 7},
        {"n_jobs": 3, "block_bits": 0},
        {"n_jobs": -1, "block_bits": 10},
        {"n_jobs": -1, "progress": True},
    ):
        result = run(**options)
        assert_same_outcomes(result, expected)
        assert result.summary() | {"seconds": 0} == expected.summary() | {"seconds": 0}


@given(st.lists(st.integers(1, 999), max_size=5, unique=True), st.integers(0, 9))
@settings(max_examples=30)
def test_any_split_of_a_range_gives_the_same_answer(places: list[int], bits: int) -> None:
    borders = [0, *sorted(places), 1000]
    parts = [
        simulate(seed=9, first=10_000 + a, deals=b - a, keep="outcomes", n_jobs=1, block_bits=bits)
        for a, b in pairwise(borders)
    ]
    whole = simulate(seed=9, first=10_000, deals=1000, keep="outcomes", n_jobs=1)
    joined = {name: np.concatenate([p.outcomes[name] for p in parts]) for name in whole.outcomes}
    assert_same_outcomes(replace(whole, outcomes=joined), whole)
    assert sum(part.wins for part in parts) == whole.wins
    total = Tally.total(part.tally for part in parts)
    assert total.mean("cards_left") == pytest.approx(whole.cards_left_mean)


def test_the_last_deals_of_a_seed_are_played() -> None:
    result = simulate(first=2**64 - 5, seed=2**64 - 1, keep="outcomes", n_jobs=2, block_bits=1)
    assert (result.first, result.deals, result.complete) == (2**64 - 5, 5, True)
    decks = np.stack([SeededDeals(2**64 - 1).deck(2**64 - 5 + at) for at in range(5)])
    assert_same_outcomes(simulate(decks=ListedDeals(decks), keep="outcomes"), result)


@pytest.mark.parametrize("rules", ["wikipedia", "aisleriot,columns=5"])
def test_listed_decks_play_as_the_deals_they_are(rules: str) -> None:
    decks = np.stack([SeededDeals(4).deck(index) for index in range(300)])
    listed = simulate(rules, decks=ListedDeals(decks), keep="outcomes", n_jobs=2, block_bits=5)
    seeded = simulate(rules, seed=4, deals=300, keep="outcomes")
    assert_same_outcomes(listed, seeded)
    assert (listed.deals, listed.seed, seeded.seed) == (300, None, 4)
    assert listed.identity != seeded.identity
    part = simulate(rules, decks=ListedDeals(decks), first=100, deals=50, keep="outcomes")
    assert (part.outcomes["cards_left"] == seeded.outcomes["cards_left"][100:150]).all()


def test_outcomes_are_kept_only_on_request_and_the_tally_is_theirs() -> None:
    kept = simulate("practical", deals=2000, seed=3, keep="outcomes")
    summary = simulate("practical", deals=2000, seed=3)
    assert summary.outcomes is None
    assert summary.wins == kept.wins == kept.outcomes["won"].sum()
    assert summary.cards_left_mean == pytest.approx(kept.outcomes["cards_left"].mean())
    assert summary.win_rate().estimate == kept.outcomes["won"].mean()


# Players in Python, in processes.


@dataclass(frozen=True)
class Own:
    """A player in Python: the first legal move, or on demand something else."""

    answer: str | None = None
    spec: ClassVar[str] = "own"
    full_spec: ClassVar[str] = "own"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()
    text: ClassVar[str] = "the first legal move"

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return self.answer if self.answer and view.cards_left < 8 else moves[0]


def test_a_player_in_python_gives_one_answer_at_any_number_of_workers() -> None:
    one = simulate(player=Own(), deals=60, keep="outcomes", n_jobs=1)
    two = simulate(player=Own(), deals=60, keep="outcomes", n_jobs=2, block_bits=3)
    assert_same_outcomes(two, one)
    assert one.identity.player.startswith("own@")  # a digest of its source follows


@pytest.mark.parametrize(
    ("answer", "n_jobs"), [("F 13", 1), ("P 2C", 1), ("nonsense", 1), ("P 1H", 1), ("R 2C", 2)]
)
def test_a_player_that_answers_with_no_legal_move_is_named_with_its_deal(
    answer: str, n_jobs: int
) -> None:
    good = simulate(player=Own(), deals=200, keep="outcomes", n_jobs=1)
    index = int(np.argmax(good.outcomes["cards_left"] < 8))  # the first deal where it comes to it
    assert index > 2
    with pytest.raises(RunFailed, match=rf"\bown\b.* deal 1/1/{index}\b.* moves: ") as failure:
        simulate(player=Own(answer), deals=200, n_jobs=n_jobs, block_bits=1, keep="outcomes")
    assert answer.split()[-1] in str(failure.value)
    done = failure.value.result  # the blocks before
    assert (done.complete, done.deals) == (False, index // 2 * 2)
    assert done.wins == good.outcomes["won"][: done.deals].sum()


# Interruption.


def interrupt(stop: NDArray[np.uint8]) -> None:
    raise KeyboardInterrupt


def tell_to_stop(stop: NDArray[np.uint8]) -> None:
    stop[0] = 1


@pytest.mark.parametrize("event", [interrupt, tell_to_stop])
def test_what_was_done_before_an_interruption_is_kept(event: Any) -> None:
    game = scripted(event, at=100)
    result = simulate(game=game, deals=1000, block_bits=4, n_jobs=1, keep="outcomes")
    assert (result.complete, result.deals, result.wins) == (False, 96, 48)
    assert (result.outcomes["cards_left"] == np.arange(96) % 52).all()
    assert "interrupted" in str(result)


def test_workers_that_are_told_to_stop_leave_no_hole() -> None:
    three_are_seen = threading.Event()

    def tell_to_stop_later(stop: NDArray[np.uint8]) -> None:
        three_are_seen.wait(60)
        stop[0] = 1

    blocks = cut(0, 1000, 4, 2**64)
    finished = execute(Scripted(tell_to_stop_later, at=100), blocks, n_jobs=2, keep=True)
    done = [next(finished) for _ in range(3)]
    three_are_seen.set()
    with pytest.raises(KeyboardInterrupt):
        done.extend(finished)
    # The seventh block was told, the one before may have been under way still.
    assert [part.block.first for part in done] in ([*range(0, 80, 16)], [*range(0, 96, 16)])
    for part in done:
        first = part.block.first
        assert (part.outcomes["cards_left"] == np.arange(first, first + 16) % 52).all()


def test_without_an_interruption_a_run_is_complete() -> None:
    result = simulate(game=scripted(), deals=1000, block_bits=4)
    assert (result.complete, result.deals, result.wins) == (True, 1000, 500)
    assert "interrupted" not in str(result)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interruption_before_the_first_block_is_done_is_raised(n_jobs: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        simulate(game=scripted(interrupt, at=3), deals=1000, block_bits=4, n_jobs=n_jobs)


def test_an_error_in_a_probe_is_no_interruption() -> None:
    def fail(stop: Any) -> None:
        raise ZeroDivisionError("of its own")

    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError, match="of its own"):
            simulate(game=scripted(fail, at=100), deals=1000, block_bits=4, n_jobs=n_jobs)


def test_the_signal_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    simulate(deals=10)
    with pytest.raises(KeyboardInterrupt):
        simulate(game=scripted(interrupt, at=3), deals=10)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interruption_at_any_line_leaves_count_tally_and_outcomes_alike() -> None:
    seen = set()
    for at in range(1, 80):
        lines = 0

        def interrupt_at_line(frame: Any, event: str, argument: Any, at: int = at) -> Any:
            nonlocal lines
            if frame.f_code is not simulate.__code__:
                return None
            lines += event == "line"
            if lines == at:
                raise KeyboardInterrupt
            return interrupt_at_line

        sys.settrace(interrupt_at_line)
        try:
            result = simulate(game=scripted(), deals=30, block_bits=3, n_jobs=1, keep="outcomes")
        except KeyboardInterrupt:  # before the first block was done, or after the last
            continue
        finally:
            sys.settrace(None)
        assert result.tally.count("won", 1) + result.tally.count("won", 0) == result.deals
        assert len(result.outcomes["won"]) == result.deals
        assert result.complete == (result.deals == 30)
        seen.add(result.deals)
    assert seen >= {8, 16, 24, 30}


LONG_RUN = """
import os, sys
from dataclasses import replace
from labyrinth_sim.games import find_game
from labyrinth_sim.games.labyrinth.probe import CompiledProbe
from labyrinth_sim.protocols import Traits
from labyrinth_sim.run.simulate import simulate

class Loud(CompiledProbe):
    def run(self, first, out, stop):
        os.write(1, b"playing\\n")
        return super().run(first, out, stop)

class Own:
    spec, full_spec, version, traits, text = "own", "own", 1, Traits(), "the first legal move"

    def choose(self, view, moves, rng):
        if view.rows_dealt == 1:
            os.write(1, b"playing\\n")
        return moves[0]

game = replace(find_game(), compiled=Loud)
compiled, n_jobs = sys.argv[1] == "compiled", int(sys.argv[2])
result = (
    simulate(game=game, deals=2**40, n_jobs=n_jobs, block_bits=12, progress=False)
    if compiled
    else simulate(player=Own(), deals=2**40, n_jobs=n_jobs, block_bits=2, progress=False)
)
print("result", result.complete, result.deals, result.wins)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("player", ["compiled", "own"])
def test_ctrl_c_ends_a_long_run_with_what_is_done(player: str, n_jobs: int) -> None:
    command = [sys.executable, "-c", LONG_RUN, player, str(n_jobs)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            for _ in range(20 if player == "compiled" else 500):  # so that some blocks are done
                assert process.stdout.readline() == "playing\n"
            os.killpg(process.pid, signal.SIGINT)  # to workers as well, as a terminal does
            text, _ = process.communicate(timeout=120)  # far less than 2**40 deals take
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0
    (line,) = [line for line in text.splitlines() if line != "playing"]
    word, complete, deals, wins = line.split()
    assert (word, complete) == ("result", "False")
    size = 2**12 if player == "compiled" else 2**2
    assert int(deals) >= size
    assert int(deals) % size == 0
    again = simulate(player=Own() if player == "own" else "greedy", deals=int(deals))
    assert again.wins == int(wins)


# Arguments.


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"n_jobs": -2}, "n_jobs=-2"),
        ({"n_jobs": 1.5}, "n_jobs=1.5"),
        ({"n_jobs": None}, "n_jobs=None"),
        ({"deals": 0}, "deals=0"),
        ({"deals": -3}, "deals=-3"),
        ({"deals": 10.0}, "deals=10.0"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, f"seed={2**64}"),
        ({"seed": "x"}, "seed='x'"),
        ({"first": -1}, "first=-1"),
        ({"first": 2**64}, f"first={2**64}"),
        ({"first": "x"}, "first='x'"),
        ({"first": "x", "deals": None}, "first='x'"),
        ({"first": 2**64 - 5, "deals": 6}, f"{2**64 - 5} to {2**64}"),
        ({"keep": "all"}, "keep='all'"),
        ({"block_bits": -1}, "block_bits=-1"),
        ({"block_bits": 1.5}, "block_bits=1.5"),
        ({"rules": "wikipedia,colums=8"}, "'colums'"),
        ({"player": "greed"}, "'greed'"),
        ({"game": "labyrint"}, "'labyrint'"),
        ({"game": "no_such_module:GAME"}, "no_such_module"),
        ({"game": "os:path"}, "os:path"),
        ({"rules": 3}, "int"),
    ],
)
def test_bad_arguments_are_refused_by_name_before_anything_is_played(
    options: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidInput, match=r".+") as refusal:
        simulate(**{"deals": 10} | options)
    assert named in str(refusal.value)


def test_a_range_beyond_listed_decks_is_refused() -> None:
    decks = ListedDeals(np.stack([SeededDeals(1).deck(index) for index in range(3)]))
    with pytest.raises(InvalidInput, match="deals 1 to 3 reach beyond the last one, 2"):
        simulate(decks=decks, first=1, deals=3)
    assert simulate(decks=decks, first=1).deals == 2


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    plain = simulate(seed=3, first=2**63 + 5, deals=10)
    numpys = simulate(seed=np.uint64(3), first=np.uint64(2**63 + 5), deals=np.int64(10))
    assert numpys.summary() | {"seconds": 0} == plain.summary() | {"seconds": 0}
    assert all(type(numpys.summary()[name]) is int for name in ("seed", "first", "deals", "wins"))
    assert simulate(first=np.uint64(2**64 - 1), deals=1).deals == 1


# Tallies.

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


def test_the_executor_gives_blocks_in_order() -> None:
    blocks = list(cut(5, 300, 3, 10_000))
    done = list(execute(Scripted(), blocks, n_jobs=3, keep=False))
    assert [part.block for part in done] == blocks
    assert all(part.outcomes is None for part in done)
