"""Tuning: finds what is known to be best, never looks at fresh deals, keeps players in files."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from doubles import Engine
from IPython.lib.pretty import pretty

from labyrinth_sim.cli import main
from labyrinth_sim.core.game import Catalog, Game, Reference
from labyrinth_sim.core.identity import Identity, Subject
from labyrinth_sim.core.player import Traits
from labyrinth_sim.core.probe import Column, Deals
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.parameters import Named, choice, numbers, whole
from labyrinth_sim.players import find_player, probe_for, search
from labyrinth_sim.players.files import DealRange
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.questions.tune import TuneResult, tune
from labyrinth_sim.rulesets import Preset, RuleSet

LABYRINTH = find_game()
HELD = "heuristic:order=lowest,deal=late"
"""48 combinations, all that matters on wikipedia."""


@dataclass(frozen=True)
class LuckRules(RuleSet):
    presets: ClassVar[dict[str, Preset]] = {"usual": Preset({}, "made up", "nothing")}


@dataclass(frozen=True)
class Knobs(Named):
    """Wins by chance, with a probability that is greatest at mode=b:4, width=5."""

    mode: str = choice("a", "", a="", c="", **{"b:k": ""})
    idle: str = choice("x", "", x="", y="", z="")
    width: int = whole(1, "", low=1, high=9)
    name: ClassVar[str] = "knobs"
    text: ClassVar[str] = "made up"
    version: ClassVar[int] = 1
    traits: ClassVar[Traits] = Traits()

    @property
    def chance(self) -> float:
        mode, _, k = self.mode.partition(":")
        return 0.5 + 0.2 * (mode == "b") - 0.04 * abs(int(k or 0) - 4) - 0.04 * abs(self.width - 5)

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Weights(Knobs):
    """The probability is greatest where the weights point to (3, -4, 0)."""

    mode: str = choice("a", "", a="", c="")
    weights: tuple[float, ...] = numbers((1.0, 1.0, 1.0), "")
    name = "weights"

    @property
    def chance(self) -> float:
        norm = float(np.linalg.norm(self.weights)) or 1.0
        return 0.5 + 0.4 * float(np.dot(self.weights, (0.6, -0.8, 0.0))) / norm


@dataclass(frozen=True)
class Threshold(Knobs):
    """The probability is greatest where the number is 3."""

    level: tuple[float, ...] = numbers((1.0,), "")
    name = "threshold"

    @property
    def chance(self) -> float:
        return 0.9 - 0.1 * abs(self.level[0] - 3)


@dataclass(frozen=True)
class LuckProbe:
    """A deal has a luck between 0 and 1; a player wins it if its chance is greater."""

    identity: Identity
    chance: float
    asked: list[int]
    columns: tuple[Column, ...] = (Column("won", "bool", ""), Column("cards_left", "uint8", ""))
    threads: bool = True

    def run(self, first: int, out: Mapping[str, Any], stop: Any) -> int:
        indices = np.arange(first, first + len(out["won"]))
        self.asked.extend(indices.tolist())
        out["won"][:] = indices * 0.6180339887498949 % 1 < self.chance
        out["cards_left"][:] = ~out["won"]
        return len(indices)


def luck(asked: list[int] | None = None) -> Game:
    def compiled(rules: Any, player: Any, deals: Deals) -> LuckProbe:
        identity = Identity.of("play", "luck", 1, rules, Subject.of(player), deals)
        return LuckProbe(identity, player.chance, [] if asked is None else asked)

    kinds = {kind.name: kind for kind in (Knobs, Weights, Threshold)}
    return Game(
        name="luck",
        title="Luck",
        version=1,
        rules=LuckRules,
        columns=(Column("won", "bool", ""), Column("cards_left", "uint8", "")),
        reference=Reference(lambda deck, rules: pytest.fail("played in Python"), str),
        catalog=Catalog(lambda: kinds),
        engine=Engine(compiled),
    )


def small(family: str = HELD, rules: str = "wikipedia", **options: Any) -> TuneResult:
    return tune(family, rules, **{"deals": 4_000, "fresh": 2_000, "n_jobs": 1, **options})


@pytest.fixture(scope="module")
def result() -> TuneResult:
    return small()


@pytest.fixture
def best(result: TuneResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TuneResult:
    """The result, saved as best.json in the current folder."""
    monkeypatch.chdir(tmp_path)
    result.save("best.json")
    return result


def test_race_finds_the_known_best() -> None:
    found = tune("knobs", deals=20_000, fresh=1_000, n_jobs=1, game=luck())
    assert found.best == Knobs(mode="b:4", width=5).spec
    assert len(found.tried) == 9 * 3 * 9
    assert found.distinct <= 81  # the idle knob makes no difference
    assert all("idle" not in one.player for one in found.tried if one.same_as is None)
    assert found.last_round[0].deals == found.training


def test_held_parameters_are_held() -> None:
    found = tune("knobs:width=2,idle=y", deals=5_000, fresh=100, n_jobs=1, game=luck())
    assert found.best == Knobs(mode="b:4", width=2, idle="y").spec
    assert len(found.tried) == 9


def test_cross_entropy_finds_the_known_direction() -> None:
    found = tune("weights:idle=x,width=1", deals=40_000, fresh=1_000, n_jobs=1, game=luck())
    best = find_player(luck(), found.best)
    assert best.chance > 0.89  # of 0.9
    assert np.linalg.norm(best.weights) == pytest.approx(3**0.5, abs=0.002)
    assert all(round(weight, 3) == weight for weight in best.weights)
    assert found.last_round[0].wins > found.last_round[1].wins
    assert found.last_round[0].deals.first == 20_000  # compared on the other half


def test_cross_entropy_finds_a_known_number_where_its_size_matters() -> None:
    family = "threshold:mode=a,idle=x,width=1"
    found = tune(family, deals=40_000, fresh=1_000, n_jobs=1, game=luck())
    assert find_player(luck(), found.best).level[0] == pytest.approx(3, abs=0.3)


def test_many_combinations_are_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FEW", 50)
    found = tune("knobs", deals=1_000, fresh=100, n_jobs=1, game=luck())
    assert 25 < len(found.tried) <= 51
    assert Knobs().spec in {one.player for one in found.tried}
    assert found.tried == tune("knobs", deals=1_000, fresh=100, n_jobs=1, game=luck()).tried
    other = tune("knobs", deals=1_000, fresh=100, n_jobs=1, game=luck(), rng_seed=0)
    assert {one.player for one in found.tried} != {one.player for one in other.tried}


def test_only_training_deals_are_searched_and_only_fresh_ones_reported() -> None:
    asked: list[int] = []
    found = tune("weights", deals=1_001, first=50, fresh=300, n_jobs=1, game=luck(asked))
    assert set(asked) == set(range(50, 1_351))
    assert (found.training, found.fresh) == (DealRange(2, 50, 1_001), DealRange(2, 1_051, 300))
    assert all(one.deals.first >= 50 and one.deals.end <= 1_051 for one in found.tried)


def test_fresh_deals_may_not_be_training_deals() -> None:
    options: dict[str, Any] = {"deals": 1_000, "fresh": 100, "n_jobs": 1, "game": luck()}
    for fresh_first in (0, 999):
        with pytest.raises(InvalidInput, match="overlap with training deals 0 to 999 of seed 2"):
            tune("knobs", **options, fresh_first=fresh_first)
    assert tune("knobs", **options, fresh_seed=3).fresh == DealRange(3, 0, 100)
    options["first"] = 1_000
    assert tune("knobs", **options, fresh_first=900).fresh == DealRange(2, 900, 100)


def test_wikipedia_wants_gaps_held(result: TuneResult) -> None:
    assert find_player(LABYRINTH, result.best).fill in ("hold:2", "hold:3", "hold:4")
    assert any("fill=hold:3" in one.player for one in result.last_round)


def test_practical_wants_rows_before_cards_are_covered() -> None:
    found = small("heuristic:fill=stuck,gap=leftmost", "practical", deals=6_000)
    assert find_player(LABYRINTH, found.best).deal.partition(":")[0] in ("near", "cover")
    near = ("near:3", "near:4", "near:5")
    assert any(find_player(LABYRINTH, one.player).deal in near for one in found.last_round)


def test_ipython_shows_it_as_it_is_printed(result: TuneResult) -> None:
    assert pretty(result) == str(result)


def test_knobs_that_do_nothing_are_merged(result: TuneResult) -> None:
    same = {one.player: one.same_as for one in result.tried if one.same_as}
    assert same["heuristic:fill=before_row"] == "heuristic"  # rows wait until all is stuck
    assert same["heuristic:fill=never,gap=most"] == "heuristic:fill=never"
    assert len(result.tried) == 48


@pytest.mark.parametrize("family", [HELD, "lookahead:depth=1"])
def test_the_same_at_any_number_of_workers(family: str) -> None:
    one, two = (small(family, deals=1_000, n_jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_gains_are_those_of_runs_on_the_fresh_deals(result: TuneResult) -> None:
    def won(player: Any) -> Any:
        fresh = result.fresh
        ran = simulate(
            result.rules,
            player,
            seed=fresh.seed,
            first=fresh.first,
            deals=fresh.deals,
            keep="outcomes",
            n_jobs=1,
        )
        return ran.outcomes["won"]

    assert [gain.against for gain in result.gains] == ["patient", "greedy", HELD.split(":")[0]]
    mine = won(result.best)
    assert result.wins == mine.sum()
    for gain in result.gains:
        theirs = won(gain.against)
        assert gain.wins == theirs.sum()
        assert gain.paired.only_a == (mine & ~theirs).sum()
        assert gain.paired.low < gain.paired.difference < gain.paired.high


def test_gains_have_the_level_that_was_asked_for() -> None:
    narrow = small("heuristic:order=lowest,deal=late,fill=hold:3", deals=200, level=0.5)
    (gain, *_), level = narrow.gains, narrow.win_rate().level
    assert (gain.paired.level, level) == (0.5, 0.5)


def test_a_file_is_its_player(best: TuneResult) -> None:
    player = find_player(LABYRINTH, "file:best.json")
    found = find_player(LABYRINTH, best.best)
    assert (player, player.spec) == (found, "file:best.json")
    assert player.full_spec.startswith(found.full_spec)
    assert (player.traits, player.text) == (found.traits, found.text)
    assert pickle.loads(pickle.dumps(player)).full_spec == player.full_spec
    assert replace(player, fill="never").spec == "heuristic:fill=never,gap=" + player.gap
    typed = simulate("wikipedia", best.best, deals=2_000, n_jobs=1)
    played = simulate("wikipedia", "file:best.json", deals=2_000, n_jobs=1)
    assert played.tally == typed.tally
    assert played.identity.subjects == (Subject.of(player),)


def test_a_file_goes_through_the_compiled_probe(best: TuneResult) -> None:
    from labyrinth_sim.deals import SeededDeals

    player = find_player(LABYRINTH, "file:best.json")
    assert probe_for(LABYRINTH, best.rules, player, SeededDeals(1)).threads


def test_identity_is_in_the_content_and_not_in_the_name(best: TuneResult) -> None:
    before = find_player(LABYRINTH, "file:best.json").source
    text = Path("best.json").read_text("utf-8")
    Path("copy.json").write_text(text, "utf-8")
    assert find_player(LABYRINTH, "file:copy.json").source == before
    Path("copy.json").write_text(text.replace('"deals": 4000', '"deals": 4001'), "utf-8")
    assert find_player(LABYRINTH, "file:copy.json").source != before


def test_weights_survive_the_file(tmp_path: Path) -> None:
    found = small("lookahead:depth=1", deals=1_000, fresh=100)
    path = tmp_path / "ahead.json"
    found.save(path)
    assert find_player(LABYRINTH, f"file:{path}") == find_player(LABYRINTH, found.best)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "something else"}, "bad.json is no player file.*tune --output"),
        ({"game": "maze"}, "bad.json is a player of maze, not of labyrinth"),
        ({"family": "oracle"}, "bad.json is of the family 'oracle'"),
        ({"parameters": {"fill": "sometimes"}}, "bad.json: unknown value of fill 'sometimes'"),
        ({"parameters": {"speed": 3}}, "bad.json: unknown parameter 'speed'"),
        ({"parameters": [1, 2]}, "bad.json is a broken player file: 'parameters'"),
        ({"trained_on": {"seed": -1, "first": 0, "deals": 5}}, "trained_on is no range"),
        ({"trained_on": {}}, "bad.json is a broken player file: trained_on"),
    ],
)
def test_bad_contents(changes: dict[str, Any], said: str, best: TuneResult) -> None:
    Path("bad.json").write_text(json.dumps({**best.document(), **changes}), "utf-8")
    with pytest.raises(InvalidInput, match=said):
        find_player(LABYRINTH, "file:bad.json")


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe\x00", b"[]", b"[" * 100_000])
def test_files_that_are_no_player_files(data: bytes, best: TuneResult) -> None:
    Path("bad.json").write_bytes(data)
    with pytest.raises(InvalidInput, match=r"bad\.json is no player file"):
        find_player(LABYRINTH, "file:bad.json")


@pytest.mark.parametrize("path", ["", "missing.json", ".", "a\0b"])
def test_files_that_can_not_be_read(path: str, best: TuneResult) -> None:
    with pytest.raises(InvalidInput, match="can't read the player file"):
        find_player(LABYRINTH, f"file:{path}")


@pytest.mark.parametrize(
    ("family", "options", "said"),
    [
        ("patient", {}, "patient leaves no parameters to search"),
        ("heuristik", {}, "unknown family 'heuristik'.*did you mean heuristic"),
        ("file:best.json", {}, "a file holds one player"),
        ("heuristic:fill=maybe", {}, "unknown value of fill"),
        (HELD, {"deals": 99}, "deals=99 are too few"),
        (HELD, {"deals": 0}, "deals=0 is out of range"),
        (HELD, {"fresh": 0}, "fresh deals: deals=0 is out of range"),
        (HELD, {"seed": -1}, "seed=-1 is out of range"),
        (HELD, {"first": 2**64 - 10}, "reach beyond the last one"),
        (HELD, {"rng_seed": -1}, "rng_seed=-1"),
        (HELD, {"n_jobs": 0}, "n_jobs=0"),
    ],
)
def test_bad_arguments(family: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        small(family, **options)


ARGUMENTS = ["tune", "--family", HELD, "--deals", "1000", "--fresh", "500", "--jobs", "1"]


def test_command_writes_a_player_that_runs(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*ARGUMENTS, "--output", "best.json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    for said in ("last round", "best: heuristic:fill=hold:", "fresh deals 1,000 to 1,499"):
        assert said in told.out
    assert "against patient: +" in told.out
    assert main([*ARGUMENTS, "--output", "best.json"]) == 2
    assert "best.json exists already" in capsys.readouterr().err
    run = ["run", "--player", "file:best.json", "--deals", "100", "--jobs", "1"]
    assert main([*run, "--seed", "2", "--first", "999"]) == 0
    assert "trained on some of these deals (deals 0 to 999 of seed 2)" in capsys.readouterr().err
    assert main([*run, "--seed", "2", "--first", "1000"]) == 0
    assert capsys.readouterr().err == ""
    others = ["--player", "file:best.json", "--deals", "100", "--jobs", "1", "--seed", "2"]
    for verb in (
        ["compare", "--player", "hasty"],
        ["skill"],
        ["claim", "--odds", "1/2"],
        ["clauses", "--rules", "wikipedia", "--rules", "wikipedia,columns=7"],
    ):
        assert main([*verb, *others]) == 0
        assert "trained on some of these deals (deals 0" in capsys.readouterr().err
        assert main([*verb, *others, "--first", "1000"]) == 0
        assert capsys.readouterr().err == ""
    assert main([*run, "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"] == "file:best.json"


def test_command_in_json_says_what_the_file_says(tmp_path: Path, capsys) -> None:
    path = tmp_path / "best.json"
    assert main([*ARGUMENTS, "--output", str(path), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told, kept = json.loads(line), json.loads(path.read_text("utf-8"))
    assert kept.items() <= told.items()
    assert (kept["rules"], kept["tuned"]) == ("wikipedia", HELD)
    assert kept["trained_on"] == {"seed": 2, "first": 0, "deals": 1000}
    assert kept["parameters"]["endgame"] == "none"
    assert told["last_round"][0]["player"] == told["player"]
    assert [gain["against"] for gain in kept["fresh"]["gains"]][:2] == ["patient", "greedy"]


def test_command_refuses_what_is_no_format_before_it_works(tmp_path: Path, capsys) -> None:
    assert main([*ARGUMENTS, "--output", str(tmp_path / "best.txt")]) == 2
    assert "give one of .json" in capsys.readouterr().err


def test_interrupted_it_writes_nothing(tmp_path: Path, capsys, monkeypatch) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("labyrinth_sim.questions.tune.measure", interrupted)
    assert main([*ARGUMENTS, "--output", str(tmp_path / "best.json")]) == 130
    assert not list(tmp_path.iterdir())
    assert capsys.readouterr().out == ""
