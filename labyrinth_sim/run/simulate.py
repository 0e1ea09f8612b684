"""Playing many deals and keeping what became of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from labyrinth_sim.deals import SeededDeals, check_word
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.protocols import Deals, Game
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import cut
from labyrinth_sim.run.executor import Done, Outcomes, execute
from labyrinth_sim.run.provenance import provenance
from labyrinth_sim.run.result import Result, command_of
from labyrinth_sim.run.tally import Tally

DEFAULT_DEALS = 100_000


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
    if keep not in ("summary", "outcomes"):
        raise InvalidInput(f"keep={keep!r} is not allowed; give 'summary' or 'outcomes'")
    check_word("first", first)
    first = int(first)  # numpy's own would overflow, and can't be written as JSON
    if deals is None:
        deals = min(source.size - first, DEFAULT_DEALS if decks is None else source.size)
    bits = (16 if probe.threads else 8) if block_bits is None else block_bits
    blocks = cut(first, deals, bits, source.size)
    finished = execute(probe, blocks, n_jobs=n_jobs, keep=keep == "outcomes")
    done, kept, failure = (Tally(), 0), [], None
    start = time.perf_counter()
    try:
        for part in _watched(finished, deals, progress):
            if part.outcomes is not None:
                kept.append(part.outcomes)
            # One assignment, as Ctrl-C may come between any two.
            done = done[0] + part.tally, done[1] + part.block.count
    except (KeyboardInterrupt, RunFailed) as problem:
        if not done[1]:
            raise
        failure = problem if isinstance(problem, RunFailed) else None
    seconds = time.perf_counter() - start
    tally, played = done
    result = Result(
        identity=probe.identity,
        rules=rules,
        player=player.spec,
        seed=source.seed,
        first=first,
        deals=played,
        tally=tally,
        outcomes=_joined(kept, played) if keep == "outcomes" else None,
        seconds=seconds,
        complete=played == deals,
        provenance=provenance(
            command_of(game.name, rules, player.spec, source.seed, first, played)
        ),
    )
    if failure is not None:
        failure.result = result
        raise failure
    return result


def _joined(parts: list[Outcomes], deals: int) -> Outcomes:
    return {name: np.concatenate([part[name] for part in parts])[:deals] for name in parts[0]}


def _watched(finished: Iterator[Done], deals: int, progress: bool | None) -> Iterator[Done]:
    """Pass finished blocks on, showing deals a second and the running win rate."""
    hidden = None if progress is None else not progress  # None: tqdm looks for a terminal
    wins = played = 0
    with tqdm(total=deals, unit=" deals", unit_scale=True, disable=hidden, leave=False) as bar:
        for part in finished:
            wins += part.tally.count("won", 1)
            played += part.block.count
            bar.set_postfix_str(f"won {wins / played:.2%}", refresh=False)
            bar.update(part.block.count)
            yield part
