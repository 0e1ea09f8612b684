"""What share of deals can be won at all?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.search import solver_of
from labyrinth_sim.protocols import Deals, Game, Identity, Limits
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.collect import collect
from labyrinth_sim.run.executor import Outcomes
from labyrinth_sim.run.provenance import provenance
from labyrinth_sim.stats import Interval, proportion

BLOCK_BITS = 10
"""Deals take a hundred times longer to solve than to play, so blocks are smaller."""


@dataclass(frozen=True)
class Winnability:
    """How many deals of a range can be won.

    Parameters
    ----------
    identity : Identity
    rules : RuleSet
    seed : int or None
    first, deals : int
        The range that was decided.
    winnable, unknown, nodes : int
    outcomes : dict of str to ndarray, or None
        Columns `winnable`, `unknown`, `nodes`, shape (deals,), if they were kept.
    seconds : float
    complete : bool
        False if the run was interrupted.
    """

    identity: Identity
    rules: RuleSet
    seed: int | None
    first: int
    deals: int
    winnable: int
    unknown: int
    nodes: int
    outcomes: Outcomes | None
    seconds: float
    complete: bool
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def unwinnable(self) -> int:
        return self.deals - self.winnable - self.unknown

    def rate(self, level: float = 0.95, method: str | None = None) -> Interval:
        """Winnable ÷ deals; unknown ones are lost at its lower end and won at its upper."""
        return proportion(
            self.winnable, self.deals, undecided=self.unknown, level=level, method=method
        )

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim winnability --json`` prints it (RULES §5)."""
        rate = self.rate()
        return {
            "game": self.identity.game,
            "rules": self.rules.as_dict(),
            "rules_spec": self.rules.spec,
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
            "winnable": self.winnable,
            "unwinnable": self.unwinnable,
            "unknown": self.unknown,
            "rate": rate.estimate,
            "low": rate.low,
            "high": rate.high,
            "method": rate.method,
            "level": rate.level,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        unknown = f", {self.unknown:,} unknown" if self.unknown else ""
        speed = self.deals / self.seconds if self.seconds else float("inf")
        return "\n".join(
            [
                f"{self.identity.game} · {self.rules.spec} · winnable with all seen",
                f"{self.winnable:,} of {self.deals:,} deals{unknown} (from {self.first:,}"
                + (f" of seed {self.seed})" if self.seed is not None else " of the given decks)")
                + ("" if self.complete else ", interrupted"),
                f"share {self.rate()}",
                f"{self.seconds:.2f} s, {speed:,.0f} deals/s, {self.nodes:,} nodes",
            ]
        )


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
        block_bits=BLOCK_BITS if probe.threads else 4,
        progress=progress,
        watched="winnable",
    )
    return Winnability(
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


def _command(
    game: Game, rules: RuleSet, source: Deals, first: int, deals: int, limits: Limits
) -> list[str]:
    words = ["labyrinth-sim", "winnability", "--rules", rules.spec]
    words += ["--game", game.name] if game.name != DEFAULT else []
    words += ["--decks", "FILE"] if source.seed is None else ["--seed", str(source.seed)]
    words += ["--nodes", str(limits.nodes)] if limits.nodes is not None else []
    return [*words, "--memory", str(limits.memory), "--first", str(first), "--deals", str(deals)]
