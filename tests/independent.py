"""Philox, Lemire and dealing scheme 1 once more, in Python's own integers, as the papers say it.

Written from Salmon et al. 2011, Lemire 2019 and the rules, not from the package, so that the
two can judge each other. `test_rng` holds this Philox, too, to the published known answers.
"""

from __future__ import annotations

from collections.abc import Iterator

WORD = 2**32
SUITS, RANKS = "CDHS", "A23456789TJQK"


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10: four words in, four words out."""
    x, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * x[0], WORD)
        high1, low1 = divmod(0xCD9E8D57 * x[2], WORD)
        x = [high1 ^ x[1] ^ k[0], low1, high0 ^ x[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) % WORD, (k[1] + 0xBB67AE85) % WORD]
    return x


def unphilox(output: list[int], key: list[int]) -> list[int]:
    """The counter that gives this output, as every round can be undone."""
    x = list(output)
    for number in reversed(range(10)):
        k0, k1 = (key[0] + number * 0x9E3779B9) % WORD, (key[1] + number * 0xBB67AE85) % WORD
        x0 = x[3] * pow(0xD2511F53, -1, WORD) % WORD
        x2 = x[1] * pow(0xCD9E8D57, -1, WORD) % WORD
        high0, high1 = 0xD2511F53 * x0 // WORD, 0xCD9E8D57 * x2 // WORD
        x = [x0, x[0] ^ high1 ^ k0, x2, x[2] ^ high0 ^ k1]
    return x


def words(key: int, stream: int, index: int, start: int = 0) -> Iterator[int]:
    """Words `start`, `start` + 1, … of the sequence that key, stream and index name."""
    while True:
        counter = [start // 4, stream, index % WORD, index // WORD]
        yield philox(counter, [key % WORD, key // WORD])[start % 4]
        start += 1


def below(n: int, source: Iterator[int]) -> tuple[int, int]:
    """Uniform draw from 0 … n - 1 by Lemire's method, and how many words it took."""
    taken = 1
    product = next(source) * n
    while product % WORD < WORD % n:
        taken += 1
        product = next(source) * n
    return product // WORD, taken


def shuffled(seed: int, index: int, packs: int = 1) -> tuple[list[int], int]:
    """Deck of a deal of dealing scheme 1, as card codes, and how many words it took."""
    source = words(seed, 0, index)
    deck, total = list(range(52)) * packs, 0
    for j in range(len(deck) - 1, 0, -1):
        k, taken = below(j + 1, source)
        deck[j], deck[k] = deck[k], deck[j]
        total += taken
    return deck, total


def names(deck: list[int]) -> str:
    """A deck as text."""
    return " ".join(RANKS[code % 13] + SUITS[code // 13] for code in deck)
