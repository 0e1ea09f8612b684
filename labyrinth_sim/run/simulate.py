"""Playing many deals and keeping what became of them."""

from __future__ import annotations

from typing import Any

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.deals import SeededDeals
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.collect import collect, handed
from labyrinth_sim.run.provenance import provenance
from labyrinth_sim.run.result import Result, command_of


def simulate(
    rules: str | RuleSet | None = None,
    player: str | Any | None = None,
    *,
    deals: int | None = None,
    seed: int = 1,
    first: int = 0,
    n_jobs: int = -1,
    decks: Deals | None = None,
    keep: str = "summary",
    game: str | Game = DEFAULT,
    block_bits: int | None = None,
    progress: bool | None = None,
    move_seconds: float | None = None,
) -> Result:
    """Play a player on a range of deals.

    One seed gives one answer, at any `n_jobs` and `block_bits`. Ctrl-C ends the run early and
    gives what is done, with ``complete=False``.

    Parameters
    ----------
    rules : str or RuleSet, optional
        ``PRESET`` or ``PRESET,key=value,…``; by default the game's first preset.
    player : str or object, optional
        By default the game's first player, `greedy` for Labyrinth. Also a spec such as
        ``MODULE:NAME``, or any object with a method ``choose(view, moves, rng)``, see
        `labyrinth_sim.players.find_player`.
    deals : int, optional
        How many, by default 100,000, or all `decks`.
    seed, first : int
        Deals `first` to ``first + deals - 1`` of the seed.
    n_jobs : int, default -1
        Workers; -1 for as many as there are cores.
    decks : Deals, optional
        Given decks in place of the seed's, see `labyrinth_sim.deals.ListedDeals`.
    keep : {"summary", "outcomes"}
        Whether the outcome of every deal is kept; a summary takes no memory to speak of.
    game : str or Game, default "labyrinth"
    block_bits : int, optional
        Deals are scheduled in blocks of ``2**block_bits``.
    progress : bool, optional
        Whether a bar is shown on standard error, by default if that is a terminal.
    move_seconds : float, optional
        How long a player in Python may take over a move; no limit by default.

    Returns
    -------
    Result

    Raises
    ------
    InvalidInput
        If an argument is not allowed.
    PlayerFailed
        If the player raises an error, gives no legal move, or takes too long. What was finished
        before, deals up to the failing block, is its attribute `result`.
    KeyboardInterrupt
        If interrupted before the first block was done.

    Examples
    --------
    >>> result = simulate("wikipedia", "greedy", deals=10_000, seed=1)
    >>> result.wins
    2684
    """
    game = find_game(game) if isinstance(game, str) else game
    rules = find_rules(game, rules)
    player = find_player(game, player)
    source = SeededDeals(seed) if decks is None else decks
    probe = probe_for(game, rules, player, source, move_seconds=move_seconds)
    run = collect(
        probe,
        source,
        deals=deals,
        first=first,
        n_jobs=n_jobs,
        keep=keep,
        block_bits=block_bits,
        progress=progress,
    )
    result = Result(
        identity=probe.identity,
        rules=rules,
        player=player.spec,
        seed=source.seed,
        first=run.first,
        deals=run.deals,
        tally=run.tally,
        outcomes=run.outcomes,
        seconds=run.seconds,
        complete=run.complete,
        provenance=provenance(
            command_of(game.name, rules, player.spec, source.seed, run.first, run.deals)
        ),
    )
    return handed(result, run.failure)
