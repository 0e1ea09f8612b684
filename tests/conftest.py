"""Fixtures that several test files share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from combinations import CHOICES
from hypothesis import settings

# Compilation happens in whichever example comes first, so no example has a deadline.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

DATA = Path(__file__).parent / "data"


@pytest.fixture(
    scope="module", params=CHOICES, ids=lambda rules: "-".join(map(str, rules.values()))
)
def choices(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One combination of rules; a test that asks for it runs once for each of the 112."""
    return request.param


@pytest.fixture(scope="session")
def known() -> Callable[[str], list[dict[str, Any]]]:
    """Known answers by file name, a dict a line."""
    return lambda name: [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
