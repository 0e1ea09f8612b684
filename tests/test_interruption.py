"""Runs that are interrupted keep what was done, without a hole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from doubles import Own, Scripted, interrupt_call, scripted
from numpy.typing import NDArray

from labyrinth_sim.__main__ import entry
from labyrinth_sim.games.solving import Clock
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.run.blocks import cut
from labyrinth_sim.run.executor import execute
from labyrinth_sim.run.measure import everything, nothing


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Also where these tests run in the background of a shell, which has it ignored there."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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

    blocks = cut(0, 1000, 4)
    finished = execute(Scripted(tell_to_stop_later, at=100), blocks, n_jobs=2, wanted=everything)
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


def test_an_interruption_that_nobody_could_raise_while_compiling_is_not_lost() -> None:
    def swallow(stop: NDArray[np.uint8]) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    class Loading(Scripted):
        def run(self, first: int, out: Any, stop: NDArray[np.uint8]) -> int:
            if len(out["won"]) == 0:
                swallow(stop)
            return super().run(first, out, stop)

    with pytest.raises(KeyboardInterrupt):
        execute(Loading(), cut(0, 100, 4), n_jobs=1, wanted=nothing)


@pytest.mark.parametrize("wakes", [True, False])
def test_ctrl_c_ends_a_kernel_in_the_foreground(wakes: bool) -> None:
    """Also a signal that does not end the wait of the main thread, as it is just about to wait."""
    begun = threading.Event()

    def kernel(stop: NDArray[np.uint8]) -> int:
        begun.set()
        end = time.monotonic() + 60
        while not stop[0] and time.monotonic() < end:
            time.sleep(0.001)
        return 5

    def interrupt_it() -> None:
        begun.wait(60)
        thread = threading.main_thread() if wakes else threading.current_thread()
        signal.pthread_kill(thread.ident, signal.SIGINT)

    clock = Clock(None).start()
    threading.Thread(target=interrupt_it).start()
    with pytest.raises(KeyboardInterrupt):
        clock.run(kernel, clock.stop)
    assert clock.stop[0]
    timed = Clock(0.01).start()
    assert timed.run(kernel, timed.stop) == 5
    assert timed.over


def test_ctrl_c_while_the_command_loads_ends_in_a_word(monkeypatch, capsys) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("labyrinth_sim.cli.main", interrupted)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as end:
        entry()
    assert end.value.code == 130
    assert capsys.readouterr().err == "labyrinth-sim: interrupted\n"


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


EVERYWHERE = {
    "Tally.__add__": "labyrinth_sim.stats.tally.Tally.__add__",
    "Tally.of": "labyrinth_sim.stats.tally.Tally.of",
    "update": "tqdm.tqdm.update",
    "set_postfix_str": "tqdm.tqdm.set_postfix_str",
    "close": "tqdm.tqdm.close",
    "known": "labyrinth_sim.run.measure._Known",
    "clock": "time.perf_counter",
}
"""What is called while blocks come in, by name."""


@pytest.mark.filterwarnings("ignore:.*tqdm.__del__")  # a bar that was not closed tries again
@pytest.mark.parametrize("name", EVERYWHERE)
@pytest.mark.parametrize("late", [False, True])
def test_an_interruption_anywhere_leaves_count_tally_and_outcomes_alike(
    name: str, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes before or after the call, at the first one, the second one and so on."""
    seen = set()
    for at in range(1, 12):
        with monkeypatch.context() as patch:
            interrupt_call(EVERYWHERE[name], at, late, patch)
            try:
                result = simulate(
                    game=scripted(), deals=30, block_bits=3, n_jobs=1, keep="outcomes"
                )
            except KeyboardInterrupt:  # before the first block was done, or after the last
                continue
        assert result.tally.count("won", 1) + result.tally.count("won", 0) == result.deals
        assert (result.outcomes["cards_left"] == np.arange(result.deals) % 52).all()
        assert result.complete == (result.deals == 30)
        seen.add(result.deals)
    assert seen  # something was kept


LONG_RUN = """
import os, sys
from tqdm import tqdm
from labyrinth_sim import simulate
from labyrinth_sim.core.player import Traits

class Own:
    spec, full_spec, version, traits, text = "own", "own", 1, Traits(), "the first legal move"

    def choose(self, view, moves, rng):
        return moves[0]

update = tqdm.update
def update_and_tell(bar, count):
    os.write(1, b"block\\n")
    return update(bar, count)
tqdm.update = update_and_tell

player = Own() if sys.argv[1] == "own" else "greedy"
size, n_jobs = int(sys.argv[2]), int(sys.argv[3])
result = simulate(player=player, deals=2**40, block_bits=size, n_jobs=n_jobs, progress=False)
print("result", result.complete, result.deals, result.wins)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("player", "bits"), [("greedy", 12), ("own", 2)])
def test_ctrl_c_ends_a_long_run_with_what_is_done(player: str, bits: int, n_jobs: int) -> None:
    command = [sys.executable, "-c", LONG_RUN, player, str(bits), str(n_jobs)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            for _ in range(5):
                assert process.stdout.readline() == "block\n"
            os.killpg(process.pid, signal.SIGINT)  # to workers as well, as a terminal does
            text, _ = process.communicate(timeout=120)  # far less than 2**40 deals take
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0
    (line,) = [line for line in text.splitlines() if line != "block"]
    word, complete, deals, wins = line.split()
    assert (word, complete) == ("result", "False")
    assert int(deals) >= 4 * 2**bits  # four were counted before the fifth was told of
    assert int(deals) % 2**bits == 0
    again = simulate(player=Own() if player == "own" else player, deals=int(deals))
    assert again.wins == int(wins)
