"""The thoughtful player: batch and step by step, perfect play, and what players are given."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from labyrinth_sim.core.player import Traits
from labyrinth_sim.deals import SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.modifiers import with_endgame
from labyrinth_sim.games.free_edge.reference import Position, View
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.players import PythonProbe, find_player, playthrough
from labyrinth_sim.playing import shown
from labyrinth_sim.plugins import as_player
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.winnability import winnability
from labyrinth_sim.testing import TOY
from labyrinth_sim.testing.conformance import Case

RULES = [
    "wikipedia",
    "practical,resort=fit,resorts=3",
    "aisleriot,resort=lift,resorts=2",
    "pysol",
    "ultimate",
    "wikipedia,availability=ends,columns=5,ranks=8",
]


def by_steps(rules: str, spec: str, seed: int, deals: int) -> dict[str, np.ndarray]:
    """Outcomes in the reference engine, a move at a time."""
    read, player = GAME.rules.read(rules), find_player(GAME, spec)
    out = {column.name: np.zeros(deals, column.dtype) for column in GAME.columns}
    PythonProbe(GAME, read, player, SeededDeals(seed)).run(0, out, np.zeros(1, np.uint8))
    return out


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("spec", ["thoughtful:memory=2", "thoughtful:memory=2,nodes=12"])
def test_batch_plays_what_is_played_a_move_at_a_time(rules: str, spec: str) -> None:
    expected = by_steps(rules, spec, 51, 12)
    result = simulate(rules, spec, deals=12, seed=51, keep="outcomes")
    for name, values in result.outcomes.items():
        assert (values == expected[name]).all(), name


@pytest.mark.parametrize("rules", RULES)
def test_it_wins_what_can_be_won_and_else_is_patient(rules: str) -> None:
    options = {"deals": 1000, "seed": 52, "keep": "outcomes"}
    played = simulate(rules, "thoughtful", **options).outcomes
    patient = simulate(rules, "patient", **options).outcomes
    winnable = winnability(rules, **options).outcomes["winnable"]
    assert (played["won"] == winnable).all()
    assert not (patient["won"] & ~played["won"]).any()
    for name, values in played.items():
        assert (values[~winnable] == patient[name][~winnable]).all()


def test_against_a_plain_search_of_mini_packs() -> None:
    rules = GAME.rules.read("wikipedia,resort=none,suits=2,ranks=9,columns=4")
    won = simulate(rules, "thoughtful", deals=40, seed=53, keep="outcomes").outcomes["won"]
    for index, outcome in enumerate(won):
        start = GAME.start(deal(f"1/53/{index}").deck, rules)
        assert (PlainSolver(GAME).solve(start).verdict == "winnable") == outcome
    assert 0 < won.sum() < 40


def test_same_answer_however_run() -> None:
    spec = "thoughtful:nodes=40"
    whole = simulate("wikipedia", spec, deals=600, first=9, keep="outcomes", n_jobs=1)
    cut = simulate("wikipedia", spec, deals=600, first=9, keep="outcomes", n_jobs=2, block_bits=6)
    assert whole == cut


def test_limits_make_it_no_better() -> None:
    options = {"deals": 400, "seed": 54, "keep": "outcomes"}
    free = simulate("pysol", "thoughtful", **options).outcomes["won"]
    bound = simulate("pysol", "thoughtful:nodes=10", **options).outcomes["won"]
    assert not (bound & ~free).any()
    assert bound.sum() < free.sum()


def test_its_spec_says_what_it_may_use_up() -> None:
    player = find_player(GAME, "thoughtful:nodes=9")
    assert player.full_spec == "thoughtful:memory=64,nodes=9"
    assert player.traits == Traits(foresight=-1)
    for wrong in ("memory=0", "nodes=-1", "nodes=many"):
        with pytest.raises(InvalidInput):
            find_player(GAME, f"thoughtful:{wrong}")


@dataclass
class Watcher:
    """Takes the first move, and notes what it was given."""

    foresight: int
    seen: ClassVar[list[Any]] = []

    @property
    def traits(self) -> Traits:
        return Traits(foresight=self.foresight)

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        self.seen.append(view)
        return moves[0]


@pytest.mark.parametrize("foresight", [0, 1, 5, -1])
def test_players_are_handed_what_their_traits_say(foresight: int) -> None:
    Watcher.seen.clear()
    player = as_player(Watcher(foresight))
    rules, source = GAME.rules(), SeededDeals(55)
    steps = list(playthrough(GAME, rules, player, source, 0))
    positions = [GAME.start(source.deck(0), rules), *(after for _, after in steps)]
    assert len(Watcher.seen) == len(steps)
    for seen, position in zip(Watcher.seen, positions, strict=False):
        if foresight == 0:
            assert type(seen) is View
            assert seen == position.view
        else:
            assert type(seen) is Position
            assert seen.view == position.view
            assert seen.stock == (position.stock if foresight < 0 else position.stock[:foresight])


def test_a_game_that_can_not_be_shown_in_part_says_so() -> None:
    position = TOY.start(deal("1/1/0").deck, TOY.rules())
    assert shown(position, as_player(Watcher(-1))) == position
    with pytest.raises(InvalidInput, match="sees 2 cards ahead"):
        shown(position, as_player(Watcher(2)))


def test_whoever_sees_ahead_may_end_exactly_too() -> None:
    player = with_endgame(as_player(Watcher(-1)))
    case = Case.of(player, GAME, "wikipedia", games=1)
    assert any(move[0] == "R" for spot in case.spots(every=1) for move in spot.moves)


class Peeks(Watcher):
    """Plays by the last card that it sees of the stock."""

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        card = view.stock[min(self.foresight, len(view.stock)) - 1] if view.stock else 0
        return moves[card % len(moves)]


def test_the_suite_shuffles_only_what_is_beyond_foresight() -> None:
    """With the cards that it can't see in another order, a position is the same to it."""
    case = Case.of(Peeks(3), GAME, "wikipedia", games=1)
    spots = [spot for spot in case.spots() if len(spot.position.stock) > 6]
    assert spots
    orders = set()
    for spot in spots:
        for position in case.unseen(spot):
            assert position.stock[:3] == spot.position.stock[:3]
            orders.add(position.stock)
    assert len(orders) > len(spots)
