"""Compiled players from elsewhere: a function, passed to the batch loop by its address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, partial
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.core.identity import PLAY, Identity, Subject
from labyrinth_sim.core.player import Move, Random, Traits
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.deals import deal_source
from labyrinth_sim.errors import IllegalMove, InvalidInput, PlayerFailed, unknown
from labyrinth_sim.games.free_edge.endgame import winning_resort
from labyrinth_sim.games.free_edge.players import safe_play
from labyrinth_sim.games.free_edge.probe import COLUMNS, NAME, VERSION
from labyrinth_sim.games.free_edge.reference import View, start
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.parameters import number_text, split_pairs, with_pairs
from labyrinth_sim.playing import play_out
from labyrinth_sim.source import source_of


class CompiledPlayer:
    """A player whose choices a compiled function makes; also a decorator for that function.

    `compiled_player` is one that takes options.

    Parameters
    ----------
    function : callable
        ``choose(public, moves, n, params, scratch, rng)`` returns the index of one of `moves`:

        - `public`: record of `pointer_loops.SEEN`, all that a player may see, and the rules. It
          is a copy.
        - `moves`: uint8, shape (64,), read-only: the legal moves in text order, as `kernels`
          numbers them: DEAL, FILL + column, PLAY + card, RESORT + card.
        - `n`: int64, how many there are, at least 1.
        - `params`: float64, read-only: the values of `params`.
        - `scratch`: uint64, shape (32,), all 0 before every choice.
        - `rng`: for `pointer_loops.draw`.
    name : str, optional
        What it is called in results, by default ``MODULE:FUNCTION``.
    params : mapping of str to float, or sequence of float
        Numbers that may be set in its spec, with their defaults; unnamed ones are called p0, p1, …
    text : str, optional
        What it does, by default the first line of its docstring.
    safe_first : bool
        Whether all safe plays (RULES §2.4) are made for it, and it is asked only where a choice
        is left then, which is faster.
    randomized : bool
        Whether it draws random numbers; without, `draw` raises an error.

    Raises
    ------
    InvalidInput
        If numba can't compile the function, or a parameter is no finite number.

    Examples
    --------
    >>> @CompiledPlayer
    ... def last(public, moves, n, params, scratch, rng):
    ...     "Takes the last legal move."
    ...     return n - 1
    >>> last.text
    'Takes the last legal move.'
    """

    version: ClassVar[int] = 1
    game: ClassVar[str] = NAME

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        params: Mapping[str, float] | Sequence[float] = (),
        text: str = "",
        safe_first: bool = False,
        randomized: bool = False,
    ) -> None:
        from labyrinth_sim.games.free_edge.pointer_loops import compiled_choice

        self.function = getattr(function, "py_func", function)
        self.place: str = name or f"{self.function.__module__}:{self.function.__qualname__}"
        if not isinstance(params, Mapping):
            params = {f"p{number}": value for number, value in enumerate(params)}
        self.defaults = {key: _number(key, value) for key, value in params.items()}
        self.values = self.defaults
        self.text = text or (self.function.__doc__ or self.place).strip().splitlines()[0]
        self.safe_first = safe_first
        self.traits = Traits(randomized=randomized)
        self.endgame = "none"
        self.source = source_of(self.function)
        self.compiled = compiled_choice(self.function)

    def __reduce__(self) -> tuple[Any, ...]:
        # By value if need be: a decorated function is not found under its name any more.
        from numba import cloudpickle

        own = {
            key: value for key, value in vars(self).items() if key not in ("function", "compiled")
        }
        return _rebuilt, (cloudpickle.dumps(self.function), self.source, own)

    def read(self, pairs: str) -> CompiledPlayer:
        """The same player with other parameters, ``key=value,…``."""
        values = dict(self.values)
        for pair in split_pairs(pairs):
            key, _, value = (part.strip() for part in pair.partition("="))
            if key not in values:
                raise unknown("parameter", key, values)
            values[key] = _number(key, value)
        return self._changed(values=values)

    def ended_exactly(self) -> CompiledPlayer:
        """The same player, but its games are ended exactly, see `endgame`."""
        return self._changed(endgame="exact")

    def _changed(self, **attributes: Any) -> CompiledPlayer:
        other = copy(self)
        vars(other).update(attributes)
        return other

    def __copy__(self) -> CompiledPlayer:
        other = object.__new__(CompiledPlayer)
        vars(other).update(vars(self))
        return other

    @property
    def spec(self) -> str:
        changed = {key: v for key, v in self.values.items() if v != self.defaults[key]}
        return with_pairs(self.place, self._texts(changed))

    @property
    def full_spec(self) -> str:
        options = {"safe_first": self.safe_first, "randomized": self.traits.randomized}
        said = {key: value for key, value in options.items() if value}
        return with_pairs(self.place, {**said, **self._texts(self.values)})

    def _texts(self, values: Mapping[str, float]) -> dict[str, str]:
        texts = {key: number_text(value) for key, value in values.items()}
        return texts | ({} if self.endgame == "none" else {"endgame": self.endgame})

    def explain(self) -> str:
        """Name the parameters with their defaults, a line each."""
        return "\n".join(
            f"{key} (default {number_text(value)})" for key, value in self.defaults.items()
        )

    def params(self) -> NDArray[np.float64]:
        """The values of the parameters, as the function takes them."""
        return np.array(list(self.values.values()), np.float64)

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Ask the function for a single choice, as `show` and the tests of players do."""
        if self.safe_first and (safe := safe_play(view, moves)):
            return safe
        if self.endgame == "exact" and moves[0][0] == "R" and (move := winning_resort(view)):
            return move
        if self.safe_first and len(moves) == 1:
            return moves[0]
        index = self.compiled(*self._arguments(view, moves, rng))
        if not 0 <= index < len(moves):
            raise IllegalMove(
                f"it returned the index {index}; there are {len(moves)} moves, from 0"
            )
        return moves[int(index)]

    def _arguments(self, view: View, moves: Sequence[Move], rng: Random) -> tuple[Any, ...]:
        from labyrinth_sim.games.free_edge import pointer_loops as loops
        from labyrinth_sim.games.free_edge.engine import fill_in, move_code
        from labyrinth_sim.games.free_edge.kernels import MOST_MOVES, flags_of

        seen = loops.seen(flags_of(view.rules))
        fill_in(seen, view)
        codes = np.zeros(MOST_MOVES, np.uint8)
        codes[: len(moves)] = [move_code(move) for move in moves]
        state = np.full(3, loops._NO_DRAWS)
        if self.traits.randomized:
            if not isinstance(rng, ViewRandom):
                raise InvalidInput(f"{rng!r} is no ViewRandom, which compiled players draw from")
            state[:] = rng.state
        memory = np.zeros(loops.MEMORY, np.uint64)
        return seen[0], codes, len(moves), self.params(), memory, state


def compiled_player(**options: Any) -> Callable[[Callable[..., Any]], CompiledPlayer]:
    """Decorate a function as `CompiledPlayer` does, with options.

    Examples
    --------
    >>> @compiled_player(params={"back": 0}, safe_first=True)
    ... def nearly_last(public, moves, n, params, scratch, rng):
    ...     return max(0, n - 1 - int(params[0]))
    >>> nearly_last.read("back=1").values
    {'back': 1.0}
    """
    return partial(CompiledPlayer, **options)


def _number(key: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not isfinite(number):
        raise InvalidInput(f"{key}={value!r} is no finite number; give one")
    return number


def _rebuilt(function: bytes, source: str, own: dict[str, Any]) -> CompiledPlayer:
    return _sent(function, source)._changed(**own)


@lru_cache(maxsize=64)
def _sent(function: bytes, source: str) -> CompiledPlayer:
    """Compile a function that was sent here once, however often it comes from one source."""
    from numba import cloudpickle

    return CompiledPlayer(cloudpickle.loads(function))


@dataclass(frozen=True)
class PointerProbe:
    """Plays a compiled player from elsewhere on every deal of a block."""

    rules: LabyrinthRules
    player: CompiledPlayer
    deals: Deals
    columns: tuple[Column, ...] = COLUMNS
    threads: bool = True

    @property
    def identity(self) -> Identity:
        return Identity.of(PLAY, NAME, VERSION, self.rules, Subject.of(self.player), self.deals)

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        from labyrinth_sim.games.free_edge import kernels, loops, pointer_loops

        flags = kernels.flags_of(self.rules)
        scratch, play = pointer_loops.new_scratch(flags, self._key), pointer_loops.asking_loop()
        try:
            done = play(
                self.player.compiled,
                self.player.params(),
                self.player.safe_first,
                self.player.endgame == "exact",
                self.player.traits.randomized,
                flags,
                deal_source(self.deals),
                np.uint64(first),
                scratch,
                loops.Outcomes(**out),
                stop,
            )
        except Exception as problem:  # whatever the function raises
            why = f"{type(problem).__name__}: {problem}"
            raise self._failure(first + int(scratch.at[0]), why) from problem
        if scratch.at[1]:
            raise self._failure(first + int(scratch.at[0]), "an index of no move")
        return int(done)

    @property
    def _key(self) -> np.uint64:
        from labyrinth_sim.rng import player_key

        return player_key(self.deals.seed or 0, self.player.spec)

    def _failure(self, index: int, why: str) -> PlayerFailed:
        """Play the deal again a move at a time, for the position in which the player failed."""
        position, label = start(self.deals.deck(index), self.rules), self.deals.label(index)
        try:
            for _ in play_out(position, self.player, self._key, deal=label):
                pass
        except PlayerFailed as failure:
            return failure
        return PlayerFailed(
            f"player {self.player.spec} failed on deal {label}: {why}. Played again, the deal came "
            "to an end: its choices depend on something else than what it is given"
        )
