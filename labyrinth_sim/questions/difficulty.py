"""How hard is a deal?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.solver import Appraises, Bounds
from labyrinth_sim.deals import deal as read_deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.search import appraise, solver_of
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.players import find_player
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Answer, Table, answer
from labyrinth_sim.run.asking import Searching, question
from labyrinth_sim.run.executor import Outcomes
from labyrinth_sim.run.measure import Measured, measure, work_through
from labyrinth_sim.run.pool import Pool, part
from labyrinth_sim.run.request import Request, Run
from labyrinth_sim.stats import Interval, proportion
from labyrinth_sim.stats.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

REPEATS, HARDEST = 100, 10
PLAYOUTS_WON = "playouts_won"


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
    appraised : dict of str to Bounds
        What the game's solver tells of it besides, by kind: of Labyrinth the fewest resorts with
        which it can be won.
    """

    deal: str
    verdict: str
    playouts: int
    won: int
    nodes: int
    appraised: dict[str, Bounds]

    def share(self, level: float = 0.95) -> Interval:
        """The share of random playouts that win."""
        return proportion(self.won, self.playouts, level=level)


@dataclass(frozen=True, eq=False, kw_only=True)
class Difficulty(Answer):
    """Deals and how hard they are, as given, or the hardest winnable ones of a range first.

    See `Answer` for what it holds.

    Parameters
    ----------
    found : tuple of HardDeal
    named : tuple of str
        The deals that were named; empty if it was a range.
    hardest, repeats : int
        How many deals of the range were wanted, and how many random playouts of each.
    most : int or None
        How far the solver looked for what it tells besides.
    appraisal : str
        What that is, as a key of JSON objects; empty if it tells nothing.
    limit : int or None
        Moves after which random playouts ended, for games whose positions can repeat.
    """

    verb = "difficulty"
    searches = True

    found: tuple[HardDeal, ...]
    named: tuple[str, ...]
    hardest: int
    repeats: int
    most: int | None
    appraisal: str
    limit: int | None

    @property
    def winnable(self) -> int:
        """How many of its deals can be won."""
        return self._count("winnable")

    @property
    def unknown(self) -> int:
        """Of how many of its deals that is not known."""
        return self._count("unknown")

    def _count(self, verdict: str) -> int:
        if self.named:
            return [one.verdict for one in self.found].count(verdict)
        return self.tally.count(verdict, 1)

    def options(self) -> list[str]:
        most = [] if self.most is None else ["--resorts", str(self.most)]
        hardest = [] if self.named else ["--hardest", str(self.hardest)]
        return [*hardest, "--repeats", str(self.repeats), *most]

    def chosen(self) -> list[str]:
        return list(self.named[: self.deals]) or super().chosen()

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """A dict a deal, in plain values."""
        rows = []
        for one in self.found:
            told = {kind: [bounds.low, bounds.high] for kind, bounds in one.appraised.items()}
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
                    **one.share(self.level).as_dict("share"),
                    "nodes": one.nodes,
                    **({self.appraisal: told} if self.appraisal else {}),
                }
            )
        return rows

    def summary(self) -> dict[str, Any]:
        return {
            "deals": self.deals,
            "winnable": self.winnable,
            "unknown": self.unknown,
            "found": self.rows(),
        }

    def frame(self) -> pd.DataFrame:
        """A row a deal; columns `KIND_low` and `KIND_high` for what the solver tells besides."""
        import pandas as pd

        ends = [
            {
                f"{kind}_{name}": getattr(bounds, name)
                for kind, bounds in one.appraised.items()
                for name in ("low", "high")
            }
            for one in self.found
        ]
        return super().frame().join(pd.DataFrame(ends))

    def title(self) -> str:
        unknown = f", {self.unknown:,} unknown" if self.unknown else ""
        ended = "" if self.limit is None else f"; random games end after {self.limit:,} moves"
        ended += "" if self.complete else ", interrupted"
        return (
            f"{self.game} · {self.rules.spec} · {len(self.found):,} of {self.deals:,} deals, "
            f"{self.winnable:,} of them winnable{unknown}{ended}"
        )

    def body(self) -> Iterator[str | Table]:
        kinds = list(self.found[0].appraised) if self.found else []
        word = self.appraisal.partition("_")[0]
        head = ["deal", "verdict", "random wins", f"{self.level:.4g} interval", "nodes"]
        rows = [[*head, *(f"{word} {kind}" for kind in kinds)]]
        for one in self.found:
            share = one.share(self.level)
            ends = f"{share.low:.1%} to {share.high:.1%}"
            wins = f"{one.won:,}/{one.playouts:,}"
            told = (str(one.appraised[kind]) for kind in kinds)
            rows.append([one.deal, one.verdict, wins, ends, f"{one.nodes:,}", *told])
        yield ""
        yield rows


@question
def difficulty(
    rules: str | RuleSet | None = None,
    chosen: Iterable[str] | None = None,
    *,
    hardest: int = HARDEST,
    repeats: int = REPEATS,
    most: int | None = None,
    **asked: Unpack[Searching],
) -> Difficulty:
    """Tell how hard deals are: those that are named, or the hardest winnable ones of a range.

    The hardest are those that the fewest random playouts win; of equal ones, those that the
    solver looked into the most positions of.

    Parameters
    ----------
    chosen : iterable of str, optional
        Deal ids; without, the range.
    hardest : int, default 10
        How many deals of the range are shown.
    repeats : int, default 100
        Random playouts of each deal, those of players ``random``, ``random:salt=1``, ….
    most : int, optional
        How far the game's solver looks for what it tells of a deal besides: of Labyrinth, how many
        resorts are tried, by default 4. Refused for games whose solver tells nothing.

    Examples
    --------
    >>> found = difficulty("ultimate", deals=1000, hardest=1)
    >>> found.found[0].verdict, found.winnable
    ('winnable', 30)
    """
    request = Request.of(rules=rules, **asked)
    named = () if chosen is None else tuple(chosen)
    solver = solver_of(request.game)
    if most is not None and not isinstance(solver, Appraises):
        raise InvalidInput(
            f"most={most} means nothing to {request.game.name}, whose solver tells no more of a "
            "deal than whether it can be won; leave it out"
        )
    judge = _Judge(
        checked_whole("repeats", repeats, 1, 2**16 - 1),
        None if most is None else checked_whole("most", most, 0),
    )
    hardest = checked_whole("hardest", hardest, 1)
    if chosen is not None and not named:
        raise InvalidInput("chosen=[] names no deal; give at least one id")
    if chosen is None:
        measured = judge.measured(request)
        places = _hardest(measured.outcomes)[:hardest]
        judged = (judge.judged(request, measured, int(place)) for place in places)
        work = work_through(judged, progress=request.progress, total=len(places))
    else:
        deals = [read_deal(id, request.game.reference.pack) for id in named]
        alone = [request.over(one.seed, one.index, 1, n_jobs=1, progress=False) for one in deals]
        judged = (judge.judged(one, judge.measured(one), 0) for one in alone)
        work = work_through(judged, progress=request.progress, total=len(alone))
        seeds = {one.source.seed: one for one in alone[: len(work.done)]}
        parts = tuple(judge.pool(one).identity for one in seeds.values())
        measured = Measured(Identity.pool(parts), 0, len(work.done))
    return answer(
        Difficulty,
        request,
        replace(
            measured,
            complete=measured.complete and work.ended is None,
            failure=work.failure or measured.failure,
        ),
        found=tuple(work.done),
        named=named,
        hardest=hardest,
        repeats=judge.repeats,
        most=judge.most,
        appraisal=solver.appraisal if isinstance(solver, Appraises) else "",
        limit=request.game.reference.limit,
    )


def _hardest(columns: Mapping[str, NDArray[Any]]) -> NDArray[np.intp]:
    """Places of the winnable deals, the hardest first."""
    places = np.flatnonzero(columns["winnable"])
    won, nodes = columns[PLAYOUTS_WON][places], columns["nodes"][places]
    return places[np.lexsort((places, -nodes.astype(np.int64), won))]


@dataclass(frozen=True)
class _Judge:
    """Tells how hard deals are."""

    repeats: int
    most: int | None

    def pool(self, request: Request) -> Pool:
        """The solver, and the random players."""
        specs = ["random", *(f"random:salt={salt}" for salt in range(1, self.repeats))]
        players = [find_player(request.game, spec) for spec in specs]
        games = (request.play(Run(request.rules[0], player)) for player in players)
        return Pool((request.solve(), *games))

    def measured(self, request: Request) -> Measured:
        """Decide every deal, and play each at random several times."""
        found = measure(
            request,
            self.pool(request),
            wanted=lambda name: name.startswith("0/") or name.endswith("/won"),
            watched="0/winnable",
            step=lambda blocks, done: ((*blocks, _summed(done.outcomes)), False),
            state=(),
            keep=False,
        )
        blocks: tuple[Outcomes, ...] = found.state
        outcomes = {name: np.concatenate([one[name] for one in blocks]) for name in blocks[0]}
        return replace(found, tally=Tally.of(outcomes), outcomes=outcomes, state=None)

    def judged(self, request: Request, measured: Measured, place: int) -> HardDeal:
        """Judge a deal by what was measured of it."""
        index, values = measured.first + place, measured.outcomes
        verdict = "unknown" if values["unknown"][place] else "unwinnable"
        appraised = appraise(
            *(request.game, request.source.deck(index), request.rules[0], request.limits),
            most=self.most,
        )
        return HardDeal(
            deal=request.source.label(index),
            verdict="winnable" if values["winnable"][place] else verdict,
            playouts=self.repeats,
            won=int(values[PLAYOUTS_WON][place]),
            nodes=int(values["nodes"][place]),
            appraised=dict(appraised),
        )


def _summed(outcomes: Outcomes) -> Outcomes:
    """Verdicts, and how many playouts won; a win settles what the solver left open."""
    solver = part(outcomes, 0)
    wins = [column for name, column in outcomes.items() if name.endswith("/won")]
    won = np.sum(wins, axis=0, dtype=np.uint16)
    return {
        "winnable": solver["winnable"] | (won > 0),
        "unknown": solver["unknown"] & (won == 0),
        "nodes": solver["nodes"],
        PLAYOUTS_WON: won,
    }
