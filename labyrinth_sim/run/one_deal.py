"""The base of answers about a single deal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from labyrinth_sim.cards import deck_text
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.run.answer import Answer, answer
from labyrinth_sim.run.asked import STANDARD_INPUT, piped
from labyrinth_sim.run.measure import Measured
from labyrinth_sim.run.request import Request

One = TypeVar("One", bound="OneDeal")


@dataclass(frozen=True, eq=False, kw_only=True)
class OneDeal(Answer):
    """An answer about one deal; see `Answer` for what it holds.

    Parameters
    ----------
    deal : str
        What the deal is called.
    deck : str
        Its cards, in the order of dealing.
    """

    deal: str = field(compare=False)
    deck: str

    def chosen(self) -> list[str]:
        return ["--decks", STANDARD_INPUT] if self.seed is None else [self.deal]

    @property
    def command(self) -> str:
        """The command that gives an equal answer; a given deck is piped into it."""
        command = super().command
        return piped(self.deck, command) if command and self.seed is None else command

    def head(self) -> dict[str, Any]:
        """What it is of, in plain values."""
        return {"deal": self.deal, "rules": self.rules.as_dict(), "rules_spec": self.rules.spec}


def one_deal(
    kind: type[One], request: Request, identity: Identity, *, complete: bool = True, **own: Any
) -> One:
    """Make an answer about the deal of a request, see `Request.about`."""
    source, index = request.source, request.first
    return answer(
        kind,
        request,
        Measured(identity, index, 1, complete=complete),
        deal=source.label(index),
        deck=deck_text(source.deck(index)),
        **own,
    )
