"""What share of deals can be won at all?"""

from __future__ import annotations

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.collect import collect, handed
from labyrinth_sim.run.provenance import provenance
from labyrinth_sim.run.verdicts import Winnability

__all__ = ["Winnability", "winnability"]


def winnability(
    rules: str | RuleSet | None = None,
    *,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    n_jobs: int = -1,
    limits: Limits | None = None,
    decks: Deals | None = None,
    keep: str = "summary",
    game: str | Game = DEFAULT,
    progress: bool | None = None,
) -> Winnability:
    """Decide a range of deals with all seen; the arguments are those of `simulate`.

    Parameters
    ----------
    limits : Limits, optional
        What the search of a deal may use up, by default 64 MB of memory.

    Raises
    ------
    InvalidInput
        If an argument is not allowed.
    RunFailed
        If a worker fails; its attribute `result` is the `Winnability` of the deals before.

    Examples
    --------
    >>> found = winnability("ultimate", deals=1000, seed=1)
    >>> found.winnable, found.unknown
    (30, 0)
    """
    game = find_game(game) if isinstance(game, str) else game
    rules = find_rules(game, rules)
    source = SeededDeals(seed) if decks is None else decks
    limits = limits or Limits()
    probe = solver_of(game).probe(rules, source, limits)
    run = collect(
        probe,
        source,
        deals=deals,
        first=first,
        n_jobs=n_jobs,
        keep=keep,
        progress=progress,
        watched="winnable",
    )
    result = Winnability(
        identity=probe.identity,
        rules=rules,
        seed=source.seed,
        first=run.first,
        deals=run.deals,
        winnable=run.tally.count("winnable", 1),
        unknown=run.tally.count("unknown", 1),
        nodes=run.tally.sums["nodes"],
        outcomes=run.outcomes,
        seconds=run.seconds,
        complete=run.complete,
        provenance=provenance(_command(game, rules, source, run.first, run.deals, limits)),
    )
    return handed(result, run.failure)


def _command(
    game: Game, rules: RuleSet, source: Deals, first: int, deals: int, limits: Limits
) -> list[str]:
    words = ["labyrinth-sim", "winnability", "--rules", rules.spec]
    words += ["--game", game.name] if game.name != DEFAULT else []
    words += ["--decks", "FILE"] if source.seed is None else ["--seed", str(source.seed)]
    words += ["--nodes", str(limits.nodes)] if limits.nodes is not None else []
    return [*words, "--memory", str(limits.memory), "--first", str(first), "--deals", str(deals)]
