"""Options that several verbs share, what they stand for, and how verbs are made of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from labyrinth_sim.cards import read_decks
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.files import ENDINGS
from labyrinth_sim.games import DEFAULT, find_game


def whole(text: str | int) -> int:
    """Read a whole number that was given as an option."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number; write it in digits") from None


@dataclass(frozen=True)
class Option:
    """An option of a verb, its kind annotated with what typer is to know; `option` makes one."""

    name: str
    kind: Any
    default: Any = None
    asks: str = ""


def option(
    name: str,
    kind: Any,
    help: str,
    default: Any = None,
    *,
    shown: str | bool = True,
    asks: str = "",
) -> Option:
    """An option of a verb.

    Parameters
    ----------
    name : str
    kind : type
        Of its values; ``list[str]`` for one that may be given several times.
    help : str
    default : object, optional
        `Parameter.empty` where it must be given.
    shown : str, optional
        What stands for the default.
    asks : str, optional
        The question's parameter that it fills, if that has another name.
    """
    told = typer.Option(
        f"--{name.replace('_', '-')}",
        help=help,
        show_default=shown,
        parser=whole if kind is int else None,
    )
    return Option(
        name, Annotated[kind if default is not None else kind | None, told], default, asks
    )


def argument(name: str, kind: Any, metavar: str, help: str, default: Any = None) -> Option:
    """An argument of a verb: like an option, but given without its name."""
    given = kind if default is not None else kind | None
    return Option(name, Annotated[given, typer.Argument(metavar=metavar, help=help)], default)


def with_options(*options: Option) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a function that takes keyword arguments the signature that typer reads."""

    def give(run: Callable[..., None]) -> Callable[..., None]:
        parameters = [
            Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default, annotation=one.kind)
            for one in options
        ]
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.kind for one in options}
        return run

    return give


GAME = option("game", str, "labyrinth, maze, gaps, or MODULE:NAME of another.", DEFAULT)
RULES = option("rules", str, "PRESET or PRESET,key=value,…; see `rules`.")
PLAYER = option("player", str, "See `players`.")
PLAYERS = option("player", list[str], "See `players`; once for each.", asks="players")
DECKS = option("decks", str, "Read decks as text, one a line, from a file, or - for stdin.")
SEED = option("seed", int, "Of dealing scheme 1.", shown="1")
FIRST = option("first", int, "Index of the first deal.", 0)
DEALS = option("deals", int, "How many deals.", shown="100000, or all of --decks")
JOBS = option("jobs", int, "Workers; -1: as many as there are cores.", shown="-1", asks="n_jobs")
LEVEL = option("level", float, "Confidence level of the intervals.", 0.95)
RANGE = (SEED, FIRST, DEALS, JOBS, DECKS, LEVEL)
SEARCH = (
    option("nodes", int, "Give up a deal after so many positions."),
    option("memory", int, "MiB for the positions of a deal, a worker.", 64),
)
JSON = option("json", bool, "One JSON object a line, and nothing else.", False)
OUTPUT = (
    option(
        "output",
        Path,
        "Save the answer: all of it (.parquet), its rows (.csv), or its summary (.json).",
    ),
    option("force", bool, "Replace an output that exists.", False),
    JSON,
)
DEAL_IDS = argument("deal", list[str], "DEAL…", "1/SEED/INDEX")


_TOLD = ("output", "force", "show", "json")
"""Options that say what becomes of the answer."""


def resolved(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of options as questions take them: decks are read, limits are made."""
    asked = dict(values)
    if "decks" in asked:
        decks, seed = asked.pop("decks"), asked.pop("seed", None)
        if decks is not None and seed is not None:
            raise InvalidInput(f"--seed {seed} and --decks {decks}: give one of them")
        if decks is not None:
            asked["decks"] = given_decks(decks, asked["game"])
        elif seed is not None:
            asked["seed"] = seed
    if "nodes" in asked:
        asked["limits"] = Limits(asked.pop("nodes"), asked.pop("memory"))
    return asked


def verb(
    place: str,
    summary: str,
    *options: Option,
    name: str = "",
    apart: bool = True,
    resolve: Callable[[Mapping[str, Any]], dict[str, Any]] = resolved,
    prepare: Callable[[dict[str, Any]], Sequence[dict[str, Any]]] = lambda asked: [asked],
    look: Callable[[dict[str, Any]], Callable[[Any], str]] = lambda asked: str,
    **tells: Any,
) -> Callable[..., None]:
    """Make a verb that asks a question.

    Parameters
    ----------
    place : str
        ``MODULE:FUNCTION`` of the question; it is imported when the verb is used.
    summary : str
        What it does, in a line.
    *options : Option
    name : str, optional
        What the verb is called, by default as the question.
    apart : bool, default True
        Whether a line is left between several answers.
    resolve : callable, optional
        Reads what the options name, by default as `resolved`.
    prepare : callable, optional
        Turns what was read into the question's arguments, for each time that it is asked.
    look : callable, optional
        Takes the options that say how answers are written, and gives what writes one.
    **tells : object
        As `labyrinth_sim.cli.ending.tell` takes them.
    """
    module, _, function = place.partition(":")

    def run(**values: Any) -> None:
        from labyrinth_sim.cli.ending import tell

        ask = getattr(import_module(module), function)
        told = {name: values.pop(name) for name in _TOLD if name in values}
        written = look(values)
        several = prepare(resolve(values))
        output = told["output"]
        if output is not None and len(several) > 1:
            asked_for = f"{len(several)} were asked for; ask for one"
            raise InvalidInput(f"--output {output} holds one answer, and {asked_for}")
        for place, asked in enumerate(several):
            if place and apart and not told["json"]:
                print()
            arguments = {names.get(name, name): value for name, value in asked.items()}
            if "keep" in signature(ask).parameters:
                arguments["keep"] = ENDINGS.get(getattr(output, "suffix", ""), "summary")
            tell(ask, **arguments, **told, written=written, **tells)
            sys.stdout.flush()

    names = {option.name: option.asks for option in options if option.asks}
    run.__name__, run.__doc__ = name or function, summary
    return with_options(*options)(run)


def print_json(values: dict[str, Any]) -> None:
    """Print one JSON object on a line of its own."""
    print(json.dumps(values))


def given_decks(decks: str | None, game: str) -> ListedDeals | None:
    """Read the decks of ``--decks``, if it is given; each is called by the number of its line."""
    if decks is None:
        return None
    pack = find_game(game).reference.pack
    try:
        with _opened(decks) as lines:
            cards, numbers = read_decks(lines, pack)
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
    return ListedDeals(cards, [str(number) for number in numbers], pack, origin=decks)


def _opened(decks: str) -> AbstractContextManager[TextIO]:
    return nullcontext(sys.stdin) if decks == "-" else Path(decks).open(encoding="utf-8-sig")


def chosen_deals(
    ids: Sequence[str] | None, decks: ListedDeals | None, game: str
) -> list[tuple[Deals, int]]:
    """Every deal that was named, or is given, as its source and its index there."""
    if decks is not None:
        if ids:
            both = f"{ids[0]} and --decks {decks.origin}"
            raise InvalidInput(f"{both}: give deal ids or --decks, not both")
        return [(decks, index) for index in range(decks.size)]
    if not ids:
        raise InvalidInput("no deal was given; give a deal id such as 1/1/0, or --decks FILE")
    pack = find_game(game).reference.pack
    return [(SeededDeals(one.seed, pack), one.index) for one in map(deal, ids)]
