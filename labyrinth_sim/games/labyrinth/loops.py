"""Compiled batches: a call plays thousands of deals and fills the outcome columns.

The fixed players are inlined and switched by an integer: numba would recompile the loop for
every function that it is handed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel, lowest_bit
from labyrinth_sim.games.labyrinth.kernels import (
    ABSENT,
    EMPTY_COLUMN,
    FILL,
    FIT,
    FOUNDATION,
    NOTHING,
    ONE,
    PLAY,
    ZERO,
    apply,
    available,
    deal_row,
    drawing,
    first_suit,
    gaps,
    lay_out,
    legal,
    may_deal,
    may_resort,
    next_card,
    play,
    put,
    use_resort,
    view_digest,
)
from labyrinth_sim.rng import PLAYERS, below
from labyrinth_sim.shuffle import shuffle

GREEDY, PATIENT, NEVER, HASTY, RANDOM = range(5)
CODES = {"greedy": GREEDY, "patient": PATIENT, "never": NEVER, "hasty": HASTY, "random": RANDOM}
"""Number of each player that this loop knows, by spec."""

_POLL = 1023


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
    deck: NDArray[np.uint8]  # (52,)
    words: NDArray[np.uint32]  # (WORDS,)
    moves: NDArray[np.uint8]  # (MOST_MOVES,)


@kernel
def play_block(
    player: int,
    key: np.uint64,
    flags: Any,
    seed: np.uint64,
    first: np.uint64,
    decks: NDArray[np.uint8],
    scratch: Scratch,
    out: Outcomes,
    stop: NDArray[np.uint8],
) -> int:
    """Play the deals from `first` on, one an item of `out`, and return how many were played.

    Parameters
    ----------
    player : int
        One of `CODES`.
    key : uint64
        Key of the player's randomness.
    flags : Flags
    seed, first : uint64
    decks : ndarray of uint8, shape (n, 52)
        Decks to play in place of the seed's, from number `first` on; n is 0 where there are none.
    scratch : Scratch
    out : Outcomes
    stop : ndarray of uint8, shape (1,)
        Not 0: return early.
    """
    public = scratch.public[0]
    count = len(out.won)
    for number in range(count):
        if number & _POLL == 0 and stop[0] != 0:
            return number
        index = first + np.uint64(number)
        if len(decks):
            scratch.deck[:] = decks[index]
        else:
            shuffle(seed, index, scratch.deck, scratch.words)
        lay_out(scratch.deck, flags, public, scratch.secret)
        pack = public.cards_left
        if player == RANDOM:
            fills = _random_game(key, flags, public, scratch.secret, scratch.moves)
        else:
            fills = _fixed_game(player, flags, public, scratch.secret)
        out.won[number] = public.cards_left == 0
        out.cards_left[number] = public.cards_left
        played_by_resort = public.resorts_used if flags.resort == FIT else 0
        out.plays[number] = pack - public.cards_left - played_by_resort
        out.fills[number] = fills
        out.rows_dealt[number] = public.rows_dealt
        out.resorts_used[number] = public.resorts_used
    return count


@helper
def _fixed_game(player: Any, flags: Any, public: Any, secret: Any) -> Any:
    """Play a game to its end as RULES §2.4 says, and return how many gaps were filled."""
    fills = 0
    while public.cards_left:
        free = available(public, flags)
        draws = drawing(public, flags)
        if _play_safe(flags, public, secret, free & ~draws):
            continue
        open_cells = gaps(public, flags)
        if player == GREEDY and open_cells:
            put(public, secret, lowest_bit(open_cells))
            fills += 1
            continue
        suit = first_suit(public, free & draws)
        if player == HASTY and may_deal(public, flags, suit != NOTHING):
            deal_row(public, secret, flags)
        elif suit != NOTHING:
            play(public, secret, flags, suit)
        elif player != NEVER and open_cells:
            put(public, secret, lowest_bit(open_cells))
            fills += 1
        elif public.stock_left:
            deal_row(public, secret, flags)
        elif may_resort(public, flags, False):
            suit = first_suit(public, (ONE << ABSENT) - ONE)
            use_resort(public, secret, flags, next_card(public, suit))
        else:
            break
    return fills


@helper
def _play_safe(flags: Any, public: Any, secret: Any, cells: Any) -> Any:
    """Play a card from `cells`, which hold the safe plays, or all of them; say if there was one.

    All at once, because their order makes no difference: a safe play lets no card in, it only
    takes one away, and taking a card away makes no other card unavailable, nor (but under
    `empty_column`, where it may leave the last card of a column) any other play drawing. So
    whatever is safe now is safe until it is played, and the players do nothing else before.
    """
    if flags.refill == EMPTY_COLUMN and public.stock_left:
        suit = first_suit(public, cells)
        if suit == NOTHING:
            return False
        play(public, secret, flags, suit)
        return True
    occupied = public.occupied
    played = ZERO
    for suit in range(4):
        card = next_card(public, suit)
        where = np.uint64(public.where[card])
        hit = (cells >> where) & ONE
        public.where[card] = FOUNDATION if hit else where
        public.built[suit] += hit
        occupied &= ~(hit << where)
        played += hit
    public.occupied = occupied
    public.cards_left -= played
    return played != ZERO


@helper
def _random_game(key: Any, flags: Any, public: Any, secret: Any, moves: Any) -> Any:
    """Play a game to its end at random, and return how many gaps were filled."""
    fills = ZERO
    while True:
        count = legal(public, flags, moves)
        if count == 0:
            return fills
        draw, _ = below(np.uint64(count), key, PLAYERS, view_digest(public), ZERO)
        move = np.uint64(moves[draw])
        fills += np.uint64(FILL <= move < PLAY)
        apply(public, secret, flags, move)
