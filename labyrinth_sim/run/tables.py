"""Rows of cells as text and as HTML: what questions show of their results."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


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
        place for place in range(len(widths)) if not any(_is_number(row[place]) for row in rows)
    }
    return [
        "  ".join(
            cell.ljust(width) if place in texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
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
    """Text as a paragraph of HTML."""
    return f"<p>{escape(text)}</p>"


def _is_number(cell: str) -> bool:
    return cell[:1] in "+-0123456789" and cell != "" and cell[-1] in "%0123456789"
