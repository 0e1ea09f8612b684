"""Every verb on every game that ships, as RULES §5 wants it printed; and what is refused."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot

from labyrinth_sim import deal, load, replay, save, simulate, summary_frame, winnability
from labyrinth_sim.cli import main
from labyrinth_sim.core.game import Game, Remembering
from labyrinth_sim.core.player import STOP
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.frames import cards_left_frame, outcome_frame, tally_frame
from labyrinth_sim.games import find_game
from labyrinth_sim.games.free_edge.players import Greedy
from labyrinth_sim.games.free_edge.pointer import CompiledPlayer
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.plots import (
    cards_left,
    differences,
    running_win_rate,
    win_rate_by,
    win_rates,
)
from labyrinth_sim.questions.claim import claim
from labyrinth_sim.questions.compare import compare
from labyrinth_sim.questions.explain import explain
from labyrinth_sim.questions.skill import skill

RUN = "game rules rules_spec player seed first deals wins win_rate low high method level"
KEYS = {
    "run": f"{RUN} cards_left_mean seconds",
    "show": "deal rules rules_spec player won cards_left moves",
    "replay": "deal result cards_left stock_left legal",
    "solve": "deal rules rules_spec verdict moves nodes seconds",
    "winnability": "game rules rules_spec seed first deals winnable unwinnable unknown rate low "
    "high method level nodes seconds",
    "compare": "game rules a b deals both only_a only_b neither difference low high",
    "find": "deal a b",
    "rules": "game rules rules_spec hash description",
    "players": "game player full_spec version foresight randomized text",
    "bench": "game rules_spec player deals seconds deals_per_second",
    "tune": "player game rules tried fresh trained_on",
    "skill": "game player wins winnable unknown skill low high",
    "explain": "deal verdict moves fatal line winnable_after unwinnable_after note",
    "clauses": "game rules measure clause rate_before rate_after low high",
    "difficulty": "game deal verdict playouts playouts_won share low high nodes",
    "claim": "game rules odds verdict deals perfect best players",
    "verify": "game rules kind deals sample holds",
}
"""What stands in each object: RULES §5, and what the README tells of."""

OTHER = {"labyrinth": "practical", "maze": "pysol", "gaps": "one_deal"}
"""Another preset than the default one."""

FAMILY = {"labyrinth": "random", "maze": "random:limit=20", "gaps": "random:limit=20"}
NODES = ["--nodes", "150"]
VERBS: dict[str, list[str]] = {
    "run": ["--deals", "20"],
    "show": ["1/1/0", "1/1/3", "--player", "greedy"],
    "replay": ["1/1/0", "--moves", ""],
    "solve": ["1/1/0", "1/1/3", *NODES],
    "winnability": ["--deals", "3", *NODES],
    "compare": ["--player", "greedy", "--player", "random", "--deals", "20", "--show", "1"],
    "find": ["--player", "greedy", "--player", "random", "--deals", "20"],
    "rules": [],
    "players": [],
    "bench": ["--deals", "20"],
    "tune": ["--deals", "100", "--fresh", "20"],
    "skill": ["--player", "greedy", "--deals", "3", *NODES],
    "explain": ["1/1/0", "1/1/3", "--nodes", "20"],
    "clauses": ["--player", "greedy", "--deals", "3", *NODES],
    "difficulty": ["1/1/0", "--repeats", "3", *NODES],
    "claim": ["--odds", "1/25", "--deals", "3", *NODES],
    "verify": ["--sample", "2", *NODES],
}
PARALLEL = {"run", "winnability", "compare", "find", "bench", "tune", "skill", "clauses", "claim"}


def arguments(verb: str, game: str, folder: Path) -> list[str]:
    more = {
        "find": ["--where", "a.cards_left >= 0", "--limit", "2"],
        "tune": ["--family", FAMILY[game]],
        "clauses": ["--rules", next(iter(find_game(game).rules.presets)), "--rules", OTHER[game]],
        "verify": [str(folder / "result.parquet")],
    }
    found = [verb, *VERBS[verb], *more.get(verb, []), "--game", game]
    return [*found, "--jobs", "1"] if verb in PARALLEL else found


@pytest.mark.parametrize("game", OTHER)
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb(verb: str, game: str, tmp_path: Path, capsys: Any) -> None:
    if verb == "verify":
        file = tmp_path / "result.parquet"
        save(simulate(game=game, deals=20, n_jobs=1, keep="outcomes"), file)
    given = arguments(verb, game, tmp_path)
    assert main([*given, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows
    for row in rows:
        assert {*KEYS[verb].split()} <= {*row}
        assert row.get("game", game) == game
    assert main(given) == 0
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("game", OTHER)
def test_a_game_that_was_shown_can_be_replayed(game: str, capsys: Any) -> None:
    columns = {column.name for column in find_game(game).columns}
    assert main(["show", "1/2/5", "--game", game, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert columns <= {*shown}
    assert main(["replay", "1/2/5", "--game", game, "--moves", shown["moves"], "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    stopped = shown.get("stopped", False)
    assert made["result"] == ("won" if shown["won"] else "open" if stopped else "lost")
    assert made["cards_left"] == shown["cards_left"]
    assert bool(made["legal"]) == stopped


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("run --game maze --rules ultimate", "'ultimate'; there is: wikipedia, pysol, aisleriot"),
        ("run --game gaps --rules wikipedia", "'wikipedia'; there is: basic, one_deal"),
        ("run --game maze --rules pysol,twos=free", "'twos'; there is: ring"),
        ("run --game maze --rules pysol,removed=queens", "'queens'; there is: kings, aces"),
        ("run --game maze --player patient", "'patient'; there is: greedy, lookahead, random"),
        ("run --game gaps --player lookahead:depth=7", "depth=7 is out of range.*from 1 to 6"),
        ("run --player greedy:limit=5", "'limit'; there is: endgame"),
        ("run --game maze --player greedy:endgame=exact", "'endgame'; there is: limit"),
        ("run --game mazes", "unknown game 'mazes'; there is: gaps, labyrinth, maze"),
        ("replay 1/1/0 --game maze --moves P5H", "'P5H' is no move; write M CARD CELL"),
        ("replay 1/1/0 --game gaps --moves D", "'D' is no move"),
        ("replay 1/1/0 --moves 'M 5H 17'", "is no move"),
        ("show 1/1 --game maze", "'1/1' is no deal id"),
        ("tune --game maze", "maze has no family.*greedy, lookahead, random"),
        ("tune --game maze --family greedy", "greedy leaves no parameters"),
        ("difficulty --game gaps --resorts 2", "most=2 means nothing to gaps"),
        ("claim --game gaps", "no odds are published for gaps; give --odds"),
        ("claim --game maze --rules pysol", "no odds are published for maze, pysol; give some"),
        ("find --game maze --where a.rows_dealt>2", "'a.rows_dealt'; there is: a.won"),
        ("clauses --game maze --rules pysol --rules pysol", "are the same rules"),
        ("verify maze.parquet --game gaps", "maze.parquet is of maze, not of gaps"),
        ("run --game maze --player file:greedy.json", "is a player of labyrinth, not of maze"),
        ("run --game maze --move-seconds 1", "for players in Python; greedy is compiled"),
    ],
)
def test_bad_input(line: str, said: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    if "maze.parquet" in line:
        save(simulate(game="maze", deals=2, n_jobs=1), tmp_path / "maze.parquet")
    player = {
        "format": "labyrinth-sim player 1",
        "game": "labyrinth",
        "family": "heuristic",
        "parameters": {},
        "trained_on": {"seed": 1, "first": 0, "deals": 1},
    }
    (tmp_path / "greedy.json").write_text(json.dumps(player))
    assert main(shlex.split(line)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert re.search(said, captured.err.replace("\n", " "))


def test_moves_that_are_illegal_in_each_game(capsys: Any) -> None:
    for game, moves, said in (
        ("maze", "M 2H 9; M 5H 55", "there is no cell 55; cells run from 1 to 54"),
        ("gaps", "M 4H 10; M 5C 1", "cell 1 is no gap; TS lies there"),
    ):
        assert main(["replay", "1/1/0", "--game", game, "--moves", moves, "--json"]) == 1
        made = json.loads(capsys.readouterr().out)
        assert (made["result"], made["at"]) == ("illegal", 2)
        assert said in made["why"]


def test_players_of_labyrinth_alone_are_refused_by_other_games() -> None:
    @CompiledPlayer
    def last(public: Any, moves: Any, n: Any, params: Any, scratch: Any, rng: Any) -> Any:
        return n - 1

    for player in (Greedy(), last):
        with pytest.raises(InvalidInput, match="is a player of labyrinth, not of gaps"):
            simulate(player=player, game="gaps", deals=1)


@pytest.mark.parametrize("game", OTHER)
@pytest.mark.parametrize("keep", ["summary", "outcomes"])
def test_results_are_kept_and_drawn(game: str, keep: str, tmp_path: Path) -> None:
    rules = [find_game(game).rules().spec, OTHER[game]]
    results = [simulate(spec, "random", game=game, deals=30, n_jobs=1, keep=keep) for spec in rules]
    for number, result in enumerate(results):
        for ending in ("parquet", "csv", "json"):
            save(result, tmp_path / f"{number}.{ending}")
        assert load(tmp_path / f"{number}.parquet") == result
        assert "cards left" in str(result)
        assert game in result._repr_html_()
    frame = summary_frame(results, rules=True)
    assert frame["game"].unique().tolist() == [game]
    assert cards_left_frame(results)["q95"].max() <= 52
    assert set(tally_frame(results[0])["column"]) >= {"won", "cards_left"}
    parameter = {"labyrinth": "refill", "maze": "win", "gaps": "twos"}[game]
    axes = [win_rates(frame), win_rate_by(frame, parameter), cards_left(results)]
    if keep == "outcomes":
        assert len(outcome_frame(results[0])) == 30
        axes.append(running_win_rate(results[0]))
        pair = compare(["greedy", "random"], game=game, deals=30, n_jobs=1)
        axes.append(differences(pair.frame()))
        for name in ("moves", "plays"):
            if name in results[0].outcomes:
                mean = results[0].outcomes[name].mean()
                assert results[0].tally.mean(name) == pytest.approx(mean)
    for one in axes:
        assert game in one.get_title(loc="left")
    pyplot.close("all")


def test_positions_show_themselves() -> None:
    for game in OTHER:
        found = find_game(game)
        position = found.start(deal("1/1/0").deck, found.rules())
        assert position._repr_svg_().startswith("<svg")
        assert position.board() == str(position)


# Games that only stop, deals that stay unknown, positions that come again.


def plainly(name: str) -> Game:
    """A game whose deals are decided by the plain search, whatever solver it has."""
    game = find_game(name)
    return replace(game, solver=PlainSolver(game))


class Stops:
    """Makes some moves at random, and stops."""

    def __init__(self, after: int) -> None:
        self.after = after

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return STOP if len(view.earlier) == self.after else moves[0]


def test_a_game_may_end_where_the_deal_can_still_be_won() -> None:
    found = explain("1/1/3", Stops(2), game=plainly("gaps"))
    assert (found.verdict, len(found.moves), found.fatal) == ("stopped", 2, None)
    assert (found.winnable_after, found.unwinnable_after) == (2, None)
    assert replay(found.positions[-1], found.line).result == "won"
    assert "no move lost the deal" in found.text
    blind = explain("1/1/3", Stops(2), game=plainly("gaps"), limits=Limits(nodes=3))
    assert (blind.verdict, blind.winnable_after, blind.unwinnable_after) == ("unknown", None, None)
    assert "whether it was lost when the player stopped after move 2 is not known" in blind.text


def test_a_fatal_move_of_a_game_whose_moves_can_be_taken_back() -> None:
    found = explain("1/1/3", "random", game=plainly("gaps"), limits=Limits(nodes=3000))
    solver = PlainSolver(find_game("gaps"))
    verdicts = [solver.solve(one, Limits(nodes=3000)).verdict for one in found.positions]
    fatal = found.fatal
    assert found.verdict == "fatal"
    assert (verdicts[fatal - 1], verdicts[fatal]) == ("winnable", "unwinnable")
    assert "unwinnable" not in verdicts[:fatal]
    assert "winnable" not in verdicts[fatal:]
    assert replay(found.before, found.line).result == "won"


def test_few_positions_are_asked_in_vain(monkeypatch: Any) -> None:
    asked = []

    class Blind:
        probe = find_game("maze").solver.probe

        def solve(self, position: Any, limits: Any = None, *, seconds: Any = None) -> Solution:
            asked.append(position)
            return Solution("unknown", None, 1, 0.0)

    game = replace(find_game("maze"), solver=Blind())
    found = explain("1/1/0", "greedy:limit=300", game=game)
    assert (found.verdict, len(found.positions)) == ("unknown", 301)
    assert len(asked) < 20


def test_unknown_deals_widen_intervals_at_both_ends() -> None:
    limits = Limits(nodes=5)
    decided = winnability(game=plainly("maze"), deals=4, n_jobs=1, limits=limits)
    assert (decided.unknown, decided.rate().low, decided.rate().high) == (4, 0, 1)
    found = skill(
        ["greedy", "random"], game=plainly("gaps"), first=380, deals=3, n_jobs=1, limits=limits
    )
    greedy, other = found.shares
    assert (greedy.wins, other.wins, greedy.winnable, greedy.unknown) == (1, 0, 1, 2)
    assert (greedy.least, greedy.most) == (pytest.approx(1 / 3), 1)
    assert (other.low, other.most) == (0, 0)


def test_a_search_does_not_drag_the_past_along() -> None:
    position = find_game("maze").start(deal("1/1/0").deck, find_game("maze").rules())
    after = position.after(position.legal()[0])
    assert isinstance(after, Remembering)
    assert len(after.earlier) == 1
    assert after.bare().earlier is None
    assert after.bare() == after
    assert after.bare().after(after.legal()[0]).earlier is None
    assert not after.bare().visited()


@pytest.mark.parametrize(
    ("rules", "odds"), [("wikipedia", "1/25"), ("wikipedia,removed=aces", "1/4")]
)
def test_published_odds_of_maze(rules: str, odds: str) -> None:
    found = claim(rules, game="maze", deals=2, n_jobs=1, limits=Limits(nodes=20))
    assert (found.band.odds, found.verdict) == (odds, "undecided")
    assert [rate.name for rate in found.players] == ["greedy", "lookahead:depth=3"]
    assert found.source
