"""Are published odds what perfect play, the best honest player, or fixed players win?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.player import Player
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.players import find_player, players_of
from labyrinth_sim.questions.claim_result import Claim, Rate
from labyrinth_sim.questions.skill import settled
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import answer
from labyrinth_sim.run.asking import Trying, question
from labyrinth_sim.run.executor import Done
from labyrinth_sim.run.measure import Step, everything, measure
from labyrinth_sim.run.pool import Pool, part
from labyrinth_sim.run.request import Request, Run
from labyrinth_sim.stats import sequence
from labyrinth_sim.stats.odds import ABOVE, BELOW, REACHED, UNDECIDED, WITHIN, Band, stands
from labyrinth_sim.stats.tally import Tally

MOST_DEALS = 1_000_000
"""Deals after which a claim is left undecided."""

STEP = 1024
"""Deals between two looks at the figures."""


@question
def claim(
    rules: str | RuleSet | None = None,
    odds: str | None = None,
    *,
    tolerance: float | None = None,
    players: Sequence[str | Any] | None = None,
    **asked: Unpack[Trying],
) -> Claim:
    """Check published odds against perfect play, honest players and fixed players.

    The figures are looked at every 1,024 deals, in the order of the deals, and the run ends when
    they decide. All intervals are of confidence sequences at Bonferroni's level, so that all
    statements hold at once with confidence `level`.

    Parameters
    ----------
    odds : str, optional
        ``1/30``, ``1 in 30`` or ``3.3%``; by default what is published for these rules.
    tolerance : float, optional
        Half of the width of what the odds stand for, see `labyrinth_sim.stats.odds.Band`.
    players : list of str or object, optional
        Honest players, besides the fixed ones and the strong ones that come with the game.
    deals : int, optional
        The most deals that may be played, by default a million.

    Examples
    --------
    >>> claim("wikipedia", "1/5", deals=10_000).verdict
    'too modest: every fixed player wins more'
    """
    request = Request.of(rules=rules, usual=MOST_DEALS, **asked)
    game, chosen = request.game, request.rules[0]
    published_by = ""
    if odds is None:
        known = game.catalog.odds(chosen.spec)
        if not known:
            raise InvalidInput(f"no odds are published for {game.name}, {chosen.spec}; give some")
        odds, published_by = known[0].odds, known[0].source
    band = Band.read(odds, tolerance)
    further = [find_player(game, player) for player in players or ()]
    fixed, others = _players(game, further)
    request = replace(request, runs=tuple(Run(chosen, player) for player in (*fixed, *others)))
    pool = Pool((request.solve(), *request.plays()))
    names = ["perfect play", *(run.player.spec for run in request.runs)]
    level = 1 - (1 - request.level) / len(names)
    measured = measure(
        request,
        pool,
        wanted=everything,
        watched="0/winnable",
        step=_looking(request, len(names)),
        state=_Count.nothing(names, band, level, len(fixed)),
        keep=False,
    )
    count: _Count = measured.state
    if not count.deals:
        raise measured.failure or KeyboardInterrupt  # before the first look
    rates = count.rates()
    return answer(
        Claim,
        request,
        replace(measured, deals=count.deals, tally=Tally()),
        band=band,
        published_by=published_by,
        perfect=rates[0],
        players=tuple(rates[1:]),
        fixed=len(fixed),
        same=count.groups(),
        further=tuple(player.spec for player in further),
    )


def _players(game: Game, given: Sequence[str | Any]) -> tuple[list[Player], list[Player]]:
    """The fixed players, and the other honest ones, each once."""
    kinds = players_of(game)
    steady = [name for name in kinds if not kinds[name].read("").traits.randomized]
    fixed = [find_player(game, name) for name in game.catalog.fixed or steady]
    others: list[Player] = []
    for one in (*game.catalog.strong, *given):
        player = find_player(game, one)
        if player.traits.foresight:
            raise InvalidInput(f"{player.spec} sees what is hidden; give players that do not")
        if player.full_spec not in [known.full_spec for known in (*fixed, *others)]:
            others.append(player)
    return fixed, others


@dataclass(frozen=True)
class _Count:
    """Wins up to the last look, and the outcomes that wait for the next.

    Parameters
    ----------
    names : list of str
    band : Band
    level : float
        Of each interval.
    fixed : int
        How many players are fixed.
    deals, unknown : int
    wins : ndarray of int64, shape (names,)
    differ : ndarray of bool, shape (players, players)
        Whether two players won different deals.
    waiting : ndarray of bool, shape (names + 1, deals)
        Winnable, unknown, and what each player won, of deals after the last look.
    """

    names: Sequence[str]
    band: Band
    level: float
    fixed: int
    deals: int
    unknown: int
    wins: NDArray[np.int64]
    differ: NDArray[np.bool_]
    waiting: NDArray[np.bool_]

    @classmethod
    def nothing(cls, names: Sequence[str], band: Band, level: float, fixed: int) -> _Count:
        """Before the first deal."""
        count = len(names)
        return cls(
            *(names, band, level, fixed, 0, 0),
            wins=np.zeros(count, np.int64),
            differ=np.zeros((count - 1, count - 1), np.bool_),
            waiting=np.zeros((count + 1, 0), np.bool_),
        )

    def after(self, look: NDArray[np.bool_]) -> _Count:
        """The count when the next deals, shape (names + 1, deals), have been looked at."""
        winnable, unknown, *won = look
        return replace(
            self,
            deals=self.deals + look.shape[1],
            unknown=self.unknown + int(unknown.sum()),
            wins=self.wins + np.array([winnable, *won]).sum(axis=1),
            differ=self.differ | np.array([[(a != b).any() for b in won] for a in won]),
        )

    def rates(self) -> list[Rate]:
        """Perfect play, then the players."""
        return [self._rate(number) for number in range(len(self.names))]

    def _rate(self, number: int) -> Rate:
        wins, unknown = int(self.wins[number]), 0 if number else self.unknown
        found = sequence(wins, self.deals, undecided=unknown, level=self.level)
        place = stands(found, self.band)
        return Rate(self.names[number], wins, unknown, self.deals, found, place)

    def decided(self) -> bool:
        """Whether further deals would say nothing more of the claim."""
        perfect, *players = (rate.stands for rate in self.rates())
        reached = any(one in REACHED for one in players) or all(one == BELOW for one in players)
        sure = all(one in (BELOW, WITHIN, ABOVE) for one in players[: self.fixed])
        return perfect != UNDECIDED and reached and sure

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Players that won the same deals, two or more together."""
        alike = {
            tuple(name for name, other in zip(self.names[1:], row, strict=True) if not other)
            for row in self.differ
        }
        return tuple(sorted(names for names in alike if len(names) > 1))


def _looking(request: Request, probes: int) -> Step:
    """Look at each further `STEP` deals, whatever the blocks, until they decide."""

    def step(count: _Count, done: Done) -> tuple[_Count, bool]:
        solver, *players = (part(done.outcomes, number) for number in range(probes))
        won = [outcomes["won"] for outcomes in players]
        label, first = request.source.label, done.block.first
        known = settled(solver["winnable"], solver["unknown"], won, label, first)
        waiting = np.concatenate([count.waiting, np.stack([*known, *won])], axis=1)
        while waiting.shape[1] >= STEP or 0 < waiting.shape[1] == request.deals - count.deals:
            count = count.after(waiting[:, :STEP])
            waiting = waiting[:, STEP:]
            if count.decided():
                return count, True
        return replace(count, waiting=waiting), False

    return step
