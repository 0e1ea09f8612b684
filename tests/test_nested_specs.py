"""Specs of players nest, and texts are parameters: whatever is written is read back the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from from_elsewhere import First
from hypothesis import given
from hypothesis import strategies as st

from labyrinth_sim import simulate
from labyrinth_sim.core.identity import Subject
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games import find_game
from labyrinth_sim.games.free_edge.modifiers import with_endgame
from labyrinth_sim.games.free_edge.players import Never
from labyrinth_sim.parameters import Named, player, split_pairs, text, whole
from labyrinth_sim.players import find_player
from labyrinth_sim.plugins import as_player

GAME = find_game()


@dataclass(frozen=True)
class Mostly(Named):
    """Plays as its base does, but takes the last move now and then."""

    base: Any = player("greedy", "the player that it mostly is")
    every: int = whole(3, "how often it does not", low=1)
    motto: str = text("", "what it says")
    name: ClassVar[str] = "mostly"

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return moves[-1] if len(moves) % self.every == 0 else self.base.choose(view, moves, rng)


@dataclass(frozen=True)
class Plain(Named):
    motto: str = "none"

    def choose(self, view: Any, moves: Any, rng: Any) -> str:
        return moves[0]


HERE = f"{__name__}:Mostly"
texts = st.text(max_size=20)
leaves = st.sampled_from(
    ["greedy", "never:endgame=exact", "heuristic:fill=hold:3,gap=most", "random:salt=2"]
)


def mostly(base: str, every: int, motto: str) -> str:
    return find_player(GAME, Mostly(base=base, every=every, motto=motto)).spec


specs = st.recursive(
    leaves, lambda inner: st.builds(mostly, inner, st.integers(1, 9), texts), max_leaves=3
)


@given(specs)
def test_a_spec_is_read_back_as_it_was_written(spec: str) -> None:
    found = find_player(GAME, spec)
    assert find_player(GAME, found.spec).spec == found.spec
    assert Subject.of(find_player(GAME, found.spec)) == Subject.of(found)
    assert Subject.of(find_player(GAME, found.full_spec)) == Subject.of(found)


@given(texts)
def test_a_text_may_be_any(motto: str) -> None:
    for kind, name in ((Mostly, HERE), (Plain, f"{__name__}:Plain")):
        found = find_player(GAME, kind(motto=motto))
        assert found.spec.startswith(name)
        assert find_player(GAME, found.spec).player.motto == motto


def test_the_base_is_a_player_and_counts() -> None:
    found = find_player(GAME, f"{HERE}:base=(heuristic:fill=hold:3,gap=most),every=2")
    assert found.player.base == find_player(GAME, "heuristic:fill=hold:3,gap=most")
    assert "fill=hold:3" in found.full_spec
    assert "order=" in found.full_spec  # defaults of the base as well
    assert found.spec == f"{HERE}:base=(heuristic:fill=hold:3,gap=most),every=2"
    assert find_player(GAME, f"{HERE}:base=(greedy)").spec == HERE
    deep = find_player(GAME, f"{HERE}:base=({HERE}:base=never)")
    assert deep.player.base.player.base.spec == "never"
    assert deep.source != find_player(GAME, HERE).source  # its base is no shipped player


def test_modifiers_inside_and_outside_of_parentheses() -> None:
    found = find_player(GAME, f"{HERE}:base=(never:endgame=exact),endgame=exact")
    assert found.spec == f"{HERE}:base=(never:endgame=exact),endgame=exact"
    inside = find_player(GAME, f"{HERE}:base=({__name__}:Plain:endgame=exact)")
    assert inside.player.base.spec == f"{__name__}:Plain:endgame=exact"


def test_a_base_may_be_any_object_also_below_wrappers() -> None:
    named = find_player(GAME, f"{HERE}:base={__name__}:Plain")
    for one in (Mostly(base=Plain()), as_player(Mostly(base=f"{__name__}:Plain"))):
        assert Subject.of(find_player(GAME, one)) == Subject.of(named)
    found = find_player(GAME, Mostly(base=First()))
    assert found.spec == f"{HERE}:base=from_elsewhere:First"
    ended = find_player(GAME, with_endgame(Mostly(base="never")))
    assert Subject.of(ended) == Subject.of(find_player(GAME, f"{HERE}:base=never,endgame=exact"))


def test_versions_and_sources_of_the_base_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def source(base: Any) -> str:
        return Subject.of(find_player(GAME, Mostly(base=base))).source

    first, changed = First(), First()
    changed.source = "another"  # type: ignore[attr-defined]
    assert source(first) != source(changed)
    before = source("never")
    monkeypatch.setattr(Never, "version", 9, raising=False)
    assert source("never") != before


def test_it_plays() -> None:
    always = simulate(player=f"{HERE}:base=never,every=99", deals=60, n_jobs=2, block_bits=3)
    assert always.tally == simulate(player="never", deals=60).tally
    assert always.tally != simulate(player=f"{HERE}:base=never,every=2", deals=60, n_jobs=1).tally


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ("base=(greedy", "leaves a parenthesis open"),
        ("base=greedy)", "closes a parenthesis that is not open"),
        ('motto="never ends', "leaves a quote open"),
        ('motto="a" b', "no text in double quotes"),
        ("base=()", "names no player"),
        ("base=", "names no player"),
        ("base=(greed)", "unknown player 'greed'.*did you mean greedy"),
        ("base=(heuristic:fill=sometimes)", "unknown value of fill 'sometimes'"),
        ("base=never,base=greedy", "'base' is given twice"),
        ("every=0", "every=0 is out of range"),
    ],
)
def test_what_can_not_be_read_is_refused(pairs: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        find_player(GAME, f"{HERE}:{pairs}")


def test_what_is_no_player_and_no_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match="base=3 is not allowed; give a player, or its spec"):
        Mostly(base=3)
    with pytest.raises(InvalidInput, match="motto=3 is not allowed; give a text"):
        Mostly(motto=3)


def test_a_player_made_of_itself_without_end_is_refused() -> None:
    @dataclass(frozen=True)
    class Endless(Mostly):
        base: Any = player(f"{__name__}:ENDLESS", "itself")

    globals()["ENDLESS"] = Endless
    with pytest.raises(InvalidInput, match="made of itself without end"):
        find_player(GAME, f"{__name__}:ENDLESS")


def test_commas_are_split_outside_of_parentheses_and_quotes_only() -> None:
    assert split_pairs('a=(b:c=1,d=(e:f=2,g=3)),h="x, (y",i=4') == [
        "a=(b:c=1,d=(e:f=2,g=3))",
        'h="x, (y"',
        "i=4",
    ]
