"""Output files that are written whole or not at all, and never over another unless told so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

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


def check_output(path: Path, *, overwrite: bool = False) -> Path:
    """Refuse, before any work is done, an output that could not be written after it.

    Returns
    -------
    Path
        Where the file lies: where a link points to, if `path` is one.

    Raises
    ------
    InvalidInput
        If the file exists and may not be overwritten, there is something else than a file, the
        name can't be one, or its folder can't be written to.
    """
    there = True
    try:
        os.fsencode(path).decode("utf-8")
        path.lstat()
    except FileNotFoundError:
        there = False
    except UnicodeError as problem:
        raise InvalidInput(
            f"{os.fsencode(path)!r} is no text in UTF-8; give another name"
        ) from problem
    except OSError as problem:
        raise InvalidInput(
            f"can't write {_shortened(path)}: {problem.strerror}; give another name"
        ) from problem
    if path.is_symlink() and not path.exists():
        raise InvalidInput(
            f"{path} is a link to {path.readlink()}, which is not there; give another name"
        )
    target = path.resolve() if path.is_symlink() else path
    if target.is_dir():
        raise InvalidInput(f"{path} is a folder; give the name of a file")
    if there and not target.is_file():
        raise InvalidInput(f"{path} is no file that can be replaced; give another name")
    if there and not overwrite:
        raise InvalidInput(_EXISTS.format(path))
    try:
        _new_beside(target).unlink()
    except OSError as problem:
        raise InvalidInput(
            f"can't write {path}: {problem.strerror} ({path.parent}); give a file in a folder that "
            "exists and can be written to"
        ) from problem
    return target


@contextmanager
def written_whole(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give a temporary file beside `path` to write to, which takes its name in the end.

    If the body fails, nothing is left behind and what stood at `path` before still does. A link
    stays a link: what it points to is written.

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
    target = check_output(path, overwrite=overwrite)
    temporary = _new_beside(target)
    try:
        yield temporary
        if not overwrite:
            target.touch(exist_ok=False)  # unlike the rename, fails if somebody was faster
        temporary.replace(target)
    except FileExistsError as problem:
        raise InvalidInput(_EXISTS.format(path)) from problem
    except OSError as problem:
        raise RunFailed(
            f"writing {path} failed: {problem.strerror or problem}; nothing was left there. Free "
            "some space or give another path"
        ) from problem
    finally:
        temporary.unlink(missing_ok=True)


def _new_beside(path: Path) -> Path:
    """An empty file of its own in the same folder, with the rights that new files have."""
    temporary = path.with_name(f".{uuid4().hex}{path.suffix}")
    temporary.touch(exist_ok=False)
    return temporary


def _shortened(path: Path) -> str:
    text = str(path)
    return text if len(text) <= 80 else f"{text[:79]}…"
