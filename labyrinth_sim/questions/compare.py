"""Comparing players, or rule sets, on the same deals."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import SeededDeals, range_text
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games import DEFAULT
from labyrinth_sim.questions.comparison import Comparison
from labyrinth_sim.questions.pool import Pool, played, refuse_same, runs_of
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import cut
from labyrinth_sim.run.collect import checked_range, handed
from labyrinth_sim.run.provenance import provenance
from labyrinth_sim.run.result import Result, command_of
from labyrinth_sim.run.tally import Tally
from labyrinth_sim.stats import check_level

__all__ = ["Comparison", "compare", "compare_results"]


def compare(
    players: str | Any | Sequence[str | Any] | None = None,
    rules: str | RuleSet | Sequence[str | RuleSet] | None = None,
    *,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    n_jobs: int = -1,
    decks: Deals | None = None,
    game: str | Game = DEFAULT,
    level: float = 0.95,
    block_bits: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Play players, or rule sets, on the same deals and tell how each two of them differ.

    Whether a deal was won is all that is kept of it, a byte a run. Ctrl-C ends the comparison
    early and gives the deals that all have played, with ``complete=False``.

    Parameters
    ----------
    players : list of str or object
        Specs or objects, see `labyrinth_sim.players.find_player`.
    rules : list of str or RuleSet
        Many players on one rule set, one player on many, or as many of both: then the first
        player plays the first rules, the second the second, and so on.
    deals, seed, first, n_jobs, decks, game, block_bits, progress
        As in `labyrinth_sim.simulate`.
    level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidInput
        If an argument is not allowed, or there are not two different runs.
    PlayerFailed
        If a player raises an error, gives no legal move, or takes too long. What all had finished
        before is its attribute `result`, a `Comparison`.
    KeyboardInterrupt
        If interrupted before the first block was done.

    Examples
    --------
    >>> comparison = compare(["greedy", "patient"], "wikipedia", deals=10_000)
    >>> print(comparison.pair("greedy", "patient"))
    -0.770% (-1.105% to -0.435%, 0.95 newcombe-10), p 7.5e-06 mcnemar-exact
    """
    source = SeededDeals(seed) if decks is None else decks
    runs = runs_of(game, players, rules, source)
    if len(runs) < 2:
        raise InvalidInput(f"{runs[0].player.spec} alone can't be compared; give players or rules")
    refuse_same(runs)
    check_level(level)
    pool = Pool(tuple(run.probe for run in runs))
    first, deals = checked_range(source, first, deals)
    bits = pool.block_bits if block_bits is None else block_bits
    blocks = cut(first, deals, bits, source.size)
    won: list[list[NDArray[np.bool_]]] = []
    done, failure = (Tally(), 0), None
    start = time.perf_counter()
    try:
        for part in played(pool, blocks, deals, n_jobs=n_jobs, keep=True, progress=progress):
            won.append([outcomes["won"] for outcomes in pool.outcomes(part)])
            # One assignment, as Ctrl-C may come between any two.
            done = done[0] + part.tally, done[1] + part.block.count
    except (KeyboardInterrupt, RunFailed) as problem:
        if not done[1]:
            raise
        failure = problem if isinstance(problem, RunFailed) else None
    seconds = time.perf_counter() - start
    tally, count = done
    results = tuple(
        Result(
            identity=run.probe.identity,
            rules=run.rules,
            player=run.player.spec,
            seed=source.seed,
            first=first,
            deals=count,
            tally=own,
            outcomes={"won": np.concatenate(columns)[:count]},
            seconds=seconds,
            complete=count == deals,
            provenance=provenance(
                command_of(run.place, run.rules, run.player.spec, source.seed, first, count)
            ),
        )
        for run, own, columns in zip(runs, pool.tallies(tally), zip(*won, strict=True), strict=True)
    )
    comparison = Comparison(
        results, first, count, level, source, runs[0].place, complete=count == deals
    )
    return handed(comparison, failure)


def compare_results(
    results: Sequence[Result],
    *,
    level: float = 0.95,
    decks: Deals | None = None,
    game: str | None = None,
) -> Comparison:
    """Compare results that are there already, on the deals that all of them share.

    Parameters
    ----------
    results : sequence of Result
        At least two of one game, of the same seed or the same decks, with outcomes kept.
    level : float, default 0.95
        Confidence level of the intervals.
    decks : Deals, optional
        The decks that were given when they were made, for commands that show a deal.
    game : str, optional
        What the game is called at the command line, if that is not its name.

    Raises
    ------
    InvalidInput
        If there are fewer than two, they are of several games, one kept no outcomes, or they
        share no deals: then nothing pairs them.

    Examples
    --------
    >>> from labyrinth_sim import simulate
    >>> early = simulate(player="greedy", deals=600, keep="outcomes")
    >>> late = simulate(player="never", first=400, deals=600, keep="outcomes")
    >>> comparison = compare_results([early, late])
    >>> comparison.first, comparison.deals
    (400, 200)
    """
    check_level(level)
    if len(results) < 2:
        raise InvalidInput(f"{len(results)} results can't be compared; give two or more")
    games = sorted({result.identity.game for result in results})
    if len(games) > 1:
        raise InvalidInput(f"the results are of {', '.join(games)}; give results of one game")
    for result in results:
        if "won" not in (result.outcomes or {}):
            raise InvalidInput(
                f"the result of {_named(result)} kept no outcomes; simulate with keep='outcomes'"
            )
    reference = results[0]
    for result in results[1:]:
        if (result.identity.seed, result.identity.decks) != (
            reference.identity.seed,
            reference.identity.decks,
        ):
            raise _no_deals_shared(reference, result)
    latest = max(results, key=lambda result: result.first)
    earliest = min(results, key=_end)
    first, deals = latest.first, _end(earliest) - latest.first
    if deals <= 0:
        raise _no_deals_shared(earliest, latest)
    note = ""
    if any((result.first, result.deals) != (first, deals) for result in results):
        ranges = "; ".join(_named(result) for result in results)
        note = f"only the {deals:,} deals that all share are compared: {ranges}"
    source = SeededDeals(reference.seed) if reference.seed is not None else decks
    complete = all(result.complete for result in results)
    place = game or games[0]
    return Comparison(tuple(results), first, deals, level, source, place, note, complete)


def _end(result: Result) -> int:
    return result.first + result.deals


def _named(result: Result) -> str:
    return f"{result.player} on {range_text(result.first, result.deals, result.seed)}"


def _no_deals_shared(one: Result, other: Result) -> InvalidInput:
    return InvalidInput(
        f"these results share no deals, so that nothing pairs them: {_named(one)} "
        f"({one.identity.decks}); {_named(other)} ({other.identity.decks}); give results of the "
        "same deals"
    )
