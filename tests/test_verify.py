"""verify: what holds is confirmed, what was changed is found, and what is too large is not claimed.

Also how verdicts are saved, as saved results are what is verified.
"""

import json
import shlex
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from doubles import Own
from pyarrow import parquet

from labyrinth_sim.cli import main
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.labyrinth import GAME
from labyrinth_sim.games.free_edge.solver import LabyrinthSolver
from labyrinth_sim.games.search import PlainSolver, exhaust
from labyrinth_sim.questions.load import load
from labyrinth_sim.questions.simulate import Result, simulate
from labyrinth_sim.questions.verify import verify
from labyrinth_sim.questions.winnability import Winnability, winnability
from labyrinth_sim.saving import save
from labyrinth_sim.stats.tally import Tally
from labyrinth_sim.testing import TOY

TOY_NAME = "labyrinth_sim.testing:TOY"
MINI = "wikipedia,resort=none,suits=2,ranks=9,columns=4"


def solved(rules: str = MINI, deals: int = 120, **options) -> Winnability:
    return winnability(rules, deals=deals, seed=43, keep="outcomes", **options)


def changed(result: Result | Winnability, column: str, *numbers: int) -> Result | Winnability:
    """The same, with the outcome of some deals made another."""
    outcomes = {name: values.copy() for name, values in result.outcomes.items()}
    for number in numbers:
        outcomes[column][number] = not outcomes[column][number]
    return replace(result, outcomes=outcomes, tally=Tally.of(outcomes))


@pytest.mark.parametrize("keep", ["summary", "outcomes"])
@pytest.mark.parametrize("first", [0, 2**64 - 200])
def test_verdicts_are_loaded_back_equal(keep: str, first: int, tmp_path: Path) -> None:
    result = winnability("pysol", deals=200, first=first, limits=Limits(nodes=30), keep=keep)
    assert result.unknown > 0
    save(result, tmp_path / "w.parquet")
    loaded = load(tmp_path / "w.parquet")
    assert loaded == result
    assert loaded.summary() == result.summary()
    assert loaded.provenance == result.provenance
    assert (loaded.outcomes is None) == (keep == "summary")


def test_verdicts_are_equal_only_if_all_is() -> None:
    result = solved()
    assert result == solved(n_jobs=1)
    assert result != winnability(MINI, deals=120, seed=43)
    assert result != winnability(MINI, deals=120, seed=44, keep="outcomes")
    assert result != changed(result, "winnable", 3)
    assert result != simulate(MINI, deals=120, seed=43, keep="outcomes")


def test_a_row_a_deal_in_plain_types(tmp_path: Path, capsys) -> None:
    words = ["winnability", "--rules", "ultimate", "--deals", "300", "--first", "7", "--output"]
    for ending in ("parquet", "csv", "json"):
        assert main([*words, str(tmp_path / f"w.{ending}")]) == 0
    result = winnability("ultimate", deals=300, first=7, keep="outcomes")
    assert load(tmp_path / "w.parquet") == result
    for frame in (pd.read_parquet(tmp_path / "w.parquet"), pd.read_csv(tmp_path / "w.csv")):
        assert list(frame) == ["index", "winnable", "unknown", "nodes"]
        assert frame["index"].tolist() == list(range(7, 307))
        for name, values in result.outcomes.items():
            assert (frame[name] == values).all()
    assert json.loads((tmp_path / "w.json").read_text())["winnable"] == result.winnable
    capsys.readouterr()
    assert main([*words, str(tmp_path / "w.csv")]) == 2
    assert "--force" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "w.csv"), "--force"]) == 0


def test_what_holds_is_confirmed_by_another_search() -> None:
    result = solved()
    verification = verify(result, sample=1000)
    assert verification.holds
    assert len(verification.of("confirmed", "winnable")) == result.winnable
    assert len(verification.of("confirmed", "unwinnable")) == result.unwinnable
    for check in verification.checks[::4]:
        start = GAME.start(deal(check.deal).deck, result.rules)
        assert PlainSolver(GAME).solve(start).verdict == check.claim


def test_changed_verdicts_are_found() -> None:
    result = solved()
    won = result.outcomes["winnable"]
    wrong = [int(np.flatnonzero(won)[5]), int(np.flatnonzero(~won)[2])]
    verification = verify(changed(result, "winnable", *wrong), sample=1000)
    assert not verification.holds
    labels = {SeededDeals(43).label(number) for number in wrong}
    assert {check.deal for check in verification.contradictions} == labels
    for check in verification.contradictions:
        if check.claim == "unwinnable":  # and is shown to be winnable
            line = check.why.removeprefix("this wins: ").split("; ")
            start = GAME.start(deal(check.deal).deck, result.rules)
            assert replay(start, line).result == "won"
        assert check.deal in str(verification)


def test_too_large_is_not_confirmed() -> None:
    result = solved("wikipedia", 60)
    verification = verify(result, sample=10, limits=Limits(nodes=1, memory=1))
    assert verification.holds
    losses = verification.of("not re-proved", "unwinnable")
    assert len(losses) == min(10, result.unwinnable)
    assert not verification.of("confirmed", "unwinnable")
    assert all(check.why for check in losses)
    assert verification.summary()["unwinnable"]["not_reproved"] == len(losses)


def test_unknown_deals_are_no_claims() -> None:
    result = winnability("pysol", deals=200, limits=Limits(nodes=5), keep="outcomes")
    assert result.unknown
    checks = verify(result, sample=20, limits=Limits(memory=1)).checks
    labels = {SeededDeals(1).label(int(n)) for n in np.flatnonzero(result.outcomes["unknown"])}
    assert labels.isdisjoint(check.deal for check in checks)


def test_the_sample_follows_from_its_seed() -> None:
    result = solved()
    one, same, other = (
        [check.deal for check in verify(result, sample=5, seed=seed).checks] for seed in (0, 0, 1)
    )
    assert one == same
    assert one != other
    assert len(set(one)) == 10


@pytest.mark.parametrize("player", ["greedy", "random", "heuristic:fill=hold:2"])
def test_games_are_played_again(player: str) -> None:
    result = simulate("practical", player, deals=200, seed=43, first=9, keep="outcomes")
    verification = verify(result, sample=25)
    assert len(verification.of("confirmed", "played")) == 25
    wrong = verify(changed(result, "won", *range(200)), sample=7)
    assert len(wrong.contradictions) == 7
    assert all("won is" in check.why for check in wrong.contradictions)


def test_given_decks() -> None:
    decks = ListedDeals(np.stack([deal(f"1/6/{index}").deck for index in range(30)]))
    result = winnability(MINI, decks=decks, keep="outcomes")
    assert verify(result, decks=decks).holds
    with pytest.raises(InvalidInput, match="given decks"):
        verify(result)
    with pytest.raises(InvalidInput, match="other decks"):
        verify(result, decks=ListedDeals(decks.decks[:10]))


def test_another_game() -> None:
    for result in (
        winnability("long", deals=60, n_jobs=1, keep="outcomes", game=TOY),
        simulate("long", "lower", deals=60, n_jobs=1, keep="outcomes", game=TOY),
    ):
        assert verify(result, game=TOY).holds
        with pytest.raises(InvalidInput, match="unknown game"):
            verify(result)


@pytest.mark.parametrize("verb", ["winnability", "run"])
def test_a_verification_is_kept_whole_and_its_command_repeats_it(
    verb: str, tmp_path: Path, capsys
) -> None:
    decks, file, kept, again = (tmp_path / name for name in ("d", "r.parquet", "v.parquet", "w"))
    again = again.with_suffix(".parquet")
    decks.write_text("\n".join(str(deal(f"1/6/{index}")) for index in range(40)))
    assert main([verb, "--rules", MINI, "--decks", str(decks), "--output", str(file)]) == 0
    column = "winnable" if verb == "winnability" else "won"
    changed(load(file), column, 3, 5, 8).save(file, overwrite=True)
    words = ["--decks", str(decks), "--sample", "30", "--nodes", "5000", "--output", str(kept)]
    assert main(["verify", str(file), *words]) == 1
    verification = load(kept)
    assert not verification.holds
    assert str(verification) in capsys.readouterr().out
    verification.save(again)
    assert load(again) == verification
    program, *words = shlex.split(verification.provenance["command"])
    assert program == "labyrinth-sim"
    assert main([*words, "--output", str(again), "--force"]) == 1
    assert load(again) == verification
    assert load(again).summary() == verification.summary()


def test_no_command_verifies_what_is_in_no_file(tmp_path: Path) -> None:
    result = simulate(deals=20, keep="outcomes")
    told = verify(result, sample=2).provenance
    assert (told["command"], "not read from a file" in told["no_command"]) == ("", True)
    own = simulate(player=Own(), deals=20, n_jobs=1, keep="outcomes")
    save(own, tmp_path / "own.parquet")
    told = verify(load(tmp_path / "own.parquet"), sample=2, player=Own()).provenance
    assert (told["command"], "given as an object" in told["no_command"]) == ("", True)


def test_ctrl_c_keeps_what_was_checked(tmp_path: Path, monkeypatch, capsys) -> None:
    file, calls = tmp_path / "r.parquet", count()
    save(solved(), file)
    whole = verify(load(file), sample=4)
    solve = LabyrinthSolver.solve

    def third_is_interrupted(self, *arguments, **options) -> Solution:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return solve(self, *arguments, **options)

    monkeypatch.setattr(LabyrinthSolver, "solve", third_is_interrupted)
    assert main(["verify", str(file), "--sample", "4"]) == 130
    out, err = capsys.readouterr()
    assert "winnable: 2 confirmed" in out
    assert "interrupted" in out
    assert "interrupted" in err
    calls = count()
    part = verify(load(file), sample=4)
    assert (part.complete, part.checks) == (False, whole.checks[:2])


def test_what_is_not_here_any_more_is_refused() -> None:
    played = simulate(deals=20, keep="outcomes")
    subject = replace(played.identity.subjects[0], version=99)
    older = replace(played, identity=replace(played.identity, subjects=(subject,)))
    with pytest.raises(InvalidInput, match=r"subjects .*'version': 1.*, not .*'version': 99"):
        verify(older)
    found = solved(deals=20)
    with pytest.raises(InvalidInput, match="version 99"):
        verify(replace(found, identity=replace(found.identity, game_version=99)))
    with pytest.raises(InvalidInput, match="kept no outcomes"):
        verify(simulate(deals=20))
    with pytest.raises(InvalidInput, match="sample=0"):
        verify(played, sample=0)


def test_exhaustive_search_shows_a_line() -> None:
    for spec in (MINI, "practical,suits=3,ranks=6,columns=4", "wikipedia,suits=2,ranks=7"):
        rules = GAME.rules.read(spec)
        for index in range(20):
            start = GAME.start(deal(f"1/44/{index}").deck, rules)
            found = exhaust(GAME, start, Limits(memory=8))
            assert found.verdict == PlainSolver(GAME).solve(start).verdict
            if found.moves is not None:
                assert replay(start, found.moves).result == "won"


def test_exhaustive_search_keeps_to_its_nodes() -> None:
    start = GAME.start(deal("1/44/3").deck, GAME.rules.read(MINI))
    whole = exhaust(GAME, start, Limits())
    assert whole.verdict == "unwinnable"
    for nodes in (whole.nodes, whole.nodes - 1, 1):
        found = exhaust(GAME, start, Limits(nodes=nodes))
        expected = "unwinnable" if nodes == whole.nodes else "unknown"
        assert (found.verdict, found.nodes) == (expected, nodes)


@pytest.mark.parametrize("options", [[], ["--game", TOY_NAME]])
@pytest.mark.parametrize("verb", ["winnability", "run"])
def test_command(verb: str, options: list[str], tmp_path: Path, capsys) -> None:
    rules, file = "long" if options else MINI, tmp_path / "r.parquet"
    made = [verb, "--rules", rules, "--deals", "60", "--jobs", "1", "--output", str(file)]
    assert main([*made, *options]) == 0
    capsys.readouterr()
    words = ["verify", str(file), "--sample", "8", "--memory", "8", *options]
    assert main([*words, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["holds"], row["sample"], row["contradictions"]) == (True, 8, [])
    column = "winnable" if verb == "winnability" else "won"
    game = TOY if options else None
    save(changed(load(file, game=game), column, *range(60)), file, overwrite=True)
    assert main([*words, "--json"]) == 1
    row = json.loads(capsys.readouterr().out)
    assert not row["holds"]
    assert row["contradictions"]
    assert main(words) == 1
    assert "contradict the result" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["missing", "foreign", "text", "summary"])
def test_files_that_are_no_results(kind: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "r.parquet"
    if kind == "foreign":
        parquet.write_table(pa.table({"a": [1]}), file)
    elif kind == "text":
        file.write_text("index,winnable\n")
    elif kind == "summary":
        save(winnability(MINI, deals=20), file)
    assert main(["verify", str(file)]) == 2
    said = {
        "missing": "no file",
        "foreign": "none of ours",
        "text": "no Parquet",
        "summary": "kept",
    }
    assert said[kind] in capsys.readouterr().err


def test_command_with_given_decks(tmp_path, capsys) -> None:
    decks, kept = tmp_path / "decks.txt", tmp_path / "kept.parquet"
    decks.write_text("\n".join(str(deal(f"1/6/{index}")) for index in range(30)))
    given = ["--decks", str(decks)]
    assert main(["winnability", "--rules", MINI, *given, "--output", str(kept)]) == 0
    assert main(["verify", str(kept)]) == 2
    assert "--decks FILE" in capsys.readouterr().err
    assert main(["verify", str(kept), *given, "--seed", "5"]) == 0
    assert "nothing contradicts" in capsys.readouterr().out
