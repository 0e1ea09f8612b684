"""The command ``labyrinth-sim``: one file a group of verbs, errors turned to exit statuses here."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from labyrinth_sim.cli import bench, questions, rules, show
from labyrinth_sim.cli.ending import FAILED, WRONG_USAGE, fail, heard
from labyrinth_sim.errors import InvalidInput, LabyrinthError

app = typer.Typer(
    name="labyrinth-sim",
    help="Monte Carlo solvability research for card patiences: Labyrinth, Maze and Gaps.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
VERBS = (
    questions.run,
    questions.compare,
    questions.find,
    questions.solve,
    questions.winnability,
    questions.skill,
    questions.claim,
    questions.clauses,
    questions.difficulty,
    questions.explain,
    questions.verify,
    rules.rules,
    rules.players,
    show.show,
    show.replay,
    bench.bench,
    questions.tune,
)
for verb in VERBS:
    app.command()(heard(verb))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.

    Returns
    -------
    int
        0; 2 for wrong usage; 1 for a failed run; 130 if interrupted.

    Examples
    --------
    >>> main(["show", "1/1/0", "--rules", "wikipedia,ranks=3"])
    deal 1/1/0, wikipedia,ranks=3
    <BLANKLINE>
    foundations  AC AD AH AS
    <BLANKLINE>
           1  2  3  4  5  6  7  8
      1   2D 3H 3D 3C 2S 2H 2C 3S
    <BLANKLINE>
    stock 0
    0
    """
    try:
        try:
            app(args=arguments)
        except SystemExit as end:
            sys.stdout.flush()
            return int(end.code or 0)
        return 0
    except InvalidInput as problem:
        return fail(WRONG_USAGE, problem)
    except LabyrinthError as problem:
        return fail(FAILED, problem)
    except MemoryError as problem:
        return fail(FAILED, f"not enough memory: {problem}; give fewer deals or less --memory")
    except BrokenPipeError:
        _discard_output()  # whoever read our output has enough
        return FAILED
    except OSError as problem:
        _discard_output()
        return fail(FAILED, f"output failed: {problem.strerror or problem}")


def _discard_output() -> None:
    """Keep Python from trying once more, at exit, to write what can't be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
