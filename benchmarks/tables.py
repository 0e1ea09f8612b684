"""How the benchmarks print: a line on the machine, then a table."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from statistics import median


def print_machine() -> None:
    """Print the date, the processor and its load, and the versions that matter for speed."""
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    print(f"{date.today()} · {_processor()} · {os.cpu_count()} cores · load {load}")
    packages = ("labyrinth-sim", "numba", "llvmlite", "numpy", "joblib")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Python {platform.python_version()}, {versions}, {_compiler()}\n", flush=True)


def _processor() -> str:
    """Name the processor as Linux does, or as Python does."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(line.split("\t", 1) for line in lines if "\t" in line)
    parts = {name.strip(): text.strip(" \t:") for name, text in fields.items()}
    if "model name" not in parts:
        return platform.machine()
    family, model = parts.get("cpu family", "?"), parts.get("model", "?")
    return f"{parts['model name']} (family {family}, model {model})"


def _compiler() -> str:
    try:
        answer = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True)
    except OSError:
        return "no g++"
    return f"g++ {answer.stdout.strip()}"


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table, padded so that it reads as text too."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, ["-" * width for width in widths], *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("|", " | ".join(cells), "|", flush=True)


def spread(values: Sequence[float]) -> str:
    """Write the median of some values, with the least and the greatest."""
    return f"{median(values):.3f} ({min(values):.3f} to {max(values):.3f})"
