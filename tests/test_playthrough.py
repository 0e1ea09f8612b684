"""A game's moves and positions: as a player makes them, and made again from its moves."""

from __future__ import annotations

import gc

import pytest

from labyrinth_sim.core.playthrough import Playthrough, replay
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.games.sliding.position import SlidingPosition
from labyrinth_sim.players import find_player, playthrough
from labyrinth_sim.playing import begin
from labyrinth_sim.testing import PAIRS, TOY

GAMES = [find_game(), find_game("maze"), find_game("gaps"), TOY, PAIRS]


def steps_of(game, player: str, index: int) -> tuple:
    """The deal, and each move with the position after it, as they come."""
    deals = SeededDeals(5, game.reference.pack)
    return begin(game, game.rules(), find_player(game, player), deals, index)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("index", range(3))
def test_what_is_made_again_is_what_was_played(game, index: int) -> None:
    start, steps = steps_of(game, "random", index)
    steps = list(steps)
    made = Playthrough.of(start, steps)
    again = replay(start, made.moves)
    assert (again, again.result) == (made, made.result)
    assert list(made) == steps
    assert list(made.positions()) == [start, *(position for _, position in steps)]
    assert made.result == steps[-1][1].status
    assert made.outcome == steps[-1][1].outcome([move for move, _ in steps])
    assert made.text.split("; ") == [move for move, _ in steps]
    for number in {0, 1, len(steps) // 2, len(steps)}:
        assert made.after(number) == [start, *(position for _, position in steps)][number]
    with pytest.raises(IndexError, match=f"{len(steps)} moves"):
        made.after(len(steps) + 1)


def test_a_line_ends_before_its_first_illegal_move() -> None:
    start, steps = steps_of(GAMES[0], "greedy", 0)
    moves = [move for move, _ in steps]
    broken = replay(start, [*moves[:7], "P KH", *moves[7:]])
    assert (broken.result, broken.at, broken.moves) == ("illegal", 8, tuple(moves[:7]))
    assert "KH" in broken.why
    assert broken.position == broken.after(7) == replay(start, moves[:7]).position
    nothing = replay(start, [])
    assert (nothing.result, nothing.moves, nothing.position) == ("open", (), start)
    with pytest.raises(InvalidInput, match="no move"):
        replay(start, ["P5H"])


def held() -> int:
    """How many positions there are in memory."""
    gc.collect()
    return sum(type(one) is SlidingPosition for one in gc.get_objects())


def test_long_games_are_not_held_position_by_position() -> None:
    game = find_game("maze")
    player, deals, before = find_player(game, "random"), SeededDeals(1), held()
    made = next(
        game
        for game in (playthrough(game, game.rules(), player, deals, index) for index in range(50))
        if len(game.moves) == 1000
    )
    assert held() < before + 10
    bare = made.bare()
    assert bare == made  # what a position remembers makes no difference to what is legal
    assert made.after(900).earlier
    assert (bare.start.earlier, bare.position.earlier, bare.after(900).earlier) == (None,) * 3


def test_decks_of_another_pack_are_refused() -> None:
    game, player = find_game(), find_player(find_game(), "greedy")
    two = SeededDeals(1, PAIRS.reference.pack)
    with pytest.raises(InvalidInput, match="deals of"):
        playthrough(game, game.rules(), player, two, 0)
    decks = ListedDeals(deal("1/5/3").deck[None])
    played = playthrough(game, game.rules(), player, decks, 0)
    assert played == playthrough(game, game.rules(), player, SeededDeals(5), 3)
