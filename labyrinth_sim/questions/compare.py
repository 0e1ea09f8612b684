"""Which of several players, or rule sets, wins more?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import range_text
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.questions.comparison import Comparison
from labyrinth_sim.questions.simulate import Result
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import answer
from labyrinth_sim.run.asking import Playing, question
from labyrinth_sim.run.measure import measure
from labyrinth_sim.run.pool import Pool
from labyrinth_sim.run.request import Request
from labyrinth_sim.stats import check_level
from labyrinth_sim.stats.tally import Tally


@question
def compare(
    players: str | Any | Sequence[str | Any] | None = None,
    rules: str | RuleSet | Sequence[str | RuleSet] | None = None,
    **asked: Unpack[Playing],
) -> Comparison:
    """Simulate players, or rule sets, on the same deals and tell how each two of them differ.

    Whether a deal was won is all that is kept of it, a byte a run. Ctrl-C ends the comparison
    early and gives the deals that all have played, with ``complete=False``.

    Parameters
    ----------
    rules : list of str or RuleSet
        Many players on one rule set, one player on many, or as many of both: then the first
        player plays the first rules, the second the second, and so on.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> comparison = compare(["greedy", "patient"], "wikipedia", deals=10_000)
    >>> print(comparison.pair("greedy", "patient"))
    -0.770% (-1.105% to -0.435%, 0.95 newcombe-10), p 7.5e-06 mcnemar-exact
    """
    request = Request.of(rules=rules, players=players, **asked)
    if len(request.runs) < 2:
        (run,) = request.runs
        raise InvalidInput(f"{run.player.spec} alone can't be compared; give players or rules")
    request.refuse_same()
    pool = Pool(request.plays())
    measured = measure(request, pool, wanted=lambda name: name.endswith("/won"), watched="0/won")
    return answer(Comparison, request, measured)


def compare_results(
    results: Sequence[Result], *, level: float = 0.95, decks: Deals | None = None
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
    first, deals = _shared(results)
    shared = {
        f"{number}/{name}": values[first - result.first :][:deals]
        for number, result in enumerate(results)
        for name, values in (result.outcomes or {}).items()
    }
    note = ""
    if any((result.first, result.deals) != (first, deals) for result in results):
        ranges = "; ".join(_named(result) for result in results)
        note = f"only the {deals:,} deals that all share are compared: {ranges}"
    reference = results[0]
    unnamed = [result.asked.unnamed for result in results if result.asked.unnamed]
    return Comparison(
        asked=replace(
            reference.asked,
            rules=tuple(result.rules for result in results),
            players=tuple(result.player for result in results),
            level=level,
            unnamed=next(iter(unnamed), ""),
        ),
        identity=Identity.pool(tuple(result.identity for result in results)),
        first=first,
        deals=deals,
        tally=Tally.of(shared),
        outcomes={name: shared[name] for name in shared if name.endswith("/won")},
        seconds=max(result.seconds for result in results),
        complete=all(result.complete for result in results),
        source=reference.source if decks is None else decks,
        note=note,
    )


def _shared(results: Sequence[Result]) -> tuple[int, int]:
    """The first deal that all results share, and how many there are."""
    if len(results) < 2:
        raise InvalidInput(f"{len(results)} results can't be compared; give two or more")
    games = sorted({result.game for result in results})
    if len(games) > 1:
        raise InvalidInput(f"the results are of {', '.join(games)}; give results of one game")
    for result in results:
        if "won" not in (result.outcomes or {}):
            raise InvalidInput(
                f"the result of {_named(result)} kept no outcomes; simulate with keep='outcomes'"
            )
    reference = results[0]
    for result in results[1:]:
        if _decks(result) != _decks(reference):
            raise _no_deals_shared(reference, result)
    latest = max(results, key=lambda result: result.first)
    earliest = min(results, key=_end)
    deals = _end(earliest) - latest.first
    if deals <= 0:
        raise _no_deals_shared(earliest, latest)
    return latest.first, deals


def _end(result: Result) -> int:
    return result.first + result.deals


def _decks(result: Result) -> str:
    """What tells apart where decks come from."""
    identity = result.identity
    return f"seed {identity.seed}" if identity.seed is not None else f"decks {identity.decks}"


def _named(result: Result) -> str:
    return f"{result.player} on {range_text(result.first, result.deals, result.seed)}"


def _no_deals_shared(one: Result, other: Result) -> InvalidInput:
    return InvalidInput(
        f"these results share no deals, so that nothing pairs them: {_named(one)} "
        f"({_decks(one)}); {_named(other)} ({_decks(other)}); give results of the same deals"
    )
