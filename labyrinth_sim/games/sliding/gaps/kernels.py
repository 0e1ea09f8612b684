"""The rules of Gaps as kernels take them; the engine is that of all sliding games."""

from __future__ import annotations

import numpy as np

from labyrinth_sim.games.sliding.gaps.reference import KING, TWO, WIDTH
from labyrinth_sim.games.sliding.gaps.rules import GapsRules
from labyrinth_sim.games.sliding.kernels import ANY_SUIT, GAPS, OWN_SUIT, Flags


def flags_of(rules: GapsRules) -> Flags:
    """Translate a rule set for kernels."""
    return Flags(
        game=GAPS,
        win=OWN_SUIT if rules.win == "own_suit" else ANY_SUIT,
        cells=np.uint64(4 * WIDTH),
        low=np.uint64(TWO),
        high=np.uint64(KING),
        empty=np.uint64(0),
        ring=False,
        ends=False,
        bound=rules.twos == "bound",
    )
