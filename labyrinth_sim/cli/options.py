"""Options that several verbs share, and what they stand for."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from labyrinth_sim.cards import read_decks
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.files import ENDINGS


def whole(text: str | int) -> int:
    """Read a whole number that was given as an option."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number; write it in digits") from None


GameName = Annotated[
    str, typer.Option("--game", help="labyrinth, maze, gaps, or MODULE:NAME of another.")
]
Rules = Annotated[
    str | None, typer.Option("--rules", help="PRESET or PRESET,key=value,…; see `rules`.")
]
PlayerName = Annotated[str | None, typer.Option("--player", help="See `players`.")]
Players = Annotated[
    list[str] | None, typer.Option("--player", help="See `players`; once for each.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", parser=whole, help="Workers; -1: as many as there are cores.", show_default="-1"
    ),
]
Seed = Annotated[
    int | None, typer.Option(parser=whole, help="Of dealing scheme 1.", show_default="1")
]
First = Annotated[int, typer.Option(parser=whole, help="Index of the first deal.")]
Count = Annotated[
    int | None,
    typer.Option(parser=whole, help="How many deals.", show_default="100000, or all of --decks"),
]
Output = Annotated[
    Path | None,
    typer.Option(
        help="Save the answer: all of it (.parquet), its rows (.csv), or its summary (.json)."
    ),
]
Level = Annotated[float, typer.Option(help="Confidence level of the intervals.")]
Nodes = Annotated[
    int | None, typer.Option(parser=whole, help="Give up a deal after so many positions.")
]
Memory = Annotated[
    int, typer.Option(parser=whole, help="Megabytes for the positions of a deal, a worker.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an output that exists.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line, and nothing else.")]
Decks = Annotated[
    str | None,
    typer.Option("--decks", help="Read decks as text, one a line, from a file, or - for stdin."),
]
DealIds = Annotated[list[str] | None, typer.Argument(metavar="DEAL…", help="1/SEED/INDEX")]


def print_json(values: dict[str, Any]) -> None:
    """Print one JSON object on a line of its own."""
    print(json.dumps(values, ensure_ascii=False))


def given_decks(decks: str) -> ListedDeals:
    """Read the decks of ``--decks``; each is called by the number of its line."""
    try:
        with _opened(decks) as lines:
            cards, numbers = read_decks(lines)
    except InvalidInput as problem:
        raise InvalidInput(f"{decks}: {problem}") from None
    except UnicodeDecodeError as problem:
        raise InvalidInput(
            f"{decks}: this is no text ({problem.reason}); give decks as text"
        ) from None
    except OSError as problem:
        raise InvalidInput(
            f"can't read {decks}: {problem.strerror}; give a file of decks, or - for standard input"
        ) from None
    return ListedDeals(cards, [str(number) for number in numbers])


def deals_of(seed: int | None, decks: str | None) -> Deals:
    """The deals of ``--seed``, by default 1, or those of ``--decks``; both at once are refused."""
    if decks is None:
        return SeededDeals(1 if seed is None else seed)
    if seed is not None:
        raise InvalidInput(f"--seed {seed} and --decks {decks}: give one of them")
    return given_decks(decks)


def check_show(show: int) -> None:
    """Refuse a ``--show`` that is no number of deals."""
    if show < 0:
        raise InvalidInput(f"--show {show} is out of range; give 0 or more")


def kept_for(output: Path | None) -> str:
    """What a run has to keep for its output."""
    return "summary" if output is None else ENDINGS.get(output.suffix, "summary")


def _opened(decks: str) -> AbstractContextManager[TextIO]:
    return nullcontext(sys.stdin) if decks == "-" else Path(decks).open(encoding="utf-8-sig")


def chosen_deals(ids: Sequence[str] | None, decks: str | None) -> Iterator[tuple[Deals, int]]:
    """Every deal that was named, as its source and its index there."""
    if decks is not None:
        if ids:
            raise InvalidInput(f"{ids[0]} and --decks {decks}: give deal ids or --decks, not both")
        listed = given_decks(decks)
        return ((listed, index) for index in range(listed.size))
    if not ids:
        raise InvalidInput("no deal was given; give a deal id such as 1/1/0, or --decks FILE")
    return iter([(SeededDeals(one.seed), one.index) for one in map(deal, ids)])
