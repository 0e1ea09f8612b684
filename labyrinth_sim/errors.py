"""The errors that this package raises on purpose; all of them are `LabyrinthError`."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class LabyrinthError(Exception):
    """Root of every error that the package raises on purpose."""


class InvalidInput(LabyrinthError, ValueError):
    """A value that the caller gave can't be used. At the command line: exit status 2."""


class IllegalMove(InvalidInput):
    """A well-formed move that the rules do not allow in the position it was tried in."""


class RunFailed(LabyrinthError):
    """Work that was begun with good input could not be finished. Exit status 1.

    Attributes
    ----------
    result : Result or None
        Of a run: what was finished before, a `labyrinth_sim.Result` of its own; None if nothing
        was.
    """

    result: Any = None


class PlayerFailed(RunFailed):
    """A player gave no legal move: it raised an error, answered wrongly, or took too long.

    The message names the player, the deal, the moves so far and the board. The traceback of an
    error in the player is among the notes of this one.
    """


def unknown(kind: str, value: object, allowed: Iterable[str], advice: str = "") -> InvalidInput:
    """Build the error for a name that does not exist: the value, what there is, what to do.

    Parameters
    ----------
    kind : str
        What was being named, e.g. ``"preset"``.
    value : object
        The name that was given.
    allowed : iterable of str
        The names that exist.
    advice : str, optional
        What to do next, after the closest name if there is one.

    Examples
    --------
    >>> print(unknown("preset", "wikipidia", ["wikipedia", "pysol"]))
    unknown preset 'wikipidia'; there is: wikipedia, pysol (did you mean wikipedia?)
    """
    names = list(allowed)
    if close := get_close_matches(str(value), names, n=1):
        advice = f" (did you mean {close[0]}?){advice}"
    return InvalidInput(f"unknown {kind} {value!r}; there is: {', '.join(names)}{advice}")
