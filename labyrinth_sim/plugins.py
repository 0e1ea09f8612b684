"""Players from outside of this package: what they leave out is supplied, and they get an identity.

All that such a player needs is a method ``choose(view, moves, rng)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labyrinth_sim.core.player import Move, Player, Random, Traits
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.parameters import Parameters, whole_number, with_pairs
from labyrinth_sim.source import is_ours, source_of


@dataclass(frozen=True)
class Plugin:
    """A player from elsewhere with the whole interface of a `Player`; see `as_player`."""

    player: Any = field(compare=False)
    name: str
    spec: str
    full_spec: str
    version: int
    traits: Traits
    text: str
    source: str
    limit: int | None = None
    game: str | None = None

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        move: Move = self.player.choose(view, moves, rng)
        return move

    def loaded(self) -> str:
        """The source of what this process has loaded."""
        return _source(self.player, self.spec)

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
    def game(self) -> str | None:
        return getattr(self.player, "game", None)

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


def as_player(player: Any, name: str | None = None) -> Player:
    """Take any object with a method `choose` for a player.

    Its `version`, `traits` and `text` are its own where it has them, else 1, those of an honest
    player that draws nothing, and the first line of its docstring. Its `spec` is its own where it
    has one, else its `name`; where it has parameters, it is the name and those that differ from
    their defaults, as at the command line. Its `source` is its own where it has one, else a digest
    of its code, of all that this refers to and of what it holds, see `labyrinth_sim.source`.

    Parameters
    ----------
    player : object
        Players of this package are given back as they are.
    name : str, optional
        By which it is found, by default ``MODULE:CLASS``.

    Raises
    ------
    InvalidInput
        If it is a class, has no method `choose`, has a version, source or traits that are none,
        or can't be told from others.

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
            f"{name or repr(player)} is no player but of type {kind.__name__}; give a name, or "
            "an object with a method choose(view, moves, rng)"
        )
    if is_ours(kind) and isinstance(player, Player):
        return player
    name = name or f"{kind.__module__}:{kind.__qualname__}"
    if isinstance(player, Parameters):
        spec = with_pairs(name, player.changed())
        full_spec = with_pairs(name, player.as_dict(), full=True)
    else:
        spec = getattr(player, "spec", name)
        full_spec = getattr(player, "full_spec", spec)
    source = _source(player, spec)
    traits = getattr(player, "traits", Traits())
    if not isinstance(traits, Traits):
        raise InvalidInput(f"the traits of {spec} are {traits!r}; give labyrinth_sim's Traits(…)")
    text = getattr(player, "text", None) or (inspect.getdoc(kind) or spec).splitlines()[0]
    version = whole_number(getattr(player, "version", 1))
    if version is None:
        raise InvalidInput(f"the version of {spec} is {player.version!r}; give an integer")
    limit, game = getattr(player, "limit", None), getattr(player, "game", None)
    return Plugin(player, name, spec, full_spec, version, traits, text, source, limit, game)


def _source(player: Any, spec: str) -> str:
    """What tells a player from others of its spec: its own word, or what it is made of."""
    own = getattr(player, "source", None)
    if own is None:
        return source_of(player, spec)
    if not isinstance(own, str) or not own:
        raise InvalidInput(
            f"the source of {spec} is {own!r}; give a text that changes whenever its choices may, "
            "or none, and it is a digest of what the player is made of"
        )
    return own
