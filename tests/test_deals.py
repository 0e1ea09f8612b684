"""Dealing scheme 1: decks, and their ids (RULES §1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import independent
import numba
import numpy as np
import pytest
from combinations import words64
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim.cards import PACK, Pack, deck_text, read_deck
from labyrinth_sim.deals import (
    Deal,
    ListedDeals,
    SeededDeals,
    deal,
    deal_source,
    deals_of,
    placed,
)
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.shuffle import shuffle_plainly, take_deck

TWO = Pack(packs=2)
Known = Callable[[str], list[dict[str, Any]]]


@numba.njit
def take(source: Any, index: Any) -> None:
    take_deck(source, index)


def taken_deck(deals: Any, index: int) -> list[int]:
    """A deck as kernels take it."""
    source = deal_source(deals)
    source.deck[:], source.words[:] = 99, 7  # what was there before must not matter
    take(source, np.uint64(index))
    return source.deck.tolist()


def fast_deck(seed: int, index: int) -> list[int]:
    return taken_deck(SeededDeals(seed), index)


def test_known_deals(known: Known) -> None:
    for answer in known("decks.jsonl"):
        dealt = Deal(answer["seed"], answer["index"])
        assert str(dealt) == answer["deck"]
        assert deck_text(np.array(fast_deck(dealt.seed, dealt.index), np.uint8)) == answer["deck"]


def test_deals_that_redraw_are_among_the_known_ones(known: Known) -> None:
    redrawn = 0
    for answer in known("decks.jsonl"):
        deck, taken = independent.shuffled(answer["seed"], answer["index"])
        assert independent.names(deck) == answer["deck"]
        redrawn += taken > 51
    assert redrawn == 2


@given(words64, words64)
def test_compiled_plain_and_independent_shuffles_agree(seed: int, index: int) -> None:
    plain = np.arange(52, dtype=np.uint8)
    shuffle_plainly(np.uint64(seed), np.uint64(index), plain)
    deck, _ = independent.shuffled(seed, index)
    assert fast_deck(seed, index) == plain.tolist() == deck
    assert Deal(seed, index).deck.tolist() == SeededDeals(seed).deck(index).tolist() == deck


@given(words64, words64)
def test_two_packs_are_shuffled_as_one(seed: int, index: int) -> None:
    deck, _ = independent.shuffled(seed, index, packs=2)
    dealt = Deal(seed, index, TWO)
    assert dealt.deck.tolist() == SeededDeals(seed, TWO).deck(index).tolist() == deck
    assert str(dealt) == independent.names(deck)
    assert taken_deck(SeededDeals(seed, TWO), index) == deck
    assert deal(dealt.id, TWO) == dealt != deal(dealt.id)


def test_a_small_pack_is_shuffled_from_code_order() -> None:
    source, order = independent.words(5, 0, 9), [0, 1, 2, 13, 14, 15] * 2
    for j in range(11, 0, -1):
        k, _ = independent.below(j + 1, source)
        order[j], order[k] = order[k], order[j]
    small = Pack(packs=2, suits=2, ranks=3)
    assert Deal(5, 9, small).deck.tolist() == order == taken_deck(SeededDeals(5, small), 9)


@given(words64, words64)
def test_an_id_names_the_deal_both_ways(seed: int, index: int) -> None:
    id = f"1/{seed}/{index}"
    assert deal(id) == Deal(seed, index)
    assert Deal(seed, index).id == id == SeededDeals(seed).label(index)


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("", "no deal id"),
        ("1/2", "no deal id"),
        ("1/2/3/4", "no deal id"),
        ("1/2/", "no deal id"),
        ("1/+2/3", "no deal id"),
        ("1/2/-3", "no deal id"),
        (" 1/2/3", "no deal id"),
        ("1/ 2/3", "no deal id"),
        ("1/2/3\n", "no deal id"),
        ("1/2/3e2", "no deal id"),
        ("1/0x2/3", "no deal id"),
        ("1/2_0/3", "no deal id"),
        ("1/２/3", "no deal id"),
        ("1/²/3", "no deal id"),
        ("0/2/3", "scheme 0"),
        ("2/2/3", "scheme 2"),
        (f"1/{2**64}/3", f"seed={2**64}"),
        (f"1/2/{2**64}", f"index={2**64}"),
        ("1/2/" + "9" * 5000, "no deal id"),
    ],
)
def test_other_ids_are_refused(id: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        deal(id)


@pytest.mark.parametrize("value", [-1, 2**64, 1.0, "1", None, True])
def test_numbers_that_are_no_64_bit_words_are_refused(value: Any) -> None:
    for make in (lambda: Deal(value, 0), lambda: Deal(0, value), lambda: SeededDeals(value)):
        with pytest.raises(InvalidInput, match=str(value)):
            make()


@given(st.lists(st.permutations(range(52)), min_size=1, max_size=4))
def test_listed_deals_are_known_by_their_cards(decks: list[list[int]]) -> None:
    listed = ListedDeals(np.array(decks, np.uint8))
    assert listed.size == len(decks)
    assert [listed.deck(at).tolist() for at in range(listed.size)] == decks
    assert [taken_deck(listed, at) for at in range(listed.size)] == decks
    assert [listed.label(at) for at in range(listed.size)] == [
        str(place) for place in range(1, listed.size + 1)
    ]
    again = ListedDeals(np.stack([read_deck(independent.names(deck)) for deck in decks]))
    assert again.digest == listed.digest
    decks[0][0], decks[0][1] = decks[0][1], decks[0][0]
    assert ListedDeals(np.array(decks, np.uint8)).digest != listed.digest


@given(st.lists(st.permutations([*range(52), *range(52)]), min_size=1, max_size=3))
def test_decks_of_two_packs_are_listed(decks: list[list[int]]) -> None:
    listed = ListedDeals(np.array(decks, np.uint8), pack=TWO)
    assert [listed.deck(at).tolist() for at in range(listed.size)] == decks
    assert [taken_deck(listed, at) for at in range(listed.size)] == decks
    decks[0].append(decks[0].pop(0))
    assert ListedDeals(np.array(decks, np.uint8), pack=TWO).digest != listed.digest


def test_one_deck_of_two_packs_is_not_two_decks_of_one() -> None:
    one = np.arange(52, dtype=np.uint8)
    two = ListedDeals(np.stack([one, one]))
    assert ListedDeals(np.tile(one, 2)[np.newaxis], pack=TWO).digest != two.digest


def test_listed_deals_may_be_called_otherwise() -> None:
    deck = SeededDeals(1).deck(0)
    assert ListedDeals(np.stack([deck, deck]), ["a", "b"]).label(1) == "b"
    with pytest.raises(InvalidInput, match="1 labels for 2 decks"):
        ListedDeals(np.stack([deck, deck]), ["a"])


@pytest.mark.parametrize("shape", [(0, 52), (52,), (2, 51), (1, 104), (1, 1, 52)])
def test_arrays_of_another_shape_are_no_decks(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="shape"):
        ListedDeals(np.zeros(shape, np.uint8))


@pytest.mark.parametrize("shape", [(0, 104), (2, 52), (104,)])
def test_arrays_of_one_pack_are_no_decks_of_two(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match=r"two packs .* \(n, 104\)"):
        ListedDeals(np.zeros(shape, np.uint8), pack=TWO)


@pytest.mark.parametrize("code", [1, 52, 255])
def test_a_card_that_comes_three_times_is_refused(code: int) -> None:
    decks = np.tile(np.arange(52, dtype=np.uint8), (3, 2))
    decks[1, 60] = code
    with pytest.raises(InvalidInput, match=r"row 1 .* twice, 0 to 51"):
        ListedDeals(decks, pack=TWO)


def test_deals_of_another_pack_are_refused() -> None:
    listed = ListedDeals(np.arange(52, dtype=np.uint8)[np.newaxis])
    assert deals_of(PACK, decks=listed) is listed
    assert placed(0, listed) == (listed, 0)
    seeded, index = placed("1/5/7", pack=TWO)
    assert seeded.deck(index).tolist() == deals_of(TWO, 5).deck(7).tolist()
    for ask in (
        lambda: deals_of(TWO, decks=listed),
        lambda: deals_of(PACK, decks=SeededDeals(1, TWO)),
        lambda: placed(0, listed, TWO),
        lambda: placed(deal("1/1/0"), pack=TWO),
    ):
        with pytest.raises(InvalidInput, match=r"(one|two) packs? of 52 .* (one|two) packs? of 52"):
            ask()


@pytest.mark.parametrize("code", [1, 52, 255, 256, -1])
def test_a_list_with_a_row_that_is_no_deck_is_refused(code: int) -> None:
    decks = np.tile(np.arange(52, dtype=np.int64), (3, 1))
    decks[2, 0] = code
    with pytest.raises(InvalidInput, match="row 2 "):
        ListedDeals(decks)
