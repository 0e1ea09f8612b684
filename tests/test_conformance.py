"""All players that ship pass the suite that authors of players are given, and cheats do not."""

from __future__ import annotations

from typing import Any

import pytest

from labyrinth_sim.games import find_game
from labyrinth_sim.players import players_of
from labyrinth_sim.testing import PAIRS, TOY, PlayerSuite

GAME = find_game()
MORE = [
    "heuristic:fill=hold:2,gap=distant,order=frees,deal=near:1",
    "heuristic:fill=before_row,gap=fewest,order=fullest,deal=cover:3",
    "greedy:endgame=exact",
    "random:endgame=exact",
]
RULES = ["wikipedia", "practical,resort=lift,resorts=2", "pysol", "wikipedia,columns=5,ranks=7"]


class TestShipped(PlayerSuite):
    @pytest.fixture(params=[*players_of(GAME), *MORE])
    def player(self, request: pytest.FixtureRequest) -> Any:
        return request.param

    @pytest.fixture(params=RULES)
    def rules(self, request: pytest.FixtureRequest) -> Any:
        return request.param


class TestOfAnotherGame(PlayerSuite):
    games = 10

    @pytest.fixture(params=players_of(TOY))
    def player(self, request: pytest.FixtureRequest) -> Any:
        return request.param

    @pytest.fixture
    def game(self) -> Any:
        return TOY

    @pytest.fixture
    def rules(self) -> Any:
        return "long"


class TestOfTwoPacks(PlayerSuite):
    @pytest.fixture(params=players_of(PAIRS))
    def player(self, request: pytest.FixtureRequest) -> Any:
        return request.param

    @pytest.fixture
    def game(self) -> Any:
        return PAIRS

    @pytest.fixture
    def rules(self) -> Any:
        return "many"


class TestOfMaze(PlayerSuite):
    """Limits are small, lest there is much to play in Python."""

    games = 2

    @pytest.fixture(params=["greedy:limit=40", "lookahead:depth=2,limit=3", "random:limit=40"])
    def player(self, request: pytest.FixtureRequest) -> Any:
        return request.param

    @pytest.fixture
    def game(self) -> Any:
        return "maze"

    @pytest.fixture(params=["wikipedia", "aisleriot,removed=aces"])
    def rules(self, request: pytest.FixtureRequest) -> Any:
        return request.param


class TestOfGaps(TestOfMaze):
    @pytest.fixture
    def game(self) -> Any:
        return "gaps"

    @pytest.fixture(params=["basic", "one_deal"])
    def rules(self, request: pytest.FixtureRequest) -> Any:
        return request.param
