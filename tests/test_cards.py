"""Cards and decks as text, both ways (RULES §1)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labyrinth_sim.cards import PACK, Pack, card_code, deck_text, read_deck, read_decks
from labyrinth_sim.errors import InvalidInput

RANKS, SUITS = "A23456789TJQK", "CDHS"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]
WHITE = [" ", "  ", "\t", " \t ", "\r", "\x0b", "\xa0"]
TWO, SMALL = Pack(packs=2), Pack(packs=2, suits=2, ranks=3)
decks = st.permutations(range(52))
twins = st.permutations([*range(52), *range(52)])


def write(codes: list[int]) -> list[str]:
    return [RANKS[code % 13] + SUITS[code // 13] for code in codes]


@pytest.mark.parametrize("code", range(52))
def test_a_card_is_rank_then_suit(code: int) -> None:
    name = RANKS[code % 13] + SUITS[code // 13]
    assert card_code(name) == card_code(name.lower()) == card_code(f" {name}\n") == code
    assert card_code(name.replace("T", "10")) == card_code(name.lower().replace("t", "10")) == code


@pytest.mark.parametrize(
    "text", ["", "T", "H", "HT", "1H", "11H", "0H", "100H", "T10", "TX", "THH", "T H", "１0H", "XX"]
)
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        card_code(text)
    assert repr(text) in str(refusal.value)


@given(st.one_of(decks, twins), st.data())
def test_a_deck_comes_back_however_it_is_written(codes: list[int], data: st.DataObject) -> None:
    assert deck_text(np.array(codes, np.uint8)) == " ".join(write(codes))
    text = ""
    for name in write(codes):
        form = data.draw(st.sampled_from([name, name.lower(), name.replace("T", "10")]))
        text += form + data.draw(st.sampled_from(WHITE))
    deck = read_deck(text, PACK if len(codes) == 52 else TWO)
    assert deck.dtype == np.uint8
    assert deck.tolist() == codes


@given(decks, st.integers(0, 51), st.sampled_from(["XX", "1H", "10", "T", "joker", "AC2D"]))
def test_an_unknown_card_is_named_with_its_place(codes: list[int], at: int, word: str) -> None:
    cards = write(codes)
    cards[at] = word
    with pytest.raises(InvalidInput, match=rf"\bplace {at + 1}\b") as refusal:
        read_deck(" ".join(cards))
    assert repr(word) in str(refusal.value)


@given(decks, st.integers(0, 51), st.integers(0, 51), st.booleans())
def test_a_doubled_card_is_named_with_its_place(
    codes: list[int], first: int, second: int, lower: bool
) -> None:
    first, second = sorted((first, second))
    assume(first < second)
    cards = write(codes)
    cards[second] = cards[first].lower() if lower else cards[first]
    with pytest.raises(InvalidInput, match=rf"\bplace {second + 1}\b") as refusal:
        read_deck(" ".join(cards))
    assert cards[first] in str(refusal.value)
    assert f"place {first + 1} " in str(refusal.value)


@given(decks, st.sets(st.integers(0, 51), min_size=1, max_size=5))
def test_missing_cards_are_named_with_the_number_that_was_read(
    codes: list[int], gone: set[int]
) -> None:
    cards = [name for at, name in enumerate(write(codes)) if at not in gone]
    with pytest.raises(InvalidInput, match=rf"\b{52 - len(gone)} cards were read") as refusal:
        read_deck(" ".join(cards))
    for at in gone:
        assert write(codes)[at] in str(refusal.value)


@pytest.mark.parametrize("text", ["", " \t", "AC"])
def test_a_deck_of_next_to_nothing_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=rf"\b{len(text.split())} cards? w(as|ere) read"):
        read_deck(text)


@given(twins, st.integers(0, 103), st.integers(0, 103))
def test_a_card_may_come_twice_in_two_packs_and_no_third_time(
    codes: list[int], place: int, other: int
) -> None:
    assume(codes[place] != codes[other])
    cards = write(codes)
    gone, cards[place] = cards[place], cards[other]
    places = [at + 1 for at, name in enumerate(cards) if name == cards[other]]
    match = rf"\bplace {places[2]} of .*\bplaces {places[0]} and {places[1]} .*\btwice"
    with pytest.raises(InvalidInput, match=match) as refusal:
        read_deck(" ".join(cards), TWO)
    assert cards[other] in str(refusal.value)
    del cards[places[2] - 1]
    with pytest.raises(InvalidInput, match=rf"^{gone} is missing .*\b103 cards were read"):
        read_deck(" ".join(cards), TWO)


@given(twins)
def test_two_packs_are_no_deck_of_one(codes: list[int]) -> None:
    with pytest.raises(InvalidInput, match=r"stands at place \d+ already; .* once"):
        read_deck(" ".join(write(codes)))
    with pytest.raises(InvalidInput, match=r"\b104, each card twice"):
        read_deck(" ".join(write(codes)[:-1]), TWO)


def test_a_small_pack_has_no_other_cards() -> None:
    text = "AC 2C 3C AD 2D 3D 3D 2D AD 3C 2C AC"
    assert deck_text(read_deck(text, SMALL)) == text
    for card, place in (("4C", 3), ("AH", 12)):
        cards = text.split()
        cards[place - 1] = card
        with pytest.raises(InvalidInput, match=rf"place {place} .*{card} is not .* CD, .* A23"):
            read_deck(" ".join(cards), SMALL)


def test_packs_know_their_cards() -> None:
    assert (PACK.size, TWO.size, SMALL.size) == (52, 104, 12)
    assert PACK.in_order().tolist() == list(range(52))
    assert TWO.in_order().tolist() == [*range(52), *range(52)]
    assert SMALL.in_order().tolist() == [0, 1, 2, 13, 14, 15] * 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("packs", 0), ("packs", 3), ("packs", True), ("suits", 0), ("suits", 5), ("suits", 4.0),
        ("ranks", 0), ("ranks", 14), ("ranks", "13"),
    ],
)  # fmt: skip
def test_other_packs_are_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=rf"^{name}={value!r} is out of range"):
        Pack(**{name: value})  # type: ignore[arg-type]


@given(decks)
def test_a_card_too_many_is_a_doubled_one(codes: list[int]) -> None:
    with pytest.raises(InvalidInput, match=r"\bplace 53\b"):
        read_deck(" ".join([*write(codes), "TH"]))


@pytest.mark.parametrize(("pack", "some"), [(PACK, decks), (TWO, twins)])
@given(st.data())
def test_a_file_has_one_deck_a_line_and_blank_lines_count(
    pack: Pack, some: st.SearchStrategy[list[int]], data: st.DataObject
) -> None:
    lines = data.draw(st.lists(st.one_of(st.none(), some), min_size=1, max_size=6))
    texts = [" \t" if codes is None else " ".join(write(codes)) + "\n" for codes in lines]
    there = [(number, codes) for number, codes in enumerate(lines, start=1) if codes]
    if not there:
        with pytest.raises(InvalidInput, match=f"no deck .* {pack.size} cards"):
            read_decks(texts, pack)
        return
    found, numbers = read_decks(texts, pack)
    assert numbers == [number for number, _ in there]
    assert found.tolist() == [codes for _, codes in there]
    assert (found.dtype, found.shape) == (np.uint8, (len(there), pack.size))


def test_a_bad_line_is_named() -> None:
    good = " ".join(NAMES)
    with pytest.raises(InvalidInput, match=r"^line 4: .*place 2\b.*'ZZ'"):
        read_decks(["", good, "\n", good.replace("2C", "ZZ"), good])
