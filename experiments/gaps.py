"""Gaps against published figures: how many deals can be won, and what crosswise twos change.

Writes ``results/gaps.md``; what is decided is kept in parts, so that it can be interrupted and run
again. Published, by exact search, in Blake & Gent 2026, table 8: `basic`
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
from labyrinth_sim.store import load, save

SEED = 1
CHUNK, PART = 100_000, 5_000
OWN, ANY = "basic", "basic,win=any_suit"
PUBLISHED_ANY = (0.24902, 0.00028)
HEAD = "| rules | deals | winnable | unwinnable | unknown | share | nodes a deal | deals/s |"
RULE = "| --- | --- | --- | --- | --- | --- | --- | --- |"


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


def decided(spec: str, deals: int, parts: Path, limits: Limits | None = None) -> list[Winnability]:
    """Decide a range of deals part by part; parts that a folder has already are read from there."""
    parts.mkdir(parents=True, exist_ok=True)
    found = []
    for first in range(0, deals, PART):
        count = min(PART, deals - first)
        path = parts / f"gaps-{spec}-{SEED}-{first}-{count}.parquet"
        if not path.exists():
            part = winnability(
                spec, deals=count, first=first, seed=SEED, game="gaps", limits=limits
            )
            if not part.complete:
                raise SystemExit("interrupted; what was decided is kept, run it again to go on")
            save(part, path)
        found.append(load(path))
        print(found[-1], "\n", flush=True)
    return found


def row(*parts: Winnability) -> str:
    """A line of the table."""
    deals, winnable, unwinnable, unknown, nodes = (
        sum(getattr(part, name) for part in parts)
        for name in ("deals", "winnable", "unwinnable", "unknown", "nodes")
    )
    share = proportion(winnable, deals, undecided=unknown)
    speed = deals / sum(part.seconds for part in parts)
    return (
        f"| `{parts[0].rules.spec}` | {deals:,} | {winnable:,} | {unwinnable:,} | {unknown:,} | "
        f"{share} | {nodes / deals:,.0f} | {speed:,.0f} |"
    )


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200_000, help="of `basic`")
    parser.add_argument("--sample", type=int, default=5000, help="of `basic`, under both goals")
    parser.add_argument("--one-deal", type=int, default=500, help="deals of `one_deal`")
    parser.add_argument("--indices", type=int, default=10_000_000, help="searched for crosswise")
    parser.add_argument("--nodes", type=int, default=None, help="limit for a deal of `one_deal`")
    parser.add_argument("--memory", type=int, default=64, help="megabytes for those")
    parser.add_argument("--parts", type=Path, default=Path("build/gaps"), help="what is decided")
    parser.add_argument("--folder", type=Path, default=Path("results"))
    chosen = parser.parse_args()

    indices = list(crosswise(chosen.indices))
    crossed = decks_of(indices)
    lost = winnability(OWN, decks=crossed, game="gaps")
    won = winnability(ANY, decks=crossed, game="gaps")
    share = proportion(won.winnable, chosen.indices, undecided=won.unknown)
    print(lost, won, share, sep="\n\n", flush=True)

    sample = [
        winnability(spec, deals=chosen.sample, seed=SEED, game="gaps", keep="outcomes")
        for spec in (OWN, ANY)
    ]
    unlike = np.flatnonzero(sample[0].outcomes["winnable"] != sample[1].outcomes["winnable"])
    assert set(unlike.tolist()) <= set(indices)
    print(*sample, unlike, sep="\n\n", flush=True)

    limits = Limits(chosen.nodes, chosen.memory)
    free = decided("one_deal", chosen.one_deal, chosen.parts, limits)
    own = decided(OWN, chosen.deals, chosen.parts)

    published, half = PUBLISHED_ANY
    lines = [
        "# Gaps: how many deals can be won",
        "",
        f"Deals of seed {SEED}. Made by `python experiments/gaps.py --nodes {chosen.nodes} "
        f"--memory {chosen.memory}`; these limits are for `one_deal` alone.",
        "",
        HEAD,
        RULE,
        row(*own),
        row(*free),
        "",
        "Published by exact search (Blake & Gent 2026, table 8): `basic`, won in any suit, "
        f"{published:.3%} ± {half:.3%}; `one_deal` 85.815 % ± 3.717 %.",
        "",
        "## Twos dealt crosswise",
        "",
        "A two moves only into column 1 of its own row, so a row ends with another suit only if "
        "that suit's two was dealt there and never moved. Then the same holds of the row of that "
        "suit, and so on: the twos wait for each other in a circle. So the goal makes a difference "
        "only to deals with such a circle.",
        "",
        f"Of the first {chosen.indices:,} deals {len(indices):,} have one:",
        "",
        HEAD,
        RULE,
        row(lost),
        row(won),
        "",
        f"The {won.winnable:,} that turn are {share} of all deals. So the published share becomes "
        f"{published - share.estimate:.3%} ± {half:.3%} where each row must hold its own suit.",
        "",
        f"To be sure, the first {chosen.sample:,} deals were decided under both goals: "
        f"{len(unlike):,} turned, all of them with a circle.",
    ]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    (chosen.folder / "gaps.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written: {chosen.folder / 'gaps.md'}")


if __name__ == "__main__":
    main()
