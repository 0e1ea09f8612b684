"""Gaps against published figures: how many deals can be won, and what crosswise twos change.

Writes ``results/gaps.md``. Published, by exact search, in Blake & Gent 2026, table 8: `basic`
24.902 % ± 0.028 over ten million deals, with a win in any suit; `one_deal` 85.815 % ± 3.717.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import trange

from labyrinth_sim.compiled import helper, kernel
from labyrinth_sim.deals import ListedDeals, SeededDeals
from labyrinth_sim.protocols import Limits
from labyrinth_sim.questions.winnability import Winnability, winnability
from labyrinth_sim.shuffle import WORDS, shuffle
from labyrinth_sim.stats import proportion

SEED = 1
CHUNK = 100_000
OWN, ANY = "basic", "basic,win=any_suit"
PUBLISHED_ANY = (0.24902, 0.00028)


@helper
def is_crosswise(deck: Any) -> bool:
    """Whether twos in column 1 wait for each other in a circle of two rows or more."""
    for row in range(4):
        other, length = row, 0
        while deck[13 * other] % 13 == 1 and length < 4:
            other = int(deck[13 * other] // 13)
            length += 1
            if other == row:
                break
        if other == row and length > 1:
            return True
    return False


@kernel
def mark_crosswise(seed: Any, first: Any, deck: Any, words: Any, found: Any) -> None:
    """Fill `found` with whether the deals from `first` on have such a circle."""
    for number in range(len(found)):
        shuffle(seed, first + np.uint64(number), deck, words)
        found[number] = is_crosswise(deck)


def crosswise(deals: int) -> Iterator[int]:
    """The indices below `deals` whose twos stand crosswise."""
    deck, words = np.zeros(52, np.uint8), np.zeros(WORDS, np.uint32)
    for first in trange(0, deals, CHUNK, desc="crosswise twos", disable=None):
        found = np.zeros(min(CHUNK, deals - first), np.bool_)
        mark_crosswise(np.uint64(SEED), np.uint64(first), deck, words, found)
        yield from (first + np.flatnonzero(found)).tolist()


def decks_of(indices: list[int]) -> ListedDeals:
    """The decks of some deals of the seed."""
    deals = SeededDeals(SEED)
    decks: NDArray[np.uint8] = np.stack([deals.deck(index) for index in indices])
    return ListedDeals(decks, [deals.label(index) for index in indices])


def row(found: Winnability) -> str:
    """A line of the table."""
    speed = found.deals / found.seconds
    return (
        f"| `{found.rules.spec}` | {found.deals:,} | {found.winnable:,} | {found.unwinnable:,} | "
        f"{found.unknown:,} | {found.rate()} | {found.nodes / found.deals:,.0f} | {speed:,.0f} |"
    )


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200_000, help="of `basic`, both goals")
    parser.add_argument("--one-deal", type=int, default=500, help="deals of `one_deal`")
    parser.add_argument("--indices", type=int, default=10_000_000, help="searched for crosswise")
    parser.add_argument("--nodes", type=int, default=None, help="limit for a deal of `one_deal`")
    parser.add_argument("--memory", type=int, default=64, help="megabytes for those")
    parser.add_argument("--folder", type=Path, default=Path("results"))
    chosen = parser.parse_args()

    own = winnability(OWN, deals=chosen.deals, seed=SEED, game="gaps", keep="outcomes")
    any_suit = winnability(ANY, deals=chosen.deals, seed=SEED, game="gaps", keep="outcomes")
    assert own.outcomes is not None
    assert any_suit.outcomes is not None
    turned = int((own.outcomes["winnable"] != any_suit.outcomes["winnable"]).sum())
    print(own, any_suit, f"{turned} deals turn", sep="\n\n", flush=True)

    indices = list(crosswise(chosen.indices))
    crossed = decks_of(indices)
    lost = winnability(OWN, decks=crossed, game="gaps")
    won = winnability(ANY, decks=crossed, game="gaps")
    share = proportion(won.winnable, chosen.indices, undecided=won.unknown)
    print(lost, won, share, sep="\n\n", flush=True)

    limits = Limits(chosen.nodes, chosen.memory)
    free = winnability("one_deal", deals=chosen.one_deal, seed=SEED, game="gaps", limits=limits)
    print(free, flush=True)

    published, half = PUBLISHED_ANY
    lines = [
        "# Gaps: how many deals can be won",
        "",
        f"Deals of seed {SEED}. Made by `python experiments/gaps.py --nodes {chosen.nodes} "
        f"--memory {chosen.memory}`; that limit of nodes is for `one_deal` alone.",
        "",
        "| rules | deals | winnable | unwinnable | unknown | share | nodes a deal | deals/s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *map(row, (own, any_suit, free)),
        "",
        "Published by exact search (Blake & Gent 2026, table 8): `basic`, won in any suit, "
        f"{published:.3%} ± {half:.3%}; `one_deal` 85.815 % ± 3.717.",
        "",
        "## Twos dealt crosswise",
        "",
        f"Of the first {chosen.indices:,} deals {len(indices):,} have twos in column 1 that wait "
        f"for each other in a circle. Bound to their rows, none of them can be won "
        f"({lost.winnable:,} winnable, {lost.unknown:,} unknown); where a row may hold any suit "
        f"{won.winnable:,} can ({won.unknown:,} unknown). That is {share} of all deals, so the "
        f"published share becomes {published - share.estimate:.3%} ± {half:.3%} where each row "
        f"must hold its own suit. Of the first {chosen.deals:,} deals {turned:,} turn with the "
        "goal.",
    ]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    (chosen.folder / "gaps.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written: {chosen.folder / 'gaps.md'}")


if __name__ == "__main__":
    main()
