"""Standard streams as they come: closed, in any encoding."""

from __future__ import annotations

import codecs
import io
import os
import sys

PLAIN = {
    "·": "-", "…": "...", "−": "-", "–": "-", "—": "-", "×": "x", "÷": "/", "→": "->", "≤": "<=",
    "≥": ">=", "±": "+-", "λ": "lambda", "’": "'", "♣": "C", "♦": "D", "♥": "H", "♠": "S",
}  # fmt: skip
"""What stands for characters that an encoding does not have; for others, a question mark."""

_HANDLER = "labyrinth_sim.plain"


def make_streams_safe() -> None:
    """Let nothing that is printed fail for its encoding, or for a stream that is closed.

    A stream that was closed before the process began is replaced by one that swallows all.
    """
    codecs.register_error(_HANDLER, _plainly)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _plainly(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    refused = problem.object[problem.start : problem.end]
    return "".join(PLAIN.get(character, "?") for character in refused), problem.end
