"""Players from outside of this package: what they leave out is supplied, and they get an identity.

All that such a player needs is a method ``choose(view, moves, rng)``.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from labyrinth_sim.core.player import Move, Player, Random, Traits
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import Parameters, value_text

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
    limit: int | None = None

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        move: Move = self.player.choose(view, moves, rng)
        return move

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
    def version(self) -> int:
        return self.player.version

    @property
    def traits(self) -> Traits:
        return self.player.traits

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return self.player.choose(view, moves, rng)


def as_player(player: Any, place: str | None = None) -> Player:
    """Take any object with a method `choose` for a player.

    Its `version`, `traits` and `text` are its own where it has them, else 1, those of an honest
    player that draws nothing, and the first line of its docstring. Its `spec` is its own where it
    has one, else its `place`; where it has parameters, it is the place and those that differ from
    their defaults, as at the command line. The `full_spec` says in addition ``@`` and a digest of
    its source, and, where it has neither a `full_spec` of its own nor parameters, of its state.

    Parameters
    ----------
    player : object
        Players of this package are given back as they are.
    place : str, optional
        Where it was found, by default ``MODULE:CLASS``.

    Raises
    ------
    InvalidInput
        If it is a class, has no method `choose`, or has traits that are none.

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
    source = source_digest(kind)
    if isinstance(player, Parameters):
        spec = with_pairs(place, player.changed())
        full_spec = with_pairs(f"{place}@{source}", player.as_dict())
    else:
        spec = getattr(player, "spec", place)
        own = getattr(player, "full_spec", None)
        full_spec = f"{own}@{source}" if own else f"{spec}@{source}{_state(player)}"
    traits = getattr(player, "traits", Traits())
    if not isinstance(traits, Traits):
        raise InvalidInput(f"the traits of {spec} are {traits!r}; give labyrinth_sim's Traits(…)")
    text = getattr(player, "text", None) or (inspect.getdoc(kind) or spec).splitlines()[0]
    version, limit = getattr(player, "version", 1), getattr(player, "limit", None)
    return Plugin(player, spec, full_spec, version, traits, text, limit)


def with_pairs(spec: str, values: Mapping[str, Any]) -> str:
    """Add parameters to a spec.

    Examples
    --------
    >>> with_pairs("mine:Player", {"depth": 2})
    'mine:Player:depth=2'
    >>> with_pairs("heuristic:fill=never", {"endgame": "exact"})
    'heuristic:fill=never,endgame=exact'
    """
    for key, value in values.items():
        spec += f"{',' if '=' in spec else ':'}{key}={value_text(value)}"
    return spec


@cache
def source_digest(target: Any) -> str:
    """Digest the source of a class or a function (12 hex digits), as it was at first sight.

    It is that of the whole module, and of the modules of all bases that are not ours. In a
    notebook or at a prompt, which are no modules, it is that of the class or function alone.
    """
    parts = [target]
    if isinstance(target, type):
        parts = [base for base in target.__mro__ if not _settled(base.__module__)] or parts
    digest = hashlib.sha256()
    for text in dict.fromkeys(map(_source, parts)):
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:12]


def _settled(module: str) -> bool:
    """Whether a module is this package's or the standard library's."""
    top = module.partition(".")[0]
    return top == _OURS or top in sys.stdlib_module_names


def _source(part: Any) -> str:
    text = _text(sys.modules.get(part.__module__)) or _text(part)
    return text or "\n".join(_pieces(part))


def _text(thing: Any) -> str:
    """The source, nothing where there is none."""
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        return ""


def _pieces(part: Any) -> Iterator[str]:
    """What a class or function without a source file is made of."""
    if isinstance(part, FunctionType):
        yield _code(part.__code__)
        return
    for name, value in sorted(vars(part).items()):
        value = getattr(value, "__func__", getattr(value, "fget", value))
        if isinstance(value, FunctionType):
            yield f"{name}: {_text(value) or _code(value.__code__)}"
        elif isinstance(value, str | int | float | tuple):
            yield f"{name} = {value!r}"


def _code(code: CodeType) -> str:
    constants = [
        _code(item) if isinstance(item, CodeType) else repr(item) for item in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def _state(player: Any) -> str:
    """A digest of what an object holds; nothing if that is nothing."""
    state = getattr(player, "__dict__", None)
    if not state:
        return ""
    from joblib import hash as digest_of  # the two are slow to import
    from numba import cloudpickle

    try:
        try:
            return f"/{digest_of(state)[:12]}"
        except pickle.PicklingError:  # such as functions without a name
            return f"/{digest_of(cloudpickle.dumps(state))[:12]}"
    except Exception as problem:
        raise InvalidInput(
            f"can't tell one {type(player).__qualname__} from another, as what it holds can't be "
            f"pickled ({problem}); give it an attribute full_spec, a text that names it in full"
        ) from problem
