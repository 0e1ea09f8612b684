"""Several runs on the same deals, block by block: what comparing and finding have in common."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import join, quote
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import deck_text
from labyrinth_sim.core.game import Game
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.core.player import Player
from labyrinth_sim.core.probe import Column, Deals, Probe
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.players import find_player, probe_for
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import Block, usual_bits
from labyrinth_sim.run.executor import Done, Outcomes, execute
from labyrinth_sim.run.progress import progress_bar
from labyrinth_sim.run.tally import Tally


@dataclass(frozen=True)
class Pool:
    """Several probes of the same deals as one; column ``3/won`` is that of probe 3.

    Every block is played by all of them before it counts as done, so that whatever is done, all
    have done.
    """

    probes: tuple[Probe, ...]

    @property
    def threads(self) -> bool:
        return all(probe.threads for probe in self.probes)

    @property
    def block_bits(self) -> int:
        return min(map(usual_bits, self.probes))

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(
            replace(column, name=f"{number}/{column.name}")
            for number, probe in enumerate(self.probes)
            for column in probe.columns
        )

    @property
    def identity(self) -> Identity:
        return Identity.pool(tuple(probe.identity for probe in self.probes))

    def run(self, first: int, out: Mapping[str, NDArray[Any]], stop: NDArray[np.uint8]) -> int:
        count = len(next(iter(out.values())))
        for number, probe in enumerate(self.probes):
            part = {column.name: out[f"{number}/{column.name}"] for column in probe.columns}
            if probe.run(first, part, stop) < count:
                return 0
        return count

    def outcomes(self, done: Done) -> list[Outcomes]:
        """Outcome columns of each probe in a finished block."""
        kept = done.outcomes or {}
        return [
            {column.name: kept[f"{number}/{column.name}"] for column in probe.columns}
            for number, probe in enumerate(self.probes)
        ]

    def tallies(self, tally: Tally) -> list[Tally]:
        """The tally of each probe."""
        return [tally.part(f"{number}/") for number in range(len(self.probes))]


@dataclass(frozen=True)
class Run:
    """A player on a rule set.

    Parameters
    ----------
    game : Game
    place : str
        What the game is called at the command line.
    rules : RuleSet
    player : Player
    probe : Probe
    """

    game: Game
    place: str
    rules: RuleSet
    player: Player
    probe: Probe

    def show(self, source: Deals, index: int) -> str:
        """The command that shows this run's game on a deal."""
        return show_command(self.place, self.rules.spec, self.player.spec, source, index)


def show_command(game: str, rules: str, player: str, source: Deals | None, index: int) -> str:
    """The command that shows a player's game on a deal; a given deck is piped into it.

    Parameters
    ----------
    game, rules, player : str
        As at the command line.
    source : Deals or None
        None if the decks were given and are not known any more.
    index : int

    Examples
    --------
    >>> from labyrinth_sim.deals import SeededDeals
    >>> show_command("labyrinth", "wikipedia", "greedy", SeededDeals(1), 7)
    'labyrinth-sim show 1/1/7 --rules wikipedia --player greedy'
    """
    choice = ["--rules", rules, "--player", player]
    if game != DEFAULT:
        choice = ["--game", game, *choice]
    if source is None:
        return join(["labyrinth-sim", "show", "--decks", "FILE", *choice])
    if source.seed is not None:
        return join(["labyrinth-sim", "show", source.label(index), *choice])
    deck = quote(deck_text(source.deck(index)))
    return f"echo {deck} | {join(['labyrinth-sim', 'show', '--decks', '-', *choice])}"


def runs_of(
    game: str | Game,
    players: str | Any | Sequence[str | Any] | None,
    rules: str | RuleSet | Sequence[str | RuleSet] | None,
    source: Deals,
) -> list[Run]:
    """Many players on one rule set, one player on many, or as many of both, first with first.

    Raises
    ------
    InvalidInput
        If there are neither one nor as many, two runs are the same, or one is not allowed.
    """
    many_players, many_rules = _several(players), _several(rules)
    count = max(len(many_players), len(many_rules))
    if not {len(many_players), len(many_rules)} <= {1, count}:
        raise InvalidInput(
            f"{len(many_players)} players and {len(many_rules)} rule sets can't be paired; give "
            "one of either, or as many of both: the first player plays the first rules, and so on"
        )
    found = game if isinstance(game, Game) else find_game(game)
    place = game.name if isinstance(game, Game) else game
    runs: list[Run] = []
    for number in range(count):
        player = find_player(found, many_players[number % len(many_players)])
        chosen = find_rules(found, many_rules[number % len(many_rules)])
        runs.append(Run(found, place, chosen, player, probe_for(found, chosen, player, source)))
    return runs


def refuse_same(runs: Sequence[Run]) -> None:
    """Refuse a run that is given twice."""
    seen: set[Identity] = set()
    for run in runs:
        if run.probe.identity in seen:
            raise InvalidInput(
                f"{run.player.spec} on {run.rules.spec} is given twice; give different players "
                "or rules"
            )
        seen.add(run.probe.identity)


def _several(given: Any) -> list[Any]:
    """A list is several, also an empty one, which stands for the default; all else is one."""
    return list(given) or [None] if isinstance(given, list | tuple) else [given]


def played(
    pool: Pool,
    blocks: Iterable[Block],
    deals: int,
    *,
    n_jobs: int,
    keep: bool,
    progress: bool | None,
) -> Generator[Done, None, None]:
    """Finished blocks in order, shown by a bar of deals."""
    finished = execute(pool, blocks, n_jobs=n_jobs, keep=keep)
    with progress_bar(progress, total=deals, unit=" deals", unit_scale=True) as bar:
        for done in finished:
            bar.update(done.block.count)
            yield done
