"""Execute notebooks in place: those that are named, else all of this folder.

Times and versions of the machine are left out, so that only results make a difference.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

from labyrinth_sim import simulate


def execute(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    simulate(deals=1)  # compiles, if that is to be done, so that no notebook tells of it
    with TemporaryDirectory() as folder:
        NotebookClient(
            notebook, record_timing=False, resources={"metadata": {"path": folder}}
        ).execute()
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    named = [Path(name) for name in sys.argv[1:]]
    for path in named or sorted(Path(__file__).parent.glob("*.ipynb")):
        print(path.name, flush=True)
        execute(path)
