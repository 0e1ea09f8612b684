"""Rules as data: parameters with their values explained, presets with overrides, spec strings.

A game declares a frozen dataclass that inherits from `RuleSet`, one `parameter` a field, and
fills its `presets`; reading, checking, naming, hashing and describing are written here, once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from labyrinth_sim.errors import InvalidInput, unknown


@dataclass(frozen=True)
class Preset:
    """A rule set that somebody published: its values, its source, and what that leaves open."""

    values: Mapping[str, Any]
    source: str
    leaves_open: str


def choice(default: str, meaning: str, **values: str) -> Any:
    """Declare a parameter that takes one of the named `values`, each with its meaning."""
    return field(default=default, metadata={"meaning": meaning, "values": values})


def whole(default: int, meaning: str, low: int, high: int | None = None) -> Any:
    """Declare a parameter that takes a whole number from `low` to `high` (None: no bound)."""
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


@dataclass(frozen=True)
class RuleSet:
    """A complete set of rules of one game; the class is the game's rule book.

    The defaults of the fields are the values of the default preset. Raises `InvalidInput` when
    a value is none of those allowed, or when values contradict each other.
    """

    presets: ClassVar[dict[str, Preset]] = {}

    def __post_init__(self) -> None:
        for parameter in fields(self):
            _check(parameter.name, getattr(self, parameter.name), parameter.metadata)

    @classmethod
    def implied(cls, preset: str, overrides: Mapping[str, Any]) -> Mapping[str, Any]:
        """Values that follow from what was overridden; a game with such rules says so here."""
        return {}

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> Self:
        """Build the rule set of a preset, with some parameters set otherwise."""
        if name not in cls.presets:
            raise unknown("preset", name, cls.presets)
        allowed = [parameter.name for parameter in fields(cls)]
        for key in overrides:
            if key not in allowed:
                raise unknown("parameter", key, allowed)
        values = {**cls.presets[name].values, **cls.implied(name, overrides), **overrides}
        return cls(**values)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``PRESET`` or ``PRESET,key=value,…``; the inverse of `spec`."""
        name, *pairs = (part.strip() for part in text.split(","))
        kinds = {parameter.name: parameter.metadata for parameter in fields(cls)}
        overrides: dict[str, Any] = {}
        for pair in pairs:
            key, equals, value = (part.strip() for part in pair.partition("="))
            if not equals:
                raise InvalidInput(
                    f"can't read {pair!r} in the rules {text!r}; write PRESET,key=value,…"
                )
            if key not in kinds:
                raise unknown("parameter", key, kinds)
            if key in overrides:
                raise InvalidInput(f"parameter {key!r} is given twice in {text!r}; give it once")
            overrides[key] = value if "values" in kinds[key] else _read_whole(key, value)
        return cls.preset(name, **overrides)

    @property
    def spec(self) -> str:
        """The shortest text that `read` turns into these rules."""
        texts = []
        for name in self.presets:
            base = self.preset(name)
            changed = {
                key: value for key, value in self.as_dict().items() if value != getattr(base, key)
            }
            for left_out in (None, *changed):
                overrides = {key: value for key, value in changed.items() if key != left_out}
                try:
                    same = self.preset(name, **overrides) == self
                except InvalidInput:
                    continue
                if same:
                    pairs = (f",{key}={value}" for key, value in overrides.items())
                    texts.append(name + "".join(pairs))
        return min(texts, key=len)

    def as_dict(self) -> dict[str, Any]:
        """All parameters by name, defaults included."""
        return {parameter.name: getattr(self, parameter.name) for parameter in fields(self)}

    @property
    def digest(self) -> str:
        """Canonical hash, 12 hex digits, of what differs from the defaults.

        Defaults are left out so that a parameter that is added later keeps old hashes.
        """
        changed = {
            parameter.name: getattr(self, parameter.name)
            for parameter in fields(self)
            if getattr(self, parameter.name) != parameter.default
        }
        text = json.dumps(changed, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def describe(self) -> str:
        """Say in plain words what these rules are, a line a parameter."""
        lines = []
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            meaning = parameter.metadata.get("values", {}).get(value)
            lines.append(f"{parameter.name} = {value}: {meaning or parameter.metadata['meaning']}")
        return "\n".join(lines)


def _check(name: str, value: Any, kind: Mapping[str, Any]) -> None:
    if "values" in kind:
        if value not in kind["values"]:
            raise unknown(f"value of {name}", value, kind["values"])
        return
    low, high = kind["low"], kind["high"]
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or value < low
        or (high is not None and value > high)
    ):
        allowed = f"{low} or more" if high is None else f"from {low} to {high}"
        raise InvalidInput(f"{name}={value!r} is out of range; give a whole number {allowed}")


def _read_whole(name: str, text: str) -> int:
    # 99 digits, because int() itself refuses thousands of them, with another error than ours.
    if not (text.isascii() and text.isdigit() and len(text) < 100):
        raise InvalidInput(f"{name}={text!r} is no whole number; write it in digits, e.g. {name}=8")
    return int(text)
