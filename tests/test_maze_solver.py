"""The solver of Maze: wins are played, lost positions searched plainly, limits kept."""

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layouts import MAZES, lay, name_of, nearly_won
from probed import collected

from labyrinth_sim.cards import CARD_NAMES
from labyrinth_sim.core.playthrough import replay
from labyrinth_sim.core.solver import Limits, Solution
from labyrinth_sim.deals import ListedDeals, SeededDeals, deal
from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.games.search import PlainSolver
from labyrinth_sim.games.sliding.maze import GAME
from labyrinth_sim.games.sliding.maze.evaluation import tables_of
from labyrinth_sim.games.sliding.maze.kernels import flags_of
from labyrinth_sim.games.sliding.maze.reference import MazePosition
from labyrinth_sim.games.sliding.maze.rules import MazeRules
from labyrinth_sim.games.sliding.maze.shorten import shorten
from labyrinth_sim.games.sliding.maze.shorten_kernels import replays
from labyrinth_sim.games.sliding.maze.solver import MazeSolver
from labyrinth_sim.games.sliding.maze.solver_kernels import solve_one
from labyrinth_sim.games.solving import VERDICTS

DATA = Path(__file__).parent / "data"
SMALL = Limits(memory=4)
PRESETS = [
    MazeRules.read(f"{preset},removed={removed}")
    for preset in MazeRules.presets
    for removed in ("kings", "aces")
]
ids = pytest.mark.parametrize("rules", PRESETS, ids=name_of)


def solved(position: Any, limits: Limits = SMALL) -> Solution:
    """What the solver says; a win is played in the reference engine."""
    solution = GAME.solver.solve(position, limits)
    if solution.verdict == "winnable":
        assert replay(position, solution.moves).result == "won"
        assert solution.moves or position.status == "won"
    else:
        assert solution.moves is None
    return solution


def verdicts(rules: MazeRules, first: int, deals: int, source: Any = None, **options: Any) -> Any:
    source = source or SeededDeals(51)
    probe = GAME.solver.probe(rules, source, options.pop("limits", SMALL))
    run = collected(
        probe,
        source,
        first=first,
        deals=deals,
        keep="outcomes",
        watched="winnable",
        **{"n_jobs": 1, **options},
    )
    return run.outcomes


def test_layouts_that_are_won_need_no_move() -> None:
    won = 0
    for case in map(json.loads, (DATA / "maze_won.jsonl").read_text().splitlines()):
        for preset, expected in case["won"].items():
            position = lay(MazeRules.preset(preset), " ".join(case["cells"]))
            solution = solved(position, Limits(nodes=100, memory=1))
            if expected:
                assert (solution.verdict, solution.moves, solution.nodes) == ("winnable", [], 0)
                won += 1
            else:
                assert solution.moves != []
    assert won > 50


@ids
def test_deals_are_won(rules: MazeRules) -> None:
    for index in range(3):
        assert solved(GAME.start(deal(f"1/52/{index}").deck, rules)).verdict == "winnable"


def test_every_rule_set_is_played_by_its_rules() -> None:
    """Whatever is found replays, and much is found: from deals, and with runs out of place."""
    chooser, won = random.Random(53), [0, 0]
    for rules in MAZES:
        begin = GAME.start(deal("1/53/0").deck, rules)
        won[0] += solved(begin, Limits(memory=2, nodes=30_000)).verdict == "winnable"
        near = nearly_won(rules, chooser)
        won[1] += solved(near, Limits(memory=1, nodes=3_000)).verdict == "winnable"
    assert min(won) >= 12


@ids
def test_endings_are_won_in_no_more_moves(rules: MazeRules) -> None:
    position = GAME.start(deal("1/54/0").deck, rules)
    line = solved(position).moves
    assert line
    for left in (1, 2, 3, 5, 8, 12):
        here = position
        for move in line[:-left]:
            here = here.after(move)
        again = solved(here).moves
        assert again is not None
        assert len(again) <= left


def pieces_after_gaps(rules: MazeRules, chooser: random.Random) -> MazePosition:
    """Pieces of runs, the gaps mostly in front: without a ring, often little can be reached."""
    cards = [13 * suit + rank for suit in range(4) for rank in range(rules.low, rules.high + 1)]
    pieces = []
    while cards:
        length = chooser.randint(1, 12)
        pieces.append(cards[:length])
        cards = cards[length:]
    chooser.shuffle(pieces)
    lying: list[int | None] = [card for piece in pieces for card in piece]
    place = 0 if chooser.random() < 0.7 else chooser.randrange(48)
    lying[place:place] = 6 * [None]
    return MazePosition(rules, tuple(lying))


CLOSED = [
    rules
    for rules in MAZES
    if rules.ring == "no" and rules.entries == "none" and rules.empty == "9+18"
]
"""Where positions can be lost: with other entries and no ring, cell 1 always takes a card."""


@pytest.mark.parametrize("rules", CLOSED, ids=name_of)
def test_lost_positions_against_plain_search(rules: MazeRules) -> None:
    chooser, plain, seen = random.Random(55), PlainSolver(GAME), []
    for _ in range(60):
        position = pieces_after_gaps(rules, chooser)
        expected = plain.solve(position, Limits(nodes=50))
        if expected.verdict != "unknown":
            assert solved(position, Limits(memory=1)).verdict == expected.verdict
            seen.append((expected.verdict, expected.nodes))
    lost = [nodes for verdict, nodes in seen if verdict == "unwinnable"]
    assert len(lost) >= 8
    assert max(lost) > 5


def test_few_nodes_do_not_prove_anything() -> None:
    """What is lost is unknown as long as there were no nodes for some positions."""
    chooser, rules, cut_short = random.Random(56), MazeRules(ring="no"), 0
    while cut_short < 3:
        position = pieces_after_gaps(rules, chooser)
        if PlainSolver(GAME).solve(position, Limits(nodes=50)).verdict == "unwinnable":
            whole = solved(position, Limits(memory=1)).nodes
            for nodes in range(1, whole):
                cut = solved(position, Limits(memory=1, nodes=nodes))
                assert (cut.verdict, cut.nodes) == ("unknown", nodes)
            cut_short += whole > 1


@pytest.mark.parametrize("rules", [MazeRules(), MazeRules(ring="no")], ids=name_of)
def test_a_beam_that_left_positions_out_proves_nothing(rules: MazeRules) -> None:
    narrow = np.array([(1, 50, 1, 0), (1, 50, 2, 1)])
    search, stop, seen = GAME.solver.search(rules, SMALL), np.zeros(1, np.uint8), Counter[str]()
    for index in range(30):
        search.start[:] = list(GAME.start(deal(f"1/52/{index}").deck, rules).key())
        verdict, *_ = solve_one(
            np.uint64(2**62), flags_of(rules), tables_of(rules), narrow, search, stop
        )
        seen[VERDICTS[verdict]] += 1
    assert seen["unknown"] >= 20
    assert not seen["unwinnable"]


def test_a_line_can_be_had_as_it_was_found() -> None:
    position = GAME.start(deal("1/57/0").deck, MazeRules())
    found, short = (MazeSolver(short=short).solve(position, SMALL) for short in (False, True))
    assert found.nodes == short.nodes
    assert found.moves
    assert short.moves
    assert len(short.moves) < len(found.moves)
    assert replay(position, found.moves).result == "won"


@ids
def test_limits_of_nodes_and_memory(rules: MazeRules) -> None:
    position = GAME.start(deal("1/57/1").deck, rules)
    for nodes in (1, 99, 1_234):
        solution = solved(position, Limits(nodes=nodes, memory=2))
        assert (solution.verdict, solution.nodes) == ("unknown", nodes)
        assert solution.reproducible
    assert solved(position, Limits(memory=1)).verdict == "winnable"


def test_an_answer_after_the_limit_in_seconds_is_none() -> None:
    position = GAME.start(deal("1/57/0").deck, MazeRules())
    solution = GAME.solver.solve(position, seconds=1e-6)
    assert (solution.verdict, solution.reproducible) == ("unknown", False)
    with pytest.raises(InvalidInput, match="seconds=0"):
        GAME.solver.solve(position, seconds=0)


def test_same_answer_however_cut_and_whoever_works() -> None:
    rules = MazeRules()
    whole = verdicts(rules, 5, 40)
    for options in ({"block_bits": 2}, {"block_bits": 3, "n_jobs": 2}):
        cut = verdicts(rules, 5, 40, **options)
        assert all((whole[name] == cut[name]).all() for name in whole)
    for index in range(5, 45, 7):
        solution = solved(GAME.start(deal(f"1/51/{index}").deck, rules))
        assert whole["winnable"][index - 5] == (solution.verdict == "winnable")
        assert whole["nodes"][index - 5] == solution.nodes


def test_given_decks_are_solved_as_the_seed_that_deals_them() -> None:
    rules, source = MazeRules.preset("pysol"), SeededDeals(51)
    listed = ListedDeals(np.array([source.deck(index) for index in range(6)]))
    given, seeded = verdicts(rules, 1, 5, listed), verdicts(rules, 1, 5)
    assert all((given[name] == seeded[name]).all() for name in given)


@ids
def test_detours_are_cut(rules: MazeRules) -> None:
    """Moves that are taken back at once are dropped."""
    begin = GAME.start(deal("1/58/0").deck, rules)
    moves = solved(begin).moves
    assert moves
    positions = [begin]
    for move in moves:
        positions.append(positions[-1].after(move))
    detours = 0
    for place in range(len(moves) - 1, -1, -1):
        here, after = positions[place : place + 2]
        back = next((move for move in after.legal() if after.after(move) == here), None)
        if back and detours < 4:
            positions[place:place] = [here, after]
            detours += 1
    assert detours
    line = np.array([_code(one, other) for one, other in pairwise(positions)], np.uint16)
    assert len(line) == len(moves) + 2 * detours
    cells, stop = np.frombuffer(begin.key(), np.uint8), np.zeros(1, np.uint8)
    shorter = shorten(cells, rules, line, stop)
    assert len(shorter) <= len(moves)
    assert replay(begin, [_text(int(code)) for code in shorter]).result == "won"
    stop[0] = 1
    assert (shorten(cells, rules, line, stop) == line).all()


@ids
def test_the_replay_of_kernels_refuses_what_is_illegal(rules: MazeRules) -> None:
    begin = GAME.start(deal("1/59/0").deck, rules)
    moves = solved(begin).moves
    assert moves
    positions = [begin]
    for move in moves:
        positions.append(positions[-1].after(move))
    line = np.array([_code(one, other) for one, other in pairwise(positions)], np.uint16)
    cells, flags = np.frombuffer(begin.key(), np.uint8), flags_of(rules)
    assert replays(flags, cells, line)
    for place in range(len(line)):
        left_out = np.delete(line, place)
        names = [_text(int(code)) for code in left_out]
        assert replays(flags, cells, left_out) == (replay(begin, names).result == "won")


def _code(before: Any, after: Any) -> int:
    """A move as kernels write it, from the positions around it."""
    (cell,) = [
        place
        for place, (one, other) in enumerate(zip(before.cells, after.cells, strict=True))
        if one is None and other is not None
    ]
    card = after.cells[cell]
    return card << 6 | cell + 1


def _text(code: int) -> str:
    return f"M {CARD_NAMES[code >> 6]} {code & 63}"
