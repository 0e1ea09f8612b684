"""Labyrinth's rules as data: presets, overrides, spec strings, digests (RULES §2.1, §2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from combinations import CHOICES, columns, packs
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.free_edge.rules import LabyrinthRules
from labyrinth_sim.parameters import whole

PUBLISHED = {
    "wikipedia": ("optional", "free_edge", "when_stuck", "lift", 1),
    "ultimate": ("always", "ends", "when_stuck", "none", 0),
    "practical": ("always", "free_edge", "any_time", "none", 0),
    "aisleriot": ("first_row_only", "ends", "any_time", "none", 0),
    "pysol": ("empty_column", "ends", "any_time", "none", 0),
}
KEYS = ("refill", "availability", "deal", "resort", "resorts")
VALUES = {
    "refill": ["always", "first_row_only", "optional", "empty_column"],
    "availability": ["free_edge", "ends"],
    "deal": ["when_stuck", "any_time"],
    "resort": ["none", "fit", "lift"],
}
FULL = {"columns": 8, "suits": 4, "ranks": 13}

every_rules = st.builds(
    lambda choices, columns, pack: LabyrinthRules(**choices, columns=columns, **pack),
    st.sampled_from(CHOICES),
    columns,
    packs,
)


@pytest.mark.parametrize("name", PUBLISHED)
def test_presets_are_those_of_the_table(name: str) -> None:
    expected = dict(zip(KEYS, PUBLISHED[name], strict=True)) | FULL
    assert LabyrinthRules.preset(name).as_dict() == expected
    assert LabyrinthRules.read(name).as_dict() == expected
    assert LabyrinthRules.presets[name].source


def test_there_is_no_other_preset_and_wikipedia_is_the_default() -> None:
    assert list(LabyrinthRules.presets) == list(PUBLISHED)
    assert LabyrinthRules() == LabyrinthRules.preset("wikipedia")


@pytest.mark.parametrize("name", PUBLISHED)
def test_any_other_parameter_may_be_overridden_alone(name: str) -> None:
    base = LabyrinthRules.preset(name).as_dict()
    others = {**VALUES, "columns": range(4, 13), "suits": range(1, 5), "ranks": range(1, 14)}
    for key in others.keys() - {"resort"}:
        for value in others[key]:
            rules = LabyrinthRules.read(f"{name},{key}={value}")
            assert rules.as_dict() == base | {key: value}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("resort", ["none", "fit", "lift"])
def test_overriding_the_resort_implies_how_often(name: str, resort: str) -> None:
    base = LabyrinthRules.preset(name).as_dict()
    implied = 0 if resort == "none" else 1
    rules = LabyrinthRules.read(f"{name},resort={resort}")
    assert rules.as_dict() == base | {"resort": resort, "resorts": implied}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("resort", ["none", "fit", "lift"])
@pytest.mark.parametrize("resorts", [0, 1, 2, 7, 1000])
def test_a_resort_and_its_number_given_together(name: str, resort: str, resorts: int) -> None:
    base = LabyrinthRules.preset(name).as_dict()
    for text in (
        f"{name},resort={resort},resorts={resorts}",
        f"{name},resorts={resorts},resort={resort}",
    ):
        if (resort == "none") == (resorts == 0):
            rules = LabyrinthRules.read(text)
            assert rules.as_dict() == base | {"resort": resort, "resorts": resorts}
        else:
            with pytest.raises(InvalidInput, match=rf"resort={resort} contradicts resorts"):
                LabyrinthRules.read(text)


def test_a_number_of_resorts_alone_must_fit_the_preset() -> None:
    assert LabyrinthRules.read("wikipedia,resorts=2").resorts == 2
    for text in ("wikipedia,resorts=0", "ultimate,resorts=1", "pysol,resorts=2"):
        with pytest.raises(InvalidInput, match="contradicts resorts="):
            LabyrinthRules.read(text)


@pytest.mark.parametrize("text", ["wikipedia , deal = any_time", " wikipedia,deal=any_time "])
def test_white_space_around_names_is_no_matter(text: str) -> None:
    assert LabyrinthRules.read(text) == LabyrinthRules(deal="any_time")


@pytest.mark.parametrize(
    ("text", "named", "allowed"),
    [
        ("wikipidia", "'wikipidia'", list(PUBLISHED)),
        ("", "''", list(PUBLISHED)),
        ("deal=any_time", "'deal=any_time'", list(PUBLISHED)),
        ("pysol,refil=always", "'refil'", [*KEYS, *FULL]),
        ("pysol,refill=sometimes", "'sometimes'", VALUES["refill"]),
        ("pysol,availability=", "''", VALUES["availability"]),
        ("pysol,deal=Any_Time", "'Any_Time'", VALUES["deal"]),
        ("pysol,resort=both", "'both'", VALUES["resort"]),
        ("pysol,columns=3", "columns=3", ["4 to 12"]),
        ("pysol,columns=13", "columns=13", ["4 to 12"]),
        ("pysol,suits=0", "suits=0", ["1 to 4"]),
        ("pysol,suits=5", "suits=5", ["1 to 4"]),
        ("pysol,ranks=0", "ranks=0", ["1 to 13"]),
        ("pysol,ranks=14", "ranks=14", ["1 to 13"]),
        ("pysol,columns=eight", "columns='eight'", ["not an integer"]),
        ("pysol,columns=8.0", "columns='8.0'", ["not an integer"]),
        ("pysol,columns=-8", "columns=-8", ["4 to 12"]),
        ("pysol,columns=８", "columns='８'", ["not an integer"]),
        ("pysol,columns=" + "9" * 5000, "columns=", ["not an integer"]),
        ("pysol,columns", "'columns'", ["PRESET,key=value"]),
        ("pysol,", "''", ["PRESET,key=value"]),
        ("pysol,columns=8,columns=9", "'columns'", ["once"]),
    ],
)
def test_refusals_name_the_value_and_what_is_allowed(
    text: str, named: str, allowed: list[str]
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        LabyrinthRules.read(text)
    for part in (named, *allowed):
        assert part in str(refusal.value)


@pytest.mark.parametrize(
    "values",
    [
        {"columns": 8.0},
        {"columns": "8"},
        {"columns": True},
        {"resorts": -1},
        {"refill": None},
        {"resort": 1},
    ],
)
def test_values_from_python_are_checked_as_well(values: dict[str, Any]) -> None:
    ((key, value),) = values.items()
    with pytest.raises(InvalidInput, match=key) as refusal:
        LabyrinthRules(**values)
    assert repr(value) in str(refusal.value)


def test_close_names_are_proposed() -> None:
    with pytest.raises(InvalidInput, match="did you mean wikipedia"):
        LabyrinthRules.read("wikipidia")


def shortest_texts() -> dict[LabyrinthRules, int]:
    """By trying all: for each rule set, the length of the shortest text that reads as it."""
    maybe = [[None, *VALUES[key]] for key in VALUES] + [[None, 0, 1, 2, 3]]
    lengths: dict[LabyrinthRules, int] = {}
    for preset, overrides in product(PUBLISHED, product(*maybe)):
        given = [(k, v) for k, v in zip(KEYS, overrides, strict=True) if v is not None]
        text = ",".join([preset, *(f"{key}={value}" for key, value in given)])
        try:
            rules = LabyrinthRules.read(text)
        except InvalidInput:
            continue
        lengths[rules] = min(len(text), lengths.get(rules, len(text)))
    return lengths


def test_no_text_is_shorter_than_the_spec() -> None:
    lengths = shortest_texts()
    assert {rules.spec for rules in lengths} == {LabyrinthRules(**c).spec for c in CHOICES}
    for rules, length in lengths.items():
        assert len(rules.spec) == length, rules
        assert LabyrinthRules.read(rules.spec) == rules


@given(every_rules)
def test_the_spec_reads_back(rules: LabyrinthRules) -> None:
    assert LabyrinthRules.read(rules.spec) == rules
    plain = LabyrinthRules(**(rules.as_dict() | FULL))
    extra = [f",{key}={getattr(rules, key)}" for key in FULL if getattr(rules, key) != FULL[key]]
    # No preset sets these three, so each that differs must be written out, and nothing more.
    assert len(rules.spec) == len(plain.spec) + len("".join(extra))


def test_every_rule_set_has_a_digest_of_its_own() -> None:
    sizes = product([4, 8, 9, 12], [1, 2, 4], [1, 2, 12, 13])
    every = [
        LabyrinthRules(**choices, columns=columns, suits=suits, ranks=ranks)
        for (columns, suits, ranks), choices in product(sizes, CHOICES)
    ]
    assert len({rules.digest for rules in every}) == len(every) == 48 * len(CHOICES)


def test_a_digest_does_not_depend_on_how_the_rules_were_given() -> None:
    assert LabyrinthRules().digest == LabyrinthRules(**LabyrinthRules().as_dict()).digest
    assert (
        LabyrinthRules.read("ultimate,resort=lift").digest
        == LabyrinthRules.read("wikipedia,refill=always,availability=ends").digest
    )


@given(every_rules)
def test_a_default_that_changes_gives_other_digests(rules: LabyrinthRules) -> None:
    @dataclass(frozen=True)
    class Later(LabyrinthRules):
        columns: int = whole(9, "columns of the tableau", low=4, high=12)

    values = rules.as_dict()
    assert Later(**values).digest == rules.digest
    del values["columns"]
    assert Later(**values).digest != LabyrinthRules(**values).digest


@given(every_rules)
def test_the_description_mentions_each_value(rules: LabyrinthRules) -> None:
    text = rules.describe()
    for key in VALUES:
        assert f"({getattr(rules, key)})" in text
    words = {0: "the game is over", 1: "Once a game", 2: "Twice a game", 3: "Up to 3 times"}
    assert words[rules.resorts] in text
    assert f"first row of {rules.columns} cards" in text
    assert text.startswith(f"{rules.suits * rules.ranks} cards")
    if (rules.suits, rules.ranks) != (4, 13):
        assert f"{rules.ranks} ranks of {rules.suits} suits" in text
