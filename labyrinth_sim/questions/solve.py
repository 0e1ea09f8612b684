"""Can a deal be won, how, and with how few resorts?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Bounds, Limits, Solution
from labyrinth_sim.deals import Deal, placed
from labyrinth_sim.drawing import Shown
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.games.replay import SEPARATOR
from labyrinth_sim.games.search import appraise, solver_of
from labyrinth_sim.games.solving import check_seconds
from labyrinth_sim.rulesets import RuleSet


@dataclass(frozen=True)
class Solved(Shown):
    """What is known of a deal with all seen.

    Parameters
    ----------
    deal : str
        What the deal is called.
    rules : RuleSet
    solution : Solution
        The verdict, and a line that wins.
    resorts : mapping of str to Bounds
        By kind of resort, the fewest with which the deal can be won, the rules being the same
        else; empty for games without, and for a deal that was given up after some seconds.
    """

    deal: str
    rules: RuleSet
    solution: Solution
    resorts: Mapping[str, Bounds]

    @property
    def verdict(self) -> str:
        """`winnable`, `unwinnable` or `unknown`."""
        return self.solution.verdict

    @property
    def moves(self) -> list[str] | None:
        """A line that wins, if the deal can be won."""
        return self.solution.moves

    @property
    def _line(self) -> str | None:
        return None if self.moves is None else SEPARATOR.join(self.moves)

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim solve --json`` prints it (RULES §5)."""
        resorts = {kind: [bounds.low, bounds.high] for kind, bounds in self.resorts.items()}
        return {
            "deal": self.deal,
            "rules": self.rules.as_dict(),
            "rules_spec": self.rules.spec,
            "verdict": self.verdict,
            "moves": self._line,
            "nodes": self.solution.nodes,
            "seconds": self.solution.seconds,
            "reproducible": self.solution.reproducible,
            **({"fewest_resorts": resorts} if resorts else {}),
        }

    def __str__(self) -> str:
        lines = [
            f"deal {self.deal}, {self.rules.spec}: {self.verdict}",
            f"  {self.solution.nodes:,} positions, {self.solution.seconds:.3f} s",
        ]
        if self.resorts:
            fewest = ", ".join(f"{kind} {bounds}" for kind, bounds in self.resorts.items())
            lines.append(f"  fewest resorts that win it: {fewest}")
        if not self.solution.reproducible:
            lines.append("  the limit in seconds was reached; elsewhere it may end otherwise")
        if self._line:
            lines.append(f"  {self._line}")
        return "\n".join(lines)


def solve(
    deal: str | Deal | int,
    rules: str | RuleSet | None = None,
    *,
    limits: Limits | None = None,
    seconds: float | None = None,
    decks: Deals | None = None,
    game: str | Game = DEFAULT,
) -> Solved:
    """Decide a deal with all seen, show a line that wins, and tell how few resorts would do.

    Parameters
    ----------
    deal : str, Deal or int
        A deal, or its id; with `decks` its place there, from 0.
    rules, game
        As in `labyrinth_sim.simulate`.
    limits : Limits, optional
        What each search may use up, by default 64 MB of memory.
    seconds : float, optional
        Give the deal up after so long, which is not reproducible; then resorts are not counted.
    decks : Deals, optional
        Given decks that the deal is one of.

    Returns
    -------
    Solved
        Up to four resorts are tried, whatever the rules allow; where a limit was reached, their
        number is given by bounds.

    Raises
    ------
    InvalidInput
        If an argument is not allowed.

    Examples
    --------
    >>> solved = solve("1/1/0", "ultimate")
    >>> solved.verdict, str(solved.resorts["fit"]), str(solved.resorts["lift"])
    ('unwinnable', '3', '3')
    """
    check_seconds(seconds)
    game = find_game(game) if isinstance(game, str) else game
    chosen, limits = find_rules(game, rules), limits or Limits()
    source, index = placed(deal, decks, game.reference.pack)
    deck = source.deck(index)
    solution = solver_of(game).solve(game.start(deck, chosen), limits, seconds=seconds)
    resorts: Mapping[str, Bounds] = {}
    if solution.reproducible:
        resorts = appraise(game, deck, chosen, limits)
    return Solved(source.label(index), chosen, solution, resorts)
