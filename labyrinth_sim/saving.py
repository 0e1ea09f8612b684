"""Answers on disk: files that say what they are, in plain types that anything can read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
from cattrs import Converter
from cattrs.errors import BaseValidationError
from pyarrow import parquet

from labyrinth_sim.core.game import Game
from labyrinth_sim.core.identity import Identity
from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.files import check_ending, written_whole
from labyrinth_sim.games import find_game
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Answer

KEY = b"labyrinth_sim"
"""Where the schema's metadata holds what the table is, as JSON."""

FORMAT = 2
"""Version of the format; see CHANGELOG for what changes it."""

OUTCOMES = "outcomes"
"""The field that lies in the table; those whose metadata say so are not saved at all."""


def save(answer: Answer, path: str | Path, *, overwrite: bool = False) -> None:
    """Write an answer to a file, whole or not at all.

    Parameters
    ----------
    answer : Answer
        What any question gave, `simulate` included.
    path : str or Path
        The ending decides: ``.parquet`` for all of it, which `load` reads back equal: a row a deal
        where outcomes were kept, and all else in the schema's metadata. ``.csv`` for rows
        without metadata, ``.json`` for the summary, with provenance; of `tune`, a player file.
    overwrite : bool
        Whether a file that exists may be replaced.

    Raises
    ------
    InvalidInput
        If it is no answer, the ending is none of these, or the file exists.
    RunFailed
        If writing fails.
    """
    if not isinstance(answer, Answer):
        raise InvalidInput(
            f"a {type(answer).__name__} can't be saved; give what a question such as simulate gave"
        )
    path = Path(path)
    check_ending(path)
    with written_whole(path, overwrite=overwrite) as temporary:
        if path.suffix == ".json":
            text = json.dumps(answer.document(), indent=2, ensure_ascii=False)
            temporary.write_text(text + "\n", "utf-8")
        elif path.suffix == ".csv":
            answer.sheet().to_csv(temporary, index=False)
        else:
            frame = answer.sheet()
            if answer.outcomes is not None:
                frame = answer.deal_frame().reset_index()
            table = pa.Table.from_pandas(frame, preserve_index=False)
            about = {
                "format": FORMAT,
                "kind": answer.verb,
                "game": answer.game,
                "columns": None if answer.outcomes is None else list(answer.outcomes),
                "content": _converter(None).unstructure(answer),
            }
            about["digest"] = _digest(about, table)
            metadata = {**(table.schema.metadata or {}), KEY: json.dumps(about).encode()}
            parquet.write_table(table.replace_schema_metadata(metadata), temporary)


def read(
    path: str | Path, kinds: Mapping[str, type[Answer]], *, game: str | Game | None = None
) -> Answer:
    """Read what `save` wrote as Parquet: an answer that equals the one that was saved.

    Parameters
    ----------
    path : str or Path
    kinds : mapping of str to type
        Classes of answers by their verb.
    game : str or Game, optional
        The game, where its name alone does not find it.

    Raises
    ------
    InvalidInput
        If the file is not there, not one of ours, damaged, or of another version.
    """
    path = Path(path)
    about, table = _read(path)
    if about["kind"] not in kinds:
        raise unknown("kind of answer", about["kind"], kinds)
    found = game if isinstance(game, Game) else find_game(about["game"] if game is None else game)
    if found.name != about["game"]:
        raise InvalidInput(f"{path} is of {about['game']}, not of {found.name}")
    outcomes = None
    try:
        if about["columns"] is not None:
            outcomes = {name: table[name].to_numpy() for name in about["columns"]}
        kind = kinds[about["kind"]]
        values = {**about["content"], OUTCOMES: outcomes}
        return replace(_converter(found).structure(values, kind), file=str(path))
    except (KeyError, TypeError, ValueError, AttributeError, BaseValidationError) as problem:
        if isinstance(problem, InvalidInput):
            raise
        raise InvalidInput(
            f"{path} does not hold what an answer of format {FORMAT} should ({problem!r}); it was "
            f"written by version {_writer(about)}"
        ) from problem


def _converter(game: Game | None) -> Converter:
    """Between answers and plain values; the game is needed to read rules."""
    converter = Converter(forbid_extra_keys=True)
    converter.register_unstructure_hook(RuleSet, lambda rules: rules.as_dict())
    converter.register_unstructure_hook(Identity, lambda identity: identity.as_dict())
    converter.register_unstructure_hook_func(_is_array, _array_to_plain)
    converter.register_structure_hook(Identity, lambda plain, _: Identity.from_dict(plain))
    converter.register_structure_hook_func(
        _is_array,
        lambda plain, _: np.array(plain["values"], plain["dtype"]),
    )
    if game is not None:
        rules = game.rules
        converter.register_structure_hook(RuleSet, lambda plain, _: rules(**plain))
    converter.register_unstructure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, Answer),
        lambda answer: {
            one.name: converter.unstructure(getattr(answer, one.name))
            for one in fields(answer)
            if one.name != OUTCOMES and one.metadata.get("saved", True)
        },
    )

    def read_answer(plain: Mapping[str, Any], kind: type[Answer]) -> Answer:
        hints = get_type_hints(kind)
        values = {
            name: value if name == OUTCOMES else converter.structure(value, hints[name])
            for name, value in plain.items()
        }
        return kind(**values)

    converter.register_structure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, Answer), read_answer
    )
    return converter


def _is_array(kind: Any) -> bool:
    return kind is np.ndarray or get_origin(kind) is np.ndarray


def _array_to_plain(values: Any) -> dict[str, Any]:
    return {"dtype": str(values.dtype), "values": values.tolist()}


def _digest(about: Mapping[str, Any], table: pa.Table) -> str:
    """A digest of all that the file says, so that damage does not go unnoticed."""
    told = {key: value for key, value in about.items() if key != "digest"}
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode())
    for name in table.column_names:
        digest.update(f"\0{name}\0{table[name].type}\0".encode())
        values = table[name].to_numpy(zero_copy_only=False)
        plain = values.dtype != object
        digest.update(values.tobytes() if plain else repr(values.tolist()).encode())
    return digest.hexdigest()


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
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InvalidInput(
            f"{path} is of format {about.get('format')}, and this version reads format {FORMAT}; "
            f"read it with the version that wrote it, {_writer(about)}"
        )
    if about.get("digest") != _digest(about, table):
        raise InvalidInput(
            f"{path} is damaged: it does not hold what was written; make it anew: "
            f"{about.get('content', {}).get('provenance', {}).get('command')}"
        )
    return about, table


def _writer(about: Mapping[str, Any]) -> str:
    """The version that wrote a file."""
    told = about.get("content", about).get("provenance", {})
    return str(told.get("labyrinth_sim", "unknown"))
