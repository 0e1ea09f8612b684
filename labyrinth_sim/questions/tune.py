"""Which member of a family of players wins most? Searched on some deals, reported on others."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from labyrinth_sim.core.game import Game
from labyrinth_sim.deals import LIMIT, check_word
from labyrinth_sim.drawing import Shown
from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.files import written_whole
from labyrinth_sim.games import DEFAULT, find_game, find_rules
from labyrinth_sim.parameters import Named
from labyrinth_sim.players import players_of
from labyrinth_sim.players.files import PREFIX, DealRange, player_content
from labyrinth_sim.questions.search import Candidate, Course, combinations, cross_entropy, race
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.blocks import cut
from labyrinth_sim.stats import Interval, Paired, all_paired, proportion
from labyrinth_sim.version import VERSION

DEFAULT_DEALS, DEFAULT_FRESH = 100_000, 100_000

LEAST = 100
"""So many training deals there must be."""

TRAINING_SEED = 2
"""Not the seed that runs have by default, so that those are on fresh deals."""

_STREAM = 0x74756E65
"""Ends the seed sequence, which must not end in a zero."""


@dataclass(frozen=True)
class Gain:
    """How much more the best player wins than another, on the same fresh deals."""

    against: str
    wins: int
    paired: Paired

    def as_dict(self) -> dict[str, Any]:
        return {"against": self.against, "wins": self.wins, **self.paired.as_dict()}


@dataclass(frozen=True)
class TuneResult(Shown):
    """What a search found.

    Parameters
    ----------
    game : str
    rules : RuleSet
    family : str
        The family as it was asked for, with the parameters that were held.
    best : Named
        The player that was found.
    training : DealRange
        Deals that the search looked at, and no others.
    rng_seed : int
    last_round : tuple of Candidate
        Those that were compared last, the best first.
    tried : tuple of Candidate
        All, those of the last round first.
    fresh : DealRange
        Deals that the search did not look at.
    wins : int
        Wins of the best on the fresh deals.
    gains : tuple of Gain
        The best against other players on the fresh deals.
    seconds : float
    """

    game: str
    rules: RuleSet
    family: str
    best: Named
    training: DealRange
    rng_seed: int
    last_round: tuple[Candidate, ...]
    tried: tuple[Candidate, ...]
    fresh: DealRange
    wins: int
    gains: tuple[Gain, ...]
    seconds: float

    @property
    def distinct(self) -> int:
        """How many players were tried, not counting those that do what another does."""
        return len({one.player for one in self.tried if one.same_as is None})

    def win_rate(self, level: float = 0.95) -> Interval:
        """Win rate of the best on the fresh deals."""
        return proportion(self.wins, self.fresh.deals, level=level)

    def content(self) -> dict[str, Any]:
        """What a player file says, in plain values: the player, and what it was made from."""
        rate = self.win_rate()
        return {
            **player_content(self.game, self.best, self.training),
            "rules": self.rules.spec,
            "tuned": self.family,
            "rng_seed": self.rng_seed,
            "version": VERSION,
            "fresh": {
                **asdict(self.fresh),
                "wins": self.wins,
                "win_rate": rate.estimate,
                "low": rate.low,
                "high": rate.high,
                "method": rate.method,
                "level": rate.level,
                "gains": [gain.as_dict() for gain in self.gains],
            },
        }

    def summary(self) -> dict[str, Any]:
        """The search in plain values, as ``labyrinth-sim tune --json`` prints it."""
        return {
            "player": self.best.spec,
            **self.content(),
            "tried": len(self.tried),
            "distinct": self.distinct,
            "last_round": [
                {"player": one.player.spec, **asdict(one.deals), "wins": one.wins}
                for one in self.last_round
            ],
            "seconds": self.seconds,
        }

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the player to a file, whole or not at all, to be played as ``file:PATH``.

        Raises
        ------
        InvalidInput
            If the file's name does not end in ``.json``, or it exists and may not be overwritten.
        RunFailed
            If writing fails.
        """
        path = Path(path)
        check_player_file(path)
        with written_whole(path, overwrite=overwrite) as temporary:
            text = json.dumps(self.content(), indent=2, ensure_ascii=False)
            temporary.write_text(text + "\n", "utf-8")

    def __str__(self) -> str:
        specs = [one.player.spec for one in self.last_round]
        width = max(map(len, ["last round", *specs]))
        lines = [
            f"{self.game} · {self.rules.spec} · {self.family}: {len(self.tried):,} players tried, "
            f"{self.distinct:,} of them different",
            "",
            f"{'last round':{width}}  {'wins':>10}  {'of':>10}",
        ]
        lines += [
            f"{spec:{width}}  {one.wins:10,}  {one.deals.deals:10,}  "
            f"{one.wins / one.deals.deals:8.3%}"
            for spec, one in zip(specs, self.last_round, strict=True)
        ]
        lines += [
            "",
            f"best: {self.best.spec}",
            f"trained on {self.training}",
            f"on fresh {self.fresh} it wins {self.win_rate()}",
        ]
        lines += [f"against {gain.against}: {gain.paired}" for gain in self.gains]
        return "\n".join(lines)


def tune(
    family: str | None = None,
    rules: str | RuleSet | None = None,
    *,
    deals: int = DEFAULT_DEALS,
    seed: int = TRAINING_SEED,
    first: int = 0,
    fresh: int = DEFAULT_FRESH,
    fresh_seed: int | None = None,
    fresh_first: int | None = None,
    rng_seed: int = 1,
    n_jobs: int = -1,
    game: str | Game = DEFAULT,
    progress: bool | None = None,
) -> TuneResult:
    """Search a family of players for the one that wins most.

    Choices and whole numbers are raced by successive halving; then parameters that are numbers,
    such as weights, are learnt by the cross-entropy method, and kept if they win more than those
    that they began with on further training deals. All players of a round play the same deals.
    The same arguments give the same answer, at any `n_jobs`.

    Parameters
    ----------
    family : str, optional
        Name of one of the game's players with parameters, by default `heuristic`, where the game
        has it. Those that are given with it, such as
        ``lookahead:depth=2``, are held; so are the game's modifiers (`endgame`).
    rules : str or RuleSet, optional
        By default the game's first preset.
    deals : int, default 100,000
        How many training deals. A search plays about 10 to 50 games for each.
    seed, first : int
        Where the training deals begin.
    fresh : int, default 100,000
        How many other deals the report is on.
    fresh_seed, fresh_first : int, optional
        Where those begin, by default right after the training deals, or at 0 of another seed.
    rng_seed : int
        Of what the search itself draws.
    n_jobs : int, default -1
        Workers; -1 for as many as there are cores.
    game : str or Game, default "labyrinth"
    progress : bool, optional
        Whether bars are shown on standard error, by default if that is a terminal.

    Returns
    -------
    TuneResult

    Raises
    ------
    InvalidInput
        If an argument is not allowed, the family has no parameters to search, or fresh deals are
        training deals.
    KeyboardInterrupt
        If interrupted; there is no result then.

    Examples
    --------
    >>> result = tune("heuristic:order=lowest,deal=late", deals=200, fresh=200, n_jobs=1)
    >>> print(f"trained on {result.training}, reported on {result.fresh}")
    trained on deals 0 to 199 of seed 2, reported on deals 200 to 399 of seed 2
    """
    begin = time.perf_counter()
    game = find_game(game) if isinstance(game, str) else game
    rules = find_rules(game, rules)
    family = _usual_family(game) if family is None else family
    start, choices, numbers = _family(game, family)
    training = _range(seed, first, deals)
    if deals < LEAST:
        raise InvalidInput(f"deals={deals} are too few to learn from; give {LEAST} or more")
    if fresh_first is None:
        fresh_first = training.end if fresh_seed in (None, seed) else 0
    try:
        others = _range(seed if fresh_seed is None else fresh_seed, fresh_first, fresh)
    except InvalidInput as problem:
        raise InvalidInput(f"fresh deals: {problem}") from None
    if others.meets(training):
        raise InvalidInput(
            f"fresh {others} overlap with training {training}, on which the player found looks "
            f"better than it is; leave fresh_first out, or give {training.end} or more"
        )
    rng_seed = check_word("rng_seed", rng_seed)
    rng = np.random.default_rng(np.random.SeedSequence([rng_seed, _STREAM]))
    course = Course(game, rules, n_jobs, progress)
    last, rest = _search(course, start, choices, numbers, training, rng)
    best = last[0].player
    wins, gains = _report(course, best, _baselines(game, start), others)
    return TuneResult(
        game=game.name,
        rules=rules,
        family=family,
        best=best,
        training=training,
        rng_seed=rng_seed,
        last_round=tuple(last),
        tried=(*last, *rest),
        fresh=others,
        wins=wins,
        gains=gains,
        seconds=time.perf_counter() - begin,
    )


def check_player_file(path: Path) -> None:
    """Refuse a name for a player file that does not end in ``.json``."""
    if path.suffix != ".json":
        raise InvalidInput(f"{path.name!r} is no name for a player file; give one ending in .json")


def _usual_family(game: Game) -> str:
    if game.catalog.family is None:
        raise InvalidInput(
            f"{game.name} has no family that is searched by default; say which: "
            f"{', '.join(players_of(game))}"
        )
    return game.catalog.family


def _family(game: Game, family: str) -> tuple[Named, list[str], list[str]]:
    """The default member, and its free parameters: choices and whole numbers, then numbers."""
    name, _, pairs = family.partition(":")
    kinds = players_of(game)
    if name not in kinds:
        known = "" if name != PREFIX.rstrip(":") else "; a file holds one player, not a family"
        raise unknown("family", name, kinds, known)
    kind = kinds[name]
    start = kind.read(pairs)
    if not isinstance(start, Named):
        raise InvalidInput(f"{name} has no parameters to search; give another family")
    given = start.read_pairs([pair for pair in pairs.split(",") if pair.strip()], pairs)
    free = [one for one in fields(start) if one.name not in {*given, *game.catalog.modifiers}]
    if not free:
        raise InvalidInput(f"{family} leaves no parameters to search; give another family")
    numbers = [one.name for one in free if "count" in one.metadata]
    return start, [one.name for one in free if one.name not in numbers], numbers


def _range(seed: int, first: int, deals: int) -> DealRange:
    cut(first, deals, 0, LIMIT)  # for its checks
    return DealRange(check_word("seed", seed), int(first), int(deals))


def _search(
    course: Course,
    start: Named,
    choices: list[str],
    numbers: list[str],
    training: DealRange,
    rng: np.random.Generator,
) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates of the last round, the best first, and all others."""
    searching = replace(training, deals=training.deals // 2) if numbers else training
    raced = race(course, combinations(start, choices, rng), searching) if choices else []
    leader = raced[0].player if raced else start
    if not numbers:
        finalists = [one for one in raced if one.deals == training]
        return finalists, raced[len(finalists) :]
    learnt, tried = cross_entropy(course, leader, numbers, searching, rng)
    further = DealRange(training.seed, searching.end, training.deals - searching.deals)
    players = list(dict.fromkeys([leader, learnt]))
    wins = course.wins(players, further, "the best")
    last = [Candidate(*one) for one in zip(players, [further] * 2, wins, strict=False)]
    return sorted(last, key=lambda one: -one.wins), raced + tried


def _baselines(game: Game, start: Named) -> dict[str, object]:
    return {**{name: name for name in game.catalog.baselines}, start.spec: start}


def _report(
    course: Course, best: Named, baselines: dict[str, object], fresh: DealRange
) -> tuple[int, tuple[Gain, ...]]:
    """Wins of the best on fresh deals, and the best against each other player there."""
    players = [best, *baselines.values()]
    won, *others = (columns["won"] for columns in course.outcomes(players, fresh, "fresh deals"))
    tables = [
        [[int((won & other).sum()), int((won & ~other).sum())],
         [int((~won & other).sum()), int((~won & ~other).sum())]]
        for other in others
    ]  # fmt: skip
    gains = [
        Gain(spec, int(other.sum()), found)
        for spec, other, found in zip(baselines, others, all_paired(tables), strict=True)
    ]
    return int(won.sum()), tuple(gains)
