"""The toy game runs through every verb: the machinery knows games in general."""

import json
from itertools import permutations

import numpy as np
import pytest

from labyrinth_sim.cards import CARD_NAMES, deck_text
from labyrinth_sim.cli import main
from labyrinth_sim.deals import ListedDeals, deal
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.winnability import winnability
from labyrinth_sim.testing import TOY

GAME = ["--game", "labyrinth_sim.testing:TOY"]


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def winnable(row: tuple[int, ...], last: int = -1) -> bool:
    """Brute force, without the game's own code."""
    if not row:
        return True
    left = row[0] > last and winnable(row[1:], row[0])
    return left or (row[-1] > last and winnable(row[:-1], row[-1]))


@pytest.mark.parametrize("player", ["left", "lower", "random"])
def test_run_agrees_with_show_deal_by_deal(player: str, capsys) -> None:
    assert main(["run", *GAME, "--player", player, "--deals", "60", "--seed", "3", "--json"]) == 0
    (ran,) = lines(capsys)
    ids = [f"1/3/{index}" for index in range(60)]
    assert main(["show", *ids, *GAME, "--player", player, "--json"]) == 0
    shown = lines(capsys)
    assert ran["game"] == "ends"
    assert ran["wins"] == sum(game["won"] for game in shown)
    assert ran["cards_left_mean"] == pytest.approx(sum(game["cards_left"] for game in shown) / 60)


def test_taking_the_lower_end_is_perfect_play(capsys) -> None:
    result = simulate("long", "lower", deals=300, n_jobs=1, game=TOY, keep="outcomes")
    expected = [winnable(tuple(deal(f"1/1/{index}").deck[:7].tolist())) for index in range(300)]
    assert result.outcomes["won"].tolist() == expected


def test_over_all_orders_the_known_share_is_winnable() -> None:
    """Of the 24 orders of four cards, 2**3 can be taken from the ends in rising order."""
    decks = np.array([[*order, *range(4, 52)] for order in permutations(range(4))], np.uint8)
    found = winnability("short", decks=ListedDeals(decks), game=TOY, n_jobs=1)
    assert (found.winnable, found.unwinnable, found.deals) == (8, 16, 24)


def test_replay_makes_what_show_printed(capsys) -> None:
    main(["show", "1/1/8", *GAME, "--json"])
    (shown,) = lines(capsys)
    status = main(["replay", "1/1/8", *GAME, "--moves", shown["moves"], "--json"])
    (made,) = lines(capsys)
    assert status == 0
    assert made["result"] == ("won" if shown["won"] else "lost")
    assert made["cards_left"] == shown["cards_left"]
    assert "stock_left" not in made


def test_replay_names_the_illegal_move(capsys) -> None:
    row = sorted(deal("1/1/8").deck[:4].tolist())
    rest = [code for code in range(52) if code not in row]
    falling = " ".join(CARD_NAMES[code] for code in [*reversed(row), *rest])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", iter([falling]))
        status = main(["replay", "--decks", "-", *GAME, "--moves", "l; L", "--json"])
    (made,) = lines(capsys)
    assert status == 1
    assert (made["result"], made["at"]) == ("illegal", 2)
    assert "higher than the last" in made["why"]


def test_rules_players_bench_and_boards(capsys) -> None:
    assert main(["rules", *GAME]) == 0
    assert "short" in capsys.readouterr().out
    assert main(["rules", "long,cards=5", *GAME, "--json"]) == 0
    assert lines(capsys)[0]["rules"] == {"cards": 5}
    assert main(["players", *GAME, "--json"]) == 0
    assert [player["player"] for player in lines(capsys)] == ["left", "lower", "random"]
    assert main(["bench", *GAME, "--deals", "50", "--json"]) == 0
    assert [row["deals"] for row in lines(capsys)] == [50, 50]
    assert main(["show", "1/1/0", *GAME]) == 0
    cards = deck_text(deal("1/1/0").deck).split()[:4]
    assert " ".join(cards) in capsys.readouterr().out


def test_wrong_rules_and_players_of_another_game(capsys) -> None:
    assert main(["run", *GAME, "--rules", "wikipedia"]) == 2
    assert "short, long" in capsys.readouterr().err
    assert main(["run", *GAME, "--player", "greedy"]) == 2
    assert "left, lower, random" in capsys.readouterr().err
    assert main(["run", "--game", "labyrinth_sim.testing:NOTHING"]) == 2
    assert "NOTHING" in capsys.readouterr().err
