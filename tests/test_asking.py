"""What ``help`` says of a question: all its parameters, and all that its own docstring says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import labyrinth_sim as lab

QUESTIONS = [
    lab.simulate, lab.compare, lab.find, lab.solve, lab.winnability, lab.skill, lab.claim,
    lab.clauses, lab.difficulty, lab.explain, lab.tune,
]  # fmt: skip
OPTIONAL = {"Returns", "Notes"}

Question = Callable[..., Any]


@pytest.fixture(params=QUESTIONS, ids=lambda ask: ask.__name__)
def ask(request: pytest.FixtureRequest) -> Question:
    return request.param


def sections(ask: Question) -> dict[str, str]:
    """The text of each section by its heading; what stands before them by an empty one."""
    head, *rest = re.split(r"^(\w+)\n-+\n", inspect.getdoc(ask) or "", flags=re.MULTILINE)
    names = rest[::2]
    assert len(set(names)) == len(names)
    return {"": head, **dict(zip(names, rest[1::2], strict=True))}


def test_every_parameter_is_explained_in_order(ask: Question) -> None:
    entries = re.findall(r"^(\w+) : (\S.*)\n    (\S.*)", sections(ask)["Parameters"], re.MULTILINE)
    assert [name for name, _, _ in entries] == list(inspect.signature(ask).parameters)


def test_sections_stand_in_their_usual_order(ask: Question) -> None:
    names = [name for name in sections(ask) if name not in OPTIONAL]
    assert names == ["", "Parameters", "Raises", "Examples"]


def test_nothing_that_it_says_itself_is_lost(ask: Question) -> None:
    own = (inspect.getdoc(ask.__wrapped__) or "").split("\n\n")
    told = inspect.getdoc(ask) or ""
    lost = [part for part in own if part not in told and not part.startswith("Parameters\n")]
    assert lost == []


def test_what_it_does_not_take_is_refused_by_name(ask: Question) -> None:
    parameters = inspect.signature(ask).parameters.values()
    needed = {one.name: "1/1/0" for one in parameters if one.default is one.empty}
    with pytest.raises(TypeError, match="colour"):
        ask(**needed, colour="red")
