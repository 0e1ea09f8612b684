"""Saved results: loaded back equal, readable by others, and refused when they are not whole."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from labyrinth_sim.cli import main
from labyrinth_sim.deals import ListedDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.frames import cards_left_frame, outcome_frame, tally_frame
from labyrinth_sim.questions.load import load
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.saving import KEY, _digest, save
from labyrinth_sim.testing import TOY


@pytest.mark.parametrize("keep", ["summary", "outcomes"])
@pytest.mark.parametrize("first", [0, 70_000, 2**64 - 3000])
def test_loaded_back_equal(keep: str, first: int, tmp_path: Path) -> None:
    result = simulate("practical", "hasty", deals=3000, first=first, keep=keep)
    save(result, tmp_path / "r.parquet")
    loaded = load(tmp_path / "r.parquet")
    assert loaded == result
    assert loaded.summary() == result.summary()
    assert loaded.provenance == result.provenance
    assert (loaded.outcomes is None) == (keep == "summary")


def test_other_runs_are_not_equal() -> None:
    result = simulate(deals=1000, keep="outcomes")
    assert result == simulate(deals=1000, keep="outcomes", n_jobs=1, block_bits=5)
    assert result != simulate(deals=1000)
    assert result != simulate(deals=1000, seed=2, keep="outcomes")
    assert result != simulate(deals=999, keep="outcomes")
    assert result != simulate(player="patient", deals=1000, keep="outcomes")


def test_given_decks_and_other_games(tmp_path: Path) -> None:
    decks = ListedDeals(np.stack([deal(f"1/6/{index}").deck for index in range(40)]))
    result = simulate("pysol", decks=decks, keep="outcomes")
    save(result, tmp_path / "decks.parquet")
    assert load(tmp_path / "decks.parquet") == result
    toy = simulate("long", "lower", deals=40, n_jobs=1, game=TOY)
    save(toy, tmp_path / "toy.parquet")
    assert load(tmp_path / "toy.parquet", game=TOY) == toy
    with pytest.raises(InvalidInput, match="unknown game 'ends'"):
        load(tmp_path / "toy.parquet")


def test_others_read_plain_types(tmp_path: Path) -> None:
    result = simulate(deals=2000, first=5, keep="outcomes")
    save(result, tmp_path / "r.parquet")
    frame = pd.read_parquet(tmp_path / "r.parquet")
    assert frame["index"].tolist() == list(range(5, 2005))
    assert frame["index"].dtype == np.int64
    assert frame["won"].sum() == result.wins
    types = {str(field.type) for field in parquet.read_schema(tmp_path / "r.parquet")}
    assert types == {"int64", "bool", "uint8"}


def test_command_in_the_file_makes_it_again(tmp_path: Path, capsys) -> None:
    result = simulate("wikipedia,resorts=2", "heuristic:fill=hold:3", deals=700, seed=9, first=11)
    save(result, tmp_path / "r.parquet")
    about = json.loads(parquet.read_schema(tmp_path / "r.parquet").metadata[KEY])
    command, *arguments = about["content"]["provenance"]["command"].split()
    assert command == "labyrinth-sim"
    assert main([*arguments, "--output", str(tmp_path / "again.parquet")]) == 0
    again = load(tmp_path / "again.parquet")
    assert again.identity == result.identity
    assert again.tally == result.tally
    assert {"python", "numba", "host", "time", "commit"} <= set(about["content"]["provenance"])


def test_frames_of_the_tally(tmp_path: Path) -> None:
    result = simulate("practical", deals=4001, keep="outcomes")
    frame = outcome_frame(result)
    tally = tally_frame(result)
    for name in frame:
        expected = frame[name].astype(int).value_counts().sort_index()
        rows = tally[tally["column"] == name].set_index("value")["deals"]
        assert rows.to_dict() == expected.to_dict()
    (row,) = cards_left_frame([result]).to_dict("records")
    assert row["mean"] == pytest.approx(frame["cards_left"].mean())
    for name, share in {"q05": 0.05, "q25": 0.25, "median": 0.5, "q95": 0.95}.items():
        expected = np.quantile(frame["cards_left"], share, method="inverted_cdf")
        assert row[name] == expected


def damaged(tmp_path: Path, kind: str) -> Path:
    file = tmp_path / "r.parquet"
    save(simulate(deals=300, keep="outcomes"), file)
    table = parquet.read_table(file)
    about = json.loads(table.schema.metadata[KEY])
    if kind == "cut":
        file.write_bytes(file.read_bytes()[:-100])
    elif kind == "text":
        file.write_text("won,cards_left\n")
    elif kind == "foreign":
        parquet.write_table(pa.table({"a": [1]}), file)
    else:
        if kind == "format":
            about["format"] = 99
        elif kind == "keys":
            del about["content"]["identity"]
            about["digest"] = _digest(about, table)
        elif kind == "rows":
            table = table.slice(0, 200)
        metadata = {KEY: json.dumps(about).encode()}
        parquet.write_table(table.replace_schema_metadata(metadata), file)
    return file


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("cut", "cut short"),
        ("text", "no Parquet file"),
        ("foreign", "none of ours"),
        ("format", "format 99.*reads format 2"),
        ("keys", "does not hold what an answer of format 2 should.*identity"),
        ("rows", "damaged.*labyrinth-sim run"),
    ],
)
def test_files_that_are_not_whole_are_refused(kind: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=said):
        load(damaged(tmp_path, kind))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"no file .*nothing\.parquet"):
        load(tmp_path / "nothing.parquet")
