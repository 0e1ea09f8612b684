"""Playing a deal a move at a time, whatever the game and player, and what may go wrong then."""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np

from labyrinth_sim.chance import ViewRandom
from labyrinth_sim.core.game import Foreseen, Game, Position
from labyrinth_sim.core.player import STOP, Move, Player
from labyrinth_sim.core.playthrough import SEPARATOR, Playthrough, Step
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import check_pack
from labyrinth_sim.errors import IllegalMove, InvalidInput, PlayerFailed
from labyrinth_sim.rulesets import RuleSet


def playthrough(
    game: Game,
    rules: RuleSet,
    player: Player,
    deals: Deals,
    index: int,
    *,
    move_seconds: float | None = None,
) -> Playthrough:
    """Play one deal in the reference engine, to its end.

    Parameters
    ----------
    game, rules, player
        See `labyrinth_sim.games.find_game`, `find_rules` and `labyrinth_sim.players.find_player`.
    deals : Deals
        Of the game's pack.
    index : int
        Which deal of these.
    move_seconds : float, optional
        How long a choice may take.

    Raises
    ------
    InvalidInput
        If the deals are of another pack.
    PlayerFailed
        If the player raises an error, returns what is no legal move, or takes too long.

    Examples
    --------
    >>> from labyrinth_sim.deals import SeededDeals
    >>> from labyrinth_sim.games.free_edge.labyrinth import GAME
    >>> greedy = GAME.catalog.players()["greedy"].read("")
    >>> played = playthrough(GAME, GAME.rules(), greedy, SeededDeals(1), 0)
    >>> played.result, len(played.moves), played.moves[0]
    ('lost', 29, 'P 2D')
    """
    return Playthrough.of(*begin(game, rules, player, deals, index, move_seconds=move_seconds))


def begin(
    game: Game,
    rules: RuleSet,
    player: Player,
    deals: Deals,
    index: int,
    *,
    move_seconds: float | None = None,
) -> tuple[Position, Iterator[Step]]:
    """The position that is dealt, and the steps of `playthrough` from there, one at a time."""
    from labyrinth_sim.rng import player_key

    check_pack(deals, game.reference.pack)
    start = game.start(deals.deck(index), rules)
    return start, play_out(
        start,
        player,
        player_key(deals.seed or 0, player.spec),
        deal=deals.label(index),
        move_seconds=move_seconds,
        limit=game.limit_of(player),
    )


def play_out(
    position: Position,
    player: Player,
    key: np.uint64,
    *,
    deal: str,
    move_seconds: float | None = None,
    limit: int | None = None,
) -> Iterator[Step]:
    """Play a position to its end: each move, and the position after it.

    Parameters
    ----------
    position : Position
    player : Player
    key : uint64
        Key of the player's randomness, see `labyrinth_sim.rng.player_key`.
    deal : str
        What the deal is called, for errors.
    move_seconds : float, optional
        How long a choice may take.
    limit : int, optional
        Moves after which it ends, for a game whose positions can repeat. There the player
        may also stop, and its draws hang on the number of the move besides the view.

    Raises
    ------
    PlayerFailed
        If the player raises an error, returns what is no legal move, or takes too long.
    """
    moves: list[Move] = []
    while (legal := position.legal()) and (limit is None or len(moves) < limit):
        rng = ViewRandom(key, position, turn=0 if limit is None else len(moves))
        try:
            with _limited(move_seconds):
                move = player.choose(shown(position, player), legal, rng)
            if move == STOP and limit is not None:
                return
            position = _made(position, move)
        except IllegalMove as problem:
            raise _failure(player, deal, moves, position, str(problem), problem) from problem
        except _TooLong as problem:
            why = f"it took longer than the {move_seconds:g} s that a move may take"
            raise _failure(player, deal, moves, position, why, problem) from None
        except (Exception, SystemExit) as problem:
            why = f"it raised {type(problem).__name__}: {problem}{_where(problem)}"
            raise _failure(player, deal, moves, position, why, problem) from problem
        moves.append(move)
        yield move, position


def shown(position: Position, player: Player) -> Any:
    """What a player is given to choose by: the view, or more if its traits say so.

    Raises
    ------
    InvalidInput
        If it sees some cards ahead, and positions of the game can't be shown in part.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> from labyrinth_sim.games.free_edge.labyrinth import GAME
    >>> start = GAME.start(deal("1/1/0").deck, GAME.rules())
    >>> kinds = GAME.catalog.players()
    >>> [type(shown(start, kinds[name].read(""))).__name__ for name in ("greedy", "thoughtful")]
    ['View', 'Position']
    """
    cards = player.traits.foresight
    if cards == 0:
        return position.view
    if cards < 0:
        return position
    if isinstance(position, Foreseen):
        return position.ahead(cards)
    raise InvalidInput(
        f"{player.spec} sees {cards} cards ahead, which this game can't show; let its foresight be "
        "0, or -1 for all cards"
    )


def check_move_seconds(seconds: float | None) -> None:
    """Refuse a limit that is no time."""
    if seconds is None:
        return
    if not isinstance(seconds, int | float) or not (seconds > 0 and isfinite(seconds)):
        raise InvalidInput(
            f"move_seconds={seconds!r} is out of range; give a number of seconds above 0, or None "
            "for no limit"
        )


class _TooLong(BaseException):
    """Not an `Exception`, lest the player catches it."""


def _made(position: Position, move: object) -> Position:
    if not isinstance(move, str):
        raise IllegalMove(
            f"it returned {move!r}, which is no move; return one of those it is given"
        )
    try:
        return position.after(move)
    except InvalidInput as problem:
        raise IllegalMove(f"it returned {move!r}: {problem}") from problem


def _failure(
    player: Player,
    deal: str,
    moves: Sequence[Move],
    position: Position,
    why: str,
    problem: BaseException,
) -> PlayerFailed:
    failure = PlayerFailed(
        f"player {player.spec} failed on deal {deal}, after {len(moves)} moves: {why}\n"
        f"moves so far: {SEPARATOR.join(moves) or 'none'}\n\n{position.board()}"
    )
    failure.add_note("".join(traceback.format_exception(problem)))
    return failure


def _where(problem: BaseException) -> str:
    """The line of the player that an error came from."""
    frames = traceback.extract_tb(problem.__traceback__)[1:]  # the first one is ours
    if not frames:
        return ""
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno}, in {frames[-1].name})"


@contextmanager
def _limited(seconds: float | None) -> Iterator[None]:
    """Raise `_TooLong` once the time is over: at once in a main thread, else in the end."""
    if seconds is None:
        yield
        return
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGALRM"):
        with _alarm(seconds):
            yield
        return
    start = perf_counter()
    yield
    if perf_counter() - start > seconds:
        raise _TooLong


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise _TooLong

    handler = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # even if the alarm rings in the line above
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, interval)
