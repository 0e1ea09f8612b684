"""Where a result came from: what is no part of its identity, but what a reader wants to know."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

from labyrinth_sim.version import VERSION

_PACKAGE = Path(__file__).parents[1]
_DESCRIBE = "describe --always --dirty --abbrev=40 --exclude=*"


def provenance(command: str, unnamed: str = "") -> dict[str, str]:
    """Versions, commit, host, time, and the command that makes the answer again.

    Parameters
    ----------
    command : str
        Empty if there is none.
    unnamed : str
        Why there is none.

    Examples
    --------
    >>> provenance("labyrinth-sim run --rules wikipedia")["command"]
    'labyrinth-sim run --rules wikipedia'
    """
    return {
        "labyrinth_sim": VERSION,
        "commit": _commit(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
        "host": platform.node(),
        "machine": platform.machine(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        **({"no_command": unnamed} if unnamed else {}),
    }


@cache
def _commit() -> str:
    """The commit of the checkout that the package lies in; empty if it lies in none."""
    if not (_PACKAGE.parent / ".git").exists():
        return ""
    try:
        told = subprocess.run(
            ["git", "-C", str(_PACKAGE), *_DESCRIBE.split()],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.strip()
