"""Verbs that ask questions: each is a question and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter
from pathlib import Path
from typing import Any

from labyrinth_sim.cli.options import (
    DEAL_IDS,
    DEALS,
    DECKS,
    FIRST,
    GAME,
    JOBS,
    LEVEL,
    OUTPUT,
    PLAYER,
    PLAYERS,
    RANGE,
    RULES,
    SEARCH,
    argument,
    chosen_deals,
    given_decks,
    option,
    verb,
)
from labyrinth_sim.cli.show import LOOK, looked_at
from labyrinth_sim.core.solver import Limits
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game

SEVERAL_RULES = option(
    "rules",
    list[str],
    "PRESET or PRESET,key=value,…; once for all players, or once for each player, or several for "
    "one player.",
)

run = verb(
    "labyrinth_sim.questions.simulate:simulate",
    "Simulate a strategy on a range of deals and print its win rate.",
    *(GAME, RULES, PLAYER, *RANGE),
    option("move_seconds", float, "How long a player in Python may take over a move.", shown="any"),
    *OUTPUT,
    name="run",
)

compare = verb(
    "labyrinth_sim.questions.compare:compare",
    "Compare players, or rule sets, on the same deals.",
    *(GAME, SEVERAL_RULES, PLAYERS, *RANGE),
    option("show", int, "Name so many deals that only one of two has won.", 0),
    *OUTPUT,
    done="the figures are of the first {:,} deals, which all have played",
)


def _named_runs(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Read ``NAME=PLAYER@RULES``; one --rules stands for those that are left out."""
    runs, players, rules = asked.pop("run"), asked["player"], asked["rules"]
    if not runs:
        return [asked]
    if players or len(rules or []) > 1:
        raise InvalidInput("--run says player and rules: give no --player and at most one --rules")
    named: dict[str, tuple[str, str | None]] = {}
    for text in runs:
        name, equals, player = text.partition("=")
        if not equals or not player:
            raise InvalidInput(f"--run {text!r}: write NAME=PLAYER or NAME=PLAYER@RULES")
        if name in named:
            raise InvalidInput(f"--run {text!r}: there is a run called {name} already")
        player, at, own = player.rpartition("@") if "@" in player else (player, "", "")
        named[name] = (player, own if at else rules[0] if rules else None)
    return [{**asked, "player": None, "rules": None, "runs": named}]


find = verb(
    "labyrinth_sim.questions.find:find",
    "Find deals by what players make of them.",
    option(
        "where",
        str,
        "E.g. 'a.won and not b.won': columns of runs, numbers, and, or, not, == != < <= > >=, "
        "+ - * and parentheses.",
        Parameter.empty,
    ),
    *(GAME, SEVERAL_RULES, PLAYERS),
    option(
        "run",
        list[str],
        "NAME=PLAYER or NAME=PLAYER@RULES; once for each run. Without it, the runs of --player "
        "and --rules are called a, b, c …",
    ),
    *RANGE,
    option("limit", int, "Stop when so many are found.", 10),
    *OUTPUT,
    prepare=_named_runs,
    done="only the first {:,} deals were searched",
)

winnability = verb(
    "labyrinth_sim.questions.winnability:winnability",
    "Find what share of deals can be won at all.",
    *(GAME, RULES, *RANGE, *SEARCH, *OUTPUT),
)

skill = verb(
    "labyrinth_sim.questions.skill:skill",
    "Find what share of the deals that can be won each player wins.",
    *(PLAYERS, RULES, GAME, *RANGE, *SEARCH),
    option("show", int, "Name so many winnable deals that each player lost.", 0),
    *OUTPUT,
)


def _two_rule_sets(asked: dict[str, Any]) -> list[dict[str, Any]]:
    rules = asked.pop("rules") or []
    if len(rules) != 2:
        raise InvalidInput(f"{len(rules)} rule sets were given; give --rules twice")
    return [{**asked, "a": rules[0], "b": rules[1]}]


clauses = verb(
    "labyrinth_sim.questions.clauses:clauses",
    "Find which one-at-a-time rule changes make the odds of two rule sets differ.",
    option("rules", list[str], "Twice: PRESET or PRESET,key=value,…, from and to."),
    option("player", str, "A player whose win rate is compared as well."),
    *(GAME, *RANGE, *SEARCH),
    option("show", int, "Name so many deals that a clause turns, each way.", 0),
    *OUTPUT,
    prepare=_two_rule_sets,
)


def _deals_or_range(asked: dict[str, Any]) -> list[dict[str, Any]]:
    deals = asked.pop("deal")
    given = [name for name in ("seed", "deals", "decks", "hardest") if asked.get(name) is not None]
    if deals and (given or asked["first"]):
        raise InvalidInput(
            f"{deals[0]} and a range: give deal ids, or --seed, --first, --deals, --decks and "
            "--hardest"
        )
    named = {name: value for name, value in asked.items() if value is not None}
    return [{**named, "chosen": deals or None}]


difficulty = verb(
    "labyrinth_sim.questions.difficulty:difficulty",
    "Tell how hard deals are: those that are named, or the hardest winnable ones of a range.",
    *(DEAL_IDS, RULES, GAME, *RANGE),
    option("hardest", int, "How many winnable deals of the range.", shown="10"),
    option("repeats", int, "Random playouts of each deal.", 100),
    option(
        "resorts",
        int,
        "Try up to so many resorts, for games that have them.",
        shown="4",
        asks="most",
    ),
    *(*SEARCH, *OUTPUT),
    prepare=_deals_or_range,
)


def _each_deal(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Ask about each deal that is named or given."""
    chosen = chosen_deals(asked.pop("deal"), asked.get("decks"), asked["game"])
    return [
        {**asked, "deal": index if "decks" in asked else source.label(index)}
        for source, index in chosen
    ]


solve = verb(
    "labyrinth_sim.questions.solve:solve",
    "Decide deals with perfect information: a line that wins, and how few resorts would do.",
    *(DEAL_IDS, RULES, GAME, DECKS, *SEARCH),
    option("seconds", float, "Give up a deal after so long (not reproducible)."),
    *OUTPUT,
    prepare=_each_deal,
    apart=False,
)


def _with_boards(values: dict[str, Any]) -> Callable[[Any], str]:
    """Write an explanation with the boards before and after the fatal move."""
    look = looked_at(values.pop("color"), values.pop("unicode"))

    def written(told: Any) -> str:
        if told.before is None or told.after is None:
            return str(told.text)
        before, after = look(told.before), look(told.after)
        return f"{told.text}\n\nbefore:\n\n{before}\n\nafter:\n\n{after}"

    return written


explain = verb(
    "labyrinth_sim.questions.explain:explain",
    "Find the move that lost a deal: the first after which it can no longer be won.",
    *(DEAL_IDS, RULES, PLAYER, GAME, DECKS, *SEARCH, *LOOK, *OUTPUT),
    prepare=_each_deal,
    look=_with_boards,
    done="nothing more was finished",
)


def _read_back(values: Mapping[str, Any]) -> dict[str, Any]:
    """The result that was saved, and the decks that it is of, where they must be given."""
    from labyrinth_sim.questions.load import load

    asked, game = dict(values), values["game"]
    asked["result"] = kept = load(values["result"], game=game)
    asked["decks"] = given_decks(values["decks"], game or kept.game)
    asked["limits"] = Limits(asked.pop("nodes"), asked.pop("memory"))
    return asked


verify = verb(
    "labyrinth_sim.questions.verify:verify",
    "Check a sample of a saved result; if something contradicts it, the exit status is 1.",
    argument(
        "result", Path, "RESULT", "A .parquet file of `run` or `winnability`.", Parameter.empty
    ),
    option("sample", int, "How many wins and how many losses, or games.", 50),
    option("seed", int, "What they are chosen by.", 1),
    option("game", str, "MODULE:NAME of the game, where its name alone does not find it."),
    *(DECKS, *SEARCH, *OUTPUT),
    resolve=_read_back,
    done="nothing more was finished",
    holds=lambda verification: verification.holds,
)


def _published(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Without rules and odds, everything that is published for the game."""
    if asked["rules"] is not None or asked["odds"] is not None:
        return [asked]
    from labyrinth_sim.stats.odds import Band

    found = find_game(asked["game"])
    published = found.catalog.odds()
    if not published:
        raise InvalidInput(f"no odds are published for {found.name}; give --odds")
    for one in published:
        Band.read(one.odds, asked["tolerance"])  # before any is held against anything
    return [{**asked, "rules": one.rules} for one in published]


claim = verb(
    "labyrinth_sim.questions.claim:claim",
    "Check published odds against perfect play, honest players and fixed players.",
    RULES,
    option("odds", str, "1/30, '1 in 30' or 3.3%; without it, what is published."),
    option(
        "tolerance",
        float,
        "Half of the width of what the odds stand for: 0.5 makes 1/30 anything from 1/30.5 to "
        "1/29.5; of a percentage, in points.",
        shown="as they are rounded",
    ),
    option("player", list[str], "A further honest player; once for each.", asks="players"),
    *(GAME, *(one for one in RANGE if one is not DEALS)),
    option("deals", int, "Stop undecided after so many.", shown="1000000"),
    *(*SEARCH, *OUTPUT),
    prepare=_published,
)


def _where_it_is(output: Path | None) -> str:
    if output is None:
        return "not kept; with --output FILE.json it is, to be played as file:FILE.json"
    if output.suffix != ".json":
        return f"written to {output}; to play it, give --output FILE.json"
    return f"written to {output}; play it with --player file:{output}"


tune = verb(
    "labyrinth_sim.questions.tune:tune",
    "Search a family of players for the one that wins most, and compare it on fresh deals.",
    option(
        "family",
        str,
        "NAME, or NAME:key=value,… to hold some of its parameters.",
        shown="heuristic, where the game has it",
    ),
    *(RULES, GAME),
    option("deals", int, "How many to train on.", 100_000),
    option("seed", int, "Of the training deals.", 2),
    FIRST,
    option("fresh", int, "How many other deals the report is on.", 100_000),
    option("fresh_seed", int, "Of those.", shown="--seed"),
    option(
        "fresh_first",
        int,
        "Index of the first of those.",
        shown="after the training deals, or 0 of another seed",
    ),
    option("rng_seed", int, "Of the search's own draws.", 1),
    *(JOBS, LEVEL, *OUTPUT),
    after=_where_it_is,
)
