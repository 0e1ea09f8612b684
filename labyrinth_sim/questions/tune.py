"""Which member of a family of players wins most? Searched on some deals, reported on others."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Unpack

import numpy as np

from labyrinth_sim.core.game import Game
from labyrinth_sim.deals import SeededDeals, check_word
from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.parameters import Named, checked_whole, split_pairs
from labyrinth_sim.players import find_player, players_of
from labyrinth_sim.players.files import PREFIX, DealRange, player_content
from labyrinth_sim.players.search import Candidate, combinations, cross_entropy, race
from labyrinth_sim.rulesets import RuleSet
from labyrinth_sim.run.answer import Answer, Table, answer
from labyrinth_sim.run.asking import Running, question
from labyrinth_sim.run.executor import Outcomes, Wanted
from labyrinth_sim.run.measure import Measured, everything, measure, nothing
from labyrinth_sim.run.pool import Pool, part
from labyrinth_sim.run.request import Request, Run, checked_range
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
class Tried:
    """A player that was tried, see `Candidate`."""

    player: str
    deals: DealRange
    wins: int
    same_as: str | None = None

    @classmethod
    def of(cls, one: Candidate) -> Tried:
        return cls(one.player.spec, one.deals, one.wins, one.same_as)


@dataclass(frozen=True, eq=False, kw_only=True)
class TuneResult(Answer):
    """What a search found; its range of deals is what it was trained on, see `Answer`.

    Parameters
    ----------
    family : str
        The family as it was asked for, with the parameters that were held.
    best : str
        Spec of the player that was found.
    player : dict
        What a player file says of it, in plain values.
    rng_seed : int
    last_round : tuple of Tried
        Those that were compared last, the best first.
    tried : tuple of Tried
        All, those of the last round first.
    fresh : DealRange
        Deals that the search did not look at.
    wins : int
        Wins of the best on the fresh deals.
    gains : tuple of Gain
        The best against other players on the fresh deals.
    """

    verb = "tune"

    family: str
    best: str
    player: dict[str, Any]
    rng_seed: int
    last_round: tuple[Tried, ...]
    tried: tuple[Tried, ...]
    fresh: DealRange
    wins: int
    gains: tuple[Gain, ...]

    @property
    def training(self) -> DealRange:
        """Deals that the search looked at, and no others."""
        return DealRange(self.seed or 0, self.first, self.deals)

    @property
    def distinct(self) -> int:
        """How many players were tried, not counting those that do what another does."""
        return len({one.player for one in self.tried if one.same_as is None})

    def win_rate(self, level: float | None = None) -> Interval:
        """Win rate of the best on the fresh deals."""
        return proportion(self.wins, self.fresh.deals, level=level or self.level)

    def options(self) -> list[str]:
        fresh = self.fresh
        return [
            *["--family", self.family, "--rng-seed", str(self.rng_seed)],
            *["--fresh", str(fresh.deals), "--fresh-seed", str(fresh.seed)],
            *["--fresh-first", str(fresh.first)],
        ]

    def document(self) -> dict[str, Any]:
        """A player file, to be played as ``file:PATH``: the player, and what it was made from."""
        return {
            **self.player,
            "rules": self.rules.spec,
            "tuned": self.family,
            "rng_seed": self.rng_seed,
            "version": VERSION,
            "fresh": {
                **asdict(self.fresh),
                "wins": self.wins,
                **self.win_rate().as_dict("win_rate"),
                "gains": [gain.as_dict() for gain in self.gains],
            },
        }

    def summary(self) -> dict[str, Any]:
        """The search in plain values, as ``labyrinth-sim tune --json`` prints it."""
        return {
            **self.document(),
            "player": self.best,
            "tried": len(self.tried),
            "distinct": self.distinct,
            "last_round": [
                {"player": one.player, **asdict(one.deals), "wins": one.wins}
                for one in self.last_round
            ],
            "seconds": self.seconds,
        }

    def title(self) -> str:
        return (
            f"{self.game} · {self.rules.spec} · {self.family}: {len(self.tried):,} players tried, "
            f"{self.distinct:,} of them different"
        )

    def body(self) -> Iterator[str | Table]:
        yield ""
        yield [
            ["last round", "wins", "of", ""],
            *(
                [
                    one.player,
                    f"{one.wins:,}",
                    f"{one.deals.deals:,}",
                    f"{one.wins / one.deals.deals:.3%}",
                ]
                for one in self.last_round
            ),
        ]
        yield ""
        yield f"best: {self.best}"
        yield f"trained on {self.training}"
        yield f"on fresh {self.fresh} it wins {self.win_rate()}"
        for gain in self.gains:
            yield f"against {gain.against}: {gain.paired}"


@question
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
    **asked: Unpack[Running],
) -> TuneResult:
    """Search a family of players for the one that wins most.

    Choices and whole numbers are raced by successive halving; then parameters that are numbers,
    such as weights, are learnt by the cross-entropy method, and kept if they win more than those
    that they began with on further training deals. All players of a round play the same deals.
    The same arguments give the same answer, at any `n_jobs`.

    Parameters
    ----------
    family : str, optional
        Name of one of the game's players with parameters, by default the one that its catalog
        names, such as `heuristic`. Parameters that are given with it, such as
        ``lookahead:depth=2``, are held; so are the game's modifiers (`endgame`).
    deals : int, default 100,000
        How many training deals. A search plays about 10 to 50 games for each.
    seed : int, default 2
        Seed of the training deals.
    fresh : int, default 100,000
        How many other deals the report is on.
    fresh_seed, fresh_first : int, optional
        Where those begin, by default right after the training deals, or at 0 of another seed.
    rng_seed : int, default 1
        Of what the search itself draws.

    Returns
    -------
    TuneResult

    Examples
    --------
    >>> result = tune("heuristic:order=lowest,deal=late", deals=200, fresh=200, n_jobs=1)
    >>> print(f"trained on {result.training}, reported on {result.fresh}")
    trained on deals 0 to 199 of seed 2, reported on deals 200 to 399 of seed 2
    """
    begin = time.perf_counter()
    request = Request.of(rules=rules, deals=deals, seed=seed, first=first, **asked)
    family = _usual_family(request.game) if family is None else family
    start, choices, numbers = _family(request.game, family)
    training = DealRange(request.source.seed or 0, request.first, request.deals)
    if training.deals < LEAST:
        raise InvalidInput(f"deals={deals} are too few to learn from; give {LEAST} or more")
    others = _fresh(training, fresh, fresh_seed, fresh_first)
    rng_seed = check_word("rng_seed", rng_seed)
    rng = np.random.default_rng(np.random.SeedSequence([rng_seed, _STREAM]))
    course = Course(request)
    last, rest = _search(course, start, choices, numbers, training, rng)
    best = last[0].player
    baselines = {**{name: name for name in request.game.catalog.baselines}, start.spec: start}
    wins, gains = _report(course, best, baselines, others)
    tried = tuple(map(Tried.of, (*last, *rest)))
    run = Run(request.rules[0], find_player(request.game, best))
    measured = Measured(
        request.over(others.seed, others.first, others.deals).play(run).identity,
        *(training.first, training.deals),
        seconds=time.perf_counter() - begin,
    )
    return answer(
        TuneResult,
        request,
        measured,
        family=family,
        best=best.spec,
        player=player_content(request.game.name, best, training),
        rng_seed=rng_seed,
        last_round=tried[: len(last)],
        tried=tried,
        fresh=others,
        wins=wins,
        gains=gains,
    )


@dataclass(frozen=True)
class Course:
    """Plays the players of a search under the rules of a request, see `search.Course`."""

    request: Request

    def outcomes(self, players: Sequence[object], deals: DealRange, what: str) -> list[Outcomes]:
        """Outcome columns of each player, shape (deals,); `what` is said beside the bar."""
        found = self._measured(players, deals, what, wanted=everything).outcomes
        return [part(found, number) for number in range(len(players))]

    def wins(self, players: Sequence[object], deals: DealRange, what: str) -> list[int]:
        """Wins of each player."""
        tally = self._measured(players, deals, what, wanted=nothing).tally
        return [tally.count(f"{number}/won", 1) for number in range(len(players))]

    def _measured(
        self, players: Sequence[object], deals: DealRange, what: str, *, wanted: Wanted
    ) -> Measured:
        request = self.request.over(deals.seed, deals.first, deals.deals)
        found = (find_player(request.game, player) for player in players)
        pool = Pool(tuple(request.play(Run(request.rules[0], player)) for player in found))
        bits = max(4, (deals.deals // 32).bit_length())  # some blocks for each worker
        request = replace(request, block_bits=min(bits, 16))
        measured = measure(request, pool, wanted=wanted, watched="0/won", what=what)
        if not measured.complete:
            raise measured.failure or KeyboardInterrupt
        return measured


def _fresh(training: DealRange, deals: int, seed: int | None, first: int | None) -> DealRange:
    """The deals of the report, refused if they are training deals."""
    if first is None:
        first = training.end if seed in (None, training.seed) else 0
    try:
        source = SeededDeals(training.seed if seed is None else seed)
        first, deals = checked_range(source, first, checked_whole("deals", deals, 1))
    except InvalidInput as problem:
        raise InvalidInput(f"fresh deals: {problem}") from None
    fresh = DealRange(source.seed, first, deals)
    if fresh.meets(training):
        raise InvalidInput(
            f"fresh {fresh} overlap with training {training}, on which the player found looks "
            f"better than it is; leave fresh_first out, or give {training.end} or more"
        )
    return fresh


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
    given = start.read_pairs(split_pairs(pairs), pairs)
    free = [one for one in fields(start) if one.name not in {*given, *game.catalog.modifiers}]
    if not free:
        raise InvalidInput(f"{family} leaves no parameters to search; give another family")
    numbers = [one.name for one in free if "count" in one.metadata]
    return start, [one.name for one in free if one.name not in numbers], numbers


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


def _report(
    course: Course, best: Named, baselines: dict[str, object], fresh: DealRange
) -> tuple[int, tuple[Gain, ...]]:
    """Wins of the best on fresh deals, and the best against each other player there."""
    players = [best, *baselines.values()]
    won, *others = (columns["won"] for columns in course.outcomes(players, fresh, "fresh deals"))
    tables = [np.bincount(2 * ~won + ~other, minlength=4).reshape(2, 2) for other in others]
    paired = all_paired(tables, level=course.request.level)
    gains = [
        Gain(spec, int(other.sum()), found)
        for spec, other, found in zip(baselines, others, paired, strict=True)
    ]
    return int(won.sum()), tuple(gains)
