"""What a game is, and a position of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from labyrinth_sim.cards import PACK, Pack
from labyrinth_sim.core.player import Move, Player, PlayerKind
from labyrinth_sim.core.probe import Column, Deals, Deck, Outcome, Probe
from labyrinth_sim.core.solver import Solver
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.rulesets import RuleSet


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
        """What a player is given that sees the next `cards` hidden cards, and no more."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A position that knows the positions before it, which takes memory."""

    def bare(self) -> Any:
        """The same position without them: it, and what it leads to, know none."""
        ...


@dataclass(frozen=True)
class Reference:
    """The rules as plain Python: the judge of every other engine.

    Parameters
    ----------
    start : callable
        ``start(deck, rules)`` gives the position after the deal.
    read_move : callable
        ``read_move(text)`` gives the canonical move or raises `InvalidInput`.
    limit : int, optional
        For a game whose positions can repeat: the moves after which a playout ends, unless the
        player has an attribute `limit` of its own.
    pack : Pack
        What is shuffled; rules may play with fewer suits or ranks of it. With two packs every
        card comes twice: moves then name cards by where they lie, such as a pile or a cell, and
        keys list cards in the order in which they lie.
    """

    start: Callable[[Deck, Any], Position]
    read_move: Callable[[str], Move]
    limit: int | None = None
    pack: Pack = PACK


class Engine(Protocol):
    """A compiled engine of a game."""

    def probe(self, rules: Any, player: Player, deals: Deals) -> Probe | None:
        """A compiled probe; None where the player has none and is played in Python."""
        ...


@dataclass(frozen=True)
class Published:
    """Odds that somebody published.

    Parameters
    ----------
    rules : str
        The preset, or a longer spec, that states the rules of that source.
    odds : str
        E.g. ``1/30``.
    source : str
        Who says so.
    """

    rules: str
    odds: str
    source: str


@dataclass(frozen=True)
class Catalog:
    """What there is to a game besides its rules: players, and what was published.

    Parameters
    ----------
    players : callable
        ``players()`` gives its own players by name, the default one first.
    modifiers : mapping of str to callable, optional
        Parameters that any player from elsewhere may be given besides its own:
        ``modifiers[key](player, value)`` gives the player that plays so.
    fixed : tuple of str, optional
        Its players that play by a fixed list; without any, all that draw no random numbers count
        as such.
    strong : tuple of str, optional
        Strong ones that see nothing hidden.
    family : str, optional
        The player whose parameters are tuned by default.
    baselines : tuple of str, optional
        Players that a tuned one is compared with.
    published : tuple of Published, optional
    """

    players: Callable[[], Mapping[str, PlayerKind]]
    modifiers: Mapping[str, Callable[[Player, str], Player]] = field(
        default_factory=dict, hash=False
    )
    fixed: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()
    family: str | None = None
    baselines: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()

    def odds(self, rules: str | None = None) -> list[Published]:
        """What was published, of all rules or of those that are named by their shortest spec."""
        return [one for one in self.published if rules in (None, one.rules)]


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
    reference : Reference
    catalog : Catalog
    engine : Engine, optional
        Without one, every player is played in the reference engine.
    solver : Solver, optional
        Without one, deals are decided by a plain search.
    """

    name: str
    title: str
    version: int
    rules: type[RuleSet]
    columns: tuple[Column, ...]
    reference: Reference
    catalog: Catalog
    engine: Engine | None = None
    solver: Solver | None = None

    def start(self, deck: Deck, rules: Any) -> Position:
        """The position after the deal, in the reference engine."""
        return self.reference.start(deck, rules)

    def limit_of(self, player: Player) -> int | None:
        """Moves after which a playout of this player ends; None if games end of themselves.

        Raises
        ------
        InvalidInput
            If the player has a `limit` that is not an integer from 1.
        """
        if self.reference.limit is None:
            return None
        own = getattr(player, "limit", None)
        if own is not None and (not isinstance(own, int) or isinstance(own, bool) or own < 1):
            raise InvalidInput(
                f"the limit of {player.spec} is {own!r}; let it be the moves after which its games "
                "end, an integer from 1"
            )
        return self.reference.limit if own is None else own
