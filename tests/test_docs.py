"""What the documents say of the package, held against the package (RULES §1 to §5)."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from labyrinth_sim import deal
from labyrinth_sim.cards import Pack
from labyrinth_sim.cli import main
from labyrinth_sim.deals import Deal
from labyrinth_sim.games import find_game
from labyrinth_sim.version import VERSION

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
HEADINGS = re.findall(r"^#+ (§[\d.]+) (.+)$", PAGE, re.MULTILINE)
NAMES = [number for number, _ in HEADINGS]
GAMES = {"labyrinth": ("§2.1", "§2.2"), "maze": ("§3", "§3"), "gaps": ("§4", "§4")}
"""Where the parameters and the presets of a game are."""

COLUMNS = {"labyrinth": ["in Labyrinth also", "in Labyrinth"], "others": ["in Maze and Gaps"]}
"""Where the keys are that not every game prints."""

Row = dict[str, str]


def section(name: str) -> str:
    """The text of a section of the rules, up to the next heading."""
    found = re.search(rf"^#+ {name} .*?\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/rules.md has no section {name}"
    return found[1]


def tables(name: str) -> list[list[Row]]:
    """The tables of a section, each a list of rows by column."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", section(name), re.MULTILINE):
        head, _, *rows = [
            [cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()
        ]
        head = [plain(cell) for cell in head]
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def table(name: str, *columns: str) -> list[Row]:
    """The one table of a section that has these columns."""
    found = [rows for rows in tables(name) if {*columns} <= {*rows[0]}]
    assert len(found) == 1, f"{name} should have one table of {columns}"
    return found[0]


def plain(cell: str) -> str:
    return cell.removesuffix("(default)").strip().strip("`")


def quoted(cell: str) -> set[str]:
    return {*re.findall(r"`([^`]+)`", cell)}


def citations() -> list[tuple[str, str]]:
    """Every section of the rules that is named somewhere, with the place."""
    files = [
        *ROOT.glob("*.md"),
        *(
            path
            for folder in ("labyrinth_sim", "tests", "experiments", "benchmarks", "docs")
            for path in (ROOT / folder).rglob("*")
            if path.suffix in (".py", ".md") and path.name != "rules.md"
        ),
    ]
    return [
        (str(path.relative_to(ROOT)), name)
        for path in files
        for names in re.findall(
            r"RULES\s+(§[\d.]*\d(?:(?:, | to | and )§[\d.]*\d)*)", path.read_text("utf-8")
        )
        for name in re.findall(r"§[\d.]*\d", names)
    ]


def test_every_section_that_is_cited_exists() -> None:
    cited = citations()
    assert len(cited) > 40
    assert [(path, name) for path, name in cited if name not in NAMES] == []


def test_links_within_the_rules_lead_to_a_heading() -> None:
    slugs = {re.sub(r"[^\w -]", "", f"{a} {b}".lower()).replace(" ", "-") for a, b in HEADINGS}
    links = re.findall(r"\]\(#([^)]*)\)", PAGE)
    assert len(links) == len(HEADINGS)
    assert {*links} == slugs


@pytest.mark.parametrize("page", sorted(p for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / link).exists(), f"{page.name} links to {link}"


@pytest.mark.parametrize("game", GAMES)
def test_presets_are_those_of_the_code(game: str) -> None:
    rules = find_game(game).rules
    rows = table(GAMES[game][1], "preset")
    assert [plain(row["preset"]) for row in rows] == [*rules.presets]
    assert [plain(row["preset"]) for row in rows if "(default)" in row["preset"]] == [rules().spec]
    for row in rows:
        name = plain(row.pop("preset"))
        assert row.pop("source") == rules.presets[name].source
        given = {key: plain(value) for key, value in row.items()}
        values = {key: str(value) for key, value in rules.preset(name).as_dict().items()}
        assert given == {key: values[key] for key in given}
        left_out = {key: value for key, value in values.items() if key not in given}
        for key, value in left_out.items():  # because they are the same in every preset
            assert f"`{key}={value}`" in section(GAMES[game][1])


@pytest.mark.parametrize("game", GAMES)
def test_parameters_are_those_of_the_code(game: str) -> None:
    said: dict[str, list[str]] = {}
    name = ""
    for row in table(GAMES[game][0], "parameter", "value"):
        name = plain(row["parameter"]) or name
        said.setdefault(name, []).append(row["value"])
    parameters = {parameter.name: parameter for parameter in fields(find_game(game).rules)}
    assert [*said] == [*parameters]
    for name, cells in said.items():
        kind, default = parameters[name].metadata, parameters[name].default
        if "values" in kind:
            assert {plain(cell) for cell in cells} == {*kind["values"]}
            assert [plain(cell) for cell in cells if "(default)" in cell] == [default]
        else:
            bound = "or more" if kind["high"] is None else f"to {kind['high']}"
            assert cells == [f"{kind['low']} {bound} (default {default})"]


def test_published_odds_are_those_of_the_games() -> None:
    rows = table("§2.2", "odds")
    said = [(plain(row["game"]), plain(row["rules"]), row["odds"], row["source"]) for row in rows]
    known = [
        (game, one.rules, one.odds, one.source)
        for game in GAMES
        for one in find_game(game).catalog.published
    ]
    assert sorted(said) == sorted(known)


def test_known_answers_of_the_dealing_scheme() -> None:
    # Both were found by a program that shares no line with this package.
    one, two = re.findall(r"^`([A2-9TJQKCDHS ]+)`", section("§1").split("Known answers")[1], re.M)
    assert str(deal("1/1/0")).startswith(one)
    assert str(Deal(1, 0, Pack(packs=2))).startswith(two)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("line", "illegal"),
    [
        ("run --deals 20 --jobs 1", False),
        ("show 1/1/0", False),
        ("replay 1/1/0", False),
        ("replay 1/1/0 --moves X", True),
        ("solve 1/1/0 --nodes 150", False),
        ("winnability --deals 2 --nodes 150 --jobs 1", False),
    ],
)
def test_objects_have_the_keys_that_are_written_down(
    game: str, line: str, illegal: bool, capsys: Any
) -> None:
    """All keys, and no others: one that is added is to be written down."""
    verb = line.split()[0]
    given = line.replace("X", "'P KC'" if game == "labyrinth" else "'M KC 1'").split("'")
    words = [*given[0].split(), *given[1:2], "--game", game, "--json"]
    assert main(words) == (1 if illegal else 0)
    printed = json.loads(capsys.readouterr().out)
    columns = {"keys", "in every game", *COLUMNS["labyrinth" if game == "labyrinth" else "others"]}
    written = [
        row[column]
        for rows in tables("§5")
        for row in rows
        if verb in quoted(row["verb"]) and (illegal or "illegal" not in row["verb"])
        for column in {*row} & columns
    ]
    assert {*printed} == quoted(" ".join(written))


def test_the_version_that_is_cited_is_that_of_the_package() -> None:
    said = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert said == [VERSION]


def test_places_that_contributors_are_sent_to_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    places = re.findall(r"\b(?:labyrinth_sim|tests|docs|results)/[\w/.-]*", text)
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place.rstrip(".")).exists()] == []
    for module, attribute in re.findall(r"`(labyrinth_sim(?:\.\w+)*)\.([A-Z]\w+)`", text):
        assert hasattr(import_module(module), attribute)


def test_versions_of_behaviour_are_where_the_changelog_says() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for name, place in re.findall(r"`([A-Z]+)` in `([\w/.]+)`", text):
        assert re.search(rf"^{name} = ", (ROOT / "labyrinth_sim" / place).read_text("utf-8"), re.M)
    solvers = [*(ROOT / "labyrinth_sim" / "games").rglob("solver.py")]
    assert solvers
    for solver in solvers:
        assert re.search(r"^VERSION = \d+$", solver.read_text("utf-8"), re.M)
