"""Honest players see nothing of the stock's order, and whoever cheats is caught (RULES §2.5)."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from turns import play_turn

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.core.player import Traits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.games.free_edge import engine, kernels, loops, reference
from labyrinth_sim.games.free_edge.choices import knobs_of
from labyrinth_sim.games.free_edge.heuristic import AS_FAMILY, Heuristic
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.games.free_edge.reference import Position
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.players import find_player, players_of, playthrough
from labyrinth_sim.testing import PlayerSuite
from labyrinth_sim.testing.conformance import KEY, Case, ask

GAME = find_game()
SUITE = PlayerSuite()
HEURISTICS = [
    f"heuristic:fill={fill},gap={gap},order={order},deal={deal}"
    for fill, gap, order, deal in (
        ("hold:2", "distant", "frees", "near:1"),
        ("empty", "most", "highest", "cover:2"),
        ("before_row", "fewest", "fullest", "short:3"),
        ("stuck", "distant", "lowest", "no_safe"),
    )
]
HONEST = [
    spec
    for spec in [*players_of(GAME), *HEURISTICS]
    if find_player(GAME, spec).traits.foresight == 0
]
RULES = [
    "wikipedia",
    "ultimate",
    "practical",
    "aisleriot",
    "pysol",
    "wikipedia,deal=any_time,columns=6",
]


def positions(rules: LabyrinthRules, player: str) -> Iterator[Position]:
    """Positions in which some of the stock is left, from a few games."""
    for index in range(4):
        start = reference.start(SeededDeals(9).deck(index), rules)
        played = playthrough(GAME, rules, find_player(GAME, player), SeededDeals(9), index)
        for position in [start, *(after for _, after in played)]:
            if len(position.stock) > 1 and position.legal():
                yield position


def reshuffled(position: Position) -> list[Position]:
    """The position with the stock in three other orders, the first of them backwards."""
    orders = [position.stock[::-1]]
    orders += [random.Random(seed).sample(position.stock, len(position.stock)) for seed in (1, 2)]
    return [replace(position, stock=tuple(order)) for order in orders]


@pytest.mark.parametrize("spec", HONEST)
@pytest.mark.parametrize("rules", RULES)
def test_the_order_of_the_stock_makes_no_difference(rules: str, spec: str) -> None:
    player = find_player(GAME, spec)
    found = list(positions(LabyrinthRules.read(rules), spec))
    assert len(found) > 20
    for position in found:
        choice = ask(player, position)
        for other in reshuffled(position):
            assert ask(player, other) == choice


@pytest.mark.parametrize("spec", [*AS_FAMILY, *HEURISTICS])
@pytest.mark.parametrize("rules", RULES)
def test_another_secret_makes_no_difference_to_the_compiled_ones(rules: str, spec: str) -> None:
    """What a turn does to what could be seen before it is the same, whatever is drawn."""
    read = LabyrinthRules.read(rules)
    member = AS_FAMILY.get(spec) or Heuristic.read(spec.partition(":")[2])
    for position in positions(read, spec):
        after = [turn(member, read, each) for each in (position, *reshuffled(position))]
        assert len({secret for secret, _ in after}) > 1
        assert len({seen for _, seen in after}) == 1


def turn(member: Heuristic, rules: LabyrinthRules, position: Position) -> tuple[bytes, bytes]:
    """The secret, and what a turn makes of all but the cards that it lets in."""
    scratch = loops.new_scratch()
    public, left = scratch.public, len(position.stock)
    view = position.view
    where = np.frombuffer(view.key()[:56], np.uint8)
    public["where"], public["built"] = where, view.foundations
    public["occupied"] = sum(2 ** int(cell) for cell in where if cell < 56)
    for name in ("stock_left", "cards_left", "rows_dealt", "resorts_used"):
        public[name] = getattr(view, name)
    scratch.secret[left:0:-1] = position.stock
    secret = scratch.secret.tobytes()
    play_turn(knobs_of(member), False, kernels.flags_of(rules), scratch)
    after = public.copy()
    after["where"][0][list(position.stock)] = 0
    return secret, after.tobytes()


def test_the_seed_makes_no_difference_to_a_deterministic_player() -> None:
    rules = LabyrinthRules()
    for spec in set(HONEST) - {"random"}:
        for position in positions(rules, spec):
            moves, player = position.legal(), find_player(GAME, spec)
            chosen = {
                player.choose(position.view, moves, ViewRandom(np.uint64(key), position))
                for key in range(3)
            }
            assert len(chosen) == 1


# What a player is given leads nowhere near the stock.


def reachable(things: list[Any]) -> Iterator[Any]:
    """All that some objects refer to, directly or not, but for modules and classes."""
    seen, todo = set(), list(things)
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, ModuleType | type):
            continue
        seen.add(id(thing))
        yield thing
        if getattr(thing, "__module__", "").startswith("labyrinth_sim") and callable(thing):
            closure = getattr(thing, "__closure__", None) or ()
            todo += [cell.cell_contents for cell in closure]
            continue  # on from a function would go the whole program
        todo += gc.get_referents(thing)


def tells(thing: Any, stock: tuple[int, ...]) -> bool:
    """Whether an object holds the order of the stock, from either end."""
    if not isinstance(thing, tuple | list | bytes | bytearray | np.ndarray):
        return False
    try:
        numbers = [int(number) for number in np.asarray(list(thing)).ravel()]
    except (TypeError, ValueError):
        return False
    runs = [list(stock[:4]), list(stock[3::-1])]
    return any(numbers[at : at + 4] in runs for at in range(len(numbers)))


@pytest.mark.parametrize("start", [reference.start, engine.start])
def test_nothing_that_a_view_refers_to_holds_the_stock(start: Callable[..., Any]) -> None:
    for rules in RULES:
        position = start(SeededDeals(3).deck(0), LabyrinthRules.read(rules))
        for _ in range(12):
            plain = position if isinstance(position, Position) else position.plain()
            assert len(plain.stock) > 4
            assert any(tells(thing, plain.stock) for thing in reachable([position]))
            moves = position.legal()
            given = [position.view, moves, ViewRandom(KEY, position)]
            given[2].below(7)
            for thing in reachable(given):
                assert not isinstance(thing, Position | engine.CompiledPosition)
                assert not tells(thing, plain.stock)
            position = position.after(moves[-1])


# Cheats.


class Cheat:
    traits: ClassVar[Traits] = Traits()


class Peeks(Cheat):
    """Looks through the frames of its callers for the position."""

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        frame: Any = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, Position) and value.view == view and value.stock:
                    return moves[value.stock[0] % len(moves)]
            frame = frame.f_back
        return moves[0]


class Tosses(Cheat):
    """Draws from the random state of the process."""

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return random.choice(moves)


class TossesByNumpy(Cheat):
    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return moves[np.random.randint(len(moves))]


class Remembers(Cheat):
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        self.asked += 1
        return moves[self.asked % len(moves)]


class DrawsInSecret(Cheat):
    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return moves[rng.below(len(moves))]


def tosses(public, moves, n, params, scratch, rng):
    return np.random.randint(n)


def remembers(public, moves, n, params, scratch, rng):
    scratch[0] += np.uint64(1)
    public.rows_dealt += 1
    return (np.int64(scratch[0]) + public.rows_dealt) % n


@pytest.mark.parametrize(
    ("player", "test"),
    [
        (Peeks(), SUITE.test_what_it_can_not_see_makes_no_difference),
        (Tosses(), SUITE.test_the_same_view_gives_the_same_choice),
        (Tosses(), SUITE.test_the_random_state_of_the_process_makes_no_difference),
        (TossesByNumpy(), SUITE.test_the_random_state_of_the_process_makes_no_difference),
        (Remembers(), SUITE.test_the_same_view_gives_the_same_choice),
        (Remembers(), SUITE.test_its_games_do_not_depend_on_those_before),
        (Remembers(), SUITE.test_one_answer_however_it_is_run),
        (DrawsInSecret(), SUITE.test_it_draws_only_if_it_says_so),
        (CompiledPlayer(tosses), SUITE.test_the_same_view_gives_the_same_choice),
        (CompiledPlayer(tosses), SUITE.test_its_games_do_not_depend_on_those_before),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_cheats_are_caught(player: Any, test: Callable[[Case], None]) -> None:
    with pytest.raises(AssertionError, match=r"it chose|deals? 1/|it draws"):
        test(Case.of(player))


def test_a_compiled_player_has_nothing_to_remember_by() -> None:
    case = Case.of(CompiledPlayer(remembers))
    SUITE.test_the_same_view_gives_the_same_choice(case)
    SUITE.test_its_games_do_not_depend_on_those_before(case)
    SUITE.test_compiled_or_not_it_plays_the_same(case)


@pytest.mark.parametrize("where", ["moves[0] = 3", "params[0] += 1.0"])
def test_a_compiled_player_can_not_write_where_things_last(where: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def choose(public, moves, n, params, scratch, rng):\n    {where}\n    return 0", names)
    with pytest.raises(InvalidInput, match="can't compile choose"):
        CompiledPlayer(names["choose"], params=[1.0])


OUT_OF_BOUNDS = """
import sys
from labyrinth_sim.errors import PlayerFailed
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.testing import PlayerSuite
from labyrinth_sim.testing.conformance import Case

@CompiledPlayer
def peeps(public, moves, n, params, scratch, rng):
    return (public.where[{index}] + scratch[{other}]) % n

try:
    PlayerSuite().test_every_move_is_legal(Case.of(peeps))
    PlayerSuite().test_compiled_or_not_it_plays_the_same(Case.of(peeps))
except (PlayerFailed, IndexError) as failure:
    sys.exit(f"caught: {{failure}}")
"""


@pytest.mark.parametrize(("index", "other"), [("n + 56", "0"), ("0", "64 + n"), ("0", "0")])
def test_reading_out_of_bounds_is_caught_where_bounds_are_checked(index: str, other: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OUT_OF_BOUNDS.format(index=index, other=other)],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
    )
    if index == other:
        assert (done.returncode, done.stdout) == (0, "")
    else:
        assert done.returncode == 1
        assert "caught:" in done.stderr
        assert "index is out of bounds" in done.stderr
