"""Conditions over outcome columns, read from text that need not be trusted."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.errors import InvalidInput, unknown

Columns = Mapping[str, Mapping[str, NDArray[Any]]]
"""Outcome columns by the name of the run and their own."""

Formula = Callable[[Columns], Any]

LONGEST, DEEPEST = 1000, 200
"""How many characters a condition may have, and how many parts may lie within each other."""

LARGEST = 1e15
"""Numbers beyond this are refused: all arithmetic is exact below, and columns are far below."""

_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_COMPUTED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_JOINED: dict[type[ast.boolop], Callable[[Any, Any], Any]] = {
    ast.And: lambda one, other: np.where(one, other, one),
    ast.Or: lambda one, other: np.where(one, one, other),
}
"""As in Python, `and` and `or` give one of the two values and not only whether they hold."""
_SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: np.logical_not,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


@dataclass(frozen=True)
class Condition:
    """A condition that was read, for as many deals at once as one likes.

    Parameters
    ----------
    text : str
    formula : callable
    """

    text: str
    formula: Formula

    def __call__(self, columns: Columns, count: int) -> NDArray[np.bool_]:
        """Tell for which of `count` deals it holds: shape (count,)."""
        with np.errstate(over="ignore", invalid="ignore"):
            held = np.asarray(self.formula(columns)) != 0
        return np.broadcast_to(held, (count,))


def read_condition(text: str, names: Mapping[str, Sequence[str]]) -> Condition:
    """Read a condition such as ``a.won and not b.won`` without ever running it as Python.

    It may hold columns (``NAME.COLUMN``), numbers, ``== != < <= > >=`` (also in chains), ``and
    or not``, ``+ - *`` and parentheses. A column that says yes or no counts as 1 or 0, and a
    number that is not 0 as yes.

    Parameters
    ----------
    text : str
    names : mapping of str to sequence of str
        The runs by name, and the columns of each.

    Raises
    ------
    InvalidInput
        If it holds anything else; the message says what.

    Examples
    --------
    >>> names = {"a": ["won"], "b": ["left"]}
    >>> columns = {"a": {"won": np.array([1, 1, 0])}, "b": {"left": np.array([30, 9, 30])}}
    >>> read_condition("a.won and b.left > 20", names)(columns, 3).tolist()
    [True, False, False]
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise InvalidInput(
            f"the condition is {len(text):,} characters long; give one of {LONGEST:,} at most"
        )
    try:
        tree = ast.parse(text, mode="eval")
        formula = _Reader(text, names).read(tree.body)
    except (SyntaxError, ValueError) as problem:
        if isinstance(problem, InvalidInput):
            raise
        raise InvalidInput(f"can't read the condition {text!r}; {_allowed(names)}") from None
    except (RecursionError, MemoryError):
        raise InvalidInput("the condition is nested too deeply; give a simpler one") from None
    return Condition(text, formula)


def _allowed(names: Mapping[str, Sequence[str]]) -> str:
    name = next(iter(names))
    return (
        f"write columns such as {name}.{names[name][0]}, numbers, and, or, not, == != < <= > >=, "
        "+ - * and parentheses"
    )


class _Reader:
    """Turns the parts of a condition that are allowed into a formula, and refuses all others."""

    def __init__(self, text: str, names: Mapping[str, Sequence[str]]) -> None:
        self.text = text
        self.names = names
        self.depth = 0

    def read(self, node: ast.expr) -> Formula:
        if self.depth == DEEPEST:
            raise RecursionError
        self.depth += 1
        formula = self._read(node)
        self.depth -= 1
        return formula

    def _read(self, node: ast.expr) -> Formula:
        match node:
            case ast.BoolOp(op, values):
                join = _JOINED[type(op)]
                parts = [self.read(value) for value in values]
                return lambda columns: reduce(join, [_number(part(columns)) for part in parts])
            case ast.UnaryOp(op, operand) if type(op) in _SIGNS:
                sign, part = _SIGNS[type(op)], self.read(operand)
                return lambda columns: sign(_number(part(columns)))
            case ast.BinOp(left, op, right) if type(op) in _COMPUTED:
                compute, one, other = _COMPUTED[type(op)], self.read(left), self.read(right)
                return lambda columns: compute(_number(one(columns)), _number(other(columns)))
            case ast.Compare(left, ops, others) if all(type(op) in _COMPARED for op in ops):
                tests = [_COMPARED[type(op)] for op in ops]
                terms = [self.read(term) for term in (left, *others)]
                return lambda columns: _chain(tests, [term(columns) for term in terms])
            case ast.Constant(bool() | int() | float() as value):
                return self._constant(node, float(value) if abs(value) <= LARGEST else None)
            case ast.Attribute(ast.Name(name), column):
                return self._column(name, column)
        raise self._refused(node)

    def _constant(self, node: ast.expr, value: float | None) -> Formula:
        if value is None:
            raise InvalidInput(
                f"{self._piece(node)} in the condition is too large; give numbers up to 1e15"
            )
        return lambda columns: value

    def _column(self, name: str, column: str) -> Formula:
        if column not in self.names.get(name, ()):
            raise unknown("column", f"{name}.{column}", _columns(self.names))
        return lambda columns: _number(columns[name][column])

    def _refused(self, node: ast.expr) -> InvalidInput:
        return InvalidInput(
            f"{self._piece(node)} is not allowed in a condition; {_allowed(self.names)}. "
            f"Columns: {', '.join(_columns(self.names))}"
        )

    def _piece(self, node: ast.expr) -> str:
        piece = ast.get_source_segment(self.text, node) or self.text
        return repr(piece if len(piece) <= 60 else f"{piece[:59]}…")


def _columns(names: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{name}.{column}" for name, columns in names.items() for column in columns]


def _number(value: Any) -> Any:
    """As floats, in which nothing wraps round."""
    return np.asarray(value, np.float64)


def _chain(tests: Sequence[Callable[[Any, Any], Any]], terms: Sequence[Any]) -> Any:
    """``a < b < c`` as ``a < b and b < c``."""
    links = zip(tests, pairwise(terms), strict=True)
    return reduce(np.logical_and, [test(one, other) for test, (one, other) in links])
