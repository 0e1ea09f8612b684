"""Players in files, as ``labyrinth-sim tune`` writes them: called ``file:PATH``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from labyrinth_sim.core.player import Player, PlayerKind
from labyrinth_sim.deals import check_word, range_text
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.parameters import Named, value_text

PREFIX = "file:"
FORMAT = "labyrinth-sim player 1"
_ADVICE = "give a file that `labyrinth-sim tune --output FILE` wrote"


@dataclass(frozen=True)
class DealRange:
    """Deals `first` to ``first + deals - 1`` of a seed."""

    seed: int
    first: int
    deals: int

    @property
    def end(self) -> int:
        return self.first + self.deals

    def meets(self, other: DealRange) -> bool:
        """Whether the two have a deal in common.

        Examples
        --------
        >>> DealRange(1, 0, 10).meets(DealRange(1, 9, 5))
        True
        >>> DealRange(1, 0, 10).meets(DealRange(1, 10, 5))
        False
        """
        return self.seed == other.seed and self.first < other.end and other.first < self.end

    def __str__(self) -> str:
        return range_text(self.first, self.deals, self.seed)


def player_content(game: str, player: Named, training: DealRange) -> dict[str, Any]:
    """What a file must hold for `read_player` to give the player again."""
    return {
        "format": FORMAT,
        "game": game,
        "family": player.name,
        "parameters": {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in player.as_dict().items()
        },
        "trained_on": asdict(training),
    }


def read_player(game: str, kinds: Mapping[str, PlayerKind], path: str) -> Player:
    """Read the player of a file.

    Its spec is ``file:PATH`` and its source a digest of the file. What else it is, and how it is
    played, is the family's.

    Parameters
    ----------
    game : str
    kinds : mapping of str to PlayerKind
        The game's players by name.
    path : str

    Raises
    ------
    InvalidInput
        If the file can't be read, is no player file, or one of another game, or holds a player
        that this version does not know.
    """
    content, data = _content(path)
    if content["game"] != game:
        raise InvalidInput(f"{path} is a player of {content['game']}, not of {game}; {_ADVICE}")
    kind = kinds.get(content["family"])
    if not (isinstance(kind, type) and issubclass(kind, Named)):
        raise InvalidInput(
            f"{path} is of the family {content['family']!r}, which {game} does not have; it may "
            "be of another version of labyrinth-sim"
        )
    try:
        player = kind.read(",".join(map("=".join, _texts(content["parameters"]).items())))
    except InvalidInput as problem:
        raise InvalidInput(f"{path}: {problem}") from problem
    spec = f"{PREFIX}{path}"
    if player.traits.randomized:  # what it draws is keyed by its spec, hence by the file's name
        data += spec.encode()
    return player.called(spec, sha256(data).hexdigest()[:16])


def training_note(spec: str | None, seed: int | None, first: int, deals: int) -> str | None:
    """What to say if a player of a file is played on deals that it was trained on.

    Parameters
    ----------
    spec : str, optional
        Spec of any player.
    seed : int, optional
        None for given decks, which are not looked at.
    first, deals : int
    """
    if spec is None or seed is None or not spec.startswith(PREFIX):
        return None
    training = DealRange(**_content(spec.removeprefix(PREFIX))[0]["trained_on"])
    if not training.meets(DealRange(seed, first, deals)):
        return None
    return f"{spec} was trained on some of these deals ({training}), so expect less on others"


def _content(path: str) -> tuple[dict[str, Any], bytes]:
    """What a player file holds, checked as far as its shape goes, and its bytes."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise InvalidInput(f"can't read the player file {path!r}: {why}; {_ADVICE}") from problem
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(f"{path} is no player file but broken JSON: {problem}; {_ADVICE}") from (
            problem
        )
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InvalidInput(f"{path} is no player file: it does not say {FORMAT!r}; {_ADVICE}")
    kinds = {"game": str, "family": str, "parameters": dict, "trained_on": dict}
    for key, kind in kinds.items():
        if not isinstance(content.get(key), kind):
            raise InvalidInput(f"{path} is a broken player file: {key!r} is missing; {_ADVICE}")
    training = content["trained_on"]
    try:
        for key in ("seed", "first", "deals"):
            check_word(key, training[key])
        content["trained_on"] = {key: training[key] for key in ("seed", "first", "deals")}
    except (KeyError, InvalidInput) as problem:
        raise InvalidInput(
            f"{path} is a broken player file: trained_on is no range of deals; {_ADVICE}"
        ) from problem
    return content, data


def _texts(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Values of parameters as they are written in a spec."""
    return {
        key: "/".join(map(str, value)) if isinstance(value, list) else value_text(value)
        for key, value in parameters.items()
    }
