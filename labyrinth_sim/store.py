"""Results on disk: Parquet files that say what they are, in plain types that anything can read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.files import check_ending, written_whole
from labyrinth_sim.frames import outcome_frame, tally_frame
from labyrinth_sim.games import find_game
from labyrinth_sim.run.executor import Outcomes
from labyrinth_sim.run.result import Result
from labyrinth_sim.run.tally import Tally
from labyrinth_sim.run.verdicts import Winnability

KEY = b"labyrinth_sim"
"""Where the schema's metadata holds what the table is, as JSON."""

FORMAT = 1

VERDICTS = "verdicts"
"""What the metadata of a `Winnability` says it is; those of a `Result` say nothing."""


def save(result: Result | Winnability, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a result to a file, whole or not at all.

    Parameters
    ----------
    result : Result or Winnability
    path : str or Path
        The ending decides: ``.parquet`` for all of it, which `load` reads back: a row a deal
        if outcomes were kept, else a row for each value of each outcome column; identity and
        provenance lie in the schema's metadata. ``.csv`` for the same rows without metadata,
        ``.json`` for the summary alone.
    overwrite : bool
        Whether a file that exists may be replaced.

    Raises
    ------
    InvalidInput
        If the ending is none of these, or the file exists.
    RunFailed
        If writing fails.
    """
    path = Path(path)
    check_ending(path)
    with written_whole(path, overwrite=overwrite) as temporary:
        if path.suffix == ".json":
            temporary.write_text(json.dumps(result.summary()) + "\n", "utf-8")
        elif path.suffix == ".csv":
            _frame(result).to_csv(temporary, index=False)
        else:
            table = pa.Table.from_pandas(_frame(result), preserve_index=False)
            metadata = {**(table.schema.metadata or {}), KEY: json.dumps(_about(result)).encode()}
            parquet.write_table(table.replace_schema_metadata(metadata), temporary)


def load(path: str | Path, *, game: str | Game | None = None) -> Result | Winnability:
    """Read what `save` wrote as Parquet, a `Result` or a `Winnability` that equals what was saved.

    Parameters
    ----------
    path : str or Path
    game : str or Game, optional
        The game that was played, where its name alone does not find it.

    Raises
    ------
    InvalidInput
        If the file is not there, not one of ours, cut short, or of another version.

    Examples
    --------
    >>> from labyrinth_sim.run.simulate import simulate
    >>> file = getfixture("tmp_path") / "result.parquet"
    >>> result = simulate(deals=500, keep="outcomes")
    >>> save(result, file)
    >>> load(file) == result
    True
    """
    path = Path(path)
    about, table = _read(path)
    try:
        played = game or about["identity"]["game"]
        found = find_game(played) if isinstance(played, str) else played
        if found.name != about["identity"]["game"]:
            raise InvalidInput(f"{path} is of {about['identity']['game']}, not of {found.name}")
        tally, outcomes = _content(table, about)
        common: dict[str, Any] = {
            "identity": Identity.from_dict(about["identity"]),
            "rules": found.rules(**about["rules"]),
            "outcomes": outcomes,
            **{name: about[name] for name in _COMMON},
        }
        if about.get("kind") == VERDICTS:
            return Winnability(
                **common,
                winnable=tally.count("winnable", 1),
                unknown=tally.count("unknown", 1),
                nodes=about["nodes"],
            )
        return Result(**common, player=about["player"], tally=tally)
    except (KeyError, TypeError) as problem:
        raise InvalidInput(
            f"{path} does not hold what a result of format {FORMAT} should ({problem!r}); it was "
            f"written by version {about.get('provenance', {}).get('labyrinth_sim', 'unknown')}"
        ) from problem


_COMMON = ("seed", "first", "deals", "seconds", "complete", "provenance")
"""Fields of both kinds of results that are plain values."""


def _frame(result: Result | Winnability) -> Any:
    if result.outcomes is None:
        return tally_frame(result)
    frame = outcome_frame(result).reset_index()
    if result.first + result.deals <= 2**63:
        frame["index"] = frame["index"].astype(np.int64)  # which more programs can read
    return frame


def _about(result: Result | Winnability) -> dict[str, Any]:
    about = {
        "format": FORMAT,
        "content": "tally" if result.outcomes is None else "outcomes",
        "identity": result.identity.as_dict(),
        "rules": result.rules.as_dict(),
        "rules_spec": result.rules.spec,
        **{name: getattr(result, name) for name in _COMMON},
        "provenance": dict(result.provenance),
    }
    if isinstance(result, Winnability):
        return {**about, "kind": VERDICTS, "nodes": result.nodes}
    return {**about, "player": result.player, "sums": dict(result.tally.sums)}


def _read(path: Path) -> tuple[dict[str, Any], pa.Table]:
    try:
        table = parquet.read_table(path)
    except FileNotFoundError as problem:
        raise InvalidInput(f"there is no file {path}; give one that was saved before") from problem
    except (OSError, pa.ArrowException) as problem:
        raise InvalidInput(
            f"{path} is no Parquet file, or was cut short ({problem}); give a whole one that "
            "`save` or --output wrote"
        ) from problem
    try:
        about = json.loads((table.schema.metadata or {})[KEY])
    except (KeyError, ValueError) as problem:
        raise InvalidInput(
            f"{path} is a Parquet file, but none of ours; give one that `save` or --output wrote"
        ) from problem
    if about.get("format") != FORMAT:
        raise InvalidInput(
            f"{path} is of format {about.get('format')}, and this version reads format {FORMAT}; "
            "read it with the version that wrote it, "
            f"{about.get('provenance', {}).get('labyrinth_sim', 'unknown')}"
        )
    return about, table


def _content(table: pa.Table, about: dict[str, Any]) -> tuple[Tally, Outcomes | None]:
    """Tally and outcomes of a table, checked against the number of deals."""
    outcomes: Outcomes | None = None
    if about["content"] == "outcomes":
        outcomes = {name: table[name].to_numpy() for name in table.column_names if name != "index"}
        tally = Tally.of(outcomes)
    else:
        tally = Tally(sums=about.get("sums", {}))
        for name, value, deals in zip(*(column.to_pylist() for column in table), strict=True):
            counts = np.zeros(value + 1, np.int64)
            counts[value] = deals
            tally += Tally({name: counts})
    if any(counts.sum() != about["deals"] for counts in tally.counts.values()):
        raise InvalidInput(
            f"this file should hold {about['deals']} deals and does not; it is damaged, so make it "
            f"anew: {about['provenance']['command']}"
        )
    return tally, outcomes
