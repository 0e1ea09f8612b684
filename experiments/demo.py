"""The main job in miniature: six players on every preset, a million deals each.

Prints a table, and leaves it with a chart in ``results/demo/``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from matplotlib import pyplot

from labyrinth_sim.frames import summary_frame
from labyrinth_sim.games import find_game
from labyrinth_sim.plots import win_rates
from labyrinth_sim.questions.simulate import Result, simulate

PLAYERS = ("greedy", "patient", "never", "hasty", "random", "lookahead")


def same(one: Result, other: Result) -> bool:
    """Whether two players came to the same outcome on every deal."""
    return one.deal_frame().equals(other.deal_frame())


def main() -> None:
    """Run the demo."""
    pyplot.switch_backend("Agg")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals for each pair")
    parser.add_argument("--folder", type=Path, default=Path("results/demo"))
    chosen = parser.parse_args()

    game = find_game()
    results: list[Result] = []
    notes = []
    for preset in game.rules.presets:
        distinct: list[Result] = []
        for player in PLAYERS:
            result = simulate(preset, player, deals=chosen.deals, seed=1, keep="outcomes")
            twin = next((earlier for earlier in distinct if same(earlier, result)), None)
            if twin is None:
                distinct.append(result)
            else:
                notes.append(f"{preset}: {player} is {twin.player} on all these deals")
        results += distinct
    frame = summary_frame(results)

    columns = ["rules_spec", "player", "deals", "win_rate", "low", "high", "cards_left_mean"]
    print(frame[columns].to_string(index=False, float_format="{:.4f}".format))
    print("\nlow and high: 95 % interval. Players that are one and the same:")
    print("\n".join(notes))
    chosen.folder.mkdir(parents=True, exist_ok=True)
    frame.to_csv(chosen.folder / "win_rates.csv", index=False)
    win_rates(frame)
    pyplot.savefig(chosen.folder / "win_rates.png", dpi=150)
    print(f"\nwritten: {chosen.folder / 'win_rates.csv'}, {chosen.folder / 'win_rates.png'}")


if __name__ == "__main__":
    main()
