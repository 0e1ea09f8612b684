"""What a chart shows is what the frame says."""

import matplotlib

matplotlib.use("Agg")

import pytest

from labyrinth_sim.frames import summary_frame
from labyrinth_sim.plots import win_rates
from labyrinth_sim.run.simulate import simulate


@pytest.fixture(scope="module")
def frame():
    specs, players = ("wikipedia", "practical"), ("greedy", "hasty", "random")
    return summary_frame(simulate(spec, player, deals=2000) for spec in specs for player in players)


def test_every_rate_and_interval_is_drawn(frame) -> None:
    axes = win_rates(frame)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["wikipedia", "practical"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "greedy",
        "hasty",
        "random",
    ]
    for container, (_, rows) in zip(
        axes.containers, frame.groupby("player", sort=False), strict=True
    ):
        line, _, (bars,) = container.lines
        assert line.get_ydata() == pytest.approx(rows["win_rate"].to_numpy())
        ends = [(segment[0][1], segment[1][1]) for segment in bars.get_segments()]
        assert [low for low, _ in ends] == pytest.approx(rows["low"].to_numpy())
        assert [high for _, high in ends] == pytest.approx(rows["high"].to_numpy())


def test_series_differ_without_colour_and_do_not_overlap(frame) -> None:
    axes = win_rates(frame)
    lines = [container.lines[0] for container in axes.containers]
    assert len({line.get_marker() for line in lines}) == 3
    assert len({x for line in lines for x in line.get_xdata()}) == 6


def test_draws_where_it_is_told(frame) -> None:
    figure = matplotlib.figure.Figure()
    axes = figure.subplots()
    assert win_rates(frame, ax=axes) is axes
