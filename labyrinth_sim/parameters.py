"""Named parameters with their values explained: what rule sets and players are both made of.

A frozen dataclass inherits from `Parameters` and declares its fields with `choice`, `whole`,
`numbers`, `text` or `player`; checking, reading, writing and explaining them is written here, once.

Pairs ``key=value`` are separated by commas. A value that holds a comma, a quote, a parenthesis or
an equals sign of its own stands in parentheses if it is the spec of a player, so that specs nest
(``rollout:base=(heuristic:fill=hold:3),samples=100``), and in double quotes, escaped as in JSON, if
it is a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from math import isfinite
from operator import index
from typing import Any, ClassVar, Self

from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.source import held_by, is_ours, source_of

_SPECIAL = frozenset('",()=')
"""Characters for which a text is quoted, and a player's spec put in parentheses."""

ARGUMENT = ":k"
"""A value ``name:k`` of a choice stands for ``name:0``, ``name:1``, ``name:2``, …"""


def choice(default: str, meaning: str, **values: str) -> Any:
    """Declare a parameter that takes one of the named `values`, each with its meaning.

    A value that ends in ``:k`` takes an integer.
    """
    return field(default=default, metadata={"meaning": meaning, "values": values})


def whole(default: int, meaning: str, low: int, high: int | None = None) -> Any:
    """Declare a parameter that takes an integer from `low` to `high` (None: no bound)."""
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


def text(default: str, meaning: str) -> Any:
    """Declare a parameter that takes any text; a field of type `str` without more is one too."""
    return field(default=default, metadata={"meaning": meaning, "text": True})


def player(default: str, meaning: str) -> Any:
    """Declare a parameter that takes another player, by its spec.

    `labyrinth_sim.players.find_player` puts the player itself there.
    """
    return field(default=default, metadata={"meaning": meaning, "player": True})


def numbers(default: tuple[float, ...], meaning: str) -> Any:
    """Declare a parameter that takes as many numbers as its default has, written ``1/-0.5/2``."""
    return field(default=default, metadata={"meaning": meaning, "count": len(default)})


@dataclass(frozen=True)
class Parameters:
    """A set of values, one a field; raises `InvalidInput` when one of them is not allowed."""

    syntax: ClassVar[str] = "key=value,key=value,…"

    def __post_init__(self) -> None:
        for parameter in fields(self):
            name, kind = parameter.name, _kind(parameter)
            value = _checked(name, getattr(self, name), kind)
            object.__setattr__(self, name, value)

    @classmethod
    def read_pairs(cls, pairs: Iterable[str], text: str) -> dict[str, Any]:
        """Read ``key=value`` pairs; `text` is the whole that they stand in, for errors."""
        kinds = {parameter.name: _kind(parameter) for parameter in fields(cls)}
        values: dict[str, Any] = {}
        for pair in pairs:
            key, equals, value = (part.strip() for part in pair.partition("="))
            if not equals:
                raise InvalidInput(f"can't read {pair!r} in {text!r}; write {cls.syntax}")
            if key not in kinds:
                raise unknown("parameter", key, kinds)
            if key in values:
                raise InvalidInput(f"parameter {key!r} is given twice in {text!r}; give it once")
            values[key] = _read(key, value, kinds[key])
        return values

    def as_dict(self) -> dict[str, Any]:
        """All parameters by name, defaults included."""
        return {parameter.name: getattr(self, parameter.name) for parameter in fields(self)}

    def changed(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        defaults = {parameter.name: parameter.default for parameter in fields(self)}
        return {
            key: value
            for key, value in self.as_dict().items()
            if getattr(value, "spec", value) != defaults[key]
        }

    def nested(self) -> dict[str, Any]:
        """The parameters that are players, by name: each a player, or its spec."""
        names = [one.name for one in fields(self) if _kind(one).get("player")]
        return {name: getattr(self, name) for name in names}

    @classmethod
    def explain(cls) -> str:
        """Say what each parameter and each of its values means, a line each."""
        lines = []
        for parameter in fields(cls):
            default = value_text(parameter.default)
            kind = _kind(parameter)
            lines.append(f"{parameter.name}: {kind['meaning']} (default {default})")
            values = kind.get("values", {})
            lines += [f"  {parameter.name}={value}: {text}" for value, text in values.items()]
        return "\n".join(lines)


@dataclass(frozen=True)
class Named(Parameters):
    """Something that is called by a name and its parameters: ``name:key=value,…``."""

    name: ClassVar[str]
    _called: ClassVar[tuple[str, str]] = ("", "")

    @classmethod
    def read(cls, pairs: str) -> Self:
        """Read what follows the name and its colon; nothing stands for the defaults."""
        return cls(**cls.read_pairs(split_pairs(pairs), pairs))

    @property
    def spec(self) -> str:
        """The name with the parameters that differ from their defaults."""
        return self._called[0] or self._written(self.changed())

    @property
    def full_spec(self) -> str:
        """The name with all parameters: what identity is made of."""
        return self._written(self.as_dict(), full=True)

    @property
    def source(self) -> str:
        """A digest of what it is made of besides its parameters; empty where that ships.

        That is its class, see `labyrinth_sim.source`; the file that it was read from; and the
        versions and sources of the players among its parameters.
        """
        kind, file = type(self), self._called[1]
        nested = [
            (getattr(one, "version", 1), getattr(one, "source", ""))
            for one in self.nested().values()
        ]
        if not is_ours(kind):
            known = ["_called", *(parameter.name for parameter in fields(self))]
            return source_of((kind, held_by(self, but=known), file, nested), self.spec)
        return source_of((file, nested), self.spec) if nested else file

    def called(self, spec: str, source: str) -> Self:
        """The same under another spec, such as that of the file that it was read from.

        `dataclasses.replace` gives it up, as what it makes is no longer the same.

        Parameters
        ----------
        spec : str
        source : str
            A digest of the file.
        """
        twin = replace(self)
        object.__setattr__(twin, "_called", (spec, source))
        return twin

    def _written(self, values: Mapping[str, Any], *, full: bool = False) -> str:
        return with_pairs(self.name, values, full=full)


def with_pairs(spec: str, values: Mapping[str, Any], *, full: bool = False) -> str:
    """Add parameters to a spec.

    Parameters
    ----------
    spec : str
    values : mapping of str to object
    full : bool, default False
        Whether players among the values are written by their full specs.

    Examples
    --------
    >>> with_pairs("mine:Player", {"depth": 2})
    'mine:Player:depth=2'
    >>> with_pairs("heuristic:fill=never", {"endgame": "exact"})
    'heuristic:fill=never,endgame=exact'
    """
    pairs = ",".join(f"{key}={value_text(value, full=full)}" for key, value in values.items())
    if not pairs:
        return spec
    return f"{spec},{pairs}" if _has_pairs(spec) else f"{spec}:{pairs}"


def _has_pairs(spec: str) -> bool:
    return any("=" in part for part in split_pairs(spec))


def split_pairs(text: str) -> list[str]:
    """Split a text at its commas, but for those in parentheses or in double quotes.

    Raises
    ------
    InvalidInput
        If a parenthesis or a quote is not closed, or closed without being open.

    Examples
    --------
    >>> split_pairs("base=(heuristic:fill=hold:3,gap=most),samples=100")
    ['base=(heuristic:fill=hold:3,gap=most)', 'samples=100']
    """
    parts, depth, quoted, start, escaped = [], 0, False, 0, False
    for at, character in enumerate(text):
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "()":
            depth += 1 if character == "(" else -1
            if depth < 0:
                raise InvalidInput(f"{text!r} closes a parenthesis that is not open; leave it out")
        elif character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    if depth or quoted:
        what = "quote" if quoted else "parenthesis"
        raise InvalidInput(f"{text!r} leaves a {what} open; close it")
    return [part for part in [*parts, text[start:]] if part.strip()]


def number_text(number: float) -> str:
    """Write a number as short as it can be without becoming another.

    Examples
    --------
    >>> number_text(1.0), number_text(0.1 + 0.2), number_text(-1e300)
    ('1', '0.30000000000000004', '-1e+300')
    """
    short = f"{number:.12g}"
    return short if float(short) == number else repr(float(number))


def value_text(value: Any, *, full: bool = False) -> str:
    """Write the value of a parameter as it is read.

    Examples
    --------
    >>> value_text((1.0, -0.5)), value_text("plain"), value_text("a, b")
    ('1/-0.5', 'plain', '"a, b"')
    """
    if isinstance(value, tuple):
        return "/".join(map(number_text, value))
    if hasattr(value, "choose"):
        kind = type(value)
        spec = getattr(value, "spec", f"{kind.__module__}:{kind.__qualname__}")
        spec = str(getattr(value, "full_spec", spec) if full else spec)
        return f"({spec})" if _SPECIAL & {*spec} else spec
    text = str(value)
    if isinstance(value, str) and (text != text.strip() or not text or _SPECIAL & {*text}):
        return json.dumps(text, ensure_ascii=False)
    return text


def argument(value: str) -> int:
    """The integer in a value such as ``hold:2``; 0 where it has none.

    Examples
    --------
    >>> argument("hold:2"), argument("late")
    (2, 0)
    """
    _, _, number = value.partition(":")
    return int(number or 0)


def whole_number(value: object) -> int | None:
    """An integer of any kind, such as numpy's, as Python's own; None for anything else.

    Python's own never overflow, and are written as JSON. Truth values are no numbers.

    Examples
    --------
    >>> import numpy as np
    >>> whole_number(np.uint8(9)), whole_number(True), whole_number(2.0)
    (9, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def checked_whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """An integer as `whole_number` gives it, refused if it is none from `low` to `high`.

    Raises
    ------
    InvalidInput
        It names `value`, and what is allowed.
    """
    number = whole_number(value)
    if number is None or number < low or (high is not None and number > high):
        allowed = f"of {low} or more" if high is None else f"from {low} to {high}"
        raise InvalidInput(f"{name}={value!r} is out of range; give an integer {allowed}")
    return number


def _kind(parameter: Field[Any]) -> Mapping[str, Any]:
    """What a field was declared with; a plain text needs no declaration."""
    if not parameter.metadata and isinstance(parameter.default, str):
        return {"meaning": "a text", "text": True}
    if "meaning" not in parameter.metadata:
        raise InvalidInput(
            f"parameter {parameter.name!r} is not declared; use choice, whole, numbers, text or "
            "player of labyrinth_sim.parameters"
        )
    return parameter.metadata


def _checked(name: str, value: Any, kind: Mapping[str, Any]) -> Any:
    if "text" in kind or "player" in kind:
        if isinstance(value, str) or ("player" in kind and hasattr(value, "choose")):
            return value
        wanted = "a text" if "text" in kind else "a player, or its spec"
        raise InvalidInput(f"{name}={value!r} is not allowed; give {wanted}")
    if "low" in kind:
        return checked_whole(name, value, kind["low"], kind["high"])
    if "values" in kind:
        if not _is_one_of(value, kind["values"]):
            raise unknown(f"value of {name}", value, kind["values"])
    elif len(value) != kind["count"] or not all(map(isfinite, value)):
        raise InvalidInput(
            f"{name}={value_text(value)!r} is not allowed; give {kind['count']} finite numbers "
            "joined by '/'"
        )
    return value


def _is_one_of(value: Any, values: Mapping[str, str]) -> bool:
    if not isinstance(value, str):
        return False
    name, colon, number = value.partition(":")
    if not colon:
        return value in values
    return name + ARGUMENT in values and _is_whole(number) and str(int(number)) == number


def _read(name: str, text: str, kind: Mapping[str, Any]) -> Any:
    if "values" in kind:
        return text
    if "player" in kind:
        spec = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        if not spec.strip():
            raise InvalidInput(f"{name}={text!r} names no player; give the spec of one")
        return spec.strip()
    if "text" in kind:
        return _unquoted(name, text)
    if "count" in kind:
        try:
            return tuple(float(number) for number in text.split("/"))
        except ValueError:
            raise InvalidInput(
                f"{name}={text!r} are no numbers; write {kind['count']} joined by '/'"
            ) from None
    if not _is_whole(text.removeprefix("-")):
        raise InvalidInput(f"{name}={text!r} is not an integer; write it in digits, e.g. {name}=8")
    return int(text)


def _unquoted(name: str, text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise InvalidInput(
            f"{name}={text!r} is no text in double quotes; escape it as in JSON"
        ) from None


def _is_whole(text: str) -> bool:
    # 99 digits, because int() itself refuses thousands of them, with another error than ours.
    return text.isascii() and text.isdigit() and len(text) < 100
