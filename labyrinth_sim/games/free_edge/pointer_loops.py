"""The compiled batch loop of players that come by pointer, compiled once for all of them.

numba would compile a loop anew for every function that it is given. This one takes a first-class
function of one declared signature, so that only the player itself is compiled.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import compile_only_for, helper, kernel, pointer
from labyrinth_sim.games.free_edge.endgame_kernels import (
    EndgameScratch,
    endgame_scratch,
    winning_cards,
)
from labyrinth_sim.games.free_edge.kernels import (
    FILL,
    MOST_MOVES,
    NOTHING,
    PLAY,
    PUBLIC,
    RESORT,
    SECRET,
    Flags,
    apply,
    available,
    drawing,
    legal,
    play_safe,
    view_digest,
)
from labyrinth_sim.games.free_edge.loops import Outcomes, begin, record, stopped
from labyrinth_sim.rng import PLAYERS, below
from labyrinth_sim.shuffle import DealSource, new_source

SEEN = np.dtype(
    [(name, PUBLIC[name]) for name in PUBLIC.names or ()]
    + [(name, np.dtype(np.uint64)) for name in Flags._fields],
    align=True,
)
"""What a player by pointer is given: the fields of PUBLIC, and the rules, those of Flags.

So one record serves helpers of `kernels` for both: ``available(public, public)``.
"""

MEMORY = 32
"""Words of scratch that a player by pointer has; they are 0 before every choice."""

_NO_DRAWS = np.uint64(2**64 - 1)
"""Instead of the number of the next word: the player said that it draws none."""


@helper
def draw(rng: Any, n: Any) -> Any:
    """Draw uniformly from 0 … n - 1, for a player that was declared with ``randomized=True``.

    The same view gives the same draws, on whatever deal; they are those of `chance.ViewRandom`.

    Parameters
    ----------
    rng : ndarray of uint64, shape (3,)
        As given to the player.
    n : int
        From 1 to 2**32.

    Returns
    -------
    int64
    """
    if rng[2] == _NO_DRAWS:
        raise ValueError("a player that draws must be declared with randomized=True")
    drawn, rng[2] = below(np.uint64(n), rng[0], PLAYERS, rng[1], rng[2])
    return np.int64(drawn)


class Scratch(NamedTuple):
    """What a worker needs to play, allocated once a block."""

    public: NDArray[Any]  # (1,) of SEEN
    secret: NDArray[np.uint8]  # (SECRET,)
    moves: NDArray[np.uint8]  # (MOST_MOVES,)
    endgame: EndgameScratch
    card: NDArray[np.uint8]  # (1,): which the search for the end found
    shown: NDArray[Any]  # (1,) of SEEN: a copy, as the player may write to it
    memory: NDArray[np.uint64]  # (MEMORY,)
    rng: NDArray[np.uint64]  # (3,)
    at: NDArray[np.int64]  # (2,): the number of the game; 1 if the player gave no legal move


def new_scratch(flags: Flags, key: np.uint64) -> Scratch:
    """Allocate what a block needs; the player's randomness is keyed by `key`."""
    return Scratch(
        seen(flags),
        np.zeros(SECRET, np.uint8),
        np.zeros(MOST_MOVES, np.uint8),
        endgame_scratch(),
        np.zeros(1, np.uint8),
        seen(flags),
        np.zeros(MEMORY, np.uint64),
        np.array([key, 0, _NO_DRAWS], np.uint64),
        np.zeros(2, np.int64),
    )


def seen(flags: Flags) -> NDArray[Any]:
    """A record of SEEN, shape (1,), with the rules filled in."""
    record = np.zeros(1, SEEN)
    for name in Flags._fields:
        record[name] = getattr(flags, name)
    return record


def compiled_choice(function: Any) -> Any:
    """Compile ``choose(public, moves, n, params, scratch, rng) -> index`` of a player.

    Moves and parameters are read-only to it, so that it can keep nothing there.
    """
    moves, params = np.zeros(MOST_MOVES, np.uint8), np.zeros(0, np.float64)
    moves.flags.writeable = params.flags.writeable = False
    rng = np.zeros(3, np.uint64)
    return pointer(function, np.zeros(1, SEEN)[0], moves, 0, params, rng.copy(), rng)


@cache
def asking_loop() -> Any:
    """The loop `play_asked`, compiled or loaded; it takes any player, and no other types."""

    def choose(public: Any, moves: Any, n: Any, params: Any, scratch: Any, rng: Any) -> int:
        return 0

    params = np.zeros(0, np.float64)
    params.flags.writeable = False  # so that either kind may be given
    source = new_source(0, np.zeros((0, 52), np.uint8), np.zeros(52, np.uint8))
    word, flags = np.uint64(0), Flags(*map(np.uint64, range(len(Flags._fields))))
    out = Outcomes(np.zeros(0, np.bool_), *[np.zeros(0, np.uint8)] * 5)
    scratch, stop = new_scratch(flags, word), np.zeros(1, np.uint8)
    compile_only_for(
        play_asked,
        compiled_choice(choose),
        *(params, False, False, False, flags, source, word, scratch, out, stop),
    )
    return play_asked


@kernel
def play_asked(
    choose: Any,
    params: NDArray[np.float64],
    safe_first: bool,
    exact: bool,
    randomized: bool,
    flags: Any,
    source: DealSource,
    first: np.uint64,
    scratch: Scratch,
    out: Outcomes,
    stop: NDArray[np.uint8],
) -> int:
    """Play the deals from `first` on, one an item of `out`, and return how many were played.

    Parameters
    ----------
    choose : first-class function
        From `compiled_choice`.
    params : ndarray of float64
        Given to it.
    safe_first : bool
        Whether all safe plays are made here, and it is asked only where a choice is left.
    exact : bool
        Whether games are ended exactly.
    randomized : bool
        Whether the player may draw.
    flags : Flags
    source : DealSource
    first : uint64
    scratch : Scratch
        Afterwards `at` tells the last game, and whether an index that is none ended it.
    out : Outcomes
    stop : ndarray of uint8, shape (1,)
        Not 0: return early.
    """
    for number in range(len(out.won)):
        if stopped(number, stop):
            return number
        scratch.at[0] = number
        begin(source, first + np.uint64(number), flags, scratch)
        fills = _asked_game(choose, params, safe_first, exact, randomized, flags, scratch)
        if fills < 0:
            scratch.at[1] = 1
            return number
        record(out, number, flags, scratch.public[0], fills)
    return len(out.won)


@helper
def _asked_game(
    choose: Any,
    params: Any,
    safe_first: Any,
    exact: Any,
    randomized: Any,
    flags: Any,
    scratch: Any,
) -> Any:
    """Play a game to its end; return how many gaps were filled, -1 if there was no such move."""
    public, secret, moves = scratch.public[0], scratch.secret, scratch.moves
    fills = 0
    while True:
        if safe_first:
            safe = available(public, flags) & ~drawing(public, flags)
            if play_safe(public, flags, safe):
                continue
        count = legal(public, flags, moves)
        if count == 0:
            return fills
        if exact and moves[0] >= RESORT:
            # Called, not inlined, which would slow down all other games.
            winning_cards(scratch.public, flags, scratch.endgame, scratch.card)
            card = np.uint64(scratch.card[0])
            if card != NOTHING:
                apply(public, secret, flags, RESORT + card)
                continue
        index = 0
        if count > 1 or not safe_first:
            scratch.shown[0] = public
            scratch.memory[:] = 0
            if randomized:
                scratch.rng[1] = view_digest(public)
                scratch.rng[2] = 0
            index = choose(scratch.shown[0], moves, count, params, scratch.memory, scratch.rng)
            if index < 0 or index >= count:
                return -1
        move = np.uint64(moves[index])
        fills += int(FILL <= move < PLAY)
        apply(public, secret, flags, move)
