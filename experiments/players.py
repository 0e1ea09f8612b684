"""What the players of Labyrinth win on every preset, paired on the same fresh deals.

Writes ``results/players.md`` and ``results/players.csv``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from labyrinth_sim.frames import summary_frame
from labyrinth_sim.games import find_game
from labyrinth_sim.questions.compare import compare
from labyrinth_sim.questions.comparison import Comparison
from labyrinth_sim.rulesets import RuleSet

SEED = 20261201
"""No player was tuned on deals of this seed."""

OTHERS = ["greedy", "never", "hasty", "random"]
AHEAD = ["lookahead", "lookahead:depth=2"]


def players_for(rules: RuleSet) -> list[str]:
    """The players that differ under these rules, `patient` first."""
    values = rules.as_dict()
    fills = [f"fill=hold:{k}" for k in range(1, 6)] if values["refill"] == "optional" else []
    deals = (
        [f"deal={kind}:{k}" for kind in ("near", "cover", "short") for k in (1, 2, 3)]
        if values["deal"] == "any_time"
        else []
    )
    specs = ["patient", *OTHERS, *(f"heuristic:{knobs}" for knobs in [*fills, *deals]), *AHEAD]
    if values["resort"] != "none":
        ends = ["patient", "heuristic:fill=hold:3", "lookahead"]
        specs += [f"{spec}{',' if '=' in spec else ':'}endgame=exact" for spec in ends]
    return specs


def table(comparison: Comparison) -> pd.DataFrame:
    """Win rates with intervals, and the paired difference to `patient`."""
    frame = summary_frame(comparison.results)[["rules_spec", "player", "win_rate", "low", "high"]]
    pairs = [None, *(comparison.pair(number, 0) for number in range(1, len(frame)))]
    same = ["patient"] + ["same games" if pair.identical else "" for pair in pairs if pair]
    frame["gain"] = [0.0 if pair is None else pair.difference for pair in pairs]
    frame["gain_low"] = [0.0 if pair is None else pair.low for pair in pairs]
    frame["gain_high"] = [0.0 if pair is None else pair.high for pair in pairs]
    frame["note"] = same
    return frame


def markdown(frame: pd.DataFrame, deals: int) -> str:
    """The tables as a page."""
    lines = [
        "# What the players win",
        "",
        f"{deals:,} fresh deals of seed {SEED} on every preset, the same for all players. The gain "
        "is over `patient`, paired (Newcombe's interval, 95 %). Made by "
        "`python experiments/players.py`.",
    ]
    for spec in frame["rules_spec"].unique():
        rows = frame[frame["rules_spec"] == spec]
        lines += ["", f"## {spec}", "", "| player | win rate | gain over patient |"]
        lines.append("| --- | --- | --- |")
        for row in rows.sort_values("win_rate", ascending=False).itertuples():
            gain = row.note or f"{row.gain:+.2%} ({row.gain_low:+.2%} to {row.gain_high:+.2%})"
            rate = f"{row.win_rate:.2%} ({row.low:.2%} to {row.high:.2%})"
            lines.append(f"| `{row.player}` | {rate} | {gain} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, default=Path("results"))
    chosen = parser.parse_args()
    frames = []
    for preset in find_game().rules.presets:
        rules = find_game().rules.preset(preset)
        comparison = compare(players_for(rules), rules, deals=chosen.deals, seed=SEED)
        frames.append(table(comparison))
        print(frames[-1].to_string(index=False, float_format="{:.4f}".format), flush=True)
    frame = pd.concat(frames)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    frame.to_csv(chosen.folder / "players.csv", index=False, float_format="%.6f")
    (chosen.folder / "players.md").write_text(markdown(frame, chosen.deals), "utf-8")


if __name__ == "__main__":
    main()
