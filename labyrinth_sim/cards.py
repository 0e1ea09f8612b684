"""Cards as small integers, and decks as text (RULES §1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS = 52
CARD_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Text of each card, by code: ``13 * suit + rank``."""

_CODES = {name: code for code, name in enumerate(CARD_NAMES)}


@dataclass(frozen=True)
class Pack:
    """The cards that are shuffled: one or two packs of so many suits and ranks.

    Parameters
    ----------
    packs : int, default 1
    suits : int, default 4
    ranks : int, default 13

    Examples
    --------
    >>> Pack().size, Pack(packs=2).size
    (52, 104)
    """

    packs: int = 1
    suits: int = 4
    ranks: int = 13

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.packs * self.suits * self.ranks


PACK = Pack()
"""One pack of 52 cards."""


def card_code(text: str) -> int:
    """Read a card: rank then suit, either case, ``10`` for ``T``.

    Returns
    -------
    int
        ``13 * suit + rank``, suits in the order C D H S, ranks from 0 (ace) to 12 (king).

    Raises
    ------
    InvalidInput
        If the text is no card.

    Examples
    --------
    >>> card_code("TH"), card_code("10h"), card_code("ac")
    (35, 35, 0)
    """
    name = text.strip().upper()
    code = _CODES.get("T" + name[2:] if name.startswith("10") else name)
    if code is None:
        raise InvalidInput(
            f"{text!r} is no card; write a rank of {RANKS} and a suit of {SUITS}, e.g. TH"
        )
    return code


def read_deck(text: str) -> NDArray[np.uint8]:
    """Read a deck: 52 cards separated by white space, the first card dealt first.

    Returns
    -------
    ndarray of uint8, shape (52,)
        Card codes.

    Raises
    ------
    InvalidInput
        Naming the card that is unknown or doubled and its place, or the cards that are missing
        and how many were read.

    Examples
    --------
    >>> from labyrinth_sim.deals import deal
    >>> bool((read_deck(str(deal("1/7/42"))) == deal("1/7/42").deck).all())
    True
    """
    places: dict[int, int] = {}
    for place, word in enumerate(text.split(), start=1):
        try:
            code = card_code(word)
        except InvalidInput as problem:
            raise InvalidInput(f"place {place} of the deck: {problem}") from None
        if code in places:
            raise InvalidInput(
                f"place {place} of the deck: {CARD_NAMES[code]} stands at place {places[code]} "
                "already; a deck has each card once"
            )
        places[code] = place
    missing = [name for name in CARD_NAMES if _CODES[name] not in places]
    if missing:
        raise InvalidInput(
            f"{missing[0]} is missing from the deck: {len(places)} cards were read"
            + (f" ({', '.join(missing)} are missing)" if 1 < len(missing) <= 8 else "")
            + "; a deck has all 52"
        )
    return np.fromiter(places, dtype=np.uint8, count=CARDS)


def read_decks(lines: Iterable[str]) -> tuple[NDArray[np.uint8], list[int]]:
    """Read decks, one a line, blank lines skipped.

    Returns
    -------
    decks : ndarray of uint8, shape (n, 52)
    numbers : list of int
        The line, from 1, that each deck stood on.

    Raises
    ------
    InvalidInput
        Naming the line, and what is wrong there as `read_deck` does; also if there is no deck.
    """
    decks, numbers = [], []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                decks.append(read_deck(line))
            except InvalidInput as problem:
                raise InvalidInput(f"line {number}: {problem}") from None
            numbers.append(number)
    if not decks:
        raise InvalidInput("no deck was read; give one deck of 52 cards a line")
    return np.stack(decks), numbers


def deck_text(deck: NDArray[np.uint8]) -> str:
    """Write a deck as `read_deck` reads it."""
    return " ".join(CARD_NAMES[code] for code in deck)
