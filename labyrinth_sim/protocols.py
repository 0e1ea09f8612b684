"""What games, players and probes are to the machinery that runs them.

Data goes one way: deal ids, decks, a game and a player, outcome columns, frames. Nothing here
knows a particular game, and nothing here imports numba.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.rulesets import RuleSet

Move = str
"""A move is its canonical text (RULES §2.3), so it sorts, prints and compares as text does."""

Deck = NDArray[np.uint8]
"""Card codes, the first card dealt first: shape (52,), dtype uint8."""

Outcome = Mapping[str, int]
"""One played deal: the value of each outcome column, by name."""


@dataclass(frozen=True)
class Column:
    """An outcome that is kept for every deal.

    Parameters
    ----------
    name : str
        Its name in arrays, frames and files.
    dtype : str
        A numpy dtype, as small as will do.
    text : str
        What it counts, in plain words.
    """

    name: str
    dtype: str
    text: str


STOP: Move = ""
"""What a player answers that has nothing new to do, in a game whose positions may come again."""

VERDICT_COLUMNS = (
    Column("winnable", "bool", "some legal line of moves wins"),
    Column("unknown", "bool", "a limit was reached before the search was over"),
    Column("nodes", "uint64", "positions that the search looked into"),
)
"""Outcome columns of every solver."""


@dataclass(frozen=True)
class Traits:
    """What a player is allowed to know and how it decides.

    Parameters
    ----------
    foresight : int
        How many cards of the hidden stock it sees ahead; 0 for an honest player, -1 for all. It
        is handed the view if 0, the whole position if -1, else what the position's `ahead` gives.
    randomized : bool
        Whether it draws random numbers. They are keyed by the seed, its spec and what it sees.
    """

    foresight: int = 0
    randomized: bool = False


class Random(Protocol):
    """A player's own randomness: the same view gives the same draws, on whatever deal."""

    def below(self, n: int) -> int:
        """Draw uniformly from 0 … n - 1."""
        ...


@runtime_checkable
class Player(Protocol):
    """Anything that can choose a move from what it sees.

    `spec` is the shortest text that names the player and `full_spec` the fully defaulted one,
    which its identity is made of; `version` changes whenever its choices may, and `text` says in
    a line what it does. One that can play a single game alone may say which by an attribute `game`.
    """

    @property
    def spec(self) -> str: ...
    @property
    def full_spec(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def traits(self) -> Traits: ...
    @property
    def text(self) -> str: ...

    def choose(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        """Return one of `moves`, the legal moves in text order; there is at least one.

        With foresight among its traits, `view` is more than a view, see `Traits`. Where the game
        has a limit of moves it may also return `STOP`.
        """
        ...


class PlayerKind(Protocol):
    """A named kind of player; what follows its name in a spec gives one of them."""

    text: str

    def read(self, pairs: str) -> Player:
        """Read ``key=value,…``; nothing stands for the defaults."""
        ...

    def explain(self) -> str:
        """What its parameters and their values mean, a line each."""
        ...


class Position(Protocol):
    """A position of some game, immutable. What a player may see of it is its `view`."""

    @property
    def view(self) -> Any: ...
    @property
    def status(self) -> str:
        """`won`, `lost` (not won and no move is legal) or `open`."""
        ...

    def legal(self) -> list[Move]:
        """Legal moves in text order; none once won."""
        ...

    def after(self, move: Move) -> Position:
        """The position that `move` leads to; raises `IllegalMove` with the reason."""
        ...

    def key(self) -> bytes:
        """The public position as bytes: equal for positions that a player can't tell apart."""
        ...

    def facts(self) -> dict[str, int]:
        """What a reader wants to know of it in numbers, `cards_left` first."""
        ...

    def outcome(self, moves: Sequence[Move]) -> Outcome:
        """Outcome columns of a game that went from the deal to here by `moves`."""
        ...

    def board(self) -> str:
        """The position as text to look at."""
        ...


@runtime_checkable
class Foreseen(Protocol):
    """A position that can be shown with only some of its hidden cards."""

    def ahead(self, cards: int) -> Any:
        """What a player is handed who sees the next `cards` hidden cards, and no more."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A position that knows the positions before it, which takes memory."""

    def bare(self) -> Any:
        """The same position without them: it, and what it leads to, know none."""
        ...


@dataclass(frozen=True)
class Identity:
    """What decides the outcomes of a run, and nothing else.

    Package version, host and time are provenance and stay out, so equal identities mean
    equal outcomes deal by deal.
    """

    game: str
    game_version: int
    rules: str
    player: str
    player_version: int
    deals: str

    @classmethod
    def of(cls, game: str, version: int, rules: RuleSet, player: Player, deals: Deals) -> Identity:
        """Gather the identity of playing `player` on `deals`."""
        return cls(game, version, rules.digest, player.full_spec, player.version, deals.identity)


class Probe(Protocol):
    """Something that is asked of every deal: play it, or (later) solve it.

    A probe can be pickled, and may be run from several threads or processes at once. One that is
    slow may have a whole number `block_bits`: then blocks have ``2**block_bits`` deals.
    """

    @property
    def identity(self) -> Identity: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def threads(self) -> bool:
        """Whether it releases the GIL, so that threads do for workers."""
        ...

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        """Fill the columns `out` for the deals from `first` on and return how many were done.

        Parameters
        ----------
        first : int
            Index of the first deal, 0 … 2**64 - 1.
        out : mapping of str to ndarray
            One array a column, all of shape (count,), with the dtype that the column declares.
        stop : ndarray of uint8, shape (1,)
            Polled now and then; not 0 means: return early.
        """
        ...


class Deals(Protocol):
    """Where decks come from: a seed, or a list that somebody gave."""

    @property
    def identity(self) -> str: ...
    @property
    def seed(self) -> int | None: ...
    @property
    def decks(self) -> NDArray[np.uint8]:
        """Given decks, shape (n, 52); shape (0, 52) when the decks come from the seed."""
        ...

    @property
    def size(self) -> int:
        """How many deals there are."""
        ...

    def deck(self, index: int) -> Deck: ...
    def label(self, index: int) -> str:
        """What the deal is called in output."""
        ...


@dataclass(frozen=True)
class Solution:
    """What is known of one deal with all seen.

    Parameters
    ----------
    verdict : {"winnable", "unwinnable", "unknown"}
    moves : list of Move, or None
        A winning line, if winnable.
    nodes : int
        Positions that the search looked into.
    seconds : float
    reproducible : bool
        False if a limit in seconds was reached: then it may end otherwise elsewhere.
    """

    verdict: str
    moves: list[Move] | None
    nodes: int
    seconds: float
    reproducible: bool = True


@dataclass(frozen=True)
class Limits:
    """What a search may use up; nodes and memory give the same answer anywhere.

    Parameters
    ----------
    nodes : int, optional
        Positions that it may look into.
    memory : int
        Megabytes for the positions that it remembers.

    Raises
    ------
    InvalidInput
        If a limit is not 1 or more.
    """

    nodes: int | None = None
    memory: int = 64

    def __post_init__(self) -> None:
        for name in ("nodes", "memory"):
            value = getattr(self, name)
            if name == "memory" or value is not None:
                object.__setattr__(self, name, checked_whole(name, value, 1, 2**40 - 1))

    @property
    def spec(self) -> str:
        """What names a solver with these limits."""
        nodes = "" if self.nodes is None else f",nodes={self.nodes}"
        return f"solver:memory={self.memory}{nodes}"


class Solver(Protocol):
    """What decides the deals of a game, with all seen."""

    def solve(
        self, position: Any, limits: Limits | None = None, *, seconds: float | None = None
    ) -> Solution:
        """Decide a position; `seconds` is how long that may take."""
        ...

    def probe(self, rules: Any, deals: Deals, limits: Limits) -> Probe:
        """A probe with the columns `winnable`, `unknown` and `nodes`."""
        ...


def _not_compiled(rules: Any, player: Player, deals: Deals) -> Probe | None:
    return None


@dataclass(frozen=True)
class Game:
    """A patience game, as all that knows no game in particular sees it.

    Parameters
    ----------
    name, title : str
        Its name at the command line, and in prose.
    version : int
        Changes whenever the outcome of some deal may.
    rules : type of RuleSet
        Its parameters and presets.
    columns : tuple of Column
        Outcomes of a played deal; `won` and `cards_left` are among them.
    start : callable
        ``start(deck, rules)`` gives the position after the deal, in the reference engine.
    players : callable
        ``players()`` gives its own players by name, the default one first.
    read_move : callable
        ``read_move(text)`` gives the canonical move or raises `InvalidInput`.
    compiled : callable, optional
        ``compiled(rules, player, deals)`` gives a compiled probe, or None where the player has
        none and is played in Python.
    solver : Solver, optional
        Its own solver; without one, deals are decided by a plain search.
    exhaust : callable, optional
        ``exhaust(position, limits)`` decides a position by trying every legal move, nothing
        pruned and keys exact; without one, the plain search does.
    modifiers : mapping of str to callable, optional
        Parameters that any player from elsewhere may be given besides its own:
        ``modifiers[key](player, value)`` gives the player that plays so.
    limit : int, optional
        For a game whose positions may come again: the moves after which a playout ends, unless
        the player has an attribute `limit` of its own.
    fixed : tuple of str, optional
        Its players that play by a fixed list; without any, all that draw no random numbers count
        as such.
    strong : tuple of str, optional
        Strong ones that see nothing hidden.
    """

    name: str
    title: str
    version: int
    rules: type[RuleSet]
    columns: tuple[Column, ...]
    start: Callable[[Deck, Any], Position]
    players: Callable[[], Mapping[str, PlayerKind]]
    read_move: Callable[[str], Move]
    compiled: Callable[[Any, Player, Deals], Probe | None] = _not_compiled
    solver: Solver | None = None
    exhaust: Callable[[Any, Limits], Solution] | None = None
    modifiers: Mapping[str, Callable[[Player, str], Player]] = field(
        default_factory=dict, hash=False
    )
    limit: int | None = None
    fixed: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()

    def limit_of(self, player: Player) -> int | None:
        """Moves after which a playout of this player ends; None if games end of themselves.

        Raises
        ------
        InvalidInput
            If the player has a `limit` that is no whole number from 1.
        """
        if self.limit is None:
            return None
        own = getattr(player, "limit", None)
        if own is not None and (not isinstance(own, int) or isinstance(own, bool) or own < 1):
            raise InvalidInput(
                f"the limit of {player.spec} is {own!r}; let it be the moves after which its games "
                "end, a whole number from 1"
            )
        return self.limit if own is None else own
