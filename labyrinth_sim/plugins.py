"""Players from outside of this package: what they leave out is supplied, and they get an identity.

All that such a player needs is a method ``choose(view, moves, rng)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labyrinth_sim.core.player import Move, Player, Random, Traits
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.parameters import Named, Parameters, with_pairs
from labyrinth_sim.source import source_of

_OURS = __name__.partition(".")[0]


@dataclass(frozen=True)
class Plugin:
    """A player from elsewhere behind the whole face of a `Player`; see `as_player`."""

    player: Any
    spec: str
    full_spec: str
    version: int
    traits: Traits
    text: str
    source: str
    limit: int | None = None

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        move: Move = self.player.choose(view, moves, rng)
        return move

    def loaded(self) -> str:
        """The source of what this process has loaded."""
        return _source(self.player)

    def explain(self) -> str:
        return self.player.explain() if isinstance(self.player, Parameters) else ""


@dataclass(frozen=True)
class Modified:
    """A player with a parameter more, which the game knows and the player does not."""

    player: Player

    @property
    def added(self) -> Mapping[str, Any]:
        """The parameter and its value."""
        raise NotImplementedError

    @property
    def spec(self) -> str:
        return with_pairs(self.player.spec, self.added)

    @property
    def full_spec(self) -> str:
        return with_pairs(self.player.full_spec, self.added)

    @property
    def source(self) -> str:
        """A digest of what the player was made from."""
        return getattr(self.player, "source", "")

    @property
    def version(self) -> int:
        return self.player.version

    @property
    def traits(self) -> Traits:
        return self.player.traits

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return self.player.choose(view, moves, rng)


_sure: set[str] = set()
"""Sources that were found to be those of what this process has loaded."""


def refuse_outdated(player: Player) -> None:
    """Refuse a player that this process has loaded from another text than the one that asks.

    That is so in a worker if a module was edited and not loaded again where the run was started.

    Raises
    ------
    RunFailed
        Naming the player, and what to do.
    """
    while isinstance(player, Modified):
        player = player.player
    if not isinstance(player, Plugin) or player.source in _sure:
        return
    if player.loaded() != player.source:
        raise RunFailed(
            f"player {player.spec} was edited since it was loaded, so worker processes have "
            "another one; load its modules again (importlib.reload) or start anew"
        )
    _sure.add(player.source)


def as_player(player: Any, place: str | None = None) -> Player:
    """Take any object with a method `choose` for a player.

    Its `version`, `traits` and `text` are its own where it has them, else 1, those of an honest
    player that draws nothing, and the first line of its docstring. Its `spec` is its own where it
    has one, else its `place`; where it has parameters, it is the place and those that differ from
    their defaults, as at the command line. Its `source` is its own where it has one, else a digest
    of its code and of all that this refers to, see `labyrinth_sim.source`, and, where it has no
    parameters, of what it holds.

    Parameters
    ----------
    player : object
        Players of this package are given back as they are.
    place : str, optional
        Where it was found, by default ``MODULE:CLASS``.

    Raises
    ------
    InvalidInput
        If it is a class, has no method `choose`, has traits that are none, or its source can't be
        told from another's.

    Examples
    --------
    >>> class Last:
    ...     "Takes the last legal move."
    ...     def choose(self, view, moves, rng):
    ...         return moves[-1]
    >>> player = as_player(Last(), "example:Last")
    >>> player.spec, player.text
    ('example:Last', 'Takes the last legal move.')
    """
    if isinstance(player, type):
        raise InvalidInput(
            f"{player.__name__} is a class; give an object of it, e.g. {player.__name__}()"
        )
    kind: Any = type(player)
    if not callable(getattr(player, "choose", None)):
        raise InvalidInput(
            f"{place or repr(player)} is no player but of type {kind.__name__}; give a name, or "
            "an object with a method choose(view, moves, rng)"
        )
    if kind.__module__.startswith(_OURS + ".") and isinstance(player, Player):
        return player
    place = place or f"{kind.__module__}:{kind.__qualname__}"
    if isinstance(player, Parameters):
        spec = with_pairs(place, player.changed())
        full_spec = with_pairs(place, player.as_dict(), full=True)
    else:
        spec = getattr(player, "spec", place)
        full_spec = getattr(player, "full_spec", spec)
    source = _source(player)
    traits = getattr(player, "traits", Traits())
    if not isinstance(traits, Traits):
        raise InvalidInput(f"the traits of {spec} are {traits!r}; give labyrinth_sim's Traits(…)")
    text = getattr(player, "text", None) or (inspect.getdoc(kind) or spec).splitlines()[0]
    version, limit = getattr(player, "version", 1), getattr(player, "limit", None)
    return Plugin(player, spec, full_spec, version, traits, text, source, limit)


def _source(player: Any) -> str:
    """What tells a player from others of its spec: its own word, or what it is made of."""
    own = getattr(player, "source", "")
    if not isinstance(own, str):
        raise InvalidInput(f"the source of {player!r} is {own!r}; give a text that names it")
    if isinstance(player, Named):  # its own names the players that it is made with
        return "+".join(filter(None, [source_of(type(player)), own]))
    return own or source_of(type(player) if isinstance(player, Parameters) else player)
