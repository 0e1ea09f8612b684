"""What an object is made of, as a digest: its code, its data, and whatever these refer to.

The digest is of what is loaded, not of files, so it follows a module that is loaded again and
nothing else; it is the same in every process of one minor version of Python. An object is taken
apart as pickling would take it apart, with these rules:

- A function is its compiled code, its defaults, its closure, and the globals that it refers to;
  a class is its bases and attributes. Comments, line numbers and annotations do not count.
- What lies in this package, in the standard library, or among installed packages counts by its
  name; of installed packages the version counts too.
- Of any other module counts what is called by a name that occurs in the code.
- What caches hold does not count: of ``functools.cache``, of cached properties, weak references.

What is read while the code runs is not seen: files, the clock, names that are put together.
"""

from __future__ import annotations

import copyreg
import dis
import sys
import sysconfig
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec, resolve_name
from inspect import getattr_static
from pathlib import Path
from types import (
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple

import numpy as np

from labyrinth_sim.errors import InvalidInput

_OURS = __name__.partition(".")[0]
_ATOMS = (type(None), bool, int, float, complex, str, bytes, range, type(...), type(NotImplemented))
_STANDARD = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]
_INSTALLED = {"site-packages", "dist-packages"}
_Cached = type(lru_cache(len))
_MACHINERY = {"_abc_impl", "__annotate__", "__annotate_func__"}


def is_ours(kind: type) -> bool:
    """Whether a class is one of this package."""
    return kind.__module__.partition(".")[0] == _OURS


def source_of(thing: Any, name: str = "") -> str:
    """Digest what an object is made of, 16 hex digits.

    Parameters
    ----------
    thing : object
    name : str, optional
        What it is called, for errors.

    Raises
    ------
    InvalidInput
        If it holds what can't be taken apart, such as a generator or an open file.

    Examples
    --------
    >>> def adder(number):
    ...     return lambda other: other + number
    >>> source_of(adder(1)) == source_of(adder(1)), source_of(adder(1)) == source_of(adder(2))
    (True, False)
    """
    names: frozenset[str] = frozenset()
    try:
        while True:  # until all names that the code refers to are known
            digester = _Digester(names)
            digest = digester.of(thing)
            if digester.met <= names:
                return digest.hex()[:16]
            names |= digester.met
    except (_Unreadable, RecursionError) as problem:
        raise InvalidInput(
            f"can't tell {name or type(thing).__qualname__} from others, as not all that it is "
            f"made of can be taken apart ({problem}); give it an attribute source, a text that "
            "changes whenever its choices may"
        ) from problem


def held_by(thing: Any, but: Container[str]) -> list[tuple[str, Any]]:
    """The attributes of an object by name, without some, and without what it has cached."""
    return [item for item in _kept(type(thing), vars(thing)) if item[0] not in but]


def standing(module: str) -> str | None:
    """What stands for all that lies in a module: its package, with a version if installed.

    None for modules that are somebody's own, which are neither part of this package or of the
    standard library nor installed. A package that is installed to be edited is somebody's own.

    Examples
    --------
    >>> standing("labyrinth_sim.cards"), standing("json.decoder"), standing("__main__")
    ('labyrinth_sim', 'json', None)
    """
    top = module.partition(".")[0]
    if top in (_OURS, "__main__"):
        return _OURS if top == _OURS else None
    try:
        loaded = sys.modules.get(module)
        spec = find_spec(top) if loaded is None else None
    except (ImportError, ValueError):
        return None
    file = getattr(loaded, "__file__", None) or getattr(spec, "origin", None)
    if file in (None, "built-in", "frozen"):
        return top if top in sys.stdlib_module_names else None
    return _standing_file(top, str(file))


@cache
def _standing_file(top: str, file: str) -> str | None:
    path = Path(file).resolve()
    if _INSTALLED & {*path.parts}:
        try:
            return f"{top} {version(top)}"
        except PackageNotFoundError:
            return f"{top} {getattr(sys.modules.get(top), '__version__', '')}"
    return top if any(path.is_relative_to(folder) for folder in _STANDARD) else None


class _Import(NamedTuple):
    level: int
    module: str
    names: tuple[str, ...]


class _References(NamedTuple):
    """What a function refers to: globals, any names, and modules that it imports as it runs."""

    globals: tuple[str, ...]
    names: frozenset[str]
    imports: tuple[_Import, ...]


@lru_cache(maxsize=4096)
def references(code: CodeType) -> _References:
    found, imports = set(), []
    names = {*code.co_names, *(one for one in code.co_consts if isinstance(one, str))}
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for number, step in enumerate(steps):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            found.add(step.argval)
        elif step.opname == "IMPORT_NAME":
            level, fromlist = (before.argval for before in steps[number - 2 : number])
            imports.append(_Import(level, step.argval, tuple(fromlist or ())))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            below = references(inner)
            found |= {*below.globals}
            names |= below.names
            imports += below.imports
    return _References(tuple(sorted(found)), frozenset(names), tuple(imports))


class _Unreadable(Exception):
    """Something can't be taken apart."""


class _Digester:
    """Digests of objects, made of the digests of their parts.

    Parameters
    ----------
    names : frozenset of str
        What of somebody's own modules counts.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.met: set[str] = set()
        self._known: dict[int, tuple[Any, bytes]] = {}  # with the object, lest its id is used again
        self._open: list[int] = []

    def of(self, thing: Any) -> bytes:
        """The digest of an object; of one that is part of itself, how far above it is met again."""
        if type(thing) in _ATOMS:
            return _digest(type(thing).__name__, repr(thing))
        key = id(thing)
        if key in self._known:
            return self._known[key][1]
        if key in self._open:
            return _digest("above", str(len(self._open) - self._open.index(key)))
        self._open.append(key)
        try:
            found = self._named(thing) or self._parts(thing)
        finally:
            self._open.pop()
        self._known[key] = thing, found
        return found

    def _all(self, tag: str, parts: Iterable[Any]) -> bytes:
        return _digest(tag, *map(self.of, parts))

    def _named(self, thing: Any) -> bytes | None:
        """The digest of what is found under its name in a package that stands for it."""
        module: Any
        name: Any
        if isinstance(thing, ModuleType):
            module, name = thing.__name__, ""
        else:
            module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
        if not (isinstance(module, str) and isinstance(name, str) and (stands := standing(module))):
            return None
        found: Any = sys.modules.get(module)
        for part in filter(None, name.split(".")):
            found = getattr_static(found, part, None)
            found = getattr(found, "__func__", found)
        if found is not thing:
            return None
        return _digest("named", stands, module, name, str(_own_version(thing)))

    def _parts(self, thing: Any) -> bytes:
        match thing:
            case ModuleType():
                return self._module(thing)
            case FunctionType():
                return self._function(thing)
            case CodeType():
                return self._code(thing)
            case type():
                return self._class(thing)
            case np.generic():
                return self._array(np.asarray(thing))
            case _Cached():
                return self._all("cached", (thing.__wrapped__,))
            case MethodType():
                return self._all("method", (thing.__func__, thing.__self__))
            case staticmethod() | classmethod():
                return self._all(type(thing).__name__, (thing.__func__,))
            case property():
                return self._all("property", (thing.fget, thing.fset, thing.fdel))
            case cached_property():
                return self._all("cached", (thing.func,))
            case CellType():
                return self._all("cell", _contents(thing))
            case MappingProxyType():
                return self.of(dict(thing))
        if type(thing) is np.ndarray:
            return self._array(thing)
        if type(thing) in (list, tuple):
            return self._all(type(thing).__name__, thing)
        if type(thing) in (set, frozenset):
            return _digest("set", *sorted(map(self.of, thing)))
        if type(thing) is dict:
            return self._all("dict", (part for item in thing.items() for part in item))
        return self._object(thing)

    def _code(self, code: CodeType) -> bytes:
        shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        text = (code.co_code, code.co_exceptiontable)
        return self._all("code", (*shape, *names, *text, *code.co_consts))

    def _function(self, function: FunctionType) -> bytes:
        refers, space = references(function.__code__), function.__globals__
        self.met |= refers.names
        used = [name for name in refers.globals if name in space and not _dunder(name)]
        return _digest(
            "function",
            self.of(function.__code__),
            *map(self.of, (function.__defaults__, function.__kwdefaults__, function.__closure__)),
            *self._items((name, space[name]) for name in used),
            *self._items(vars(function).items()),
            *map(self.of, imported(refers.imports, space)),
        )

    def _class(self, kind: type) -> bytes:
        own = (item for item in sorted(vars(kind).items()) if _counts(*item))
        head = self._all(kind.__name__, (type(kind), *kind.__bases__))
        return _digest("class", head, *self._items(own))

    def _module(self, module: ModuleType) -> bytes:
        parts = []
        for name in sorted(self.names & vars(module).keys()):
            if not _dunder(name):
                try:
                    parts += [*self._items([(name, vars(module)[name])])]
                except _Unreadable:  # it may be called like something else, and never be used
                    parts += [name, type(vars(module)[name]).__qualname__]
        return _digest("module", module.__name__, *parts)

    def _array(self, array: np.ndarray[Any, Any]) -> bytes:
        shape = repr((array.dtype, array.shape))
        if array.dtype.hasobject:
            return _digest("array", shape, self.of(array.tolist()))
        return _digest("array", shape, np.ascontiguousarray(array).tobytes())

    def _object(self, thing: Any) -> bytes:
        kind = type(thing)
        if kind.__module__ == "weakref" or kind.__qualname__ == "weakref":
            return _digest("weak")
        if kind.__module__.startswith("numba.") and hasattr(thing, "py_func"):
            return self._all("compiled", (thing.py_func, thing.targetoptions))
        try:
            reduce = copyreg.dispatch_table.get(kind)
            reduced = reduce(thing) if reduce else thing.__reduce_ex__(4)
        except Exception as problem:
            raise _Unreadable(f"{type(problem).__name__}: {problem}") from problem
        if isinstance(reduced, str):
            return _digest("global", self.of(kind), reduced)
        make, arguments, state, items, pairs, setter = (*reduced, *[None] * 4)[:6]
        return _digest(
            "object",
            *map(self.of, (make, arguments, setter)),
            *self._state(kind, state),
            *map(self.of, (list(items or ()), [list(pair) for pair in pairs or ()])),
        )

    def _state(self, kind: type, state: Any) -> Iterator[bytes | str]:
        """The parts of an object's attributes, in the order of their names, in slots or not."""
        if type(state) is tuple and len(state) == 2 and type(state[1]) is dict:
            state = {**(state[0] or {}), **state[1]}
        if type(state) is dict and all(isinstance(name, str) for name in state):
            yield from self._items(_kept(kind, state))
        elif state is not None:
            yield self.of(state)

    def _items(self, items: Iterable[tuple[str, Any]]) -> Iterator[bytes | str]:
        for name, value in items:
            yield name
            yield self.of(value)


def _digest(tag: str, *parts: bytes | str) -> bytes:
    digest = blake2b(digest_size=16)
    for part in (tag, *parts):
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def imported(imports: Iterable[_Import], space: dict[str, Any]) -> Iterator[Any]:
    """Modules of somebody's own that a function imports as it runs, which loads them."""
    for level, name, names in imports:
        package = space.get("__package__") or ""
        full = resolve_name("." * level + name, package) if level and package else name
        wanted = [full, full.partition(".")[0], *(f"{full}.{each}" for each in names)]
        for each in dict.fromkeys(wanted):
            if standing(each) is None:
                try:
                    yield import_module(each)
                except Exception:  # it may be no module, or one that is not there
                    yield None


def _counts(name: str, value: Any) -> bool:
    """Whether an attribute of a class counts: what Python itself adds does not."""
    if name in _MACHINERY or isinstance(value, MemberDescriptorType | GetSetDescriptorType):
        return False
    return not _dunder(name) or isinstance(
        value, FunctionType | staticmethod | classmethod | property
    )


def _kept(kind: type, state: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What an object of a class holds, in the order of names, without what it has cached."""
    for name in sorted(state):
        if not isinstance(getattr_static(kind, name, None), cached_property):
            yield name, state[name]


def _dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _own_version(thing: Any) -> int | None:
    """The version that a class of ours has, as its choices may change."""
    found = vars(thing).get("version") if isinstance(thing, type) else None
    return found if isinstance(found, int) else None


def _contents(cell: CellType) -> tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # empty
        return ()
