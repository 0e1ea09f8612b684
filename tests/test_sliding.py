"""Maze and Gaps: the reference engine, a third opinion, and what kernels say of a position."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from layouts import EVERY, GAPS, MAZES, lay, legal, name_of, names, nearly_won, start, walk, won

from labyrinth_sim.cards import CARD_NAMES, card_code
from labyrinth_sim.compiled import kernel
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.deals import Deal, deal
from labyrinth_sim.drawing import card_symbol
from labyrinth_sim.errors import IllegalMove, InvalidInput
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.games.sliding.gaps.kernels import flags_of as flags_of_gaps
from labyrinth_sim.games.sliding.gaps.rules import GapsRules
from labyrinth_sim.games.sliding.kernels import cards_left, is_won, lay_out, takes
from labyrinth_sim.games.sliding.maze.kernels import flags_of as flags_of_maze
from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.sliding.position import GAP, SlidingPosition, read_move

MAZE, MONTANA = find_game("maze"), find_game("gaps")


# Known answers.


def test_known_moves_of_maze(known: Any) -> None:
    for case in known("maze_legal.jsonl"):
        position = MAZE.start(deal(case["deal"]).deck, find_rules(MAZE, case["rules"]))
        made = replay(position, map(read_move, filter(None, case["moves"].split("; "))))
        assert names(made.position) == case["cells"]
        assert made.position.legal() == case["legal"]
        assert made.result == ("won" if case["won"] else "open" if case["legal"] else "lost")


def test_known_wins_of_maze(known: Any) -> None:
    for case in known("maze_won.jsonl"):
        for preset, expected in case["won"].items():
            position = lay(find_rules(MAZE, preset), " ".join(case["cells"]))
            assert position.won == expected
            if expected:
                assert (position.status, position.legal()) == ("won", [])


C, D, H, S = ([rank + suit for rank in "23456789TJQK"] for suit in "CDHS")


@pytest.mark.parametrize(
    ("rows", "own", "any_"),
    [
        ([C, D, H, S], True, True),
        ([D, C, H, S], False, True),
        ([S, H, D, C], False, True),
        ([C, D, H, [*S[:-2], "--", "KS", "QS"]], False, False),
        ([C, D, H, [*S[:-1], "--", "KS"]], False, False),
        ([C, D, [*H[:5], *S[5:]], [*S[:5], *H[5:]]], False, False),
        ([["--", *C], D, H, S], False, False),
    ],
)
def test_wins_of_gaps(rows: list[list[str]], own: bool, any_: bool) -> None:
    text = " ".join(" ".join([*row, "--"][:13]) for row in rows)
    for rules in GAPS:
        assert lay(rules, text).won == (own if rules.win == "own_suit" else any_)


def test_runs_in_foreign_rows_count_only_where_any_suit_wins() -> None:
    text = " ".join(" ".join([*row, "--"]) for row in [D, C, H, S])
    assert [lay(rules, text).cards_left for rules in GAPS] == [24, 0, 24, 0]
    assert [lay(rules, text).status for rules in GAPS] == ["lost", "won", "lost", "won"]


# Every combination of rules.


@kernel
def _look(cells: Any, flags: Any, taken: Any) -> Any:
    for gap in range(len(cells)):
        taken[gap] = takes(cells, gap, flags) if cells[gap] == GAP else 0
    return cards_left(cells, flags), is_won(cells, flags)


@kernel
def _lay_out(deck: Any, flags: Any, cells: Any) -> None:
    lay_out(deck, flags, cells)


def flags_of(rules: Any) -> Any:
    return flags_of_maze(rules) if isinstance(rules, MazeRules) else flags_of_gaps(rules)


def assert_kernels_agree(position: SlidingPosition) -> None:
    cells = np.frombuffer(position.key(), np.uint8)
    taken = np.zeros(len(cells), np.uint64)
    left, is_won_there = _look(cells, flags_of(position.rules), taken)
    assert (left, is_won_there) == (position.cards_left, position.won)
    for gap in range(len(cells)):
        cards = {card for card in range(52) if int(taken[gap]) >> card & 1}
        assert cards == (set(position.takes(gap)) if position.cells[gap] is None else set())


@pytest.mark.parametrize("rules", EVERY, ids=name_of)
def test_random_play(rules: Any) -> None:
    chooser = random.Random(rules.spec)
    for index in range(2):
        first = start(rules, index)
        cells = np.zeros(len(first.cells), np.uint8)
        _lay_out(Deal(5, index).deck, flags_of(rules), cells)
        assert cells.tobytes() == first.key()
        for number, position in enumerate(walk(first, chooser, most=60)):
            assert_kernels_agree(position)
            if number % 8 == 0:
                assert position.legal() == legal(position)
                assert position.won == won(position)


@pytest.mark.parametrize("rules", EVERY, ids=name_of)
def test_layouts_that_are_nearly_won(rules: Any) -> None:
    chooser = random.Random(rules.spec)
    count = Counter()
    for _ in range(60):
        position = nearly_won(rules, chooser)
        assert position.won == won(position)
        assert_kernels_agree(position)
        assert position.cards_left or position.won or rules.win == "corners"
        count[position.won] += 1
    assert min(count[True], count[False]) >= 3


@pytest.mark.parametrize("rules", EVERY[::3], ids=name_of)
def test_moves_that_are_not_legal_are_refused_with_a_reason(rules: Any) -> None:
    position = start(rules, 3)
    allowed = {*position.legal()}
    cells = len(position.cells)
    for card in range(52):
        for cell in range(1, cells + 1):
            move = f"M {CARD_NAMES[card]} {cell}"
            if move in allowed:
                assert position.after(move).cells[cell - 1] == card
                continue
            with pytest.raises(IllegalMove) as refusal:
                position.after(move)
            why = str(refusal.value)
            assert why.startswith(f"{move} is illegal: ")
            lying = position.cells[cell - 1]
            if card not in position.cells:
                assert f"{CARD_NAMES[card]} is not in this game" in why
            elif lying is not None:
                assert f"cell {cell} is no gap; {CARD_NAMES[lying]} lies there" in why
            else:
                taken = sorted(
                    card_code(other[2:4]) for other in allowed if other.endswith(f" {cell}")
                )
                said = ", ".join(CARD_NAMES[other] for other in taken) or "nothing"
                assert f"the gap in cell {cell} takes {said}" in why
    for cell in (0, cells + 1):
        with pytest.raises(IllegalMove, match=f"no cell {cell}; cells run from 1 to {cells}"):
            position.after(f"M 2H {cell}")


def test_nothing_is_legal_once_the_game_is_won() -> None:
    finished = lay(GapsRules(), " ".join(" ".join([*row, "--"]) for row in [C, D, H, S]))
    with pytest.raises(IllegalMove, match="the game is won"):
        finished.after("M 2C 13")
    made = replay(finished, ["M 2C 13"])
    assert (made.result, made.at, made.position) == ("illegal", 1, finished)


# Moves as text.


@pytest.mark.parametrize(
    ("text", "move"),
    [("m 5h 17", "M 5H 17"), (" M  10s   007 ", "M TS 7"), ("M ts 54", "M TS 54")],
)
def test_moves_are_read(text: str, move: str) -> None:
    assert read_move(text) == move


@pytest.mark.parametrize(
    "text", ["", "M", "M 5H", "M 5H x", "M 5H -1", "M 5H 1 2", "P 5H", "5H 17", "M 5H " + "9" * 200]
)
def test_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is no move; write M CARD CELL"):
        read_move(text)


def test_a_card_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match="1H"):
        read_move("M 1H 5")


def test_moves_are_in_the_order_of_their_text() -> None:
    for rules in (MAZES[0], MAZES[7], GAPS[2]):
        for position in walk(start(rules, 1), random.Random(3), most=30):
            assert position.legal() == sorted({*position.legal()})
            assert all(read_move(move) == move for move in position.legal())


# Positions that come again.


def test_a_position_that_comes_again_is_known_as_visited() -> None:
    rows = [C, ["--", *D[1:]], H, ["2D", "KS", *S[:-1]]]
    first = lay(GapsRules("free"), " ".join(" ".join([*row, "--"][:13]) for row in rows))
    there = first.after("M 2D 14")
    back = there.after("M 2D 40")
    assert [position.visited() for position in (first, there, back)] == [False, False, True]
    assert (back, hash(back), back.key()) == (first, hash(first), first.key())
    assert back.legal() == first.legal()
    assert there != first


# Boards.


@pytest.mark.parametrize(("rules", "width"), [(MazeRules(), 9), (GapsRules("free"), 13)])
def test_boards(rules: Any, width: int) -> None:
    for position in walk(start(rules, 2), random.Random(1), most=5):
        lines = position.board().splitlines()
        assert lines[0].split() == [str(number) for number in range(1, width + 1)]
        shown = [line.split() for line in lines[1:]]
        assert [row[0] for row in shown] == [
            str(cell) for cell in range(1, len(position.cells) + 1, width)
        ]
        assert [card for row in shown for card in row[1:]] == names(position)
        picture = position.picture()
        taken = {picture.rows[row][column] for row, column in picture.available or ()}
        assert taken == {card_code(move[2:4]) for move in position.legal()}
        svg = ElementTree.fromstring(position._repr_svg_())
        texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
        cards = [card for card in position.cells if card is not None]
        assert len(cards) == 48
        for card in cards:
            assert texts.count(card_symbol(card)) == 1
        assert svg[0].text == f"{rules.title}, {rules.spec}, {position.cards_left} cards left"


def test_outcomes() -> None:
    position = lay(GapsRules(), " ".join(" ".join([*row, "--"]) for row in [C, D, H, S]))
    assert position.outcome(["M KS 51"]) == {"won": 1, "cards_left": 0, "moves": 1, "stopped": 0}
    opened = start(MazeRules(), 0)
    assert opened.outcome([])["stopped"] == 1
    assert {column.name for column in MAZE.columns} == {*opened.outcome([])}
    assert json.loads(json.dumps(opened.facts())) == {
        "cards_left": opened.cards_left,
        "stock_left": 0,
    }
