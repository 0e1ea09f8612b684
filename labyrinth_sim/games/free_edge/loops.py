"""Compiled batches: a call plays thousands of deals and fills the outcome columns.

The fixed players are inlined and switched by an integer: numba would recompile the loop for
every function that it is given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel
from labyrinth_sim.games.free_edge.choices import (
    AT_ONCE,
    BEFORE_ROW,
    EMPTY,
    LATE,
    NEVER,
    drawing_suit,
    gap_to_fill,
    wants_row,
)
from labyrinth_sim.games.free_edge.endgame_kernels import (
    CUT_SHORT,
    EndgameScratch,
    endgame_scratch,
    finish,
    winning_card,
)
from labyrinth_sim.games.free_edge.kernels import (
    FILL,
    FIT,
    FULL,
    MOST_MOVES,
    NOTHING,
    ONE,
    PLAY,
    PUBLIC,
    RESORT,
    SECRET,
    ZERO,
    apply,
    available,
    deal_row,
    drawing,
    gaps,
    lay_out,
    legal,
    may_resort,
    play,
    play_safe,
    put,
    use_resort,
    usual_resort,
    view_digest,
)
from labyrinth_sim.rng import PLAYERS, below
from labyrinth_sim.shuffle import DealSource, take_deck


class Outcomes(NamedTuple):
    """Outcome columns of a block, all of shape (count,)."""

    won: NDArray[np.bool_]
    cards_left: NDArray[np.uint8]
    plays: NDArray[np.uint8]
    fills: NDArray[np.uint8]
    rows_dealt: NDArray[np.uint8]
    resorts_used: NDArray[np.uint8]


class Scratch(NamedTuple):
    """What a worker needs to play, allocated once a block."""

    public: NDArray[Any]  # (1,) of PUBLIC
    secret: NDArray[np.uint8]  # (SECRET,)
    moves: NDArray[np.uint8]  # (MOST_MOVES,)
    endgame: EndgameScratch


def new_scratch() -> Scratch:
    """Allocate what a worker needs."""
    return Scratch(
        np.zeros(1, PUBLIC),
        np.zeros(SECRET, np.uint8),
        np.zeros(MOST_MOVES, np.uint8),
        endgame_scratch(),
    )


@kernel
def play_block(
    randomly: bool,
    key: np.uint64,
    knobs: Any,
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
    randomly : bool
        Whether to play at random rather than as `knobs` say.
    key : uint64
        Key of the player's randomness.
    knobs : Knobs
    flags : Flags
    source : DealSource
    first : uint64
    scratch : Scratch
    out : Outcomes
    stop : ndarray of uint8, shape (1,)
        Not 0: return early.
    """
    played: int = _block(False, randomly, key, knobs, flags, source, first, scratch, out, stop)
    return played


@kernel
def play_block_exactly(
    randomly: bool,
    key: np.uint64,
    knobs: Any,
    flags: Any,
    source: DealSource,
    first: np.uint64,
    scratch: Scratch,
    out: Outcomes,
    stop: NDArray[np.uint8],
) -> int:
    """Play as `play_block` does, but end the games exactly.

    A kernel of its own, because the search for the end slowed down every other game by a tenth.
    """
    played: int = _block(True, randomly, key, knobs, flags, source, first, scratch, out, stop)
    return played


@helper
def _block(
    exact: Any,
    randomly: Any,
    key: Any,
    knobs: Any,
    flags: Any,
    source: Any,
    first: Any,
    scratch: Any,
    out: Any,
    stop: Any,
) -> int:
    public, secret = scratch.public[0], scratch.secret
    for number in range(len(out.won)):
        if stopped(number, stop):
            return number
        begin(source, first + np.uint64(number), flags, scratch)
        if randomly:
            fills = _random_game(key, exact, flags, scratch)
        else:
            fills = family_game(exact, knobs, flags, public, secret, FULL)
            if exact:
                finish(flags, public, scratch.endgame, FULL)
        record(out, number, flags, public, fills)
    return len(out.won)


@helper
def stopped(number: Any, stop: Any) -> Any:
    """Whether the run is to be stopped; looked up every thousand deals."""
    return number & 1023 == 0 and stop[0] != 0


@helper
def begin(source: Any, index: Any, flags: Any, scratch: Any) -> None:
    """Lay out a deal."""
    take_deck(source, index)
    lay_out(source.deck, flags, scratch.public[0], scratch.secret)


@helper
def record(out: Any, number: Any, flags: Any, public: Any, fills: Any) -> None:
    """Write down the outcome of a game that has come to its end."""
    out.won[number] = public.cards_left == 0
    out.cards_left[number] = public.cards_left
    played_by_resort = public.resorts_used if flags.resort == FIT else 0
    out.plays[number] = flags.stock - public.cards_left - played_by_resort
    out.fills[number] = fills
    out.rows_dealt[number] = public.rows_dealt
    out.resorts_used[number] = public.resorts_used


@helper
def family_game(exact: Any, knobs: Any, flags: Any, public: Any, secret: Any, turns: Any) -> Any:
    """Play up to `turns` turns, if `exact` only until nothing but resorts is left.

    A turn is a move, or all the safe plays that there are. `Heuristic.usual` says the same
    plainly. It stands here in one piece, because choosing a move in one function and making it in
    another cost a sixth of the speed. Returns how many gaps were filled.
    """
    fills = 0
    while public.cards_left and turns:
        free = available(public, flags)
        draws = drawing(public, flags)
        turns -= ONE
        if play_safe(public, flags, free & ~draws):
            continue
        column = NOTHING
        open_cells = gaps(public, flags)
        if open_cells and knobs.fill != NEVER:
            column = gap_to_fill(knobs, flags, public, open_cells)
            if column != NOTHING and (knobs.fill == AT_ONCE or knobs.fill == EMPTY):
                put(public, secret, column)
                fills += 1
                continue
        suit = drawing_suit(knobs, flags, public, free & draws)
        early = knobs.deal != LATE and flags.any_time and wants_row(knobs, flags, public)
        if suit != NOTHING and not early:
            play(public, secret, flags, suit)
        elif column != NOTHING and (suit == NOTHING or knobs.fill == BEFORE_ROW):
            put(public, secret, column)
            fills += 1
        elif public.stock_left:
            deal_row(public, secret, flags)
        elif not exact and may_resort(public, flags, False):
            use_resort(public, flags, usual_resort(public))
        else:
            break
    return fills


@helper
def _random_game(key: Any, exact: Any, flags: Any, scratch: Any) -> Any:
    """Play a game to its end at random, and return how many gaps were filled."""
    public, secret, moves = scratch.public[0], scratch.secret, scratch.moves
    fills = ZERO
    while True:
        count = legal(public, flags, moves)
        if count == 0:
            return fills
        draw, _ = below(np.uint64(count), key, PLAYERS, view_digest(public), ZERO)
        move = np.uint64(moves[draw])
        if exact and move >= RESORT:
            card = winning_card(public, flags, scratch.endgame)
            move = move if card >= CUT_SHORT else RESORT + card
        fills += np.uint64(FILL <= move < PLAY)
        apply(public, secret, flags, move)
