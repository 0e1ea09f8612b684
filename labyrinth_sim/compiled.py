"""How numba compiles kernels, and where their machine code is cached.

numba checks a cached kernel only against the file that defines it, so an edited helper or
table in another file would silently give the old answer. A kernel of ours therefore lives in a
cache folder named by a digest of its module, of all of ours that this imports, and of the numba
settings that change code. An edit elsewhere leaves it alone.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import config, njit, types
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.extending import intrinsic, register_jitable

from labyrinth_sim.errors import InvalidInput

PACKAGE = Path(__file__).parent
CACHE_VARIABLE = "LABYRINTH_SIM_CACHE"
_IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))", re.MULTILINE)
_SETTINGS = (
    "OPT",
    "BOUNDSCHECK",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "DISABLE_INTEL_SVML",
    "DEBUGINFO_DEFAULT",
)


def kernel_sources(file: Path) -> list[Path]:
    """List the files whose text decides the machine code of the kernels in a file.

    They are the file, this one, and all of ours that these import, inside functions too.
    """
    found: set[Path] = set()
    todo = {file, Path(__file__)}
    while todo:
        path = todo.pop()
        found.add(path)
        todo |= _read(path)[1] - found
    return sorted(found)


def kernel_digest(file: Path) -> str:
    """Digest the sources of the kernels in a file and numba's settings (16 hex digits)."""
    digest = hashlib.sha256(numba.__version__.encode())
    for name in _SETTINGS:
        digest.update(f"\0{name}={getattr(config, name, None)!r}".encode())
    for path in kernel_sources(file):
        digest.update(f"\0{path}\0".encode() + _read(path)[0])
    return digest.hexdigest()[:16]


def _read(path: Path) -> tuple[bytes, frozenset[Path]]:
    """Read a source and which of our files it imports, anew only when it was edited."""
    return _read_as_of(path, path.stat().st_mtime_ns)


@cache
def _read_as_of(path: Path, changed: int) -> tuple[bytes, frozenset[Path]]:
    text = path.read_bytes()
    return text, frozenset(_imports(text.decode()))


def _imports(source: str) -> Iterator[Path]:
    # To parse the sources would take longer than all else at start-up.
    for module, members, modules in _IMPORT.findall(source):
        names = [module, *(f"{module}.{member}" for member in re.findall(r"\w+", members))]
        for name in names + re.findall(r"[\w.]+", modules):
            top, *rest = name.split(".")
            if top == PACKAGE.name:
                path = PACKAGE.joinpath(*rest)
                yield from filter(Path.is_file, (Path(f"{path}.py"), path / "__init__.py"))


def _folder_of(file: Path) -> Path | None:
    """Return the folder for compiled kernels of a file, or None if they can't be cached.

    It lies below ``$LABYRINTH_SIM_CACHE``, else the user's cache folder.
    """
    base = os.environ.get(CACHE_VARIABLE) or Path(
        os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "labyrinth-sim"
    )
    if not file.is_file():  # a notebook's cell, say, whose imports can't be seen
        return None
    folder = Path(base, f"kernels-{kernel_digest(file)}")
    return folder if _can_write(folder) else None


@cache
def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as problem:
        _warn_once(folder.parent, problem.strerror)
        return False


@cache
def _warn_once(folder: Path, reason: str) -> None:
    warnings.warn(
        f"compiled kernels can't be cached in {folder} ({reason}), so every process "
        f"compiles them anew; set {CACHE_VARIABLE} to a folder that can be written",
        RuntimeWarning,
        stacklevel=2,
    )


@contextmanager
def _cache_for(file: Path) -> Iterator[bool]:
    """Point numba at our folder while a kernel is declared; the user's own cache stays theirs."""
    folder, before = _folder_of(file), config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Declare a function that Python calls: compiled at the first call, cached, without the GIL."""
    with _cache_for(Path(function.__code__.co_filename)) as keep:
        dispatcher = njit(cache=keep, nogil=True)(function)
    _announcer.ours.add(dispatcher)
    return dispatcher


def helper(function: Callable[..., Any]) -> Any:
    """Declare a function that kernels inline, and that plain Python may call as it stands.

    Inlined, because helpers that take arrays ran 2.6 times slower as calls.
    """
    return register_jitable(forceinline=True)(function)


def pointer(function: Callable[..., Any], *samples: Any) -> Any:
    """Compile a function from outside this package that returns an integer, for one signature.

    A kernel that takes it as an argument calls it by its address, so it compiles nothing anew
    for it, and lets its errors through. The function is compiled at once, and not cached.

    Parameters
    ----------
    function : callable
    *samples : object
        Arguments of the types that it takes; an array that is read-only stands for such ones.

    Raises
    ------
    InvalidInput
        If numba can't compile it.
    """
    signature = types.int64(*map(numba.typeof, samples))
    try:
        return njit(signature)(function)
    except NumbaError as problem:
        raise InvalidInput(f"numba can't compile {function.__qualname__}: {problem}") from problem


def compile_only_for(dispatcher: Any, *samples: Any) -> None:
    """Compile a kernel, or load it, for arguments of the types of `samples`, and never again.

    Samples that are compiled by `pointer` stand for all functions of the same signature.
    """
    arguments = [
        types.FunctionType(sample.nopython_signatures[0])
        if isinstance(sample, Dispatcher)
        else numba.typeof(sample)
        for sample in samples
    ]
    dispatcher.compile(tuple(arguments))
    dispatcher.disable_compile()


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says once a process, on standard error, that a kernel of ours is being compiled."""

    def __init__(self) -> None:
        self.ours: set[Any] = set()
        self.said = False

    def on_start(self, event: Any) -> None:
        if not self.said and event.data["dispatcher"] in self.ours:
            self.said = True
            print(
                "labyrinth-sim: compiling for this machine, which takes some seconds and is done "
                "once …",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        pass


_announcer = _Announcer()
event.register("numba:compile", _announcer)


def _build_trailing_zeros(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _build_population(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


_trailing_zeros: Any = intrinsic(_build_trailing_zeros)
_population: Any = intrinsic(_build_population)


@helper
def count_bits(bits: Any) -> Any:
    """How many bits of a uint64 are set: one instruction. Kernels only."""
    return _population(bits)


@helper
def lowest_bit(bits: Any) -> Any:
    """Number of the lowest set bit of a uint64 that is not 0: one instruction. Kernels only."""
    return _trailing_zeros(bits)
