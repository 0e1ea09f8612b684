"""Named parameters with their values explained: what rule sets and players are both made of.

A frozen dataclass inherits from `Parameters` and declares its fields with `choice`, `whole` or
`numbers`; checking, reading, writing and explaining them is written here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from operator import index
from typing import Any, ClassVar, Self

from labyrinth_sim.errors import InvalidInput, unknown

ARGUMENT = ":k"
"""A value ``name:k`` of a choice stands for ``name:0``, ``name:1``, ``name:2``, …"""


def choice(default: str, meaning: str, **values: str) -> Any:
    """Declare a parameter that takes one of the named `values`, each with its meaning.

    A value that ends in ``:k`` takes a whole number.
    """
    return field(default=default, metadata={"meaning": meaning, "values": values})


def whole(default: int, meaning: str, low: int, high: int | None = None) -> Any:
    """Declare a parameter that takes a whole number from `low` to `high` (None: no bound)."""
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


def numbers(default: tuple[float, ...], meaning: str) -> Any:
    """Declare a parameter that takes as many numbers as its default has, written ``1/-0.5/2``."""
    return field(default=default, metadata={"meaning": meaning, "count": len(default)})


@dataclass(frozen=True)
class Parameters:
    """A set of values, one a field; raises `InvalidInput` when one of them is not allowed."""

    syntax: ClassVar[str] = "key=value,key=value,…"

    def __post_init__(self) -> None:
        for parameter in fields(self):
            name, kind = parameter.name, parameter.metadata
            value = _checked(name, getattr(self, name), kind)
            object.__setattr__(self, name, value)

    @classmethod
    def read_pairs(cls, pairs: Iterable[str], text: str) -> dict[str, Any]:
        """Read ``key=value`` pairs; `text` is the whole that they stand in, for errors."""
        kinds = {parameter.name: parameter.metadata for parameter in fields(cls)}
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
        return {key: value for key, value in self.as_dict().items() if value != defaults[key]}

    @classmethod
    def explain(cls) -> str:
        """Say what each parameter and each of its values means, a line each."""
        lines = []
        for parameter in fields(cls):
            default = value_text(parameter.default)
            lines.append(f"{parameter.name}: {parameter.metadata['meaning']} (default {default})")
            values = parameter.metadata.get("values", {})
            lines += [f"  {parameter.name}={value}: {text}" for value, text in values.items()]
        return "\n".join(lines)


@dataclass(frozen=True)
class Named(Parameters):
    """Something that is called by a name and its parameters: ``name:key=value,…``."""

    name: ClassVar[str]
    _called: ClassVar[tuple[str, str] | None] = None

    @classmethod
    def read(cls, pairs: str) -> Self:
        """Read what follows the name and its colon; nothing stands for the defaults."""
        return cls(**cls.read_pairs([pair for pair in pairs.split(",") if pair.strip()], pairs))

    @property
    def spec(self) -> str:
        """The name with the parameters that differ from their defaults."""
        return self._called[0] if self._called else self._written(self.changed())

    @property
    def full_spec(self) -> str:
        """The name with all parameters: what identity is made of."""
        return self._called[1] if self._called else self._written(self.as_dict())

    def called(self, spec: str, full_spec: str) -> Self:
        """The same under other specs, such as those of the file that it was read from.

        `dataclasses.replace` gives them up, as what it makes is no longer the same.
        """
        twin = replace(self)
        object.__setattr__(twin, "_called", (spec, full_spec))
        return twin

    def _written(self, values: Mapping[str, Any]) -> str:
        pairs = ",".join(f"{key}={value_text(value)}" for key, value in values.items())
        return f"{self.name}:{pairs}" if pairs else self.name


def value_text(value: Any) -> str:
    """Write the value of a parameter as it is read."""
    if isinstance(value, tuple):
        return "/".join(f"{number:.12g}" for number in value)
    return str(value)


def argument(value: str) -> int:
    """The whole number in a value such as ``hold:2``; 0 where it has none.

    Examples
    --------
    >>> argument("hold:2"), argument("late")
    (2, 0)
    """
    _, _, number = value.partition(":")
    return int(number or 0)


def whole_number(value: object) -> int | None:
    """A whole number of any kind, such as numpy's, as Python's own; None for anything else.

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
    """A whole number as `whole_number` gives it, refused if it is none from `low` to `high`.

    Raises
    ------
    InvalidInput
        It names `value`, and what is allowed.
    """
    number = whole_number(value)
    if number is None or number < low or (high is not None and number > high):
        allowed = f"of {low} or more" if high is None else f"from {low} to {high}"
        raise InvalidInput(f"{name}={value!r} is out of range; give a whole number {allowed}")
    return number


def _checked(name: str, value: Any, kind: Mapping[str, Any]) -> Any:
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
    if "count" in kind:
        try:
            return tuple(float(number) for number in text.split("/"))
        except ValueError:
            raise InvalidInput(
                f"{name}={text!r} are no numbers; write {kind['count']} joined by '/'"
            ) from None
    if not _is_whole(text.removeprefix("-")):
        raise InvalidInput(f"{name}={text!r} is no whole number; write it in digits, e.g. {name}=8")
    return int(text)


def _is_whole(text: str) -> bool:
    # 99 digits, because int() itself refuses thousands of them, with another error than ours.
    return text.isascii() and text.isdigit() and len(text) < 100
