"""Playouts of Maze and Gaps in compiled batches, deal by deal as in Python; limits of moves."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from from_elsewhere import First
from layouts import EVERY, name_of, ranks

from labyrinth_sim.cards import card_code
from labyrinth_sim.cli import main
from labyrinth_sim.core.player import STOP
from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.deals import ListedDeals, SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.games.sliding import probe as sliding_probe
from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.sliding.players import MOST, Greedy, with_limit
from labyrinth_sim.players import PythonProbe, find_player, playthrough, probe_for
from labyrinth_sim.questions.simulate import simulate

PRESETS = [
    ("maze", f"{preset},removed={rank}")
    for preset in ("wikipedia", "pysol", "aisleriot")
    for rank in ("kings", "aces")
] + [("gaps", "basic"), ("gaps", "one_deal")]
PLAYERS = {
    "greedy:limit=80": 6,
    "random:limit=80": 6,
    "random:salt=3,limit=15": 6,
    "lookahead:depth=1,limit=40": 3,
    "lookahead:limit=12": 3,
    "lookahead:depth=3,limit=2": 1,
}
"""Deals for each, as Python is slow."""


def outcomes(probe: Probe, deals: int, first: int = 0) -> dict[str, list[int]]:
    out = {column.name: np.zeros(deals, column.dtype) for column in probe.columns}
    assert probe.run(first, out, np.zeros(1, np.uint8)) == deals
    return {name: values.tolist() for name, values in out.items()}


def both(
    game: str, rules: Any, player: str, deals: int, source: Deals | None = None
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """What becomes of some deals in compiled batches, and in Python."""
    found, source = find_game(game), source or SeededDeals(8)
    rules, chosen = find_rules(found, rules), find_player(found, player)
    fast = probe_for(found, rules, chosen, source)
    slow = PythonProbe(found, rules, chosen, source)
    assert type(fast) is not PythonProbe
    assert (fast.identity, fast.columns) == (slow.identity, slow.columns)
    return outcomes(fast, deals), outcomes(slow, deals)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("game", "rules"), PRESETS)
def test_every_preset_and_player(game: str, rules: str, player: str) -> None:
    fast, slow = both(game, rules, player, PLAYERS[player])
    assert fast == slow


@pytest.mark.parametrize("rules", EVERY, ids=name_of)
def test_every_combination_of_rules(rules: Any) -> None:
    for player in ("greedy:limit=25", "random:limit=25"):
        fast, slow = both(rules.title.lower(), rules, player, 1)
        assert fast == slow


@pytest.mark.parametrize("rules", ["wikipedia", "aisleriot"])
def test_whole_games_that_end_with_nothing_new_or_at_the_limit(rules: str) -> None:
    fast, slow = both("maze", rules, "greedy", 3)
    assert fast == slow
    assert any(moves < 1000 for moves in fast["moves"])
    assert all(fast["stopped"])


def nearly_dealt(rules: Any, chooser: random.Random) -> list[int]:
    """A deck whose layout is a few cards away from a win."""
    runs = [[rank + suit for rank in ranks(rules)] for suit in "CDHS"]
    absent = "K" if getattr(rules, "removed", "aces") == "kings" else "A"
    if isinstance(rules, MazeRules):
        cards = [card for run in runs for card in run]
        for suit in "CDHS":
            cards.insert(chooser.randrange(1, len(cards)), absent + suit)
    else:
        cards = [card for run in runs for card in (*run, absent + run[0][1])]
    for _ in range(2):
        place = chooser.randrange(51)
        cards[place : place + 2] = cards[place : place + 2][::-1]
    return [card_code(card) for card in cards]


@pytest.mark.parametrize(("game", "rules"), PRESETS)
def test_decks_that_are_nearly_won(game: str, rules: str) -> None:
    chosen, chooser = find_rules(find_game(game), rules), random.Random(rules)
    source = ListedDeals(np.array([nearly_dealt(chosen, chooser) for _ in range(12)], np.uint8))
    won = []
    for player in ("greedy:limit=20", "lookahead:limit=8", "random:limit=30"):
        fast, slow = both(game, chosen, player, 12, source)
        assert fast == slow
        won += fast["won"]
    assert 0 < sum(won) < len(won)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8, 13])
def test_the_first_moves_are_the_same(limit: int) -> None:
    fast, slow = both("maze", "wikipedia", f"greedy:limit={limit}", 8)
    assert fast == slow
    assert set(fast["moves"]) == {limit}


def test_games_that_visit_more_than_there_was_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = simulate("pysol", "greedy", game="maze", deals=50, n_jobs=1, keep="outcomes")
    monkeypatch.setattr(sliding_probe, "_ROOM", 5)
    small = simulate("pysol", "greedy", game="maze", deals=50, n_jobs=1, keep="outcomes")
    assert small == usual
    simulate("pysol", f"greedy:limit={MOST}", game="maze", deals=1, n_jobs=1)


@pytest.mark.parametrize("player", ["greedy", "random", "lookahead:limit=50"])
def test_one_answer_whatever_the_blocks_and_workers(player: str) -> None:
    runs = [
        simulate("aisleriot", player, game="maze", deals=60, first=3, keep="outcomes", **options)
        for options in (
            {"n_jobs": 1},
            {"n_jobs": 2, "block_bits": 3},
            {"n_jobs": 1, "block_bits": 0},
        )
    ]
    assert runs[0] == runs[1] == runs[2]
    alone = simulate("aisleriot", player, game="maze", deals=1, first=40, n_jobs=1, keep="outcomes")
    for name, values in alone.outcomes.items():
        assert values[0] == runs[0].outcomes[name][37]


def test_a_run_is_stopped_even_within_a_game() -> None:
    maze = find_game("maze")
    probe = probe_for(maze, maze.rules(), find_player(maze, "lookahead:depth=4"), SeededDeals(1))
    out = {column.name: np.zeros(10**5, column.dtype) for column in probe.columns}
    stop = np.zeros(1, np.uint8)
    probe.run(0, {name: values[:0] for name, values in out.items()}, stop)  # compiles
    done: list[int] = []
    worker = threading.Thread(target=lambda: done.append(probe.run(0, out, stop)))
    worker.start()
    time.sleep(0.2)
    stop[0] = 1
    worker.join(60)
    assert not worker.is_alive()
    assert done[0] < 10**5
    assert probe.run(0, out, stop) == 0


def test_a_subclass_is_played_as_itself() -> None:
    class Contrary(Greedy):
        def choose(self, view: Any, moves: Sequence[str], rng: Any) -> str:
            return STOP

    result = simulate(player=Contrary(), game="maze", deals=2, n_jobs=1, keep="outcomes")
    assert result.outcomes["moves"].tolist() == [0, 0]
    assert result.outcomes["stopped"].all()


# Limits.


class Brief(First):
    """Takes first moves, 9 of them."""

    limit = 9


class Endless(First):
    limit = 2.5


def moves_of(player: Any, game: str = "maze") -> int:
    result = simulate(player=player, game=game, deals=1, n_jobs=1, keep="outcomes")
    return int(result.outcomes["moves"][0])


def test_any_player_may_be_given_a_limit() -> None:
    assert moves_of("from_elsewhere:First:limit=7") == 7
    assert moves_of("greedy:limit=7") == 7
    assert moves_of(with_limit(First(), 6)) == 6
    assert moves_of(Brief()) == 9
    assert moves_of(with_limit(Brief(), "4")) == 4
    assert moves_of(First()) == 1000
    maze = find_game("maze")
    player = find_player(maze, "from_elsewhere:First:limit=7")
    assert player.spec == "from_elsewhere:First:limit=7"
    assert player.full_spec != find_player(maze, "from_elsewhere:First").full_spec
    assert player.text == "Takes the first legal move.; stops after 7 moves"
    assert len([*playthrough(maze, maze.rules(), player, SeededDeals(1), 0)]) == 7


@pytest.mark.parametrize("value", ["0", "-1", "x", "2.5", "", "1" * 40, str(MOST + 1), "７"])
def test_a_wrong_limit_is_refused(value: str, capsys: Any) -> None:
    for player in ("from_elsewhere:First", "greedy", "random"):
        assert main(["run", "--game", "gaps", "--player", f"{player}:limit={value}"]) == 2
        said = capsys.readouterr().err
        assert "limit=" in said
        assert "an integer" in said
    with pytest.raises(InvalidInput, match="limit="):
        with_limit(First(), value)


def test_a_limit_of_its_own_must_be_one() -> None:
    with pytest.raises(InvalidInput, match=r"the limit of .*Endless is 2.5.*an integer from 1"):
        simulate(player=Endless(), game="maze", deals=1, n_jobs=1)
    assert simulate(player=Endless(), deals=1, n_jobs=1).deals == 1  # Labyrinth has no limit
