"""The notebooks: executed at small sizes, and as they are committed."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
SIZES = re.compile(r'os\.environ\.get\("(LABYRINTH_SIM_\w+)", ([\d_]+)\)')
FEW = "100"


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def outputs(notebook: nbformat.NotebookNode) -> Iterator[Any]:
    for cell in notebook.cells:
        yield from cell.get("outputs", ())


def test_there_are_notebooks() -> None:
    assert len(PATHS) >= 3


def test_executes_at_small_sizes_and_writes_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, here = tmp_path / "jupyter", tmp_path / "here"
    here.mkdir()
    notebook = read(path)
    before = {file: file.read_bytes() for file in FOLDER.rglob("*") if file.is_file()}
    for name, _ in SIZES.findall("\n".join(cell.source for cell in notebook.cells)):
        monkeypatch.setenv(name, FEW)
    for name in ("IPYTHONDIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(elsewhere))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": here}}).execute()
    assert not list(here.iterdir())
    assert before == {file: file.read_bytes() for file in FOLDER.rglob("*") if file.is_file()}
    assert any(FEW in output.get("text", "") for output in outputs(notebook))
    assert_ends_with_answer(notebook)


def test_opens_with_a_question_and_ends_with_its_answer(path: Path) -> None:
    notebook = read(path)
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.match(r"# .*\?\n", first.source)
    assert_ends_with_answer(notebook)


def assert_ends_with_answer(notebook: nbformat.NotebookNode) -> None:
    (answer,) = notebook.cells[-1].outputs
    assert answer.data["text/markdown"].startswith("## Answer\n")


def test_sizes_come_from_one_cell_near_the_top(path: Path) -> None:
    cells = [cell for cell in read(path).cells if "os.environ" in cell.source]
    assert len(cells) == 1
    assert cells[0] in read(path).cells[:3]
    assert SIZES.search(cells[0].source)


def test_text_holds_no_results(path: Path) -> None:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"\d\s*%|\d[.,]\d|\d{3}", cell.source), cell.source


def test_is_committed_as_executed_at_its_shipped_sizes(path: Path) -> None:
    notebook = read(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [output for output in outputs(notebook) if output.output_type == "error"]
    (sizes,) = [cell for cell in code if "os.environ" in cell.source]
    for _, size in SIZES.findall(sizes.source):
        assert f"{int(size):,}" in sizes.outputs[0].text


def test_outputs_tell_nothing_of_the_machine(path: Path) -> None:
    for output in outputs(read(path)):
        assert output.get("name") != "stderr", output.text
        data = {kind: text for kind, text in output.get("data", {}).items() if kind != "image/png"}
        text = json.dumps([output.get("text"), data])
        assert not re.search(r"(?<![\w<./])/(home|root|work|tmp|usr|opt|Users|var|private)\b", text)
        assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)
        assert "site-packages" not in text
        assert " object at 0x" not in text


def test_is_small(path: Path) -> None:
    assert path.stat().st_size < 500_000
