"""Rules as data: presets with overrides, spec strings, hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations
from typing import Any, ClassVar, Self

from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.parameters import Parameters


@dataclass(frozen=True)
class Preset:
    """A rule set that somebody published: its values, its source, and what that leaves open."""

    values: Mapping[str, Any]
    source: str
    leaves_open: str


@dataclass(frozen=True)
class RuleSet(Parameters):
    """A complete set of rules of one game; the class is the game's rule book.

    The defaults of the fields are the values of the default preset.
    """

    syntax: ClassVar[str] = "PRESET,key=value,…"
    presets: ClassVar[dict[str, Preset]] = {}

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
        return cls.preset(name, **cls.read_pairs(pairs, text))

    @property
    def spec(self) -> str:
        """The shortest text that `read` turns into these rules."""
        return _spec(self)

    @property
    def digest(self) -> str:
        """Canonical hash, 12 hex digits, of every parameter with its value."""
        text = json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def meaning(self, name: str) -> str:
        """What a parameter means at the value that it has."""
        parameter = self.__dataclass_fields__[name].metadata
        told: str = parameter.get("values", {}).get(getattr(self, name), parameter["meaning"])
        return told

    def describe(self) -> str:
        """Say in plain words what these rules are, a line a parameter."""
        return "\n".join(
            f"{name} = {value}: {self.meaning(name)}" for name, value in self.as_dict().items()
        )


@cache
def _spec(rules: RuleSet) -> str:
    texts = []
    for name in rules.presets:
        base = rules.preset(name)
        changed = {
            key: value for key, value in rules.as_dict().items() if value != getattr(base, key)
        }
        for left_out in (None, *changed):
            overrides = {key: value for key, value in changed.items() if key != left_out}
            try:
                same = rules.preset(name, **overrides) == rules
            except InvalidInput:
                continue
            if same:
                pairs = (f",{key}={value}" for key, value in overrides.items())
                texts.append(name + "".join(pairs))
    return min(texts, key=len)


ALL = "all clauses"


@dataclass(frozen=True)
class Change:
    """A rule set on the way from one to another.

    Parameters
    ----------
    clause : str
        The parameters that are changed and their new values, ``all clauses`` for the last one.
    rules : RuleSet
    """

    clause: str
    rules: RuleSet


def single_changes(a: RuleSet, b: RuleSet) -> list[Change]:
    """The changes of `a` by one clause of `b`, then `b` itself.

    Parameters that can't be changed alone, such as a resort and how often it serves where there
    was none, are one clause.

    Raises
    ------
    InvalidInput
        If the two are the same rules.

    Examples
    --------
    >>> from labyrinth_sim.games.free_edge.rules import LabyrinthRules as Rules
    >>> found = single_changes(Rules.read("ultimate"), Rules.read("wikipedia,resorts=2"))
    >>> [change.clause for change in found]
    ['refill=optional', 'availability=free_edge', 'resort=lift,resorts=2', 'all clauses']
    """
    after = b.as_dict()
    differ = [name for name, value in a.as_dict().items() if value != after[name]]
    if not differ:
        raise InvalidInput(f"{a.spec} and {b.spec} are the same rules; give two that differ")
    groups: list[tuple[str, ...]] = []
    for name in differ:
        if not any(name in group for group in groups):
            groups.append(_smallest(a, after, name, differ))
    named = {",".join(f"{key}={after[key]}" for key in group): group for group in groups}
    changes = [
        Change(clause, replace(a, **{key: after[key] for key in group}))
        for clause, group in named.items()
    ]
    return changes if len(changes) == 1 else [*changes, Change(ALL, b)]


def _smallest(
    a: RuleSet, after: dict[str, Any], name: str, differ: Sequence[str]
) -> tuple[str, ...]:
    """The fewest parameters that make rules when changed together, one of them given."""
    for size in range(1, len(differ) + 1):
        for group in combinations(differ, size):
            if name in group:
                try:
                    replace(a, **{key: after[key] for key in group})
                except InvalidInput:
                    continue
                return group
    return tuple(differ)
