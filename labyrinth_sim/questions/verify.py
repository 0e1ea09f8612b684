"""Does a saved result hold? A random sample of it is checked by independent means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labyrinth_sim.cards import Pack
from labyrinth_sim.core.game import Game, Position
from labyrinth_sim.core.identity import PLAY, Identity, Subject
from labyrinth_sim.core.playthrough import SEPARATOR, replay
from labyrinth_sim.core.probe import Deals
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.deals import check_word, deals_of
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import DEFAULT, find_game
from labyrinth_sim.games.search import exhaust, solver_of
from labyrinth_sim.parameters import checked_whole
from labyrinth_sim.players import find_player
from labyrinth_sim.playing import playthrough
from labyrinth_sim.questions.simulate import Result
from labyrinth_sim.questions.winnability import Winnability
from labyrinth_sim.run.answer import Answer, Table, ended
from labyrinth_sim.run.asked import STANDARD_INPUT
from labyrinth_sim.run.measure import work_through

NO_FILE = "the result was not read from a file, which a command could name"
CONFIRMED, CONTRADICTED, NOT_REPROVED = "confirmed", "contradicted", "not re-proved"


@dataclass(frozen=True)
class Check:
    """What a check of one deal came to.

    Parameters
    ----------
    deal : str
        What the deal is called.
    claim : {"winnable", "unwinnable", "played"}
        What the result says of it.
    finding : {"confirmed", "contradicted", "not re-proved"}
    why : str
        What speaks against the claim, or why it was not proved again.
    """

    deal: str
    claim: str
    finding: str
    why: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Verification(Answer):
    """What a sample of a result came to; see `Answer` for what it holds.

    Parameters
    ----------
    kind : {"run", "winnability"}
        What the result is an answer to.
    sample, sample_seed : int
        How many deals of each claim were to be checked, and what they were chosen by.
    claims : tuple of str
        What the result says of deals.
    checks : tuple of Check
    """

    verb = "verify"
    searches = True

    kind: str
    sample: int
    sample_seed: int
    claims: tuple[str, ...]
    checks: tuple[Check, ...]

    def words(self) -> list[str]:
        """The words of the command; it reads the file that the result was read from."""
        game = [] if self.asked.place == DEFAULT else ["--game", self.asked.place]
        decks = [] if self.seed is not None else self.asked.source
        chosen = ["--sample", str(self.sample), "--seed", str(self.sample_seed)]
        return [self.file, *game, *decks, *self.asked.bounds, *chosen]

    def of(self, finding: str, claim: str | None = None) -> list[Check]:
        """The checks with a finding, all or those of a claim."""
        return [
            check
            for check in self.checks
            if check.finding == finding and claim in (None, check.claim)
        ]

    @property
    def contradictions(self) -> list[Check]:
        return self.of(CONTRADICTED)

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts the result."""
        return not self.contradictions

    def summary(self) -> dict[str, Any]:
        """In plain values, as ``labyrinth-sim verify --json`` prints it."""
        return {
            **self.about(),
            "kind": self.kind,
            "of": self.identity.subjects[0].spec,
            "sample": self.sample,
            "sample_seed": self.sample_seed,
            "holds": self.holds,
            **{
                claim: {
                    "confirmed": len(self.of(CONFIRMED, claim)),
                    "contradicted": len(self.of(CONTRADICTED, claim)),
                    "not_reproved": len(self.of(NOT_REPROVED, claim)),
                }
                for claim in self.claims
            },
            "not_reproved": [check.deal for check in self.of(NOT_REPROVED)],
            "contradictions": [
                {"deal": check.deal, "claim": check.claim, "why": check.why}
                for check in self.contradictions
            ],
        }

    def title(self) -> str:
        return f"{self.game} · {self.rules.spec} · {self.identity.subjects[0].spec}"

    def body(self) -> Iterator[str | Table]:
        yield (
            f"up to {self.sample:,} of each kind out of {self.deals:,} deals, chosen by seed "
            f"{self.sample_seed}" + ("" if self.complete else ", interrupted")
        )
        for claim in self.claims:
            counts = (
                f"{len(self.of(finding, claim)):,} {finding}"
                for finding in (CONFIRMED, CONTRADICTED, NOT_REPROVED)
            )
            yield f"{claim}: {', '.join(counts)}"
        for finding in (NOT_REPROVED, CONTRADICTED):
            for check in self.of(finding):
                yield f"{check.deal}, said to be {check.claim}: {finding}, {check.why}"
        yield (
            "nothing contradicts the result"
            if self.holds
            else f"{len(self.contradictions)} deals contradict the result"
        )


def verify(
    result: Result | Winnability,
    *,
    sample: int = 50,
    seed: int = 1,
    limits: Limits | None = None,
    player: Any | None = None,
    decks: Deals | None = None,
    game: str | Game | None = None,
    progress: bool | None = None,
) -> Verification:
    """Check a random sample of a result that kept the outcome of every deal.

    Of a `Winnability`, wins are solved again and the winning lines replayed by the reference
    engine; losses are proved again by trying every move, with nothing pruned and exact keys. Deals
    that the result leaves unknown are no claims. Of a `Result`, deals are played again by the
    reference engine, a move at a time.

    Parameters
    ----------
    result : Result or Winnability
    sample : int, default 50
        How many deals to check: of a `Winnability`, so many wins and so many losses.
    seed : int, default 1
        What the deals are chosen by.
    limits : Limits, optional
        What the search of a deal may use up, by default 64 MiB; a deal that takes more is not
        re-proved.
    player : object, optional
        The player, where its spec alone does not find it.
    decks : Deals, optional
        The decks, if they were given.
    game : str or Game, optional
        The game, where its name alone does not find it.
    progress : bool, optional
        As in `labyrinth_sim.simulate`.

    Raises
    ------
    InvalidInput
        If an argument is not allowed, the result kept no outcomes, or game, player or decks are
        not those that it was made with.

    Examples
    --------
    >>> from labyrinth_sim.questions.winnability import winnability
    >>> found = winnability("ultimate", deals=300, keep="outcomes")
    >>> print(verify(found, sample=3))
    labyrinth · ultimate · solver:memory=64
    up to 3 of each kind out of 300 deals, chosen by seed 1
    winnable: 3 confirmed, 0 contradicted, 0 not re-proved
    unwinnable: 3 confirmed, 0 contradicted, 0 not re-proved
    nothing contradicts the result
    """
    sample, seed = checked_whole("sample", sample, 1), check_word("seed", seed)
    if not isinstance(result, Result | Winnability):
        raise InvalidInput(
            f"a {type(result).__name__} can't be verified; give what simulate or winnability gave, "
            "or load their file first"
        )
    if result.outcomes is None:
        raise InvalidInput(
            "the result kept no outcomes, so that there is nothing to check; make it with "
            "keep='outcomes' or --output FILE.parquet"
        )
    place = result.game if game is None else game
    found = find_game(place) if isinstance(place, str) else place
    source = _source(result, decks, found.reference.pack)
    checker = _Checker(found, result, source, limits or Limits(), player)
    chosen = _sampled(_claims(result), sample, seed)
    work = work_through(
        (checker.check(claim, number) for claim, numbers in chosen for number in numbers),
        progress=progress,
        total=sum(len(numbers) for _, numbers in chosen),
    )
    verification = Verification(
        asked=replace(
            result.asked,
            place=place if isinstance(place, str) else result.asked.place,
            decks="" if decks is None else getattr(decks, "origin", STANDARD_INPUT),
            limits=checker.limits,
            unnamed=result.asked.unnamed or ("" if result.file else NO_FILE),
        ),
        identity=result.identity,
        first=result.first,
        deals=result.deals,
        complete=work.ended is None,
        source=source,
        file=result.file,
        kind=result.verb,
        sample=sample,
        sample_seed=seed,
        claims=tuple(_claims(result)),
        checks=tuple(work.done),
    )
    return ended(verification, work.failure)


def _claims(result: Result | Winnability) -> dict[str, NDArray[np.intp]]:
    """Numbers of the deals, from the first one on, that each kind of claim is made of."""
    outcomes = result.outcomes or {}
    if isinstance(result, Winnability):
        won, unknown = outcomes["winnable"], outcomes["unknown"]
        return {
            "winnable": np.flatnonzero(won),
            "unwinnable": np.flatnonzero(~won & ~unknown),
        }
    return {"played": np.arange(result.deals)}


def _sampled(
    claims: dict[str, NDArray[np.intp]], sample: int, seed: int
) -> Sequence[tuple[str, list[int]]]:
    """Up to `sample` deals of each claim, each claim with a stream of its own."""
    streams = np.random.SeedSequence(seed).spawn(len(claims))
    return [
        (
            claim,
            sorted(
                np.random.default_rng(stream)
                .choice(numbers, min(sample, len(numbers)), replace=False)
                .tolist()
            ),
        )
        for (claim, numbers), stream in zip(claims.items(), streams, strict=True)
    ]


def _source(result: Result | Winnability, decks: Deals | None, pack: Pack) -> Deals:
    if result.seed is not None:
        if decks is not None:
            raise InvalidInput(f"the result is of seed {result.seed}; give no decks")
        return deals_of(pack, result.seed)
    if decks is None:
        raise InvalidInput("the result is of given decks; give the same again, by --decks FILE")
    if decks.digest != result.identity.decks:
        raise InvalidInput(
            f"the result is of other decks ({result.identity.decks}) than those that are given "
            f"({decks.digest})"
        )
    return decks


class _Checker:
    """Checks one deal at a time."""

    def __init__(
        self,
        game: Game,
        result: Result | Winnability,
        source: Deals,
        limits: Limits,
        player: Any | None,
    ) -> None:
        self.game, self.result, self.source, self.limits = game, result, source, limits
        self.solver = solver_of(game)
        here = (game.name, game.version)
        if isinstance(result, Result):
            self.player = find_player(game, result.player if player is None else player)
            identity = Identity.of(
                PLAY, game.name, game.version, result.rules, Subject.of(self.player), source
            )
            _refuse_others(result.identity, identity)
        elif here != (result.identity.game, result.identity.game_version):
            raise InvalidInput(
                f"the result is of {result.identity.game}, version {result.identity.game_version}; "
                f"here it is {game.name}, version {game.version}"
            )

    def check(self, claim: str, number: int) -> Check:
        index = self.result.first + number
        start = self.game.start(self.source.deck(index), self.result.rules)
        if claim == "winnable":
            finding, why = self._win(start)
        elif claim == "unwinnable":
            finding, why = self._loss(start)
        else:
            finding, why = self._game(number)
        return Check(self.source.label(index), claim, finding, why)

    def _win(self, start: Position) -> tuple[str, str]:
        solution = self.solver.solve(start, self.limits)
        if solution.verdict == "unknown":
            return NOT_REPROVED, f"{solution.nodes:,} positions were not enough"
        if solution.moves is None:
            return CONTRADICTED, "the solver finds no line that wins"
        end = replay(start, solution.moves)
        if end.result == "won":
            return CONFIRMED, ""
        return (
            CONTRADICTED,
            f"the solver's line ends {end.result}, {SEPARATOR.join(solution.moves)}",
        )

    def _loss(self, start: Position) -> tuple[str, str]:
        solution = exhaust(self.game, start, self.limits)
        if solution.verdict == "unknown":
            return NOT_REPROVED, f"it has more than {solution.nodes:,} positions"
        if solution.verdict == "unwinnable":
            return CONFIRMED, ""
        return CONTRADICTED, f"this wins: {SEPARATOR.join(solution.moves or ())}"

    def _game(self, number: int) -> tuple[str, str]:
        index, rules = self.result.first + number, self.result.rules
        moves = playthrough(self.game, rules, self.player, self.source, index).moves
        # From the deck: what a player did to positions in its hands does not count.
        made = replay(self.game.start(self.source.deck(index), rules), moves)
        if made.at is not None:
            return CONTRADICTED, f"move {made.at} is illegal: {made.why}"
        outcome, columns = made.outcome, self.result.outcomes or {}
        told = {name: int(values[number]) for name, values in columns.items()}
        wrong = list(_differences(told, {name: outcome[name] for name in told}))
        return (CONTRADICTED, "; ".join(wrong)) if wrong else (CONFIRMED, "")


def _differences(told: dict[str, int], found: dict[str, int]) -> Iterator[str]:
    for name, value in told.items():
        if found[name] != value:
            yield f"{name} is {found[name]}, not {value}"


def _refuse_others(made: Identity, here: Identity) -> None:
    """Refuse a game, player or rules that are not those that a result was made with."""
    if made == here:
        return
    told = made.as_dict(), here.as_dict()
    other = (
        f"{name} {there}, not {told[0][name]}"
        for name, there in told[1].items()
        if there != told[0][name]
    )
    raise InvalidInput(
        f"the result can't be played again, as here there is {'; '.join(other)}; verify it with "
        "the version that made it"
    )
