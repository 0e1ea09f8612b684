"""Output files that are written whole or not at all, and never over another unless told so."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labyrinth_sim.errors import InvalidInput, RunFailed

ENDINGS = {".json": "summary", ".csv": "outcomes", ".parquet": "outcomes"}
"""What a file keeps, by the ending of its name."""

_EXISTS = "{} exists already; give another name, or overwrite it (--force, overwrite=True)"


def check_ending(path: Path) -> None:
    """Refuse a file name whose ending says no format."""
    if path.suffix not in ENDINGS:
        raise InvalidInput(
            f"{path.name!r} has no ending that says a format; give one of {', '.join(ENDINGS)}"
        )


def check_output(path: Path, *, overwrite: bool = False) -> None:
    """Refuse, before any work is done, an output that could not be written after it.

    Raises
    ------
    InvalidInput
        If the file exists and may not be overwritten, or its folder can't be written to.
    """
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; give the name of a file")
    if path.exists() and not overwrite:
        raise InvalidInput(_EXISTS.format(path))
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as problem:
        raise InvalidInput(
            f"can't write {path}: {problem.strerror} ({path.parent}); give a file in a folder that "
            "exists and can be written to"
        ) from problem


@contextmanager
def written_whole(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give a temporary file beside `path` to write to, which takes its name in the end.

    If the body fails, nothing is left behind and what stood at `path` before still does.

    Raises
    ------
    InvalidInput
        As `check_output` does.
    RunFailed
        If writing fails, e.g. because the disk is full.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> with written_whole(folder / "answer.txt") as temporary:
    ...     _ = temporary.write_text("42")
    >>> [path.name for path in folder.iterdir()]
    ['answer.txt']
    """
    check_output(path, overwrite=overwrite)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp makes files that only their owner can read
        if not overwrite:
            path.touch(exist_ok=False)  # unlike the rename, fails if somebody was faster
        temporary.replace(path)
    except FileExistsError as problem:
        raise InvalidInput(_EXISTS.format(path)) from problem
    except OSError as problem:
        raise RunFailed(
            f"writing {path} failed: {problem.strerror or problem}; nothing was left there. Free "
            "some space or give another place"
        ) from problem
    finally:
        temporary.unlink(missing_ok=True)
