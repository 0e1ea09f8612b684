"""Execute notebooks in place: those that are named, else all of this folder.

Times and versions of the machine are left out, so that only results make a difference.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

COMPILING = "labyrinth-sim: compiling for this machine"


def is_notice(output: nbformat.NotebookNode) -> bool:
    """Whether this only tells that kernels were compiled, which the next run would not do."""
    return bool(output.get("name") == "stderr" and output.text.startswith(COMPILING))


def execute(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        NotebookClient(
            notebook, record_timing=False, resources={"metadata": {"path": folder}}
        ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_notice(output)]
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    named = [Path(name) for name in sys.argv[1:]]
    for path in named or sorted(Path(__file__).parent.glob("*.ipynb")):
        print(path.name, flush=True)
        execute(path)
