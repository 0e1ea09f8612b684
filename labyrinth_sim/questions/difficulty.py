"""How hard is a deal?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.probe import Column, Deals, Probe
from labyrinth_sim.core.solver import VERDICT_COLUMNS, Appraises, Bounds, Limits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.deals import deal as read_deal
from labyrinth_sim.drawing import Shown
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.search import (
    appraise,
    solver_of,
)
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import usual_bits
from labyrinth_sim.run.collect import collect, handed
from labyrinth_sim.run.tables import aligned, html, paragraph
from labyrinth_sim.stats import Interval, check_level, proportion

if TYPE_CHECKING:
    import pandas as pd

REPEATS, HARDEST = 100, 10
PLAYOUTS_WON = Column("playouts_won", "uint16", "random playouts that won")


@dataclass(frozen=True)
class DifficultyProbe:
    """Decides every deal of a block, and plays each at random several times."""

    solver: Probe
    playouts: tuple[Probe, ...]

    @property
    def identity(self) -> Identity:
        parts = (self.solver.identity, *(one.identity for one in self.playouts))
        return replace(Identity.pool(parts), task="difficulty")

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*VERDICT_COLUMNS, PLAYOUTS_WON)

    @property
    def threads(self) -> bool:
        return self.solver.threads and all(one.threads for one in self.playouts)

    @property
    def block_bits(self) -> int:
        return min(map(usual_bits, (self.solver, *self.playouts)))

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        count = len(out["nodes"])
        verdicts = {column.name: out[column.name] for column in VERDICT_COLUMNS}
        if self.solver.run(first, verdicts, stop) < count:
            return 0
        for probe in self.playouts:
            played = {column.name: np.zeros(count, column.dtype) for column in probe.columns}
            if probe.run(first, played, stop) < count:
                return 0
            out[PLAYOUTS_WON.name][:] += played["won"]
        won = out[PLAYOUTS_WON.name] > 0  # a win settles what the solver left open
        out["winnable"] |= won
        out["unknown"] &= ~won
        return count


@dataclass(frozen=True)
class HardDeal:
    """What makes a deal hard.

    Parameters
    ----------
    deal : str
        Its id, or the number of a given deck.
    verdict : {"winnable", "unwinnable", "unknown"}
    playouts, won : int
        Games that a player made who takes any legal move, and its wins.
    nodes : int
        Positions that the solver looked into.
    resorts : mapping of str to Bounds
        By kind of resort, the fewest with which the deal can be won; empty for games without.
    """

    deal: str
    verdict: str
    playouts: int
    won: int
    nodes: int
    resorts: Mapping[str, Bounds]

    def share(self, level: float = 0.95) -> Interval:
        """The share of random playouts that win."""
        return proportion(self.won, self.playouts, level=level)


@dataclass(frozen=True, eq=False)
class Difficulty(Shown):
    """Deals and how hard they are, as given, or the hardest winnable ones of a range first.

    Parameters
    ----------
    game : str
    rules : RuleSet
    found : tuple of HardDeal
    deals, winnable, unknown : int
        How many deals were looked at, how many of them can be won, and of how many that is not
        known.
    level : float
    complete : bool
        False if it was interrupted.
    limit : int or None
        Moves after which random playouts ended, for games that may go on for ever.
    """

    game: str
    rules: RuleSet
    found: tuple[HardDeal, ...]
    deals: int
    winnable: int
    unknown: int
    level: float = 0.95
    complete: bool = True
    limit: int | None = None

    def rows(self) -> list[dict[str, Any]]:
        """A dict a deal, in plain values."""
        rows = []
        for one in self.found:
            share = one.share(self.level)
            rows.append(
                {
                    "game": self.game,
                    "deal": one.deal,
                    "rules": self.rules.as_dict(),
                    "rules_spec": self.rules.spec,
                    "verdict": one.verdict,
                    "playouts": one.playouts,
                    "limit": self.limit,
                    "playouts_won": one.won,
                    "share": share.estimate,
                    "low": share.low,
                    "high": share.high,
                    "method": share.method,
                    "level": share.level,
                    "nodes": one.nodes,
                    "fewest_resorts": {
                        kind: [bounds.low, bounds.high] for kind, bounds in one.resorts.items()
                    },
                }
            )
        return rows

    def frame(self) -> pd.DataFrame:
        """A row a deal; columns `KIND_low` and `KIND_high` for the fewest resorts."""
        import pandas as pd

        rows = []
        for row in self.rows():
            del row["rules"]
            for kind, (low, high) in row.pop("fewest_resorts").items():
                row |= {f"{kind}_low": low, f"{kind}_high": high}
            rows.append(row)
        return pd.DataFrame(rows)

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._table())])

    def _repr_html_(self) -> str:
        return paragraph(self._title()) + html(self._table())

    def _title(self) -> str:
        unknown = f", {self.unknown:,} unknown" if self.unknown else ""
        ended = "" if self.limit is None else f"; random games end after {self.limit:,} moves"
        ended += "" if self.complete else ", interrupted"
        return (
            f"{self.game} · {self.rules.spec} · {len(self.found):,} of {self.deals:,} deals, "
            f"{self.winnable:,} of them winnable{unknown}{ended}"
        )

    def _table(self) -> list[list[str]]:
        kinds = list(self.found[0].resorts) if self.found else []
        head = ["deal", "verdict", "random wins", f"{self.level:.4g} interval", "nodes"]
        rows = [[*head, *(f"fewest {kind}" for kind in kinds)]]
        for one in self.found:
            share = one.share(self.level)
            ends = f"{share.low:.1%} to {share.high:.1%}"
            wins = f"{one.won:,}/{one.playouts:,}"
            resorts = (str(one.resorts[kind]) for kind in kinds)
            rows.append([one.deal, one.verdict, wins, ends, f"{one.nodes:,}", *resorts])
        return rows


def difficulty(
    rules: str | RuleSet | None = None,
    chosen: Iterable[str] | None = None,
    *,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    hardest: int = HARDEST,
    repeats: int = REPEATS,
    most_resorts: int | None = None,
    n_jobs: int = -1,
    limits: Limits | None = None,
    decks: Deals | None = None,
    game: str | Game = DEFAULT,
    level: float = 0.95,
    progress: bool | None = None,
) -> Difficulty:
    """Tell how hard deals are: those that are named, or the hardest winnable ones of a range.

    The hardest are those that the fewest random playouts win; of equal ones, those that the
    solver looked into the most positions of.

    Parameters
    ----------
    rules, deals, seed, first, n_jobs, decks, game, progress
        As in `labyrinth_sim.simulate`.
    chosen : iterable of str, optional
        Deal ids; without, the range.
    hardest : int, default 10
        How many deals of the range are shown.
    repeats : int, default 100
        Random playouts of each deal, those of players ``random``, ``random:salt=1``, ….
    most_resorts : int, optional
        Resorts that are tried, by default 4; only for games that have resorts.
    limits : Limits, optional
        What the search of a deal may use up.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        If an argument is not allowed.
    RunFailed
        If the random player or a worker fails; its attribute `result` is the `Difficulty` of what
        was done before.

    Examples
    --------
    >>> found = difficulty("ultimate", deals=1000, hardest=1)
    >>> found.found[0].verdict, found.winnable
    ('winnable', 30)
    """
    check_level(level)
    hardest = checked_whole("hardest", hardest, 1)
    repeats = checked_whole("repeats", repeats, 1, 2**16 - 1)
    found = find_game(game) if isinstance(game, str) else game
    if most_resorts is not None and not isinstance(solver_of(found), Appraises):
        raise InvalidInput(
            f"most_resorts={most_resorts} means nothing to {found.name}, which has no resorts; "
            "leave it out"
        )
    if most_resorts is not None:
        most_resorts = checked_whole("most_resorts", most_resorts, 0)
    ruled = find_rules(found, rules)
    asked = _Asked(found, ruled, repeats, most_resorts, limits or Limits())
    if chosen is not None:
        named = [(SeededDeals(one.seed), one.index) for one in map(read_deal, chosen)]
        hard, ended = _until_ended(asked.judge(source, index) for source, index in named)
        deals, complete = len(hard), ended is None
        verdicts = [one.verdict for one in hard]
        winnable, unknown = verdicts.count("winnable"), verdicts.count("unknown")
    else:
        source = SeededDeals(seed) if decks is None else decks
        probe = asked.probe(source)
        run = collect(
            probe,
            source,
            deals=deals,
            first=first,
            n_jobs=n_jobs,
            keep="outcomes",
            progress=progress,
            watched="winnable",
        )
        columns = run.outcomes or {}
        places = _hardest(columns)
        hard, ended = _until_ended(
            asked.hard_deal(
                source, run.first + int(place), {key: one[place] for key, one in columns.items()}
            )
            for place in places[:hardest]
        )
        deals, winnable, unknown = run.deals, len(places), int(columns["unknown"].sum())
        ended, complete = ended or run.failure, run.complete and ended is None
    result = Difficulty(
        found.name,
        ruled,
        tuple(hard),
        deals=deals,
        winnable=winnable,
        unknown=unknown,
        level=level,
        complete=complete,
        limit=found.reference.limit,
    )
    return handed(result, ended if isinstance(ended, RunFailed) else None)


def _until_ended(
    deals: Iterable[HardDeal],
) -> tuple[list[HardDeal], KeyboardInterrupt | RunFailed | None]:
    """The deals, and what ended them early; that is raised if it came before the first."""
    done: list[HardDeal] = []
    try:
        done.extend(deals)  # keeps what came before an error
    except (KeyboardInterrupt, RunFailed) as ended:
        if not done:
            raise
        return done, ended
    return done, None


def _hardest(columns: Mapping[str, NDArray[Any]]) -> NDArray[np.intp]:
    """Places of the winnable deals, the hardest first."""
    places = np.flatnonzero(columns["winnable"])
    won, nodes = columns[PLAYOUTS_WON.name][places], columns["nodes"][places]
    return places[np.lexsort((places, -nodes.astype(np.int64), won))]


@dataclass(frozen=True)
class _Asked:
    """What is asked of every deal."""

    game: Game
    rules: RuleSet
    repeats: int
    most_resorts: int | None
    limits: Limits

    def probe(self, source: Deals) -> DifficultyProbe:
        specs = ["random", *(f"random:salt={salt}" for salt in range(1, self.repeats))]
        players = (find_player(self.game, spec) for spec in specs)
        return DifficultyProbe(
            solver_of(self.game).probe(self.rules, source, self.limits),
            tuple(probe_for(self.game, self.rules, player, source) for player in players),
        )

    def judge(self, source: Deals, index: int) -> HardDeal:
        probe = self.probe(source)
        out = {column.name: np.zeros(1, column.dtype) for column in probe.columns}
        probe.run(index, out, np.zeros(1, np.uint8))
        return self.hard_deal(source, index, {name: values[0] for name, values in out.items()})

    def hard_deal(self, source: Deals, index: int, values: Mapping[str, Any]) -> HardDeal:
        deck = source.deck(index)
        verdict = "unknown" if values["unknown"] else "unwinnable"
        return HardDeal(
            deal=source.label(index),
            verdict="winnable" if values["winnable"] else verdict,
            playouts=self.repeats,
            won=int(values[PLAYOUTS_WON.name]),
            nodes=int(values["nodes"]),
            resorts=appraise(self.game, deck, self.rules, self.limits, most=self.most_resorts),
        )
