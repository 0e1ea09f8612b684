"""How verbs end: what is done is printed first, also when the work failed or was interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec, TypeVar

import typer

from labyrinth_sim.cli.options import print_json
from labyrinth_sim.errors import RunFailed

WRONG_USAGE, FAILED, INTERRUPTED = 2, 1, 130
"""Exit statuses."""

P = ParamSpec("P")
T = TypeVar("T")


def fail(status: int, problem: object) -> int:
    """Say on standard error what is wrong, and give the exit status back."""
    print(f"labyrinth-sim: {problem}", file=sys.stderr)
    return status


def heard(verb: Callable[P, None]) -> Callable[P, None]:
    """A verb that says so when Ctrl-C ends it; typer itself would end without a word."""

    @wraps(verb)
    def hearing(*arguments: P.args, **options: P.kwargs) -> None:
        try:
            verb(*arguments, **options)
        except KeyboardInterrupt:
            _interrupted("nothing more was finished")

    return hearing


def kept(
    ask: Callable[P, T], *arguments: P.args, **options: P.kwargs
) -> tuple[T, RunFailed | None]:
    """What a question brought, and its failure if it brought only a part before it failed."""
    try:
        return ask(*arguments, **options), None
    except RunFailed as failure:
        if failure.result is None:
            raise
        return failure.result, failure


def print_result(result: Any, rows: list[dict[str, Any]], json: bool) -> None:
    """Print a result for people, or its rows for programs."""
    if not json:
        print(result)
        return
    for row in rows:
        print_json(row)


def note_training(players: Iterable[str | None], seed: int | None, first: int, deals: int) -> None:
    """Say on standard error which players of files were trained on some of these deals."""
    from labyrinth_sim.players.files import training_note

    for player in players:
        if note := training_note(player, seed, first, deals):
            print(f"labyrinth-sim: {note}", file=sys.stderr)


def write(result: Any, output: Path | None, force: bool) -> None:
    """Save a result of a run, if it is to be saved."""
    if output is not None:
        from labyrinth_sim.store import save

        save(result, output, overwrite=force)


def end(
    result: Any, failure: RunFailed | None, done: str = "the figures are of the first {:,} deals"
) -> None:
    """End as the work did: failed, interrupted, or well.

    Parameters
    ----------
    result : object
        With `complete` and `deals`.
    failure : RunFailed or None
    done : str
        What to say of the number of deals that are done, if it was interrupted.
    """
    if failure is not None:
        raise failure
    if not result.complete:
        _interrupted(done.format(result.deals))


def _interrupted(what: str) -> NoReturn:
    raise typer.Exit(fail(INTERRUPTED, f"interrupted; {what}"))
