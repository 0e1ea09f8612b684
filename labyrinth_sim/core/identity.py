"""What decides the outcomes of a run, and nothing else.

Package version, host and time are provenance and stay out, so equal identities mean equal
outcomes deal by deal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from labyrinth_sim.core.player import Player
    from labyrinth_sim.core.probe import Deals
    from labyrinth_sim.rulesets import RuleSet

PLAY, SOLVE, POOL = "play", "solve", "pool"
"""Tasks: what is done with a deal."""


@dataclass(frozen=True)
class Subject:
    """A player or a solver, as far as it decides outcomes.

    Parameters
    ----------
    spec : str
        Its name with every parameter, defaults included.
    version : int
        Changes whenever its choices may.
    source : str
        A digest of the source that it was made from; empty for what this package ships.
    """

    spec: str
    version: int = 1
    source: str = ""

    @classmethod
    def of(cls, player: Player) -> Self:
        """What a player is, as far as it decides outcomes."""
        return cls(player.full_spec, player.version, getattr(player, "source", ""))


@dataclass(frozen=True)
class Identity:
    """What decides the outcomes of a run.

    Parameters
    ----------
    task : str
        `play`, `solve`, `pool` (several tasks on the same deals), or a question's own.
    game : str
    game_version : int
        Changes whenever the outcome of some deal may.
    rules : tuple of (str, str or int)
        Every parameter with its value, so that a default that changes is another identity.
    subjects : tuple of Subject
        The players or solvers, in order.
    seed : int or None
        Of dealing scheme 1; None for given decks.
    decks : str
        A digest of the given decks; empty for those of a seed.
    parts : tuple of Identity
        Of a pool: what it is made of.

    Examples
    --------
    >>> one = Identity("play", "toy", 1, (("goal", 3),), (Subject("greedy"),), seed=1)
    >>> one.key == Identity.from_dict(one.as_dict()).key
    True
    """

    task: str
    game: str
    game_version: int
    rules: tuple[tuple[str, Any], ...]
    subjects: tuple[Subject, ...]
    seed: int | None = None
    decks: str = ""
    parts: tuple[Identity, ...] = ()

    @classmethod
    def of(
        cls,
        task: str,
        game: str,
        version: int,
        rules: RuleSet,
        subject: Subject,
        deals: Deals,
    ) -> Identity:
        """Gather the identity of one task under one rule set."""
        values = tuple(rules.as_dict().items())
        return cls(task, game, version, values, (subject,), deals.seed, deals.digest)

    @classmethod
    def pool(cls, parts: tuple[Identity, ...]) -> Identity:
        """Several tasks on the same deals."""
        first = parts[0]
        return cls(POOL, first.game, first.game_version, (), (), first.seed, first.decks, parts)

    @cached_property
    def key(self) -> str:
        """A digest of all of it, 32 hex digits: what stores and caches are keyed by."""
        text = json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def as_dict(self) -> dict[str, Any]:
        """In plain values, as files hold it."""
        return {
            **asdict(self),
            "rules": dict(self.rules),
            "parts": [p.as_dict() for p in self.parts],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Identity:
        """The inverse of `as_dict`; raises `KeyError` or `TypeError` where it is not one."""
        return cls(
            **{
                **values,
                "rules": tuple(values["rules"].items()),
                "subjects": tuple(Subject(**subject) for subject in values["subjects"]),
                "parts": tuple(cls.from_dict(part) for part in values["parts"]),
            }
        )

    def every_subject(self) -> tuple[Subject, ...]:
        """Its subjects, and those of all its parts."""
        return self.subjects + tuple(one for part in self.parts for one in part.every_subject())
