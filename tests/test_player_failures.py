"""A player that fails is named with its deal and position, and what was done is kept."""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from from_elsewhere import GAME, First, ran

from labyrinth_sim import PlayerFailed, Result, RunFailed, simulate
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput


class Fails:
    """Plays on until its time has come, then does what it is told to."""

    def __init__(self, how: Any) -> None:
        self.how = how

    def choose(self, view: Any, moves: Any, rng: Any) -> Any:
        return self.how(moves) if view.cards_left <= 38 else moves[0]


def raises(moves: Any) -> Any:
    raise ZeroDivisionError("of its own")


def exits(moves: Any) -> Any:
    sys.exit("goodbye")


FAILURES = [
    (
        raises,
        r"it raised ZeroDivisionError: of its own \(test_player_failures.py, line \d+, in raises\)",
    ),
    (exits, "it raised SystemExit: goodbye"),
    (lambda moves: None, "it returned None, which is no move"),
    (lambda moves: 0, "it returned 0, which is no move"),
    (lambda moves: "P KS", "it returned 'P KS': P KS is illegal: KS does not fit"),
    (lambda moves: "nonsense", "it returned 'nonsense': 'nonsense' is no move"),
    (lambda moves: moves.clear() or "F 13", "it returned 'F 13'.*columns run from 1 to 8"),
    (lambda moves: time.sleep(30), "it took longer than the 0.2 s that a move may take"),
]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("how", "why"), FAILURES)
def test_a_failure_names_all_and_keeps_what_is_done(
    fails_at: int, how: Any, why: str, n_jobs: int
) -> None:
    handler = signal.getsignal(signal.SIGALRM)
    with pytest.raises(PlayerFailed, match=why) as caught:
        simulate(
            player=Fails(how),
            deals=100,
            n_jobs=n_jobs,
            block_bits=0,
            keep="outcomes",
            move_seconds=0.2,
        )
    failure = caught.value
    assert isinstance(failure, RunFailed)
    text = str(failure)
    assert f"player {__name__}:Fails failed on deal 1/1/{fails_at}, after" in text
    (moves,) = [line for line in text.splitlines() if line.startswith("moves so far: ")]
    position = GAME.start(SeededDeals(1).deck(fails_at), GAME.rules())
    for move in moves.removeprefix("moves so far: ").split("; "):
        position = position.after(move)
    assert position.view.cards_left <= 38
    assert text.endswith(position.board())
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    kept = failure.result
    if not fails_at:
        assert kept is None
        return
    assert isinstance(kept, Result)
    assert (kept.deals, kept.complete) == (fails_at, False)
    assert len(kept.outcomes["won"]) == fails_at
    assert kept.wins == simulate(player=First(), deals=fails_at, n_jobs=1).wins


def test_the_traceback_of_the_player_is_among_the_notes() -> None:
    with pytest.raises(PlayerFailed) as caught:
        simulate(player=Fails(raises), deals=100, n_jobs=2, block_bits=2)
    assert any("in raises" in note for note in caught.value.__notes__)


def test_a_slow_player_that_nobody_can_interrupt_is_found_out_afterwards() -> None:
    caught: list[BaseException] = []

    def run() -> None:
        try:
            simulate(
                player=Fails(lambda moves: time.sleep(0.3)), deals=9, n_jobs=1, move_seconds=0.1
            )
        except PlayerFailed as failure:
            caught.append(failure)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert "it took longer than the 0.1 s" in str(caught[0])


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "1"])
def test_a_limit_that_is_no_time_is_refused(seconds: Any) -> None:
    with pytest.raises(InvalidInput, match="move_seconds="):
        simulate(player=First(), deals=1, move_seconds=seconds)


def test_a_limit_for_a_compiled_player_is_refused() -> None:
    with pytest.raises(InvalidInput, match="move_seconds=1 is for players in Python; greedy is"):
        simulate(player="greedy", deals=1, move_seconds=1)


def test_the_command_prints_what_is_done_then_the_error(
    module: Path, capsys: Any, tmp_path: Path, fails_at: int
) -> None:
    options = ["--first", "0", "--deals", "600", "--jobs", "2", "--rules", "pysol"]
    status, result, error = ran(capsys, "--player", "elsewhere:Wrong", *options)
    assert status == 1
    assert "player elsewhere:Wrong failed on deal 1/1/" in error
    assert "it returned None" in error
    failed = int(error.partition("deal 1/1/")[2].partition(",")[0])
    assert result is None if failed < 256 else result["deals"] == failed // 256 * 256
    output = tmp_path / "kept.csv"
    status, result, error = ran(
        capsys,
        "--player",
        "elsewhere:Slow",
        "--move-seconds",
        "0.2",
        *options,
        "--output",
        str(output),
    )
    assert status == 1
    assert "it took longer than the 0.2 s" in error
    assert (result is not None) == output.exists()
