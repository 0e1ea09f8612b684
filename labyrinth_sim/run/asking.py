"""Parameters that questions share: their types, their defaults, and what they mean, once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from textwrap import fill
from typing import Any, ParamSpec, TypedDict, TypeVar, get_args, get_type_hints

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.run.request import Request

P = ParamSpec("P")
T = TypeVar("T")


class Running(TypedDict, total=False):
    """What every question takes by keyword."""

    game: str | Game
    level: float
    n_jobs: int | None
    block_bits: int | None
    progress: bool | None


class Asking(Running, total=False):
    """What every question about a range of deals takes by keyword."""

    deals: int | None
    seed: int
    first: int
    decks: Deals | None


class Playing(Asking, total=False):
    """What questions take that let players play."""

    move_seconds: float | None


class Searching(Asking, total=False):
    """What questions take that decide deals."""

    limits: Limits | None


class Trying(Playing, Searching, total=False):
    """What questions take that do both."""


MEANINGS = {
    "rules": (
        "str or RuleSet, optional",
        "``PRESET`` or ``PRESET,key=value,…``; by default the game's first preset.",
    ),
    "player": (
        "str or object, optional",
        "By default the game's first player, `greedy` for Labyrinth. Also a spec such as "
        "``MODULE:NAME``, or any object with a method ``choose(view, moves, rng)``, see "
        "`labyrinth_sim.players.find_player`.",
    ),
    "players": (
        "list of str or object, optional",
        "Each as `player` of `labyrinth_sim.simulate`.",
    ),
    "keep": (
        '{"summary", "outcomes"}',
        "Whether the outcome of every deal is kept; a summary takes no memory to speak of.",
    ),
    "deals": ("int, optional", "How many deals, by default 100,000, or all `decks`."),
    "seed": ("int, default 1", "Seed of dealing scheme 1, from 0 to 2**64 - 1."),
    "first": ("int, default 0", "Index of the first deal."),
    "decks": (
        "Deals, optional",
        "Given decks in place of the seed's, see `labyrinth_sim.ListedDeals`.",
    ),
    "game": (
        'str or Game, default "labyrinth"',
        "``labyrinth``, ``maze``, ``gaps``, ``MODULE:NAME`` of another, or a `Game`.",
    ),
    "level": ("float, default 0.95", "Confidence level of the intervals."),
    "n_jobs": (
        "int, optional",
        "Workers; -1 for as many as there are cores. By default as many as an enclosing "
        "``joblib.parallel_config`` says, else -1.",
    ),
    "block_bits": (
        "int, optional",
        "Deals are scheduled in blocks of ``2**block_bits``; the answer does not depend on it.",
    ),
    "progress": (
        "bool, optional",
        "Whether a bar is shown on standard error; by default if that is a terminal.",
    ),
    "move_seconds": (
        "float, optional",
        "How long a player in Python may take over a move, in seconds; no limit by default.",
    ),
    "limits": (
        "Limits, optional",
        "What the search of a deal may use up, by default 64 MiB of memory. Deals that stay "
        "unknown widen the answer.",
    ),
}
"""Type and meaning of each shared parameter, as docstrings say it."""


RAISES = """Raises
------
InvalidInput
    If an argument is not allowed.
RunFailed
    If a player or a worker fails; `PlayerFailed` if a player raises an error, gives no legal move,
    or takes too long. The answer of what was done before is its attribute `result`.
KeyboardInterrupt
    If interrupted before anything was done; later, the answer is of what was done by then, with
    ``complete=False``."""
"""The section of every question's docstring that has none of its own."""


def question(ask: Callable[P, T]) -> Callable[P, T]:
    """Spell out what a question shares with others: parameters and errors.

    The question takes them as ``**asked: Unpack[Asking]``, or another of the classes above. What
    its docstring itself says of a parameter stays.

    Examples
    --------
    >>> @question
    ... def count(**asked: Unpack[Asking]) -> int:
    ...     '''Count.
    ...
    ...     Returns
    ...     -------
    ...     int
    ...     '''
    >>> [*inspect.signature(count).parameters][:3]
    ['deals', 'seed', 'first']
    >>> inspect.getdoc(count).splitlines()[:5]
    ['Count.', '', 'Parameters', '----------', 'deals : int, optional']
    """
    signature = inspect.signature(ask)
    parameters = []
    for parameter in signature.parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            parameters.append(parameter)
            continue
        shared = _shared(parameter.annotation)
        parameters += [one for one in shared if one.name not in signature.parameters]
    spelled = signature.replace(parameters=parameters)

    @wraps(ask)
    def asking(*arguments: P.args, **options: P.kwargs) -> T:
        spelled.bind(*arguments, **options)  # refuses what other questions take
        return ask(*arguments, **options)

    asking.__signature__ = spelled  # type: ignore[attr-defined]
    asking.__doc__ = _documented(inspect.getdoc(ask) or "", [one.name for one in parameters])
    return asking


def _shared(annotation: Any) -> list[inspect.Parameter]:
    """The parameters that an annotation such as ``Unpack[Asking]``, or its text, stands for."""
    several = (Running, Asking, Playing, Searching, Trying)
    kinds = {f"Unpack[{one.__name__}]": one for one in several}
    kind = kinds[annotation] if isinstance(annotation, str) else get_args(annotation)[0]
    hints = get_type_hints(kind)
    defaults = inspect.signature(Request.of).parameters
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name].default, annotation=kind
        )
        for name, kind in sorted(hints.items(), key=lambda one: list(MEANINGS).index(one[0]))
    ]


def _documented(doc: str, names: list[str]) -> str:
    """A docstring whose section Parameters has an entry for every name, in order."""
    head, own, rest = _parts(doc)
    entries = []
    for name in names:
        if name in own:
            entries.append(own[name])
        else:
            kind, meaning = MEANINGS[name]
            told = fill(meaning, 96, initial_indent="    ", subsequent_indent="    ")
            entries.append(f"{name} : {kind}\n{told}")
    section = "\n".join(["Parameters", "----------", *entries])
    returns, examples, shown = rest.partition("Examples\n--------")
    raises = "" if "Raises\n------" in rest else RAISES
    parts = (head, section, returns.strip(), raises, examples + shown)
    return "\n\n".join(part for part in parts if part)


def _parts(doc: str) -> tuple[str, dict[str, str], str]:
    """What stands before the section Parameters, its entries by name, and what follows it."""
    blocks = doc.split("\n\n")
    heads = [number for number, block in enumerate(blocks) if "\n---" in block]
    first = heads[0] if heads else len(blocks)
    if not heads or not blocks[first].startswith("Parameters\n"):
        return "\n\n".join(blocks[:first]), {}, "\n\n".join(blocks[first:])
    own: dict[str, str] = {}
    names: list[str] = []
    for line in blocks[first].splitlines()[2:]:
        if not line.startswith(" "):
            named, _, kind = line.partition(":")
            names = [name.strip() for name in named.split(",")]
            own |= {name: f"{name} :{kind}" for name in names}
        else:
            own |= {name: f"{own[name]}\n{line}" for name in names}
    return "\n\n".join(blocks[:first]), own, "\n\n".join(blocks[first + 1 :])
