"""What every player must keep to, as tests that run on anybody's player."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import pytest
from numba import cloudpickle  # what workers are sent players by; joblib has one, not always there

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.core.game import Game, Position
from labyrinth_sim.core.player import STOP, Move, Player
from labyrinth_sim.core.playthrough import Playthrough, Step, replay
from labyrinth_sim.core.probe import Deals, Deck, Probe
from labyrinth_sim.deals import deals_of
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.players import PythonProbe, find_player, probe_for
from labyrinth_sim.playing import begin, shown
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.rulesets import RuleSet

SEED = 20261130
KEY = np.uint64(0x9E3779B97F4A7C15)
FAR = 150
"""Moves after which no more is looked at, in games that may go on for long."""


@dataclass(frozen=True)
class Spot:
    """A position in which a player is asked, and how it came about."""

    position: Position
    deck: Deck
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        return f"after {'; '.join(self.moves) or 'no moves'}\n\n{self.position.board()}"


@dataclass(frozen=True)
class Case:
    """A player under test; `sent` is what it was before it was ever asked, pickled."""

    game: Game
    rules: RuleSet
    player: Player
    games: int = 4
    sent: bytes = field(default=b"", repr=False)

    @classmethod
    def of(
        cls,
        player: Any,
        game: str | Game = DEFAULT,
        rules: str | RuleSet | None = None,
        games: int = 4,
    ) -> Case:
        """Put a player under test, given as `labyrinth_sim.simulate` takes it."""
        game = find_game(game) if isinstance(game, str) else game
        found = find_player(game, player)
        return cls(game, find_rules(game, rules), found, games, cloudpickle.dumps(found))

    @property
    def deals(self) -> Deals:
        """What it is tried on."""
        return deals_of(self.game.reference.pack, SEED)

    def fresh(self) -> Player:
        """The player as it was before it was ever asked."""
        player: Player = cloudpickle.loads(self.sent)
        return player

    def spots(self, every: int = 3, most: int = 60) -> list[Spot]:
        """Some positions of its own games, and of games played at random."""
        found = [
            spot
            for index in range(self.games)
            for number, spot in enumerate([*self._own(index), *self._others(index)])
            if number % every == 0
        ]
        return found[:: len(found) // most + 1]

    def _own(self, index: int) -> Iterator[Spot]:
        start, steps = begin(self.game, self.rules, self.player, self.deals, index)
        yield from self._before(Playthrough.of(start, islice(steps, FAR)), index)

    def _others(self, index: int) -> Iterator[Spot]:
        start = self.game.start(self.deals.deck(index), self.rules)
        steps = _at_random(start, random.Random(index))
        yield from self._before(Playthrough.of(start, islice(steps, FAR)), index)

    def _before(self, made: Playthrough, index: int) -> Iterator[Spot]:
        """The position before each move."""
        deck = self.deals.deck(index)
        for number, position in enumerate(islice(made.positions(), len(made.moves))):
            yield Spot(position, deck, made.moves[:number])

    def allowed(self, spot: Spot) -> list[Move]:
        """What the player may answer: a legal move, or to stop where a game may go on for ever."""
        return spot.position.legal() + ([] if self.game.reference.limit is None else [STOP])

    def unseen(self, spot: Spot, number: int = 3) -> list[Position]:
        """The same position to a player, with the cards that it can't see in another order."""
        first = self._first_unseen(spot)
        chooser, found = np.random.default_rng(first + 1), []
        for _ in range(number if first < len(spot.deck) - 1 else 0):
            deck = spot.deck.copy()
            chooser.shuffle(deck[first:])
            if (position := self._led(deck, spot)) is not None:
                found.append(position)
        return found

    def _first_unseen(self, spot: Spot) -> int:
        """A place of the deck from which on no card has come into sight."""
        low, high = 0, len(spot.deck)
        while low < high:
            middle = (low + high) // 2
            deck = spot.deck.copy()
            deck[middle:] = deck[middle:][::-1].copy()
            low, high = (low, middle) if self._led(deck, spot) is not None else (middle + 1, high)
        return high

    def _led(self, deck: Deck, spot: Spot) -> Position | None:
        """Where the same moves lead with another deck, if that can't be told apart."""
        made = replay(self.game.start(deck, self.rules), spot.moves)
        position = made.position
        if made.at is not None or position.key() != spot.position.key():
            return None
        ahead = self.player.traits.foresight > 0  # then it is given more than what the key tells
        same = not ahead or shown(position, self.player) == shown(spot.position, self.player)
        return position if same else None


def _at_random(position: Position, chooser: random.Random) -> Iterator[Step]:
    while legal := position.legal():
        move = chooser.choice(legal)
        position = position.after(move)
        yield move, position


def ask(player: Player, position: Position) -> Move:
    """The choice of a player, with its randomness keyed as in any run."""
    return player.choose(shown(position, player), position.legal(), ViewRandom(KEY, position))


class NoRandom:
    """What a player that draws no random numbers is given instead of them."""

    def below(self, n: int) -> int:
        raise AssertionError("it draws random numbers, which its traits do not say")


class PlayerSuite:
    """Inherit from it and give the player; whatever is not right fails by name.

    Override `game` and `rules` to test for others than Labyrinth's default ones, and `games` to
    have more or fewer deals played.

    Examples
    --------
    A file ``test_mine.py`` for pytest::

        class TestMine(PlayerSuite):
            @pytest.fixture
            def player(self):
                return MyPlayer()
    """

    games = 4

    @pytest.fixture
    def player(self) -> Any:
        """The player: an object, or a spec."""
        raise NotImplementedError("give your player by a fixture named player")

    @pytest.fixture
    def game(self) -> str | Game:
        return DEFAULT

    @pytest.fixture
    def rules(self) -> str | RuleSet | None:
        return None

    @pytest.fixture
    def case(self, player: Any, game: str | Game, rules: str | RuleSet | None) -> Case:
        return Case.of(player, game, rules, self.games)

    def test_every_move_is_legal(self, case: Case) -> None:
        for spot in case.spots():
            move = ask(case.player, spot.position)
            assert move in case.allowed(spot), f"{move!r} is not legal {spot}"

    def test_the_same_view_gives_the_same_choice(self, case: Case) -> None:
        """However often it is asked, after whatever else, and whatever it was asked before."""
        spots = case.spots()
        chosen = [ask(case.player, spot.position) for spot in spots]
        for spot, first in reversed([*zip(spots, chosen, strict=True)]):
            for _ in range(2):
                _same(first, ask(case.player, spot.position), "when asked again", spot)
            _same(first, ask(case.fresh(), spot.position), "before it was asked anything", spot)

    def test_what_it_can_not_see_makes_no_difference(self, case: Case) -> None:
        if case.player.traits.foresight < 0:
            pytest.skip("its traits say that it sees all")
        for spot in case.spots():
            first = ask(case.player, spot.position)
            for position in case.unseen(spot):
                again = ask(case.player, position)
                _same(first, again, "with the unseen cards in another order", spot)

    def test_the_random_state_of_the_process_makes_no_difference(self, case: Case) -> None:
        for number, spot in enumerate(case.spots()):
            chosen = []
            for seed in range(3 * number, 3 * number + 3):
                random.seed(seed)
                np.random.seed(seed)
                chosen.append(ask(case.player, spot.position))
            for again in chosen[1:]:
                _same(chosen[0], again, "with another state of random or numpy.random", spot)

    def test_it_draws_only_if_it_says_so(self, case: Case) -> None:
        if case.player.traits.randomized:
            pytest.skip("its traits say that it draws")
        for spot in case.spots():
            seen = shown(spot.position, case.player)
            case.player.choose(seen, spot.position.legal(), NoRandom())

    def test_one_answer_however_it_is_run(self, case: Case) -> None:
        runs = [
            simulate(
                case.rules,
                player,
                deals=2 * case.games,
                seed=SEED,
                game=case.game,
                keep="outcomes",
                n_jobs=n_jobs,
                block_bits=bits,
            )
            for player, n_jobs, bits in ((case.fresh(), 1, 10), (case.player, 2, 1))
        ]
        for name, values in (runs[0].outcomes or {}).items():
            others = (runs[1].outcomes or {})[name]
            assert (values == others).all(), (
                f"{name} of deals 1/{SEED}/0 on: {values} with one worker, {others} with two"
            )

    def test_its_games_do_not_depend_on_those_before(self, case: Case) -> None:
        probe = probe_for(case.game, case.rules, case.player, case.deals)
        forwards = [_outcome(probe, index) for index in range(case.games)]
        backwards = [_outcome(probe, index) for index in reversed(range(case.games))]
        for index, (one, other) in enumerate(zip(forwards, reversed(backwards), strict=True)):
            assert one == other, f"deal 1/{SEED}/{index} ended as {one}, then as {other}"

    def test_compiled_or_not_it_plays_the_same(self, case: Case) -> None:
        deals = case.deals
        fast = probe_for(case.game, case.rules, case.player, deals)
        if isinstance(fast, PythonProbe):
            pytest.skip("it is played in Python only")
        plain = PythonProbe(case.game, case.rules, case.player, deals)
        for index in range(case.games):
            one, other = _outcome(fast, index), _outcome(plain, index)
            assert one == other, (
                f"deal 1/{SEED}/{index} ended as {one} in the batch, a move at a time as {other}"
            )

    def test_it_can_be_sent_to_workers(self, case: Case) -> None:
        there = case.fresh()
        assert there.full_spec == case.player.full_spec, "unpickled, it is another player"
        for spot in case.spots(most=10):
            here = ask(case.player, spot.position)
            _same(here, ask(there, spot.position), "sent to a worker", spot)

    def test_its_spec_gives_it_back(self, case: Case) -> None:
        try:
            again = find_player(case.game, case.player.spec)
        except InvalidInput as problem:
            pytest.skip(f"it can't be found by its spec, {problem}")
        assert again.full_spec == case.player.full_spec, (
            f"its spec {case.player.spec} gives another player; let what it is made with be "
            "parameters (labyrinth_sim.parameters.Named)"
        )


def _same(first: Move, again: Move, when: str, spot: Spot) -> None:
    assert again == first, f"it chose {first!r}, but {again!r} {when}, {spot}"


def _outcome(probe: Probe, index: int) -> dict[str, int]:
    out = {column.name: np.zeros(1, column.dtype) for column in probe.columns}
    probe.run(index, out, np.zeros(1, np.uint8))
    return {name: int(values[0]) for name, values in out.items()}
