"""A game of two packs, in which every card comes twice: its positions, and every verb on it."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import independent
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim.cards import Pack, card_code
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import Deal, ListedDeals, deal
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.games.replay import replay
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.testing import PAIRS
from labyrinth_sim.testing.pairs import PairsPosition

TWO = Pack(packs=2)
Piles = list[list[int]]


def laid_out(seed: int, index: int, piles: int) -> Piles:
    """The piles of a deal, without the package: the first card to the first pile, and so on."""
    deck, _ = independent.shuffled(seed, index, packs=2)
    return [deck[pile::piles] for pile in range(piles)]


def matching(piles: Piles, color: bool = False) -> list[tuple[int, int]]:
    """The piles, from 0, whose top cards are of one rank (and colour)."""

    def kind(pile: int) -> tuple[int, bool]:
        suit, rank = divmod(piles[pile][-1], 13)
        return rank, color and suit in (1, 2)

    there = [pile for pile in range(len(piles)) if piles[pile]]
    return [(one, other) for one, other in combinations(there, 2) if kind(one) == kind(other)]


def winnable(piles: Piles) -> bool:
    """Brute force over the heights of the piles."""

    @cache
    def from_here(heights: tuple[int, ...]) -> bool:
        now = [pile[:height] for pile, height in zip(piles, heights, strict=True)]
        return not any(heights) or any(
            from_here(tuple(height - (at in pair) for at, height in enumerate(heights)))
            for pair in matching(now)
        )

    return from_here(tuple(map(len, piles)))


def read_key(key: bytes) -> Piles:
    """The piles that a key is of."""
    rest, piles = list(key), []
    while rest:
        count = rest[0]
        piles.append(rest[1 : 1 + count])
        rest = rest[1 + count :]
    return piles


def start(piles: int, match: str = "rank", index: int = 0) -> PairsPosition:
    position = PAIRS.start(Deal(1, index, TWO).deck, PAIRS.rules(piles=piles, match=match))
    assert isinstance(position, PairsPosition)
    return position


@pytest.mark.parametrize("color", [False, True])
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(2, 60), st.randoms())
def test_positions_are_what_two_packs_give(
    color: bool, seed: int, index: int, piles: int, chooser: random.Random
) -> None:
    rules = PAIRS.rules(piles=piles, match="color" if color else "rank")
    position = PAIRS.start(Deal(seed, index, TWO).deck, rules)
    now = laid_out(seed, index, piles)
    while True:
        assert read_key(position.key()) == now
        legal = sorted(f"T {one + 1} {other + 1}" for one, other in matching(now, color))
        assert position.legal() == legal
        assert position.status == ("open" if legal else "lost" if any(now) else "won")
        assert position.facts() == {"cards_left": sum(map(len, now))}
        if not legal:
            break
        move = chooser.choice(legal)
        position = position.after(move)
        for pile in map(int, move.split()[1:]):
            now[pile - 1].pop()


def test_a_move_says_which_of_two_equal_cards_is_meant() -> None:
    five, queen = card_code("5H"), card_code("QS")
    piles = ((queen, five), (five,), (card_code("5D"),), (queen,))
    position = PairsPosition(PAIRS.rules(piles=4), piles)
    assert position.legal() == ["T 1 2", "T 1 3", "T 2 3"]
    after = {move: position.after(move) for move in position.legal()}
    assert after["T 1 3"].piles == ((queen,), (five,), (), (queen,))
    assert after["T 2 3"].piles == ((queen, five), (), (), (queen,))
    assert len({found.key() for found in after.values()}) == 3
    assert after["T 2 3"].legal() == []
    assert after["T 1 3"].after("T 1 4").piles == ((), (five,), (), ())
    swapped = PairsPosition(position.rules, (*piles[:2], piles[3], piles[2]))
    assert swapped.key() != position.key()


def test_equal_cards_are_drawn_as_what_they_are() -> None:
    five, queen = card_code("5H"), card_code("QS")
    position = PairsPosition(PAIRS.rules(piles=3), ((queen, five), (five, queen), (queen, queen)))
    picture = position.picture()
    assert position.legal() == ["T 2 3"]
    assert picture.text(color=True).splitlines()[1:] == [
        "  1   QS \033[31m5H\033[0m",
        "  2   \033[31m5H\033[0m \033[1mQS\033[0m",
        "  3   QS \033[1mQS\033[0m",
    ]


@pytest.mark.parametrize("text", ["", "T", "T 1", "T 1 2 3", "P 1 2", "T 1 x", "T 1 ²", "T -1 2"])
def test_what_is_no_move_is_refused(text: str) -> None:
    assert PAIRS.reference.read_move(" t  12 3 ") == "T 3 12"
    with pytest.raises(InvalidInput, match="write T PILE PILE"):
        PAIRS.reference.read_move(text)


def test_illegal_moves_are_refused() -> None:
    position = start(9)
    for move in ("T 0 1", "T 1 1", "T 8 100", "nothing"):
        with pytest.raises(IllegalMove, match=f"^{move} is illegal"):
            position.after(move)


def test_the_solver_finds_what_brute_force_finds() -> None:
    verdicts = []
    for index in range(16):
        solution = PlainSolver(PAIRS).solve(start(9, index=index), Limits())
        assert solution.verdict == ("winnable" if winnable(laid_out(1, index, 9)) else "unwinnable")
        verdicts.append(solution.verdict)
        if solution.moves is not None:
            made = replay(start(9, index=index), solution.moves)
            assert made.result == "won"
    assert len(set(verdicts)) == 2


@pytest.mark.parametrize(
    ("rules", "piles", "color", "ends"), [("few", 9, False, "full"), ("many", 35, True, "won")]
)
def test_a_batch_ends_as_single_games_do(rules: str, piles: int, color: bool, ends: str) -> None:
    result = simulate(rules, "first", deals=100, seed=3, n_jobs=1, game=PAIRS, keep="outcomes")
    lefts = []
    for index in range(100):
        now = laid_out(3, index, piles)
        while pairs := matching(now, color):
            for pile in min(pairs, key=lambda pair: f"T {pair[0] + 1} {pair[1] + 1}"):
                now[pile].pop()
        lefts.append(sum(map(len, now)))
    assert result.outcomes is not None
    assert result.outcomes["cards_left"].tolist() == lefts
    assert result.wins == lefts.count(0)
    assert {"won": result.wins > 0, "full": max(lefts) > 52}[ends]


def test_given_decks_are_of_the_games_pack() -> None:
    decks = np.stack([Deal(3, index, TWO).deck for index in range(50)])
    listed = simulate("many", "tall", decks=ListedDeals(decks, pack=TWO), n_jobs=1, game=PAIRS)
    seeded = simulate("many", "tall", deals=50, seed=3, n_jobs=1, game=PAIRS)
    assert listed.wins == seeded.wins > 0
    one = ListedDeals(deal("1/1/0").deck[np.newaxis])
    with pytest.raises(InvalidInput, match=r"deals of one pack .* shuffles two packs"):
        simulate("many", "tall", decks=one, game=PAIRS)
    with pytest.raises(InvalidInput, match=r"deals of two packs .* shuffles one pack"):
        simulate("wikipedia", "greedy", decks=ListedDeals(decks, pack=TWO))
