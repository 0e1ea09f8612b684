"""What is asked of which deals: names are resolved and numbers checked here, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.probe import Deals, Probe
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import Deal, ListedDeals, check_word, deals_of, placed
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.playing import check_move_seconds
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.executor import check_jobs
from labyrinth_sim.stats import check_level

DEFAULT_DEALS = 100_000


@dataclass(frozen=True)
class Run:
    """A player on a rule set."""

    rules: RuleSet
    player: Player


@dataclass(frozen=True)
class Request:
    """What is asked, resolved and checked; `Request.of` makes one.

    Parameters
    ----------
    game : Game
    place : str
        What finds the game again at the command line; empty if nothing does.
    rules : tuple of RuleSet
        At least one.
    runs : tuple of Run
        The players, each on its rules; empty where nobody plays.
    source : Deals
        Where the decks come from.
    first, deals : int
        The range of deals, which lies within the source.
    limits : Limits
        What the search of a deal may use up.
    level : float
        Confidence level of intervals.
    n_jobs : int, optional
        Workers; see `labyrinth_sim.run.executor.execute`.
    block_bits : int, optional
        Deals are scheduled in blocks of ``2**block_bits``.
    progress : bool, optional
        Whether a bar is shown on standard error; by default if that is a terminal.
    move_seconds : float, optional
        How long a player in Python may take over a move.
    """

    game: Game
    place: str
    rules: tuple[RuleSet, ...]
    runs: tuple[Run, ...]
    source: Deals
    first: int
    deals: int
    limits: Limits = field(default_factory=Limits)
    level: float = 0.95
    n_jobs: int | None = None
    block_bits: int | None = None
    progress: bool | None = None
    move_seconds: float | None = None

    @classmethod
    def of(
        cls,
        *,
        game: str | Game = DEFAULT,
        rules: str | RuleSet | Sequence[str | RuleSet | None] | None = None,
        players: str | Any | Sequence[str | Any] | None = (),
        deals: int | None = None,
        seed: int = 1,
        first: int = 0,
        decks: Deals | None = None,
        limits: Limits | None = None,
        level: float = 0.95,
        n_jobs: int | None = None,
        block_bits: int | None = None,
        progress: bool | None = None,
        move_seconds: float | None = None,
        usual: int = DEFAULT_DEALS,
    ) -> Request:
        """Resolve names and check numbers; the parameters are those of `labyrinth_sim.simulate`.

        Parameters
        ----------
        rules, players
            Many players on one rule set, one player on many, or as many of both, first with
            first. By default nobody plays; None stands for the default rules or player.
        limits, level
            See `Request`.
        usual : int
            How many deals of a seed are meant where nobody says.

        Raises
        ------
        InvalidInput
            If an argument is not allowed.
        """
        found = find_game(game) if isinstance(game, str) else game
        place = game if isinstance(game, str) else _place(game)
        check_level(level)
        check_jobs(n_jobs)
        check_move_seconds(move_seconds)
        if block_bits is not None:
            block_bits = checked_whole("block_bits", block_bits, 0, 64)
        source = deals_of(found.reference.pack, seed, decks)
        first, deals = checked_range(source, first, deals, usual)
        pairs = _paired(_several(rules), [] if players == () else _several(players))
        several = tuple(find_rules(found, one) for one in _several(rules))
        runs = tuple(Run(find_rules(found, one), find_player(found, who)) for one, who in pairs)
        return cls(
            game=found,
            place=place,
            rules=several,
            runs=runs,
            source=source,
            first=first,
            deals=deals,
            limits=limits or Limits(),
            level=level,
            n_jobs=n_jobs,
            block_bits=block_bits,
            progress=progress,
            move_seconds=move_seconds,
        )

    @classmethod
    def about(
        cls,
        deal: str | Deal | int,
        decks: Deals | None = None,
        *,
        game: str | Game = DEFAULT,
        **asked: Any,
    ) -> Request:
        """Ask about one deal: an id, or with `decks` its place there; the rest is that of `of`."""
        found = find_game(game) if isinstance(game, str) else game
        pack = found.reference.pack
        source, index = placed(deal, decks, pack)
        if source.seed is not None:
            return cls.of(game=game, seed=source.seed, first=index, deals=1, **asked)
        one = ListedDeals(source.decks[index : index + 1], [source.label(index)], pack)
        return cls.of(game=game, decks=one, **asked)

    @property
    def end(self) -> int:
        """Index of the deal after the last."""
        return self.first + self.deals

    def over(self, seed: int, first: int, deals: int, **changes: Any) -> Request:
        """The same, asked of other deals, those of a seed; the changes are fields."""
        source = deals_of(self.game.reference.pack, seed)
        first, deals = checked_range(source, first, deals)
        return replace(self, source=source, first=first, deals=deals, **changes)

    def plays(self) -> tuple[Probe, ...]:
        """A probe for each run."""
        return tuple(self.play(run) for run in self.runs)

    def play(self, run: Run) -> Probe:
        """The probe that plays a run."""
        return probe_for(
            self.game, run.rules, run.player, self.source, move_seconds=self.move_seconds
        )

    def solve(self, rules: RuleSet | None = None) -> Probe:
        """The probe that decides every deal, by default under the first rules."""
        return solver_of(self.game).probe(rules or self.rules[0], self.source, self.limits)

    def refuse_same(self) -> None:
        """Refuse a run that is given twice."""
        seen: set[Identity] = set()
        for run, probe in zip(self.runs, self.plays(), strict=True):
            if probe.identity in seen:
                raise InvalidInput(
                    f"{run.player.spec} on {run.rules.spec} is given twice; give different players "
                    "or rules"
                )
            seen.add(probe.identity)


def checked_range(
    source: Deals, first: int, deals: int | None, usual: int = DEFAULT_DEALS
) -> tuple[int, int]:
    """First deal and number of deals, by default the usual number of a seed, or all given decks.

    Raises
    ------
    InvalidInput
        If one of the two is not allowed, or the range reaches beyond the last deal.
    """
    first = check_word("first", first)
    if first >= source.size:
        raise InvalidInput(f"first={first} is beyond the last deal, {source.size - 1}; give less")
    if deals is None:
        deals = min(source.size - first, usual if source.seed is not None else source.size)
    deals = checked_whole("deals", deals, 1)
    if first + deals > source.size:
        raise InvalidInput(
            f"deals {first} to {first + deals - 1} reach beyond the last one, {source.size - 1}; "
            "give fewer, or start earlier"
        )
    return first, deals


def _place(game: Game) -> str:
    """The name that finds a game that was given as an object; empty if there is none."""
    try:
        return game.name if find_game(game.name) is game else ""
    except InvalidInput:
        return ""


def _paired(rules: Sequence[Any], players: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Many players on one rule set, one player on many, or as many of both, first with first."""
    if not players:
        return []
    count = max(len(players), len(rules))
    if not {len(players), len(rules)} <= {1, count}:
        raise InvalidInput(
            f"{len(players)} players and {len(rules)} rule sets can't be paired; give one of "
            "either, or as many of both: the first player plays the first rules, and so on"
        )
    return [(rules[number % len(rules)], players[number % len(players)]) for number in range(count)]


def _several(given: Any) -> list[Any]:
    """A list is several, also an empty one, which stands for the default; all else is one."""
    return list(given) or [None] if isinstance(given, list | tuple) else [given]
