"""Results as tidy DataFrames."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.files import check_ending, written_whole
from labyrinth_sim.run.result import Result


def summary_frame(results: Iterable[Result]) -> pd.DataFrame:
    """Summarise results, a row a result.

    Returns
    -------
    DataFrame
        Columns as in ``labyrinth-sim run --json``, `rules` left out: `rules_spec` says it.

    Examples
    --------
    >>> from labyrinth_sim.run.simulate import simulate
    >>> frame = summary_frame([simulate(player=name, deals=1000) for name in ("greedy", "never")])
    >>> frame[["player", "wins"]]
       player  wins
    0  greedy   275
    1   never   250
    """
    return pd.DataFrame([result.summary() for result in results]).drop(columns="rules")


def outcome_frame(result: Result) -> pd.DataFrame:
    """The outcome of every deal, a row a deal, indexed by the deal's number.

    Raises
    ------
    InvalidInput
        If the result kept no outcomes.
    """
    if result.outcomes is None:
        raise InvalidInput("this result kept no outcomes; simulate with keep='outcomes'")
    numbers = np.uint64(result.first) + np.arange(result.deals, dtype=np.uint64)
    index = pd.Index(numbers, name="index")
    return pd.DataFrame(result.outcomes, index=index, copy=False)


def save(result: Result, path: Path, *, overwrite: bool = False) -> None:
    """Write a result to a file, whole or not at all.

    Parameters
    ----------
    result : Result
    path : Path
        The ending decides: ``.json`` for the summary; ``.csv`` or ``.parquet`` for the outcome
        of every deal (in Parquet the summary lies in the schema's metadata, as JSON under
        `labyrinth_sim`).
    overwrite : bool
        Whether a file that exists may be replaced.

    Raises
    ------
    InvalidInput
        If the ending is none of these, or the file exists.
    RunFailed
        If writing fails.
    """
    check_ending(path)
    summary = json.dumps(result.summary())
    with written_whole(path, overwrite=overwrite) as temporary:
        if path.suffix == ".json":
            temporary.write_text(summary + "\n", "utf-8")
        elif path.suffix == ".csv":
            outcome_frame(result).to_csv(temporary)
        else:
            table = pa.Table.from_pandas(outcome_frame(result).reset_index())
            metadata = {**table.schema.metadata, b"labyrinth_sim": summary.encode()}
            parquet.write_table(table.replace_schema_metadata(metadata), temporary)
