"""A game of two packs, in which every card comes twice: its positions, and every verb on it."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import independent
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim.cards import PACK, Pack, card_code
from labyrinth_sim.cli import main
from labyrinth_sim.core.game import Game
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import Deal, ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.frames import summary_frame
from labyrinth_sim.games import find_game
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.players import find_player, playthrough, probe_for
from labyrinth_sim.plots import cards_left, running_win_rate, win_rates
from labyrinth_sim.questions.load import load
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.winnability import winnability
from labyrinth_sim.testing import PAIRS
from labyrinth_sim.testing.pairs import PairsPosition

NAME = "labyrinth_sim.testing:PAIRS"
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


@pytest.mark.parametrize(("game", "pack"), [(PAIRS, PACK), (find_game(), TWO)])
def test_no_player_meets_deals_of_another_pack(game: Game, pack: Pack) -> None:
    deals = SeededDeals(1, pack)
    rules, player = game.rules(), find_player(game, None)
    for put in (
        lambda: probe_for(game, rules, player, deals),
        lambda: playthrough(game, rules, player, deals, 0),
    ):
        with pytest.raises(InvalidInput, match=r"deals of .* the game shuffles"):
            put()


# Every verb


def asked(capsys: pytest.CaptureFixture[str], verb: str, *words: str) -> list[dict[str, Any]]:
    """What a verb prints for programs."""
    assert main([verb, *words, "--game", NAME, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def taken(piles: Piles, moves: str) -> Piles:
    """The piles after a line of moves, each of which takes two cards that match."""
    left = [list(pile) for pile in piles]
    for move in moves.split("; "):
        pair = tuple(int(pile) - 1 for pile in move.split()[1:])
        assert pair in matching(left)
        for pile in pair:
            left[pile].pop()
    return left


def test_run_show_and_replay_agree(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rules", "many", "--player", "tall"]
    (ran,) = asked(capsys, "run", *words, "--deals", "30", "--seed", "3", "--jobs", "1")
    ids = [f"1/3/{index}" for index in range(30)]
    shown = asked(capsys, "show", *ids, *words)
    assert [game["deal"] for game in shown] == ids
    assert ran["wins"] == sum(game["won"] for game in shown)
    assert ran["cards_left_mean"] == pytest.approx(sum(game["cards_left"] for game in shown) / 30)
    for index, game in enumerate(shown[:5]):
        left = taken(laid_out(3, index, 35), game["moves"])
        assert sum(map(len, left)) == game["cards_left"]
        options = ["--rules", "many", "--moves", game["moves"]]
        (made,) = asked(capsys, "replay", game["deal"], *options)
        assert made["result"] == ("won" if game["won"] else "lost")
        assert made["cards_left"] == game["cards_left"]


def test_boards_show_every_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "1/1/0", "--game", NAME]) == 0
    rows = [line.split()[1:] for line in capsys.readouterr().out.splitlines()[3:]]
    assert rows == [independent.names(pile).split() for pile in laid_out(1, 0, 9)]


def test_compare_and_find_agree(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rules", "many", "--player", "first", "--player", "tall", "--deals", "40"]
    (compared,) = asked(capsys, "compare", *words, "--jobs", "1", "--show", "40")
    where = ["--where", "b.won and not a.won", "--limit", "40"]
    found = asked(capsys, "find", *where, *words, "--jobs", "1")
    ids = [one["deal"] for one in found]
    options = ["--rules", "many", "--player"]
    for player, won in (("first", False), ("tall", True)):
        shown = asked(capsys, "show", *ids, *options, player)
        assert {game["won"] for game in shown} == {won}
    assert ids == compared["deals_only_b"]
    assert len(ids) == compared["only_b"] > 0


def test_what_can_be_won_is_found_by_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    count = 16
    truth = [winnable(laid_out(1, index, 9)) for index in range(count)]
    ids = [f"1/1/{index}" for index in range(count)]
    solved = asked(capsys, "solve", *ids)
    for index, one in enumerate(solved):
        assert one["verdict"] == ("winnable" if truth[index] else "unwinnable")
        if truth[index]:
            assert not any(taken(laid_out(1, index, 9), one["moves"]))
    several = ["--deals", str(count), "--jobs", "1"]
    (share,) = asked(capsys, "winnability", *several)
    assert (share["winnable"], share["unknown"]) == (sum(truth), 0)
    assert share["nodes"] == sum(one["nodes"] for one in solved)
    (first,) = asked(capsys, "skill", "--player", "first", *several, "--show", str(count))
    assert (first["winnable"], first["unknown"]) == (sum(truth), 0)
    assert first["wins"] + len(first["lost"]) == sum(truth)
    hard = asked(capsys, "difficulty", *ids[11:13], "--repeats", "5", "--jobs", "1")
    assert [one["verdict"] for one in hard] == ["unwinnable", "winnable"]


def test_the_move_that_lost_a_deal_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = asked(capsys, "explain", "1/1/12", "--player", "first")
    assert told["verdict"] == "fatal"
    moves = told["moves"].split("; ")
    alive, lost = (
        taken(laid_out(1, 12, 9), "; ".join(moves[: told["fatal"] - back])) for back in (1, 0)
    )
    assert winnable(alive)
    assert not winnable(lost)
    assert not any(taken(alive, told["line"]))


def test_clauses_and_claims(capsys: pytest.CaptureFixture[str]) -> None:
    several = ["--deals", "24", "--jobs", "1", "--nodes", "500"]
    rules = ["--rules", "many", "--rules", "many,match=rank"]
    effects = asked(capsys, "clauses", *rules, "--player", "tall", *several)
    for spec, key in ((rules[1], "rate_before"), (rules[3], "rate_after")):
        words = ["--rules", spec, "--player", "tall", "--deals", "24", "--jobs", "1"]
        (ran,) = asked(capsys, "run", *words)
        (rate,) = (one[key] for one in effects if one["measure"] == "tall")
        assert rate == ran["win_rate"]
    words = ["--odds", "1/2", "--rules", "few", "--deals", "1024", "--nodes", "30"]
    (claimed,) = asked(capsys, "claim", *words, "--jobs", "1")
    assert {one["name"] for one in claimed["players"]} >= {"first", "tall"}
    assert {one["stands"] for one in claimed["players"]} == {"below"}


def test_a_tuned_player_wins_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--rules", "many,piles=26", "--jobs", "1"]
    deals = ["--deals", "100", "--fresh", "100"]
    (told,) = asked(capsys, "tune", "--family", "tall", *deals, *few)
    again = ["--player", told["player"], "--seed", "2", "--first", "100", "--deals", "100"]
    (ran,) = asked(capsys, "run", *again, *few)
    assert told["tried"] == 3
    assert told["fresh"]["wins"] == ran["wins"] > 0


@pytest.mark.parametrize("verb", ["run", "winnability"])
def test_results_are_kept_and_verified(
    verb: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "kept.parquet"
    deals = ["--deals", "16", "--jobs", "1", "--output", str(file)]
    asked(capsys, verb, *deals)
    ask = simulate if verb == "run" else winnability
    again = ask(deals=16, n_jobs=1, game=PAIRS, keep="outcomes")
    assert load(file, game=PAIRS) == again
    (verified,) = asked(capsys, "verify", str(file), "--sample", "4")
    assert verified["holds"]
    assert len(verified["not_reproved"]) == 0


def test_decks_of_two_packs_come_from_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, kept = tmp_path / "decks.txt", tmp_path / "kept.parquet"
    decks = [independent.names(independent.shuffled(3, index, packs=2)[0]) for index in range(20)]
    file.write_text("\n\n".join(decks))
    given, words = ["--decks", str(file)], ["--rules", "many", "--player", "tall"]
    (ran,) = asked(capsys, "run", *words, *given, "--jobs", "1", "--output", str(kept))
    (seeded,) = asked(capsys, "run", *words, "--seed", "3", "--deals", "20", "--jobs", "1")
    assert [ran[key] for key in ("deals", "wins", "cards_left_mean")] == [
        seeded[key] for key in ("deals", "wins", "cards_left_mean")
    ]
    shown = asked(capsys, "show", *words, *given)
    assert [game["deal"] for game in shown] == [str(number) for number in range(1, 40, 2)]
    assert ran["wins"] == sum(game["won"] for game in shown)
    (verified,) = asked(capsys, "verify", str(kept), *given, "--sample", "5")
    assert verified["holds"]
    few = tmp_path / "few.txt"
    few.write_text(decks[0])
    (solved,) = asked(capsys, "solve", "--decks", str(few))
    (told,) = asked(capsys, "explain", "--decks", str(few), "--player", "first")
    assert (solved["verdict"] == "winnable") == winnable(laid_out(3, 0, 9))
    assert (told["verdict"] == "unwinnable") == (solved["verdict"] == "unwinnable")


def test_decks_of_the_wrong_pack_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text(str(deal("1/1/0")))
    two.write_text(str(deal("1/1/0", TWO)))
    for verb in ("run", "show", "solve", "explain", "winnability"):
        assert main([verb, "--decks", str(one), "--game", NAME]) == 2
        assert "missing from the deck: 52 cards were read" in capsys.readouterr().err
        assert main([verb, "--decks", str(two)]) == 2
        assert "a deck has each card once" in capsys.readouterr().err


def test_results_are_drawn() -> None:
    results = [
        simulate("many", player, deals=20, n_jobs=1, game=PAIRS, keep="outcomes")
        for player in ("first", "tall")
    ]
    axes = cards_left(results)
    assert len(axes.lines) >= 2
    assert running_win_rate(results[0]).lines
    assert win_rates(summary_frame(results)).get_yticklabels()
    plt.close("all")
