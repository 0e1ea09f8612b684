"""Output is written whole or not at all, and never over another unless told so."""

import errno
import os
from pathlib import Path

import pandas as pd
import pytest

from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.files import check_output, written_whole
from labyrinth_sim.frames import outcome_frame
from labyrinth_sim.questions.simulate import simulate
from labyrinth_sim.saving import save


def test_written_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    with written_whole(tmp_path / "new.txt") as temporary:
        temporary.write_text("whole")
    assert (tmp_path / "new.txt").stat().st_mode == (tmp_path / "other").stat().st_mode


def write_half(target: Path) -> None:
    with written_whole(target, overwrite=True) as temporary:
        temporary.write_text("half of i")
        raise OSError(errno.ENOSPC, "No space left on device")


def write_late(target: Path) -> None:
    with written_whole(target) as temporary:
        temporary.write_text("ours")
        target.write_text("theirs")


def test_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "result.csv"
    target.write_text("kept")
    with pytest.raises(RunFailed, match=r"result.csv.*No space left"):
        write_half(target)
    assert target.read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["result.csv"]


def test_somebody_else_was_faster(tmp_path: Path) -> None:
    target = tmp_path / "result.csv"
    with pytest.raises(InvalidInput, match="exists already"):
        write_late(target)
    assert target.read_text() == "theirs"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("place", ["nowhere/result.csv", "file/result.csv"])
def test_folder_that_can_not_be_written_to(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(InvalidInput, match="can't write"):
        check_output(tmp_path / place)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is a folder"):
        check_output(tmp_path)


def test_names_that_can_be_no_file_are_refused_before_the_work(tmp_path: Path) -> None:
    with written_whole(tmp_path / f"{'n' * 250}.csv") as temporary:
        temporary.write_text("a long name")
    with pytest.raises(InvalidInput, match="name too long"):
        check_output(tmp_path / f"{'n' * 252}.csv")
    with pytest.raises(InvalidInput, match="no text in UTF-8"):
        check_output(tmp_path / "\udcff.csv")
    (tmp_path / "dangling.csv").symlink_to("nowhere.csv")
    with pytest.raises(InvalidInput, match=r"link to nowhere.csv, which is not there"):
        check_output(tmp_path / "dangling.csv", overwrite=True)
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InvalidInput, match="no file that can be replaced"):
        check_output(tmp_path / "pipe.csv", overwrite=True)


def test_a_link_stays_one_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "true.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("true.csv")
    with pytest.raises(InvalidInput, match=r"link.csv exists already"):
        check_output(tmp_path / "link.csv")
    with written_whole(tmp_path / "link.csv", overwrite=True) as temporary:
        temporary.write_text("new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "true.csv").read_text() == "new"


def test_outcomes_come_back_from_csv_and_parquet(tmp_path: Path) -> None:
    result = simulate("practical", "hasty", deals=500, first=2**64 - 700, keep="outcomes")
    frame = outcome_frame(result)
    save(result, tmp_path / "r.csv")
    save(result, tmp_path / "r.parquet")
    pd.testing.assert_frame_equal(
        pd.read_csv(tmp_path / "r.csv", index_col="index"), frame, check_dtype=False
    )
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "r.parquet").set_index("index"), frame)
    assert frame.index[0] == 2**64 - 700
    assert frame["won"].sum() == result.wins


def test_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.json, \.csv, \.parquet"):
        save(simulate(deals=10), tmp_path / "r.xlsx")
