"""The evaluation of Maze: what a move changes in it, and what it says of being won."""

import random
from typing import Any

import numpy as np
import pytest
from layouts import MAZES, name_of, nearly_won, start, walk, won

from labyrinth_sim.cards import card_code
from labyrinth_sim.compiled import kernel
from labyrinth_sim.games.sliding.kernels import NONE, ONE
from labyrinth_sim.games.sliding.maze.evaluation import tables_of
from labyrinth_sim.games.sliding.maze.evaluation_kernels import CELLS, change, finish, unpack, wins
from labyrinth_sim.games.sliding.maze.kernels import flags_of
from labyrinth_sim.games.sliding.maze.rules import MazeRules


@kernel
def counted(flags: Any, tables: Any, cells: Any) -> Any:
    """All about a position, counted from nothing."""
    board, where = np.zeros(CELLS + 2, np.uint64), np.zeros(64, np.uint64)
    gaps, joined = unpack(cells, tables, board, where)
    score, joints, close, corners = finish(board, joined, gaps, tables)
    return joined, score, joints, close, corners, wins(joints, close, corners, flags)


@kernel
def counted_on(flags: Any, tables: Any, cells: Any, card: Any, gap: Any) -> Any:
    """All about the position after a move, from what the move changes."""
    board, where = np.zeros(CELLS + 2, np.uint64), np.zeros(64, np.uint64)
    gaps, joined = unpack(cells, tables, board, where)
    cell = where[card]
    total = joined + change(board, card, cell, gap, tables)
    board[cell], board[gap] = NONE, card
    gaps ^= (ONE << gap) ^ (ONE << cell)
    score, joints, close, corners = finish(board, total, gaps, tables)
    return total, score, joints, close, corners, wins(joints, close, corners, flags)


def cells_of(position: Any) -> Any:
    return np.frombuffer(position.key(), np.uint8)


@pytest.mark.parametrize("rules", MAZES, ids=name_of)
def test_a_move_changes_what_counting_again_finds(rules: MazeRules) -> None:
    chooser, flags, seen = random.Random(61), flags_of(rules), set()
    positions = [*walk(start(rules, 61), chooser, 30)]
    positions += [nearly_won(rules, chooser) for _ in range(40)]
    for position in positions:
        for move in position.legal():
            _, card, gap = move.split()
            after = position.after(move)
            for tables in tables_of(rules):
                found = counted_on(
                    flags, tables, cells_of(position), np.uint64(card_code(card)), np.uint64(gap)
                )
                assert found == counted(flags, tables, cells_of(after))
                assert found[-1] == won(after)
            seen.add(won(after))
    assert seen == {False, True}
