"""Which move lost a deal that could still be won?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

from labyrinth_sim.cards import read_deck
from labyrinth_sim.core.game import Position
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.player import Move
from labyrinth_sim.core.playthrough import SEPARATOR, Playthrough, replay
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits, Solver
from labyrinth_sim.deals import Deal
from labyrinth_sim.games import find_game
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.playing import playthrough
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Table
from labyrinth_sim.run.asking import Running, question
from labyrinth_sim.run.one_deal import OneDeal, one_deal
from labyrinth_sim.run.progress import progress_bar
from labyrinth_sim.run.request import Request

HINDSIGHT = (
    "This is what foresight would have told, with all cards seen; it does not say that the player "
    "could have known."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Explanation(OneDeal):
    """What became of a deal in a player's hands, and where it was lost.

    See `Answer` for what else it holds.

    Parameters
    ----------
    verdict : {"won", "unwinnable", "fatal", "stopped", "unknown"}
        `won`: the player won. `unwinnable`: nobody could have. `fatal`: a move of the player's was
        the first after which the deal could no longer be won. `stopped`: the player stopped, or
        reached its limit of moves, where the deal could still be won. `unknown`: searches reached
        their limits before that could be told.
    moves : tuple of Move
        The player's game.
    winnable_after, unwinnable_after : int or None
        The most moves after which the deal is known to be winnable, and the fewest after which it
        is known to be lost; a fatal move leads from one to the other.
    line : tuple of Move
        Moves that win from where the deal is last known to be winnable, unless the player won; its
        first is one that kept a deal alive that a fatal move lost.
    nodes : int
        Positions that the searches looked into.
    boards : tuple of str
        The positions before and after the fatal move, if there is one, as text.
    """

    verb = "explain"
    searches = True

    verdict: str
    moves: tuple[Move, ...]
    winnable_after: int | None
    unwinnable_after: int | None
    line: tuple[Move, ...]
    nodes: int
    boards: tuple[str, ...]
    made: Playthrough | None = field(
        default=None, compare=False, repr=False, metadata={"saved": False}
    )

    @property
    def player(self) -> str:
        """The player's spec."""
        return self.asked.players[0]

    @property
    def game_played(self) -> Playthrough:
        """The player's game; of an answer that was read back it is played again."""
        if self.made is not None:
            return self.made
        game = find_game(self.asked.place)
        deck = read_deck(self.deck, game.reference.pack)
        return replay(game.start(deck, self.rules), self.moves).bare()

    @property
    def positions(self) -> tuple[Position, ...]:
        """The deal, and the position after each move: one more than there are moves."""
        return tuple(self.game_played.positions())

    @property
    def fatal(self) -> int | None:
        """Number of the fatal move, from 1; None if there is none, or it is not known."""
        return self.unwinnable_after if self.verdict == "fatal" else None

    @property
    def before(self) -> Position | None:
        """The position before the fatal move."""
        return None if self.fatal is None else self.game_played.after(self.fatal - 1)

    @property
    def after(self) -> Position | None:
        """The position after the fatal move."""
        return None if self.fatal is None else self.game_played.after(self.fatal)

    @property
    def text(self) -> str:
        """The explanation in words, without boards."""
        note = "" if self.verdict == "won" else f"\n{HINDSIGHT}"
        return f"deal {self.deal}, {self.rules.spec}, {self.player}: {self._told()}{note}"

    def _told(self) -> str:
        count = len(self.moves)
        if self.verdict == "won":
            return f"the player won, in {count} moves; there is no fatal move."
        if self.verdict == "unwinnable":
            return "the deal could not be won from the start, whatever is played."
        line = f"Winning line from there: {SEPARATOR.join(self.line)}"
        if self.fatal is not None:
            return (
                f"move {self.fatal} of {count}, {self.moves[self.fatal - 1]}, is the fatal one: "
                f"before it the deal could be won, for instance by {self.line[0]} in its place, "
                f"and after it no more.\n{line}"
            )
        if self.verdict == "stopped":
            return (
                f"no move lost the deal: the player stopped after {count} moves, and it could "
                f"still be won.\n{line}"
            )
        known = (
            "it is not known whether the deal could be won at all"
            if self.winnable_after is None
            else f"the deal could still be won after move {self.winnable_after}"
        )
        lost = (
            f"and whether it was lost when the player stopped after move {count} is not known"
            if self.unwinnable_after is None
            else f"and it was lost by move {self.unwinnable_after} at the latest"
        )
        if not self.complete:
            return f"interrupted; so far {known}, {lost}."
        return (
            f"unknown, as a search reached its limit: {known}, {lost}. Give more nodes or memory."
        )

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim explain --json`` prints it."""
        fatal, (before, after) = self.fatal, self.boards or (None, None)
        return {
            **self.head(),
            "player": self.player,
            "verdict": self.verdict,
            "moves": SEPARATOR.join(self.moves),
            "fatal": fatal,
            "move": None if fatal is None else self.moves[fatal - 1],
            "alive": self.line[0] if fatal is not None else None,
            "line": SEPARATOR.join(self.line) if self.line else None,
            "winnable_after": self.winnable_after,
            "unwinnable_after": self.unwinnable_after,
            "before": before,
            "after": after,
            "nodes": self.nodes,
            "note": HINDSIGHT,
        }

    def title(self) -> str:
        return self.text.partition("\n")[0]

    def body(self) -> Iterator[str | Table]:
        yield from self.text.splitlines()[1:]
        for board in self.boards:
            yield f"\n{board}"


@question
def explain(
    deal: str | Deal | int,
    player: str | Any | None = None,
    rules: str | RuleSet | None = None,
    *,
    limits: Limits | None = None,
    decks: Deals | None = None,
    **asked: Unpack[Running],
) -> Explanation:
    """Find the first move of a player's game after which the deal can no longer be won.

    Every position that is asked costs a search: about ten in a game of a thousand moves, and some
    twenty where searches reach their limits. Ctrl-C ends them and leaves what is known by then.

    Parameters
    ----------
    deal : str, Deal or int
        A deal, or its id; with `decks` its place there, from 0.
    limits : Limits, optional
        What each search may use up, by default 64 MiB of memory.
    decks : Deals, optional
        Given decks that the deal is one of.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> explanation = explain("1/1/0", "greedy")
    >>> explanation.verdict, explanation.moves[explanation.fatal - 1], explanation.line[0]
    ('fatal', 'F 2', 'D')
    """
    request = Request.about(deal, decks, rules=rules, players=player, limits=limits, **asked)
    (run,) = request.runs
    made = playthrough(request.game, run.rules, run.player, request.source, request.first).bare()
    positions = tuple(made.positions())
    won = made.result == "won"
    search = _Search(solver_of(request.game), positions, request.limits)
    complete = won or search.narrow(request.progress)
    verdict = "won" if won else search.verdict
    shown = positions[search.high - 1 : search.high + 1] if verdict == "fatal" else ()
    return one_deal(
        Explanation,
        request,
        Identity.pool((request.solve().identity, request.play(run).identity)),
        complete=complete,
        verdict=verdict,
        moves=made.moves,
        winnable_after=None if won or search.low < 0 else search.low,
        unwinnable_after=None if won or search.high == len(positions) else search.high,
        line=search.line,
        nodes=search.nodes,
        boards=tuple(position.board() for position in shown),
        made=made,
    )


class _Search:
    """Narrows down where in a game the deal was lost.

    Bisection will do: what wins after a move wins before it with that move in front, so along a
    game all winnable positions come before all that are not. That holds as well where moves can be
    taken back: a position from which one comes back to a winnable one is winnable. A game may end
    without being lost, where its player stops. Where limits leave positions unknown, the
    search goes on on both sides of them, until they are next to what is known.
    """

    def __init__(self, solver: Solver, positions: Sequence[Position], limits: Limits) -> None:
        self.solver, self.positions, self.limits = solver, positions, limits
        self.line: tuple[Move, ...] = ()
        self.nodes = 0
        lost = positions[-1].status == "lost"
        # Last known winnable, and first known lost: one beyond the last if none is.
        self.low, self.high = -1, len(positions) - lost
        self.unknown: set[int] = set()

    @property
    def verdict(self) -> str:
        if self.high == 0:
            return "unwinnable"
        if self.low + 1 < self.high:
            return "unknown"
        return "stopped" if self.high == len(self.positions) else "fatal"

    def narrow(self, progress: bool | None) -> bool:
        """Ask until nothing is left to ask; False if that was interrupted."""
        try:
            with progress_bar(progress, unit=" searches") as bar:
                while (number := self._next()) is not None:
                    self._ask(number)
                    bar.update()
        except KeyboardInterrupt:
            return False
        return True

    def _next(self) -> int | None:
        """After how many moves it is to be asked next how the deal stands."""
        if self.high == len(self.positions) and self.high - 1 not in {self.low, *self.unknown}:
            return self.high - 1
        between = [number for number in self.unknown if self.low < number < self.high]
        for low, high in (
            (self.low, min(between, default=self.high)),
            (max(between, default=self.low), self.high),
        ):
            if low + 1 < high:
                return (low + high + 1) // 2
        return None

    def _ask(self, number: int) -> None:
        solution = self.solver.solve(self.positions[number], self.limits)
        self.nodes += solution.nodes
        if solution.verdict == "winnable":
            self.low, self.line = number, tuple(solution.moves or ())
        elif solution.verdict == "unwinnable":
            self.high = number
        else:
            self.unknown.add(number)
