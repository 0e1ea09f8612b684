"""How verbs ask and how they end: what is done is saved first, then printed, then judged."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec

import typer

from labyrinth_sim.cli.options import print_json
from labyrinth_sim.errors import InvalidInput, RunFailed
from labyrinth_sim.files import check_ending, check_output

WRONG_USAGE, FAILED, INTERRUPTED = 2, 1, 130
"""Exit statuses."""

P = ParamSpec("P")


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
            interrupted("nothing more was finished")

    return hearing


def tell(
    ask: Callable[..., Any],
    *arguments: Any,
    json: bool,
    output: Path | None = None,
    force: bool = False,
    show: int = 0,
    after: Callable[[Path | None], str] | None = None,
    written: Callable[[Any], str] = str,
    done: str = "the figures are of the first {:,} deals",
    holds: Callable[[Any], bool] = lambda answer: True,
    **options: Any,
) -> None:
    """Ask a question; save and print its answer, also one of only a part of the deals.

    Parameters
    ----------
    ask : callable
        The question; it gets the arguments and the options.
    json : bool
        Whether rows are printed for programs, and nothing else.
    output : Path, optional
        Where the answer is saved, before anything is printed; refused before anything is asked.
    force : bool
        Whether a file there may be replaced.
    show : int
        How many deals are named as examples.
    after : callable, optional
        What to tell people last, given the output.
    written : callable, optional
        How the answer is written for people.
    done : str
        What to say of the number of deals that are done, if it was interrupted.
    holds : callable, optional
        Whether an answer is one that lets the command succeed.
    """
    if show < 0:
        raise InvalidInput(f"--show {show} is out of range; give 0 or more")
    if output is not None:
        check_ending(output)
        check_output(output, overwrite=force)
    failure = None
    try:
        answer = ask(*arguments, **options)
    except RunFailed as problem:
        if problem.result is None:
            raise
        answer, failure = problem.result, problem
    if output is not None:
        answer.save(output, overwrite=force)
    if json:
        for row in answer.rows(show):
            print_json(row)
    else:
        print("\n".join([written(answer), *answer.examples(show)]))
        if after is not None:
            print(after(output))
    _note_training(answer.asked.players, answer.seed, answer.first, answer.deals)
    if failure is not None:
        raise failure
    if not answer.complete:
        interrupted(done.format(answer.deals))
    if not holds(answer):
        raise typer.Exit(FAILED)


def interrupted(what: str) -> NoReturn:
    """End as interrupted, and say what was done until then."""
    sys.stdout.flush()
    raise typer.Exit(fail(INTERRUPTED, f"interrupted; {what}"))


def _note_training(players: Iterable[str], seed: int | None, first: int, deals: int) -> None:
    """Say on standard error which players of files were trained on some of these deals."""
    from labyrinth_sim.players.files import training_note

    for player in dict.fromkeys(players):
        if note := training_note(player, seed, first, deals):
            print(f"labyrinth-sim: {note}", file=sys.stderr)
