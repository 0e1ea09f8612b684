"""A question of one's own: in how many games are at most so many cards left?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from labyrinth_sim.extend import (
    Answer,
    Interval,
    Playing,
    Request,
    answer,
    measure,
    proportion,
    question,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Nearly(Answer):
    """How many games were nearly won."""

    verb = "nearly"

    most: int

    @property
    def share(self) -> Interval:
        games = sum(self.tally.count("cards_left", left) for left in range(self.most + 1))
        return proportion(games, self.deals, level=self.level)

    def options(self) -> list[str]:
        return ["--most", str(self.most)]

    def summary(self) -> dict[str, Any]:
        return {"game": self.game, "most": self.most, "share": self.share.estimate}

    def body(self) -> Iterator[Any]:
        yield f"at most {self.most} cards left in {self.share}"


@question
def nearly(rules=None, player=None, most: int = 3, **asked: Unpack[Playing]) -> Nearly:
    """Count the games that end with few cards left.

    Parameters
    ----------
    most : int
        So many cards are few.
    """
    request = Request.of(rules=rules, players=player, **asked)
    (probe,) = request.plays()
    return answer(Nearly, request, measure(request, probe), most=most)
