"""What a chart shows is what the frame says."""

import subprocess
import sys
from itertools import combinations

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from labyrinth_sim import plots
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.frames import summary_frame, tally_frame
from labyrinth_sim.plots import cards_left, differences, running_win_rate, win_rate_by, win_rates
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.stats import proportion

PLAYERS = ("greedy", "hasty", "random")


@pytest.fixture(autouse=True)
def _closed():
    """Matplotlib's settings are as before, and no figure is left over."""
    before = dict(matplotlib.rcParams)
    yield
    assert dict(matplotlib.rcParams) == before
    pyplot.close("all")


@pytest.fixture(scope="module")
def frame():
    specs = ("wikipedia", "practical")
    return summary_frame(simulate(spec, player, deals=2000) for spec in specs for player in PLAYERS)


@pytest.fixture(scope="module")
def by_resorts():
    specs = ("resort=none", "resorts=1", "resorts=2", "resorts=3")
    results = [simulate(f"wikipedia,{s}", p, deals=500) for s in specs for p in PLAYERS]
    return summary_frame(results, rules=True)


@pytest.fixture(scope="module")
def kept():
    return simulate("wikipedia", "greedy", deals=3000, keep="outcomes")


@pytest.fixture(scope="module")
def pairs():
    rates = {"greedy": 0.27, "never": 0.25, "hasty": 0.269, "random": 0.20}
    return pd.DataFrame(
        [
            {"a": a, "b": b, "difference": d, "low": d - 0.01, "high": d + 0.01}
            for a, b in combinations(rates, 2)
            for d in [rates[a] - rates[b]]
        ]
    )


def drawn(axes):
    """The line of marks of each series and the ends of its error bars."""
    for container in axes.containers:
        line, _, (bars,) = container.lines
        yield line, np.array([(low[1], high[1]) for low, high in bars.get_segments()])


def legend(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def ticks(axis) -> list[str]:
    return [text.get_text() for text in axis.get_ticklabels()]


def test_every_rate_and_interval_is_drawn(frame) -> None:
    axes = win_rates(frame)
    assert ticks(axes.xaxis) == ["wikipedia", "practical"]
    assert legend(axes) == list(PLAYERS)
    for (line, ends), (_, rows) in zip(
        drawn(axes), frame.groupby("player", sort=False), strict=True
    ):
        assert line.get_ydata() == pytest.approx(rows["win_rate"].to_numpy())
        assert ends == pytest.approx(rows[["low", "high"]].to_numpy())
    assert (axes.get_xlabel(), axes.get_ylabel()) == (
        "rules",
        "win rate, with 95% interval (wilson, clopper-pearson)",
    )
    assert axes.get_title("left") == "labyrinth · deals 0 to 1,999 of seed 1"


def test_series_do_not_overlap(frame) -> None:
    lines = [line for line, _ in drawn(win_rates(frame))]
    assert len({x for line in lines for x in line.get_xdata()}) == 6


def test_rate_by_a_number(by_resorts) -> None:
    axes = win_rate_by(by_resorts, "resorts")
    for (line, ends), player in zip(drawn(axes), PLAYERS, strict=True):
        rows = by_resorts[by_resorts["player"] == player]
        assert line.get_xdata().tolist() == [0, 1, 2, 3]
        assert line.get_ydata() == pytest.approx(rows["win_rate"].to_numpy())
        assert ends == pytest.approx(rows[["low", "high"]].to_numpy())
        assert line.get_linestyle() != "None"
    assert legend(axes) == list(PLAYERS)
    assert axes.get_xlabel() == "resorts: how often a game may use its resort"
    assert "wikipedia,resort=none … wikipedia,resorts=3" in axes.get_title("left")


def test_rate_by_a_number_is_sorted_and_needs_no_meaning(by_resorts) -> None:
    shuffled = pd.DataFrame(by_resorts[::-1].to_dict("records"))
    axes = win_rate_by(shuffled, "resorts")
    assert all(line.get_xdata().tolist() == [0, 1, 2, 3] for line, _ in drawn(axes))
    assert axes.get_xlabel() == "resorts"


def test_rate_by_a_name_has_no_line_between_names(by_resorts) -> None:
    rows = by_resorts[by_resorts["rules.resorts"] < 2]
    axes = win_rate_by(rows, "resort")
    assert ticks(axes.xaxis) == ["none", "lift"]
    lines = [line for line, _ in drawn(axes)]
    assert {line.get_linestyle() for line in lines} == {"None"}
    assert len({x for line in lines for x in line.get_xdata()}) == 6


def test_rate_by_refuses_what_it_cannot_draw(frame, by_resorts) -> None:
    with pytest.raises(InvalidInput, match=r"parameter 'colums'.*columns"):
        win_rate_by(by_resorts, "colums")
    with pytest.raises(InvalidInput, match="rules=True"):
        win_rate_by(frame, "columns")
    with pytest.raises(InvalidInput, match="greedy has several rows with resort=lift"):
        win_rate_by(by_resorts, "resort")
    for draw in (win_rates, lambda rows: win_rate_by(rows, "resorts")):
        with pytest.raises(InvalidInput, match="without rows"):
            draw(by_resorts[:0])


def test_cards_left_are_shares(kept) -> None:
    other = simulate("wikipedia", "random", deals=500)
    axes = cards_left([kept, other])
    assert legend(axes) == ["greedy", "random"]
    for line, result in zip(axes.lines, (kept, other), strict=True):
        shares = line.get_ydata()
        assert shares.sum() == pytest.approx(1)
        assert shares[0] == result.win_rate().estimate
        assert shares @ line.get_xdata() == pytest.approx(result.cards_left_mean)
    assert axes.get_xlabel() == "cards left at the end of the game (0: won)"
    assert axes.get_ylabel() == "share of deals"
    assert axes.get_title("left") == "labyrinth · wikipedia · 500 to 3,000 deals"


def test_cards_left_tells_results_apart_by_what_differs(kept) -> None:
    assert legend(cards_left(kept)) == ["greedy"]
    smaller = simulate("wikipedia,ranks=5", "greedy", deals=100)
    assert legend(cards_left([kept, smaller])) == ["wikipedia", "wikipedia,ranks=5"]
    third = simulate("wikipedia", "random", deals=100)
    assert legend(cards_left([kept, smaller, third]))[1] == "greedy · wikipedia,ranks=5"
    with pytest.raises(InvalidInput, match="no result"):
        cards_left([])


def test_differences_are_written_and_marked(pairs) -> None:
    axes = differences(pairs)
    cells = {text.get_position(): text for text in axes.texts}
    assert len(cells) == len(pairs)
    beside, above = ticks(axes.yaxis), ticks(axes.xaxis)
    assert (beside, above) == (["greedy", "never", "hasty"], ["never", "hasty", "random"])
    for pair in pairs.itertuples():
        text = cells[above.index(pair.b), beside.index(pair.a)]
        assert text.get_text() == (
            f"{100 * pair.difference:+.2f}\n{100 * pair.low:+.2f} to {100 * pair.high:+.2f}"
        )
        assert (text.get_weight() == "bold") == (pair.low > 0 or pair.high < 0)
    marked = {(patch.get_x() + 0.46, patch.get_y() + 0.44) for patch in axes.patches}
    assert marked == {at for at, text in cells.items() if text.get_weight() == "bold"}
    assert len(marked) == 5
    assert axes.figure.axes[1].get_ylabel() == "win rate of a minus that of b, percentage points"


def test_differences_can_be_read_on_their_ground(pairs) -> None:
    axes = differences(pairs)
    (image,) = axes.images

    def luminance(colour) -> float:
        rgb = np.array(to_rgb(colour))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    for text in axes.texts:
        x, y = text.get_position()
        ground = luminance(image.to_rgba(image.get_array())[y, x][:3])
        light, dark = sorted((ground, luminance(text.get_color())), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 4


def test_differences_of_a_comparison() -> None:
    pytest.importorskip("labyrinth_sim.questions.compare")
    from labyrinth_sim.questions.compare import compare

    same = compare(["greedy", "patient"], "ultimate", deals=500).frame()
    axes = differences(same)
    assert [text.get_text() for text in axes.texts] == ["identical on\nthese deals"]
    assert not axes.patches
    assert axes.get_title("left").splitlines()[0] == (
        "labyrinth · ultimate · deals 0 to 499 of seed 1"
    )
    other = compare(["greedy"], ["wikipedia", "ultimate", "practical"], deals=500).frame()
    axes = differences(other)
    assert ticks(axes.yaxis) == ["greedy\nwikipedia", "greedy\nultimate"]
    assert axes.patches


def test_only_what_holds_for_all_pairs_at_once_is_bold(pairs) -> None:
    wide = pairs.assign(simultaneous_low=pairs["low"] - 0.02, simultaneous_high=pairs["high"])
    axes = differences(wide)
    assert len(axes.patches) == 5
    assert sum(text.get_weight() == "bold" for text in axes.texts) == 4
    assert "bold" in axes.get_title("left")


def test_differences_refuses_what_it_cannot_draw(pairs) -> None:
    with pytest.raises(InvalidInput, match="lacks low, high"):
        differences(pairs[["a", "b", "difference"]])
    with pytest.raises(InvalidInput, match="a pair twice"):
        differences(pd.concat([pairs, pairs]))
    with pytest.raises(InvalidInput, match="empty"):
        differences(pairs[:0])


def test_running_rate_is_that_of_the_first_deals(kept) -> None:
    axes = running_win_rate(kept)
    (line,) = axes.lines
    numbers, rates = line.get_xdata(), line.get_ydata()
    assert (numbers[0], numbers[-1]) == (1, 3000)
    won = kept.outcomes["won"].astype(int)
    assert rates == pytest.approx([won[:n].mean() for n in numbers])
    assert axes.get_xscale() == "log"
    (band,) = axes.collections
    vertices = band.get_paths()[0].vertices
    for number in (1, int(numbers[100]), 3000):
        found = vertices[vertices[:, 0] == number, 1]
        exact = proportion(int(won[:number].sum()), number, method="wilson")
        assert (found.min(), found.max()) == pytest.approx((exact.low, exact.high))
    assert "does not hold if it decided when to stop" in legend(axes)[0]
    assert legend(axes)[0].startswith("95% Wilson interval")
    assert axes.get_xlabel() == "deals played (log scale)"
    assert axes.get_ylabel() == "win rate so far"


def test_running_rate_at_another_level_and_of_few_deals(kept) -> None:
    assert legend(running_win_rate(kept, level=0.999))[0].startswith("99.9% ")
    one = simulate("wikipedia", "greedy", deals=1, keep="outcomes")
    assert running_win_rate(one).lines[0].get_xdata().tolist() == [1]
    with pytest.raises(InvalidInput, match="level=95"):
        running_win_rate(kept, level=95)
    with pytest.raises(InvalidInput, match="keep='outcomes'"):
        running_win_rate(simulate("wikipedia", "greedy", deals=10))


def test_series_differ_without_colour(frame, by_resorts, kept) -> None:
    axes = win_rate_by(by_resorts, "resorts")
    many = [simulate("wikipedia", player, deals=50) for player in (*PLAYERS, "never")]
    for lines in (
        [line for line, _ in drawn(win_rates(frame))],
        [line for line, _ in drawn(axes)],
        cards_left(many).lines,
    ):
        assert len({line.get_marker() for line in lines}) == len(lines)
        lightness = sorted(
            float(np.dot(to_rgb(line.get_color()), [0.3, 0.6, 0.1])) for line in lines
        )
        assert np.diff(lightness).min() > 0.08
    assert len({line.get_linestyle() for line in cards_left(many).lines}) == 4


def test_draws_where_it_is_told_and_names_every_axis(frame, by_resorts, kept, pairs) -> None:
    draws = {
        "cards_left": lambda ax: cards_left(kept, ax=ax),
        "column": lambda ax: plots.column(kept, "rows_dealt", ax=ax),
        "differences": lambda ax: differences(pairs, ax=ax),
        "running_win_rate": lambda ax: running_win_rate(kept, ax=ax),
        "win_rate_by": lambda ax: win_rate_by(by_resorts, "resorts", ax=ax),
        "win_rates": lambda ax: win_rates(frame, ax=ax),
    }
    assert list(draws) == plots.__all__
    for draw in draws.values():
        axes = Figure().subplots()
        assert draw(axes) is axes
        assert axes.get_xlabel()
        assert axes.get_ylabel()
    assert not pyplot.get_fignums()


def test_matplotlib_waits_until_plots_are_used() -> None:
    code = "import sys, labyrinth_sim.frames; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("draw", "wanted"),
    [
        (lambda one: win_rates([one]), "a list can't be used here; give a DataFrame"),
        (lambda one: win_rate_by(one, "columns"), "a Result.*give a DataFrame"),
        (lambda one: differences([one]), "a list.*give a DataFrame"),
        (lambda one: cards_left(summary_frame([one])), "a str.*give a Result"),
        (lambda one: running_win_rate([one]), "a list.*give a Result"),
        (lambda one: tally_frame([one]), "a list.*give a Result or Winnability"),
        (lambda one: summary_frame(["greedy"]), "a str.*give a Result"),
    ],
)
def test_what_can_not_be_drawn_is_refused(draw, wanted: str, kept) -> None:
    with pytest.raises(InvalidInput, match=wanted):
        draw(kept)
