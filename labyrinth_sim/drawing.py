"""How things look: a game says what its board is made of, and this module draws it.

A `Picture` lists the parts of a board, and is drawn as text or as SVG. Whatever inherits from
`Pictured` and says what its picture is shows it in notebooks; whatever inherits from `Shown` is
shown there as it is printed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import starmap
from typing import Any

from labyrinth_sim.cards import CARD_NAMES, RANKS

Cells = tuple[int | None, ...]
"""Cards in a line, left to right: a card code, or None where a cell is open."""

Line = list[tuple[int | None, str]]
"""The same with the kind of each cell: `PLAIN`, `AVAILABLE`, `NEXT`, `PLAYABLE` or `OPEN`."""

SUIT_SYMBOLS = "♣♦♥♠"
"""In the order C D H S."""

OPEN_CELL, OPEN_SYMBOL = "--", "··"
WRAP = 13
"""Cards beside the grid are drawn this many a line."""

PLAIN, AVAILABLE, NEXT, PLAYABLE, OPEN = "plain", "available", "next", "playable", "open"
"""What is told apart: nothing is said of a plain card; a playable one is available and next."""

_ANSI = {PLAIN: [], AVAILABLE: ["1"], NEXT: ["4"], PLAYABLE: ["1", "7"], OPEN: ["2"]}
_RED = "31"


def card_symbol(card: int) -> str:
    """Name a card with the symbol of its suit.

    Examples
    --------
    >>> card_symbol(35)
    'T♥'
    """
    return RANKS[card % 13] + SUIT_SYMBOLS[card // 13]


def is_red(card: int) -> bool:
    """Whether the suit is printed in red."""
    return card // 13 in (1, 2)


@dataclass(frozen=True)
class Extra:
    """Cards beside the grid, behind a label: a hand, a stock; without cards the label alone.

    All of them may be taken, as those in a hand may, or none.
    """

    label: str
    cards: tuple[int, ...] = ()
    available: bool = False

    def lines(self) -> list[Cells]:
        return [self.cards[at : at + WRAP] for at in range(0, len(self.cards), WRAP)] or [()]


@dataclass(frozen=True)
class Picture:
    """What a board is made of.

    Parameters
    ----------
    title : str
        What it shows, in a line; the text leaves it out.
    rows : tuple of tuple of (int or None)
        The grid, the top row first: card codes, None where a cell is open.
    foundations : tuple of (int or None)
        The top card of each foundation.
    extras : tuple of Extra
    available : frozenset of (int, int), optional
        Row and column, from 0, of the cards of the grid that may be taken; None where there is
        no such thing to say. By cell, as with two packs an equal card may lie elsewhere.
    next : frozenset of int
        Cards that the foundations take next, wherever else they are.
    row_names : tuple of str
        What the rows are called, by default their numbers from 1.

    Examples
    --------
    >>> picture = Picture("a few cards", rows=((35, None), (0, 50)), extras=(Extra("stock 9"),))
    >>> print(picture.text(unicode=True))
           1  2
      1   T♥ ··
      2   A♣ Q♠
    <BLANKLINE>
    stock 9
    """

    title: str
    rows: tuple[Cells, ...]
    foundations: Cells = ()
    extras: tuple[Extra, ...] = ()
    available: frozenset[tuple[int, int]] | None = None
    next: frozenset[int] = frozenset()
    row_names: tuple[str, ...] = ()

    @property
    def columns(self) -> int:
        return max(map(len, self.rows), default=0)

    def top(self) -> Line:
        """The foundations, of which there is nothing to tell but what is open."""
        return [(card, OPEN if card is None else PLAIN) for card in self.foundations]

    def grid(self) -> Iterator[tuple[str, Line]]:
        """The rows of the grid, each with what it is called."""
        names = self.row_names or [str(number) for number in range(1, len(self.rows) + 1)]
        available = self.available or frozenset()
        for row, (name, cells) in enumerate(zip(names, self.rows, strict=True)):
            yield (
                name,
                [self._told(card, (row, column) in available) for column, card in enumerate(cells)],
            )

    def beside(self, extra: Extra) -> list[Line]:
        """The lines of an extra; one that has no cards is a line of none."""
        return [[self._told(card, extra.available) for card in cells] for cells in extra.lines()]

    def _told(self, card: int | None, available: bool) -> tuple[int | None, str]:
        if card is None:
            return card, OPEN
        if card in self.next:
            return card, PLAYABLE if available else NEXT
        return card, AVAILABLE if available else PLAIN

    def text(self, *, unicode: bool = False, color: bool = False) -> str:
        """Draw it with letters.

        Parameters
        ----------
        unicode : bool
            Suits as symbols; by default the text is ASCII.
        color : bool
            With ANSI codes: red suits red, available cards bold, playable ones reversed too, and
            next ones that are not available underlined.

        Returns
        -------
        str
            Lines without an end of line after the last.
        """

        def cell(card: int | None, kind: str) -> str:
            codes = _ANSI[kind]
            if card is None:
                name = OPEN_SYMBOL if unicode else OPEN_CELL
            else:
                name = card_symbol(card) if unicode else CARD_NAMES[card]
                codes = [*codes, _RED] if is_red(card) else codes
            return f"\033[{';'.join(codes)}m{name}\033[0m" if color and codes else name

        def line(label: str, cells: Line) -> str:
            return f"{label} {' '.join(starmap(cell, cells))}".rstrip()

        lines = [line("foundations ", self.top()), ""] if self.foundations else []
        lines.append(("     " + "".join(f"{at:3}" for at in range(1, self.columns + 1))).rstrip())
        lines += [line(f"{name:>3}  ", cells) for name, cells in self.grid()]
        lines += [""] if self.extras else []
        for extra in self.extras:
            first, *more = self.beside(extra)
            lines.append(line(f"{extra.label}:", first) if first else extra.label)
            lines += [line(" " * (len(extra.label) + 1), cells) for cells in more]
        return "\n".join(lines)

    def svg(self) -> str:
        """Draw it as a picture on a light ground of its own, for notebooks dark and light.

        Every card in sight is drawn once. Kinds of cells differ in frame and shade, suits in
        symbol, so that nothing hangs on colour.

        Returns
        -------
        str
            An ``<svg>`` element without ids or style sheets, which would leak into the page.
        """
        return _Svg(self).drawn()


class Shown:
    """Something that IPython shows, and keeps as plain text, as it is printed."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # IPython takes the repr of a dataclass before what the class inherits.
        type.__setattr__(cls, "_repr_pretty_", Shown._repr_pretty_)

    def _shown(self) -> str:
        return str(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self._shown())


class Pictured(Shown, ABC):
    """Something that can be looked at: it says what its picture is."""

    @abstractmethod
    def picture(self) -> Picture:
        """What is to be drawn."""

    def board(self) -> str:
        """It as text to look at, in ASCII."""
        return self.picture().text()

    def _shown(self) -> str:
        return self.board()

    def _repr_svg_(self) -> str:
        return self.picture().svg()


# Sizes in pixels.
_WIDTH, _HEIGHT, _GAP, _MARGIN, _LETTER, _LEGEND = 34, 26, 4, 10, 7, 116

_FRAMES = {
    PLAIN: 'fill="#e2e2dc" stroke="#b4b4ac"',
    AVAILABLE: 'fill="#fff" stroke="#444"',
    NEXT: 'fill="#e2e2dc" stroke="#0060a0" stroke-width="2.5" stroke-dasharray="5 3"',
    PLAYABLE: 'fill="#fff0a0" stroke="#0060a0" stroke-width="2.5"',
    OPEN: 'fill="none" stroke="#777" stroke-dasharray="1 3"',
}
_WORDS, _NUMBERS = 'fill="#222"', 'fill="#222" text-anchor="middle"'
_BLACK_CARD, _RED_CARD = (
    f'fill="{colour}" text-anchor="middle" font-size="16"' for colour in ("#222", "#b00020")
)
_FONT = "DejaVu Sans,Segoe UI,Segoe UI Symbol,Helvetica,Arial,sans-serif"


class _Svg:
    """A picture on its way to SVG: what was drawn so far, and how far right and down it reaches.

    What looks alike stands in one group, which keeps the text short.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.groups: dict[str, list[str]] = {style: [] for style in _FRAMES.values()}
        self.kinds: set[str] = set()
        labels = [*picture.row_names, *(extra.label for extra in picture.extras), "00"]
        if picture.foundations:
            labels.append("foundations")
        self.left = _MARGIN + _LETTER * max(map(len, labels)) + _MARGIN
        self.bottom = _MARGIN
        self.right = 0

    def drawn(self) -> str:
        picture = self.picture
        self.words(_MARGIN, 14, picture.title)
        self.bottom += 26
        if picture.foundations:
            self.line("foundations", picture.top())
            self.bottom += _GAP
        for column in range(picture.columns):
            self.words(self.edge(column) + _WIDTH // 2, 12, str(column + 1), _NUMBERS)
        self.bottom += 18
        for name, cells in picture.grid():
            self.line(name, cells)
        for extra in picture.extras:
            self.bottom += _GAP
            for number, cells in enumerate(picture.beside(extra)):
                self.line("" if number else extra.label, cells)
        self.legend()
        width, height = self.right + _MARGIN, self.bottom + _MARGIN
        groups = "".join(
            f"<g {style}>{''.join(parts)}</g>" for style, parts in self.groups.items() if parts
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" font-size="13">'
            f"<title>{escape(picture.title)}</title><desc>{escape(picture.text())}</desc>"
            f'<rect width="{width}" height="{height}" rx="6" fill="#f4f4ef"/>{groups}</svg>'
        )

    def edge(self, column: int) -> int:
        """Where a column begins, from the left."""
        return self.left + column * (_WIDTH + _GAP)

    def line(self, label: str, cells: Line) -> None:
        self.words(_MARGIN, 18, label)
        for column, (card, kind) in enumerate(cells):
            x = self.edge(column)
            self.frame(x, kind)
            self.kinds.add(kind)
            if card is not None:
                style = _RED_CARD if is_red(card) else _BLACK_CARD
                self.words(x + _WIDTH // 2, 19, card_symbol(card), style)
        self.bottom += _HEIGHT + _GAP

    def frame(self, x: int, kind: str) -> None:
        # Where nothing is said of being available, no card should look as if it were not.
        plain = kind == PLAIN and self.picture.available is None
        self.groups[_FRAMES[AVAILABLE if plain else kind]].append(
            f'<rect x="{x}" y="{self.bottom}" width="{_WIDTH}" height="{_HEIGHT}" rx="4"/>'
        )
        self.right = max(self.right, x + _WIDTH)

    def words(self, x: int, down: int, words: str, style: str = _WORDS) -> None:
        if words:
            self.groups.setdefault(style, []).append(
                f'<text x="{x}" y="{self.bottom + down}">{escape(words)}</text>'
            )
        if style == _WORDS:
            self.right = max(self.right, x + _LETTER * len(words))

    def legend(self) -> None:
        """Say what the frames mean that were drawn."""
        kinds = [kind for kind in (PLAYABLE, AVAILABLE, NEXT, OPEN) if kind in self.kinds]
        for number, kind in enumerate(kinds):
            x = _MARGIN + number * _LEGEND
            self.frame(x, kind)
            self.words(x + _WIDTH + _MARGIN, 18, kind)
        self.bottom += _HEIGHT if kinds else -_GAP


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines: columns of text to the left, columns with numbers to the right.

    Examples
    --------
    >>> print("\\n".join(aligned([["player", "wins"], ["greedy", "1,204"], ["never", "98"]])))
    player   wins
    greedy  1,204
    never      98
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = {
        column for column in range(len(widths)) if not any(_is_number(row[column]) for row in rows)
    }
    return [
        "  ".join(
            cell.ljust(width) if column in texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def html(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as an HTML table; the first row is its head."""
    head, *body = (
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
        for row, tag in zip(rows, ["th", *["td"] * (len(rows) - 1)], strict=True)
    )
    lines = "".join(f"<tr>{line}</tr>" for line in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def paragraph(text: str) -> str:
    """Text as a paragraph of HTML; of several lines, such as a board, each stays as it is.

    Examples
    --------
    >>> paragraph("A & B")
    '<p>A &amp; B</p>'
    """
    tag = "pre" if "\n" in text.strip("\n") else "p"
    return f"<{tag}>{escape(text)}</{tag}>"


def _is_number(cell: str) -> bool:
    return cell[:1] in "+-0123456789" and cell != "" and cell[-1] in "%0123456789"
