"""What is drawn of deals and positions, as text and as SVG."""

import re
import sys
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from IPython.lib.pretty import pretty

from labyrinth_sim import (
    claim,
    clauses,
    compare,
    difficulty,
    explain,
    find,
    simulate,
    skill,
    solve,
    verify,
    winnability,
)
from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.cli import main
from labyrinth_sim.deals import SeededDeals, deal
from labyrinth_sim.drawing import (
    AVAILABLE,
    NEXT,
    OPEN,
    PLAIN,
    PLAYABLE,
    Extra,
    Picture,
    Pictured,
    card_symbol,
)
from labyrinth_sim.games import find_game, find_rules
from labyrinth_sim.games.free_edge import engine
from labyrinth_sim.players import find_player, playthrough
from labyrinth_sim.testing import TOY

GAME = find_game()
SVG = "{http://www.w3.org/2000/svg}"
SYMBOLS = {card_symbol(card): card for card in range(52)}
ESCAPE = re.compile(r"\033\[([\d;]*)m")


def played(rules: str = "wikipedia", player: str = "random", index: int = 42) -> list:
    """All positions of a game."""
    chosen = find_rules(GAME, rules)
    steps = playthrough(GAME, chosen, find_player(GAME, player), SeededDeals(7), index)
    return [
        GAME.start(deal(f"1/7/{index}").deck, chosen),
        *(position for _, position in steps),
    ]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def cards_of(svg: str) -> Counter[int]:
    return Counter(SYMBOLS[text] for text in texts(svg) if text in SYMBOLS)


def in_sight(view) -> list[int]:
    """Tops of foundations, tableau and hand."""
    tops = [13 * suit + height - 1 for suit, height in enumerate(view.foundations) if height]
    return [*tops, *view.cards(), *view.hand]


def test_deal_shows_its_cards_in_order() -> None:
    dealt = deal("1/7/42")
    assert cards_of(dealt._repr_svg_()) == Counter(range(52))
    assert "deal 1/7/42, in the order of dealing" in texts(dealt._repr_svg_())
    lines = dealt.board().splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["1", "14", "27", "40"]
    assert " ".join(" ".join(line.split()[1:]) for line in lines[1:]) == str(dealt)


@pytest.mark.parametrize(
    "rules", ["wikipedia,columns=5,resorts=3", "pysol,columns=12", "practical"]
)
def test_every_card_in_sight_is_drawn_once(rules: str) -> None:
    for position in played(rules):
        in_view = in_sight(position.view)
        assert cards_of(position._repr_svg_()) == Counter([*in_view, *position.stock])
        assert cards_of(position.view._repr_svg_()) == Counter(in_view)


def test_view_does_not_tell_the_order_of_the_stock() -> None:
    position = played()[0]
    for drawn in (position.view.board(), position.view._repr_svg_()):
        assert "stock 40" in drawn
        hidden = {CARD_NAMES[card] for card in position.stock}
        assert not hidden & set(re.findall(r"\b[A2-9TJQK][CDHS]\b", drawn))


def test_ipython_shows_the_board_as_text() -> None:
    position, maze = played()[0], find_game("maze")
    other = maze.start(deal("1/1/0").deck, maze.rules())
    for shown in (position, position.view, other):
        assert pretty(shown) == shown.board()


def test_ipython_shows_results_as_they_are_printed() -> None:
    rules = "practical,suits=2,ranks=6,columns=4"
    few: dict[str, Any] = {"deals": 20, "n_jobs": 1}
    for result in (
        simulate(rules, **few),
        winnability(rules, **few),
        compare(["greedy", "hasty"], rules, **few),
        find("a.won", ["greedy"], rules, n_jobs=1, limit=1),
        skill(["greedy"], rules, **few),
        clauses(rules, rules.replace("practical", "pysol"), player="greedy", **few),
        difficulty(rules, **few),
        claim(rules, "1/2", **few),
        solve("1/1/0", rules),
        explain("1/1/0", "greedy", rules),
        verify(simulate(rules, keep="outcomes", **few), sample=1),
    ):
        assert pretty(result) == str(result)
        assert not str(result).startswith(type(result).__name__ + "(")


def test_both_engines_look_the_same() -> None:
    chosen = find_rules(GAME, "wikipedia")
    one, other = (start(deal("1/7/42").deck, chosen) for start in (GAME.start, engine.start))
    assert isinstance(other, Pictured)
    assert other.picture() == one.picture()
    assert str(other) == str(one) == one.board()
    assert str(one).isascii()


def test_kinds_are_what_the_rules_say() -> None:
    seen = set()
    for position in played("wikipedia,resorts=3"):
        picture, view = position.picture(), position.view
        lines = [line for _, line in picture.grid()]
        lines += [line for extra in picture.extras for line in picture.beside(extra)]
        told = [pair for line in lines for pair in line]
        assert sorted(card for card, kind in told if kind == PLAYABLE) == sorted(view.playable())
        for card, kind in told:
            assert (kind == OPEN) == (card is None)
            if card is not None:
                assert (kind in (AVAILABLE, PLAYABLE)) == view.available(card)
                assert (kind in (NEXT, PLAYABLE)) == (card in view.fitting())
            seen.add(kind)
        assert {kind for _, kind in picture.top()} <= {PLAIN, OPEN}
    assert seen == {PLAIN, AVAILABLE, NEXT, PLAYABLE, OPEN}


def test_equal_cards_are_told_apart_by_where_they_lie() -> None:
    """Five fives of hearts, of which one in the grid and the one in hand may be taken."""
    picture = Picture(
        "two packs",
        rows=((30, 30), (30, None)),
        foundations=(30, None),
        extras=(Extra("in hand", (30,), available=True), Extra("stock 1", (30,))),
        available=frozenset({(0, 1)}),
        next=frozenset({30}),
    )
    five, held, raised = "\033[4;31m5H\033[0m", "\033[1;7;31m5H\033[0m", "\033[31m5H\033[0m"
    gap = "\033[2m--\033[0m"
    assert picture.text(color=True).splitlines() == [
        f"foundations  {raised} {gap}",
        "",
        "       1  2",
        f"  1   {five} {held}",
        f"  2   {five} {gap}",
        "",
        f"in hand: {held}",
        f"stock 1: {five}",
    ]
    assert Counter(text for text in texts(picture.svg()) if text == "5♥") == {"5♥": 6}
    root = ElementTree.fromstring(picture.svg())
    playable = [group for group in root.iter(f"{SVG}g") if group.get("fill") == "#fff0a0"]
    assert len(playable) == 1
    assert len(list(playable[0].iter(f"{SVG}rect"))) == 2 + 1  # and one in the legend


def test_kinds_are_told_apart_in_svg_without_colour() -> None:
    picture = Picture(
        "all",
        rows=((0, 1, 2), (3, None)),
        available=frozenset({(0, 0), (0, 1)}),
        next=frozenset({1, 2}),
    )
    root = ElementTree.fromstring(picture.svg())
    frames = {}
    for group in root.iter(f"{SVG}g"):
        for rect in group.iter(f"{SVG}rect"):
            width, dashes = group.get("stroke-width", "1"), group.get("stroke-dasharray", "")
            shaded = group.get("fill") not in ("#fff", "#fff0a0")
            frames[rect.get("x"), rect.get("y")] = width, dashes, shaded
    assert len(set(frames.values())) == 5
    assert {PLAYABLE, AVAILABLE, NEXT, OPEN} <= set(texts(picture.svg()))


def test_svg_is_small_and_keeps_to_itself() -> None:
    svg = played()[0]._repr_svg_()
    assert len(svg) < 8000
    assert not re.search(r"<style|\bid=|<script|href", svg)
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "Labyrinth, wikipedia, 48 cards left"
    width, height = int(root.get("width", 0)), int(root.get("height", 0))
    for rect in root.iter(f"{SVG}rect"):
        x, y = int(rect.get("x", 0)), int(rect.get("y", 0))
        assert x + int(rect.get("width", 0)) <= width
        assert y + int(rect.get("height", 0)) <= height


def test_names_are_escaped() -> None:
    picture = Picture("a < b & c", rows=((0,),), extras=(Extra("<hand>", (1,)),))
    assert {"a < b & c", "<hand>"} <= set(texts(picture.svg()))


def test_text_with_and_without_colour_is_the_same_text() -> None:
    for position in played("wikipedia,resorts=3"):
        picture = position.picture()
        for unicode in (False, True):
            colored = picture.text(unicode=unicode, color=True)
            assert ESCAPE.sub("", colored) == picture.text(unicode=unicode)
        assert picture.text() == position.board()
        assert (
            picture.text(unicode=True).translate(str.maketrans("♣♦♥♠·", "CDHS-")) == picture.text()
        )


def test_colour_says_suit_and_kind() -> None:
    picture = Picture(
        "",
        rows=((0, 1, 14, 27, None),),
        available=frozenset({(0, 1), (0, 2)}),
        next=frozenset({14, 27}),
    )
    row = picture.text(color=True).splitlines()[1]
    assert row == (
        "  1   AC \033[1m2C\033[0m \033[1;7;31m2D\033[0m \033[4;31m2H\033[0m \033[2m--\033[0m"
    )


def test_any_grid_can_be_drawn() -> None:
    cells = (*range(48), None, None, None, None, None, None)
    picture = Picture("six by nine", rows=tuple(cells[at : at + 9] for at in range(0, 54, 9)))
    assert len(picture.text().splitlines()) == 7
    assert cards_of(picture.svg()) == Counter(range(48))
    end = Picture("nothing left", rows=((),))
    assert end.text() == "\n  1"
    ElementTree.fromstring(end.svg())


def test_toy_game_is_drawn() -> None:
    position = TOY.start(deal("1/7/42").deck, TOY.rules())
    assert len(cards_of(position._repr_svg_())) == 4
    ((_, row),) = position.picture().grid()
    assert {card for card, kind in row if kind == AVAILABLE} == {
        position.card(move) for move in position.legal()
    }


class Terminal:
    """Standard output that says that it is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "no_color", "colored"),
    [
        ([], "", True),
        ([], "1", False),
        (["--color", "never"], "", False),
        (["--color", "always"], "1", True),
    ],
)
def test_colour_on_a_terminal(arguments, no_color, colored, monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["show", "1/7/42", *arguments]) == 0
    assert ("\033[" in terminal.written) == colored
    terminal.written = ""
    assert main(["replay", "1/7/42", "--moves", "P 2D", *arguments]) == 0
    assert ("\033[" in terminal.written) == colored


def test_no_colour_and_ascii_unless_asked_for(capsys) -> None:
    show = ["show", "1/7/42", "--player", "greedy"]
    assert main(show) == 0
    plain = capsys.readouterr().out
    assert plain.isascii()
    assert "\033" not in plain
    assert main([*show, "--unicode", "--color", "always"]) == 0
    lively = capsys.readouterr().out
    assert "♥" in lively
    assert ESCAPE.sub("", lively).translate(str.maketrans("♣♦♥♠·", "CDHS-")) == plain
    for position in played(player="greedy"):
        assert str(position) in plain


def test_wrong_looks_are_refused(capsys, monkeypatch) -> None:
    assert main(["show", "1/7/42", "--color", "sometimes"]) == 2
    assert "'sometimes'; there is: auto, always, never" in capsys.readouterr().err
    monkeypatch.setattr(Terminal, "encoding", "ascii")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert main(["show", "1/7/42", "--unicode"]) == 2
    assert "PYTHONIOENCODING=utf-8" in capsys.readouterr().err
