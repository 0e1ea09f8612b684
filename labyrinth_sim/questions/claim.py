"""Are published odds what perfect play, the best honest player, or fixed players win?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.players import find_player, players_of, probe_for
from labyrinth_sim.questions.claim_result import (
    ABOVE,
    BELOW,
    REACHED,
    UNDECIDED,
    WITHIN,
    Claim,
    Rate,
    stands,
)
from labyrinth_sim.questions.claims import Band
from labyrinth_sim.questions.skill import settled
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import cut
from labyrinth_sim.run.collect import checked_range, handed
from labyrinth_sim.run.pool import Pool, played
from labyrinth_sim.stats import check_level, sequence

__all__ = ["Claim", "claim"]

MOST_DEALS = 1_000_000
"""Deals after which a claim is left undecided."""

STEP = 1024
"""Deals between two looks at the figures."""


def claim(
    rules: str | RuleSet | None = None,
    odds: str | None = None,
    *,
    tolerance: float | None = None,
    players: Sequence[str | Any] = (),
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    n_jobs: int = -1,
    limits: Limits | None = None,
    game: str | Game = DEFAULT,
    level: float = 0.95,
    progress: bool | None = None,
) -> Claim:
    """Hold published odds against perfect play, honest players and fixed players.

    The figures are looked at every 1,024 deals, in the order of the deals, and the run ends when
    they decide. All intervals are of confidence sequences at Bonferroni's level, so that all
    statements hold at once with confidence `level`.

    Parameters
    ----------
    rules, seed, first, n_jobs, game, progress
        As in `labyrinth_sim.simulate`.
    odds : str, optional
        ``1/30``, ``1 in 30`` or ``3.3%``; by default what is published for these rules.
    tolerance : float, optional
        Half of the width of what the odds stand for, see `labyrinth_sim.questions.claims.Band`.
    players : list of str or object
        Honest players, besides the fixed ones and the strong ones that come with the game.
    deals : int, optional
        The most deals that may be played, by default a million.
    limits : Limits, optional
        What the search of a deal may use up.
    level : float, default 0.95

    Raises
    ------
    InvalidInput
        If an argument is not allowed, no odds are published for these rules, or a player sees
        what is hidden.
    RunFailed
        If a player fails; its attribute `result` is the `Claim` after the last look before.

    Examples
    --------
    >>> claim("wikipedia", "1/5", deals=10_000).verdict
    'too modest: every fixed player wins more'
    """
    check_level(level)
    found = find_game(game) if isinstance(game, str) else game
    chosen = find_rules(found, rules)
    source_text = ""
    if odds is None:
        claims = found.catalog.odds(chosen.spec)
        if not claims:
            raise InvalidInput(f"no odds are published for {found.name}, {chosen.spec}; give some")
        odds, source_text = claims[0].odds, claims[0].source
    band = Band.read(odds, tolerance)
    source = SeededDeals(seed)
    fixed, others = _players(found, players)
    solver = solver_of(found).probe(chosen, source, limits or Limits())
    probes = [probe_for(found, chosen, player, source) for player in (*fixed, *others)]
    pool = Pool((solver, *probes))
    first, deals = checked_range(source, first, MOST_DEALS if deals is None else deals)
    blocks = cut(first, deals, pool.block_bits, source.size)
    names = [player.spec for player in (*fixed, *others)]
    count = _Count(names, band, level)
    failure, complete = None, True
    start = perf_counter()
    try:
        finished = played(pool, blocks, deals, n_jobs=n_jobs, keep=True, progress=progress)
        with closing(finished):
            for look in _looks(pool, finished, source, first, deals):
                count.add(look)
                if count.decided(len(fixed)):
                    break
    except (KeyboardInterrupt, RunFailed) as problem:
        if not count.deals:
            raise
        failure, complete = (problem if isinstance(problem, RunFailed) else None), False
    result = Claim(
        game=found.name,
        rules=chosen,
        band=band,
        source=source_text,
        perfect=count.rates[0],
        players=tuple(count.rates[1:]),
        fixed=len(fixed),
        same=count.groups(),
        seed=seed,
        first=first,
        deals=count.deals,
        level=level,
        seconds=perf_counter() - start,
        complete=complete,
    )
    return handed(result, failure)


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


def _looks(
    pool: Pool, finished: Iterator[Any], source: SeededDeals, first: int, deals: int
) -> Iterator[NDArray[np.bool_]]:
    """What became of each further `STEP` deals, whatever the blocks: winnable, unknown, won …"""
    waiting = np.zeros((1 + len(pool.probes), 0), np.bool_)
    seen = 0
    for done in finished:
        solver, *players = pool.outcomes(done)
        won = [outcomes["won"] for outcomes in players]
        known = settled(solver["winnable"], solver["unknown"], won, source, done.block.first)
        waiting = np.concatenate([waiting, np.stack([*known, *won])], axis=1)
        while waiting.shape[1] >= STEP or (waiting.shape[1] and seen + waiting.shape[1] == deals):
            look, waiting = waiting[:, :STEP], waiting[:, STEP:]
            seen += look.shape[1]
            yield look


class _Count:
    """Wins so far, and what they say."""

    def __init__(self, names: Sequence[str], band: Band, level: float) -> None:
        self.deals = 0
        self.rates: list[Rate] = []
        self._names, self._band = ["perfect play", *names], band
        self._level = 1 - (1 - level) / len(self._names)
        self._wins = np.zeros(len(self._names), np.int64)
        self._unknown = 0
        self._differ = np.zeros((len(names), len(names)), np.bool_)

    def add(self, look: NDArray[np.bool_]) -> None:
        winnable, unknown, *won = look
        self._wins += [int(column.sum()) for column in (winnable, *won)]
        self._unknown += int(unknown.sum())
        self._differ |= np.array([[(one != other).any() for other in won] for one in won])
        self.deals += look.shape[1]
        self.rates = [self._rate(number) for number in range(len(self._names))]

    def _rate(self, number: int) -> Rate:
        wins, unknown = int(self._wins[number]), 0 if number else self._unknown
        found = sequence(wins, self.deals, undecided=unknown, level=self._level)
        place = stands(found, self._band)
        return Rate(self._names[number], wins, unknown, self.deals, found, place)

    def decided(self, fixed: int) -> bool:
        """Whether further deals would say nothing more of the claim."""
        perfect, *players = (rate.stands for rate in self.rates)
        reached = any(one in REACHED for one in players) or all(one == BELOW for one in players)
        sure = all(one in (BELOW, WITHIN, ABOVE) for one in players[:fixed])
        return perfect != UNDECIDED and reached and sure

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Players that won the same deals, two or more together."""
        alike = {
            tuple(name for name, other in zip(self._names[1:], row, strict=True) if not other)
            for row in self._differ
        }
        return tuple(sorted(names for names in alike if len(names) > 1))
