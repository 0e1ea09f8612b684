"""Deals: ids of dealing scheme 1, and lists of decks that somebody gave (RULES §1)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import PACK, Pack, deck_text
from labyrinth_sim.core.probe import Deals, Deck
from labyrinth_sim.drawing import WRAP, Picture, Pictured
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import whole_number

if TYPE_CHECKING:
    from labyrinth_sim.shuffle import DealSource

SCHEME = 1
LIMIT = 2**64
"""Seeds and indices are integers below this."""

# 99 digits, because int() itself refuses thousands of them, with another error than ours.
_ID = re.compile(r"(\d{1,99})/(\d{1,99})/(\d{1,99})", re.ASCII)


@dataclass(frozen=True)
class Deal(Pictured):
    """One deal of dealing scheme 1: the same deck on any machine.

    Parameters
    ----------
    seed, index : int
        0 to 2**64 - 1.
    pack : Pack, optional
        What is shuffled, by default one pack of 52 cards.

    Raises
    ------
    InvalidInput
        If a number is out of range.

    Examples
    --------
    >>> Deal(seed=1, index=7).id
    '1/1/7'
    """

    seed: int
    index: int
    pack: Pack = PACK

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", check_word("seed", self.seed))
        object.__setattr__(self, "index", check_word("index", self.index))

    @property
    def id(self) -> str:
        """``1/<seed>/<index>``."""
        return f"{SCHEME}/{self.seed}/{self.index}"

    @property
    def deck(self) -> Deck:
        """The shuffled pack, the first card dealt first: shape (pack.size,), dtype uint8."""
        from labyrinth_sim.shuffle import shuffle_plainly

        deck = self.pack.in_order()
        shuffle_plainly(np.uint64(self.seed), np.uint64(self.index), deck)
        return deck

    def __str__(self) -> str:
        return deck_text(self.deck)

    def picture(self) -> Picture:
        """The cards in the order in which they are dealt; rows are named by their first places."""
        cards = self.deck.tolist()
        places = range(0, len(cards), WRAP)
        return Picture(
            title=f"deal {self.id}, in the order of dealing",
            rows=tuple(tuple(cards[place : place + WRAP]) for place in places),
            row_names=tuple(str(place + 1) for place in places),
        )


def deal(id: str, pack: Pack = PACK) -> Deal:
    """Read a deal id, ``1/<seed>/<index>``.

    Parameters
    ----------
    id : str
    pack : Pack, optional
        What is shuffled, by default one pack of 52 cards.

    Raises
    ------
    InvalidInput
        If the text is no deal id, names another scheme, or a number is out of range.

    Examples
    --------
    >>> print(deal("1/1/0"))
    TS AC 2D 8D 6H JH TH 5C 3H AD 7C 3D 3C KD AS AH QS 6D QD 5D 8H 9S 5S QC 7D 4D KS KC 8C 4C TC \
2S 2H TD 4S 9C KH 6C 2C 5H QH 6S JD JC JS 9D 3S 7H 9H 4H 7S 8S
    """
    match = _ID.fullmatch(id)
    if not match:
        raise InvalidInput(
            f"{id!r} is no deal id; write 1/SEED/INDEX in plain digits, e.g. 1/20261130/0"
        )
    scheme, seed, index = match.groups()
    if int(scheme) != SCHEME:
        raise InvalidInput(f"{id!r} is of dealing scheme {scheme}; there is only scheme {SCHEME}")
    return Deal(int(seed), int(index), pack)


def check_word(name: str, value: int) -> int:
    """A seed or an index as Python's own integer; refused if not from 0 to 2**64 - 1."""
    number = whole_number(value)
    if number is None:
        raise InvalidInput(f"{name}={value!r} is not an integer; give one from 0 to 2**64 - 1")
    if not 0 <= number < LIMIT:
        raise InvalidInput(f"{name}={number} is out of range; give a number from 0 to 2**64 - 1")
    return number


class SeededDeals:
    """The deals of one seed, all 2**64 of them.

    Parameters
    ----------
    seed : int
    pack : Pack, optional
        What is shuffled, by default one pack of 52 cards.

    Examples
    --------
    >>> SeededDeals(1).label(7)
    '1/1/7'
    """

    size = LIMIT
    digest = ""

    def __init__(self, seed: int, pack: Pack = PACK) -> None:
        self.seed = check_word("seed", seed)
        self.pack = pack
        self.decks: NDArray[np.uint8] = np.empty((0, pack.size), np.uint8)

    def deck(self, index: int) -> Deck:
        return Deal(self.seed, index, self.pack).deck

    def label(self, index: int) -> str:
        return Deal(self.seed, index).id


class ListedDeals:
    """Decks that were given, e.g. in a file; the identity is a digest of the cards.

    Parameters
    ----------
    decks : ndarray of uint8, shape (n, pack.size)
    labels : sequence of str, optional
        What each deck is called, by default its number in the list, from 1.
    pack : Pack, optional
        What they are decks of, by default one pack of 52 cards.
    origin : str, default "-"
        The file that they were read from; ``-`` is standard input.

    Raises
    ------
    InvalidInput
        If a row is not the cards of the pack, or the labels are not as many as the decks.
    """

    seed = None

    def __init__(
        self,
        decks: NDArray[np.uint8],
        labels: Sequence[str] | None = None,
        pack: Pack = PACK,
        *,
        origin: str = "-",
    ) -> None:
        # Kernels read the cards unchecked, so whatever is no deck must end here.
        _check_decks(np.asarray(decks), pack)
        self.pack, self.origin = pack, origin
        self.decks = np.ascontiguousarray(decks, dtype=np.uint8)
        self.size = len(self.decks)
        self.labels = labels or [str(number) for number in range(1, self.size + 1)]
        if len(self.labels) != self.size:
            raise InvalidInput(
                f"{len(self.labels)} labels for {self.size} decks; give one for each"
            )
        # The size, too, as two decks of one pack are the bytes of one deck of two packs.
        cards = bytes([pack.size]) + self.decks.tobytes()
        self.digest = hashlib.sha256(cards).hexdigest()[:32]

    def deck(self, index: int) -> Deck:
        deck: Deck = self.decks[index]
        return deck

    def label(self, index: int) -> str:
        return self.labels[index]


def deals_of(pack: Pack, seed: int = 1, decks: Deals | None = None) -> Deals:
    """The deals that a game with this pack is asked about: those of a seed, or given decks.

    Parameters
    ----------
    pack : Pack
        The game's, see `labyrinth_sim.core.game.Reference`.
    seed : int, default 1
    decks : Deals, optional
        Instead of the seed's.

    Raises
    ------
    InvalidInput
        If the given decks are of another pack, or the seed is out of range.

    Examples
    --------
    >>> deals_of(Pack(packs=2), seed=5).deck(0).shape
    (104,)
    """
    if decks is None:
        return SeededDeals(seed, pack)
    check_pack(decks, pack)
    return decks


def check_pack(deals: Deals, pack: Pack) -> None:
    """Refuse deals of another pack than the game's, whose engines read cards unchecked."""
    if deals.pack != pack:
        raise InvalidInput(
            f"these are deals of {deals.pack}, and the game shuffles {pack}; give deals of that"
        )


def deal_source(deals: Deals) -> DealSource:
    """What kernels take the decks of these deals from, a new one for each thread.

    Parameters
    ----------
    deals : Deals

    Examples
    --------
    >>> from labyrinth_sim.shuffle import take_deck
    >>> source = deal_source(SeededDeals(1))
    >>> take_deck(source, np.uint64(0))
    >>> (source.deck == Deal(1, 0).deck).all()
    np.True_
    """
    from labyrinth_sim.shuffle import new_source

    return new_source(deals.seed or 0, deals.decks, deals.pack.in_order())


def range_text(first: int, deals: int, seed: int | None, *, complete: bool = True) -> str:
    """Say which deals a figure is of.

    Parameters
    ----------
    first, deals : int
    seed : int or None
        None for given decks.
    complete : bool, default True
        False if that is not all that was asked for.

    Examples
    --------
    >>> range_text(0, 2000, 1)
    'deals 0 to 1,999 of seed 1'
    >>> range_text(0, 12, None, complete=False)
    'deals 0 to 11 of the given decks, interrupted'
    """
    source = "the given decks" if seed is None else f"seed {seed}"
    ended = "" if complete else ", interrupted"
    return f"deals {first:,} to {first + deals - 1:,} of {source}{ended}"


def placed(
    which: str | Deal | int, decks: Deals | None = None, pack: Pack = PACK
) -> tuple[Deals, int]:
    """Where a deal is taken from, and its index there.

    Parameters
    ----------
    which : str, Deal or int
        A deal, or its id; with `decks` its index there, from 0.
    decks : Deals, optional
    pack : Pack, optional
        The game's, by default one pack of 52 cards.

    Raises
    ------
    InvalidInput
        If there is no such deal, or it is of another pack.

    Examples
    --------
    >>> source, index = placed("1/5/7")
    >>> source.seed, index
    (5, 7)
    """
    if decks is not None:
        check_pack(decks, pack)
        index = whole_number(which)
        if index is None or not 0 <= index < decks.size:
            raise InvalidInput(
                f"deal={which!r} is no index of the decks; give 0 to {decks.size - 1}"
            )
        return decks, index
    one = deal(which, pack) if isinstance(which, str) else which
    if not isinstance(one, Deal):
        raise InvalidInput(
            f"deal={which!r} is no deal, and no index without decks; give an id such as '1/1/0'"
        )
    source = SeededDeals(one.seed, one.pack)
    check_pack(source, pack)
    return source, one.index


def _check_decks(decks: NDArray[Any], pack: Pack) -> None:
    if decks.ndim != 2 or decks.shape[1] != pack.size or not len(decks):
        raise InvalidInput(
            f"an array of shape {decks.shape} holds no decks of {pack}; give one of shape "
            f"(n, {pack.size})"
        )
    wrong = (np.sort(decks, axis=1) != np.sort(pack.in_order())).any(axis=1)
    if wrong.any():
        raise InvalidInput(
            f"row {int(wrong.argmax())} is no deck of {pack}; give each of its card codes "
            f"{pack.times}, {pack.codes[0]} to {pack.codes[-1]}"
        )
