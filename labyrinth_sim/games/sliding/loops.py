"""Sliding games in compiled batches: a call plays deals and fills the outcome columns.

`players` says plainly what the players do. To look ahead one move is to be greedy, so that
one loop serves both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.compiled import helper, kernel
from labyrinth_sim.games.sliding.kernels import ONE, ZERO
from labyrinth_sim.games.sliding.moves import (
    Scratch,
    begin,
    decoded,
    is_new,
    is_won,
    left_after,
    legal,
    make,
    rekey,
    remember,
)
from labyrinth_sim.games.sliding.position import DEEPEST
from labyrinth_sim.rng import PLAYERS, absorb, below
from labyrinth_sim.shuffle import DealSource

_WORDS = 8  # of eight bytes: a position's key, filled up with zeros, as `ViewRandom` digests it
_FAR = np.uint64(2**64 - 1)
_MOVE = np.uint64(16)
"""Bits that a move takes in the value of a line."""


class Outcomes(NamedTuple):
    """Outcome columns of a block, all of shape (count,)."""

    won: NDArray[np.bool_]
    cards_left: NDArray[np.uint8]
    moves: NDArray[np.uint32]
    stopped: NDArray[np.bool_]


@kernel
def play_block(
    depth: np.uint64,
    key: np.uint64,
    limit: np.uint64,
    flags: Any,
    source: DealSource,
    first: np.uint64,
    scratch: Scratch,
    out: Outcomes,
    stop: NDArray[np.uint8],
) -> int:
    """Play the deals from `first` on, one an item of `out`, and return how many were played.

    It returns early also where a game visits more positions than the scratch has room for.

    Parameters
    ----------
    depth : uint64
        Moves to look ahead, 1 to `DEEPEST`; 0 to play at random.
    key : uint64
        Key of the player's randomness.
    limit : uint64
        Moves after which a game ends.
    flags : Flags
    source : DealSource
    first : uint64
    scratch : Scratch
        Fresh from `new_scratch`, as it holds the games that were played with it.
    out : Outcomes
    stop : ndarray of uint8, shape (1,)
        Not 0: return early.
    """
    for number in range(len(out.won)):
        game = np.uint64(number) + ONE
        begin(source, first + np.uint64(number), flags, scratch)
        moves = ZERO
        while moves < limit and not is_won(ZERO, flags, scratch):
            if stop[0] != 0:
                return number
            if depth:
                if not remember(scratch, game, moves):
                    return number
                move = _best_move(depth, game, flags, scratch)
            else:
                move = _random_move(key, moves, flags, scratch)
            if move == _FAR:
                break
            card, gap = decoded(move)
            scratch.left[0] = left_after(scratch.left[0], card, gap, flags, scratch)
            rekey(scratch, 0, 0, card, gap)
            make(scratch, card, gap)
            moves += ONE
        _record(out, number, moves, flags, scratch)
    return len(out.won)


@helper
def _record(out: Any, number: Any, moves: Any, flags: Any, scratch: Any) -> None:
    """Write down the outcome of a game."""
    won = is_won(ZERO, flags, scratch)
    out.won[number] = won
    out.cards_left[number] = scratch.left[0]
    out.moves[number] = moves
    out.stopped[number] = not won and legal(scratch.moves[0], flags, scratch) > 0


@helper
def _best_move(depth: Any, game: Any, flags: Any, scratch: Any) -> Any:
    """The first move of the best line of up to `depth` moves through new positions.

    The best one leaves the fewest cards, then is the shortest, then the first in text order.
    `_FAR` if no move leads to a new position.
    """
    best, first = _FAR, ZERO
    tried, left = scratch.tried, scratch.left
    level = ZERO
    tried[0, 0], tried[0, 1] = 0, legal(scratch.moves[0], flags, scratch)
    while True:
        if tried[level, 0] == tried[level, 1]:
            if level == ZERO:
                return best & ((ONE << _MOVE) - ONE) if best != _FAR else best
            level -= ONE
            make(scratch, scratch.made[level, 0], scratch.made[level, 1])
            continue
        move = scratch.moves[level, tried[level, 0]]
        tried[level, 0] += ONE
        card, gap = decoded(move)
        rekey(scratch, level, level + ONE, card, gap)
        if not is_new(scratch, level + ONE, game):
            continue
        if level == ZERO:
            first = move
        left[level + ONE] = left_after(left[level], card, gap, flags, scratch)
        value = (np.uint64(left[level + ONE]) * np.uint64(DEEPEST) + level) << _MOVE | first
        best = min(best, value)
        if level + ONE < depth:
            scratch.made[level, 0], scratch.made[level, 1] = card, scratch.where[card]
            make(scratch, card, gap)
            level += ONE
            tried[level, 0], tried[level, 1] = 0, 0
            if not is_won(level, flags, scratch):
                tried[level, 1] = legal(scratch.moves[level], flags, scratch)


@helper
def _random_move(key: Any, turn: Any, flags: Any, scratch: Any) -> Any:
    """A Lemire draw over the legal moves in text order, keyed as by `ViewRandom`."""
    moves = scratch.moves[0]
    count = legal(moves, flags, scratch)
    if count == 0:
        return _FAR
    draw, _ = below(np.uint64(count), key, PLAYERS, _view_digest(scratch.cells, turn), ZERO)
    for number in range(1, count):
        move, other = moves[number], number
        while other > 0 and moves[other - 1] > move:
            moves[other] = moves[other - 1]
            other -= 1
        moves[other] = move
    return moves[draw]


@helper
def _view_digest(cells: Any, turn: Any) -> Any:
    digest = ZERO
    first = ZERO
    for number in range(_WORDS):
        word = ZERO
        for byte in range(8):
            cell = 8 * number + byte
            if cell < len(cells):
                word |= np.uint64(cells[cell]) << np.uint64(8 * byte)
        if number & 1:
            digest = absorb(digest, first, word)
        first = word
    return absorb(digest, turn, ZERO) if turn else digest
