"""What comparing runs on the same deals comes to: tables, statistics, deals to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import whole_number
from labyrinth_sim.questions.simulate import Result
from labyrinth_sim.run.answer import Answer, Table
from labyrinth_sim.run.pool import part
from labyrinth_sim.stats import Paired, all_paired, proportion
from labyrinth_sim.stats.paired import power_of_ten

if TYPE_CHECKING:
    import pandas as pd

IDENTICAL = "identical on these deals"


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(Answer):
    """What became of several runs on the same deals, and how each two of them differ.

    See `Answer` for what it holds; of each deal it keeps at least whether each run won it.

    Parameters
    ----------
    note : str
        What a reader should know of the range, e.g. that only a part of it is shared.
    """

    verb = "compare"

    note: str = field(default="", compare=False)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """Each run for itself; all give the seconds of the whole comparison."""
        parts = zip(self.asked.runs, self.identity.parts, strict=True)
        return tuple(
            Result(
                asked=replace(self.asked, rules=(rules,), players=(player,)),
                identity=identity,
                first=self.first,
                deals=self.deals,
                tally=self.tally.part(f"{number}/"),
                outcomes=part(self.outcomes or {}, number),
                seconds=self.seconds,
                complete=self.complete,
                source=self.source,
            )
            for number, ((rules, player), identity) in enumerate(parts)
        )

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each run is called: its player or its rules if that tells them apart, else both."""
        players = [player for _, player in self.asked.runs]
        rules = [rules.spec for rules, _ in self.asked.runs]
        if len(set(rules)) == 1:
            return tuple(players)
        if len(set(players)) == 1:
            return tuple(rules)
        return tuple(f"{player}@{spec}" for player, spec in zip(players, rules, strict=True))

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Numbers of the runs that are compared: each with every later one."""
        return tuple(combinations(range(len(self.asked.runs)), 2))

    @cached_property
    def _tables(self) -> list[NDArray[np.int64]]:
        won = [self._won(number) for number in range(len(self.asked.runs))]
        wins = [int(np.count_nonzero(column)) for column in won]
        tables = []
        for a, b in self.pairs:
            both = int(np.count_nonzero(won[a] & won[b]))
            only_a, only_b = wins[a] - both, wins[b] - both
            tables.append(np.array([[both, only_a], [only_b, self.deals - both - only_a - only_b]]))
        return tables

    @cached_property
    def paired(self) -> tuple[Paired, ...]:
        """The statistics of each of `pairs`, adjusted for their number."""
        return tuple(all_paired(self._tables, level=self.level))

    def pair(self, a: int | str, b: int | str) -> Paired:
        """The statistics of two runs, by number or label, adjusted for the number of all pairs.

        Raises
        ------
        InvalidInput
            If there is no such run, or both are the same.
        """
        first, second = self._number(a), self._number(b)
        if first == second:
            raise InvalidInput(f"{a!r} and {b!r} are the same run; give two")
        if first < second:
            return self.paired[self.pairs.index((first, second))]
        turned = all_paired([table.T for table in self._tables], level=self.level)
        return turned[self.pairs.index((second, first))]

    @property
    def table(self) -> list[dict[str, Any]]:
        """One dict a pair, in plain values, as ``labyrinth-sim compare --json`` prints it."""
        return self.rows()

    def rows(self, show: int = 0) -> list[dict[str, Any]]:
        """As `table`, with up to `show` ids of deals that only one of the two has won."""
        rows = []
        for (a, b), found in zip(self.pairs, self.paired, strict=True):
            one, other = self.results[a], self.results[b]
            rows.append(
                {
                    "game": one.identity.game,
                    "rules": {"a": one.rules.spec, "b": other.rules.spec},
                    "a": one.player,
                    "b": other.player,
                    "seed": one.seed,
                    "first": self.first,
                    "deals": self.deals,
                    **{key: value for key, value in found.as_dict().items() if key != "deals"},
                    "deals_only_a": [*map(self.label, self.parted(a, b, show))],
                    "deals_only_b": [*map(self.label, self.parted(b, a, show))],
                }
            )
        return rows

    def frame(self) -> pd.DataFrame:
        """A row a pair: players, rules, counts, difference, intervals and tests."""
        frame = super().frame()
        for number, run in enumerate("ab", start=1):
            frame.insert(number, f"rules_{run}", [row["rules"][run] for row in self.table])
        return frame

    def disagreements(self, a: int | str, b: int | str, limit: int = 10) -> pd.DataFrame:
        """Deals that only one of two runs has won, up to `limit` each way.

        Returns
        -------
        DataFrame
            Columns `deal`, `won_by`, `lost_by`, and the commands that show both games,
            `show_won` and `show_lost`.

        Examples
        --------
        >>> from labyrinth_sim.questions.compare import compare
        >>> found = compare(["greedy", "hasty"], deals=500).disagreements("greedy", "hasty", 1)
        >>> print(found.show_won[0])
        labyrinth-sim show 1/1/... --rules wikipedia --player greedy
        """
        import pandas as pd

        numbers = self._number(a), self._number(b)
        rows = [
            {
                "deal": self.label(index),
                "won_by": self.labels[winner],
                "lost_by": self.labels[loser],
                "show_won": self.show_run(winner, index),
                "show_lost": self.show_run(loser, index),
            }
            for winner, loser in (numbers, numbers[::-1])
            for index in self.parted(winner, loser, limit)
        ]
        return pd.DataFrame(rows, columns=["deal", "won_by", "lost_by", "show_won", "show_lost"])

    def examples(self, show: int) -> Iterator[str]:
        for a, b in self.pairs if show else ():
            for winner, loser in ((a, b), (b, a)):
                for index in self.parted(winner, loser, show):
                    one, other = self.labels[winner], self.labels[loser]
                    yield f"\n{self.label(index)}: {one} wins, {other} does not"
                    yield f"  {self.show_run(winner, index)}"
                    yield f"  {self.show_run(loser, index)}"

    def parted(self, winner: int, loser: int, limit: int) -> list[int]:
        """Numbers of the first deals that one run has won and another has not."""
        apart = np.flatnonzero(self._won(winner) > self._won(loser))[:limit]
        return [self.first + int(place) for place in apart]

    def show_run(self, number: int, index: int) -> str:
        """The command that shows a run's game on a deal."""
        return self.show(*self.asked.runs[number], index)

    def summary(self) -> dict[str, Any]:
        """The runs and the pairs, as a ``.json`` file holds them."""
        return {
            "runs": [result.summary() for result in self.results],
            "pairs": self.rows(),
            "note": self.note,
        }

    def body(self) -> Iterator[str | Table]:
        if self.note:
            yield self.note
        yield ""
        yield self._runs()
        yield ""
        yield self._differences()

    def title(self) -> str:
        names = {one.rules.spec for one in self.results}, {one.player for one in self.results}
        shared = [str(*values) for values in names if len(values) == 1]
        return " · ".join([self.game, *shared, self.range_text])

    def _runs(self) -> list[list[str]]:
        rows = [["", "wins", "win rate", f"{self.level:.4g} interval", "method"]]
        for number, label in enumerate(self.labels):
            wins = int(np.count_nonzero(self._won(number)))
            rate = proportion(wins, self.deals, level=self.level)
            ends = f"{rate.low:.3%} to {rate.high:.3%}"
            rows.append([label, f"{wins:,}", f"{rate.estimate:.3%}", ends, rate.method])
        return rows

    def _differences(self) -> list[list[str]]:
        family = f"{len(self.pairs)} at once" if len(self.pairs) > 1 else ""
        tests = ["p", "p holm"] if family else ["p"]
        head = ["a", "b", "both", "only a", "only b", "neither", "a − b"]
        rows = [[*head, f"{self.level:.4g} {Paired.method}", *([family] if family else []), *tests]]
        for (a, b), found in zip(self.pairs, self.paired, strict=True):
            counts = (found.both, found.only_a, found.only_b, found.neither)
            row = [self.labels[a], self.labels[b], *(f"{count:,}" for count in counts)]
            if found.identical:
                rows.append([*row, IDENTICAL, *[""] * (len(rows[0]) - len(row) - 1)])
                continue
            row += [f"{found.difference:+.3%}", f"{found.low:+.3%} to {found.high:+.3%}"]
            if family:
                row.append(f"{found.simultaneous_low:+.3%} to {found.simultaneous_high:+.3%}")
            row.append(power_of_ten(found.log10_p))
            if family:
                row.append(power_of_ten(found.log10_p_holm))
            rows.append(row)
        return rows

    def _won(self, number: int) -> NDArray[np.bool_]:
        won: NDArray[np.bool_] = (self.outcomes or {})[f"{number}/won"]
        return won

    def _number(self, run: int | str) -> int:
        number = whole_number(run)
        if number is not None and 0 <= number < len(self.asked.runs):
            return number
        if self.labels.count(str(run)) == 1:
            return self.labels.index(str(run))
        raise InvalidInput(
            f"{run!r} is none of the runs; give a number from 0 to {len(self.labels) - 1}, or "
            f"one of {', '.join(self.labels)}"
        )
