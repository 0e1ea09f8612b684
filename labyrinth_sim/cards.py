"""Cards as small integers, and decks as text (RULES §1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import checked_whole

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARD_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Text of each card, by code: ``13 * suit + rank``."""

_CODES = {name: code for code, name in enumerate(CARD_NAMES)}


@dataclass(frozen=True)
class Pack:
    """The cards that are shuffled: one or two packs of so many suits and ranks.

    With two packs every card comes twice, and the two are told apart by where they lie alone.

    Parameters
    ----------
    packs : int, default 1
        1 or 2.
    suits : int, default 4
        The first 1 to 4 of C D H S.
    ranks : int, default 13
        The lowest 1 to 13.

    Raises
    ------
    InvalidInput
        If a number is out of range.

    Examples
    --------
    >>> Pack().size, Pack(packs=2).size
    (52, 104)
    >>> print(Pack(packs=2))
    two packs of 52 cards
    """

    packs: int = 1
    suits: int = 4
    ranks: int = 13

    def __post_init__(self) -> None:
        for name, most in (("packs", 2), ("suits", len(SUITS)), ("ranks", len(RANKS))):
            object.__setattr__(self, name, checked_whole(name, getattr(self, name), 1, most))

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.packs * self.suits * self.ranks

    @property
    def codes(self) -> tuple[int, ...]:
        """The code of each card once, in code order."""
        return tuple(13 * suit + rank for suit in range(self.suits) for rank in range(self.ranks))

    @property
    def times(self) -> str:
        """How often it has each card, as a word: once or twice."""
        return "once" if self.packs == 1 else "twice"

    def in_order(self) -> NDArray[np.uint8]:
        """All cards as they lie before the shuffle (RULES §1): in code order, pack after pack.

        Returns
        -------
        ndarray of uint8, shape (size,)

        Examples
        --------
        >>> Pack(packs=2, suits=1, ranks=3).in_order().tolist()
        [0, 1, 2, 0, 1, 2]
        """
        return np.array(self.codes * self.packs, np.uint8)

    def __str__(self) -> str:
        count = "one pack" if self.packs == 1 else "two packs"
        return f"{count} of {self.suits * self.ranks} cards"


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


def read_deck(text: str, pack: Pack = PACK) -> NDArray[np.uint8]:
    """Read a deck: its cards separated by white space, the first card dealt first.

    Parameters
    ----------
    text : str
    pack : Pack, optional
        What it is a deck of, by default one pack of 52 cards.

    Returns
    -------
    ndarray of uint8, shape (pack.size,)
        Card codes.

    Raises
    ------
    InvalidInput
        Naming the card that is unknown, or there too often, and its place, or the cards that are
        missing and how many were read (RULES §1).

    Examples
    --------
    >>> read_deck("2c 3C AC 2C ac 3C", Pack(packs=2, suits=1, ranks=3)).tolist()
    [1, 2, 0, 1, 0, 2]
    """
    deck: list[int] = []
    places: dict[int, list[int]] = {code: [] for code in pack.codes}
    for place, word in enumerate(text.split(), start=1):
        try:
            code = card_code(word)
        except InvalidInput as problem:
            raise InvalidInput(f"place {place} of the deck: {problem}") from None
        if code not in places:
            raise InvalidInput(
                f"place {place} of the deck: {CARD_NAMES[code]} is not in {pack}; its suits are "
                f"{SUITS[: pack.suits]}, its ranks {RANKS[: pack.ranks]}"
            )
        before = places[code]
        if len(before) == pack.packs:
            where = f"place{'s' * (len(before) > 1)} {' and '.join(map(str, before))}"
            raise InvalidInput(
                f"place {place} of the deck: {CARD_NAMES[code]} stands at {where} already; "
                f"a deck has each card {pack.times}"
            )
        before.append(place)
        deck.append(code)
    missing = [
        CARD_NAMES[code] for code, found in places.items() for _ in range(pack.packs - len(found))
    ]
    if missing:
        raise InvalidInput(
            f"{missing[0]} is missing from the deck: {len(deck)} cards were read"
            + (f" ({', '.join(missing)} are missing)" if 1 < len(missing) <= 8 else "")
            + f"; a deck has all {pack.size}"
            + (f", each card {pack.times}" if pack.packs > 1 else "")
        )
    return np.array(deck, np.uint8)


def read_decks(lines: Iterable[str], pack: Pack = PACK) -> tuple[NDArray[np.uint8], list[int]]:
    """Read decks, one a line, blank lines skipped.

    Parameters
    ----------
    lines : iterable of str
    pack : Pack, optional
        What they are decks of, by default one pack of 52 cards.

    Returns
    -------
    decks : ndarray of uint8, shape (n, pack.size)
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
                decks.append(read_deck(line, pack))
            except InvalidInput as problem:
                raise InvalidInput(f"line {number}: {problem}") from None
            numbers.append(number)
    if not decks:
        raise InvalidInput(f"no deck was read; give one deck of {pack.size} cards a line")
    return np.stack(decks), numbers


def deck_text(deck: NDArray[np.uint8]) -> str:
    """Write a deck as `read_deck` reads it."""
    return " ".join(CARD_NAMES[code] for code in deck)
