"""Symmetries of one given state, and the moves that they make of each other; counted on the board by hand."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.symmetry import Symmetries, find_symmetries


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load("tictactoe")


@pytest.fixture(scope="module")
def symmetries(tictactoe: Game) -> Symmetries:
    return find_symmetries(tictactoe)


# The board turns and is reflected in eight ways: all keep the empty board and the centre, a corner is kept by its
# diagonal, an edge by the line through the centre, and a corner and the edge beside it by nothing.
@pytest.mark.parametrize(("moves", "kept", "sizes"), [
    ("", 8, [1, 4, 4]),
    ("(mark 2 2)", 8, [4, 4]),
    ("(mark 1 1)", 2, [1, 1, 2, 2, 2]),
    ("(mark 1 2)", 2, [1, 1, 2, 2, 2]),
    ("(mark 1 1) (mark 1 2)", 1, [1, 1, 1, 1, 1, 1, 1]),
    ("(mark 1 1) (mark 3 3)", 2, [1, 2, 2, 2]),
])
def test_a_state_has_the_symmetries_that_leave_it_as_it_is(tictactoe: Game, symmetries: Symmetries, moves: str,
                                                          kept: int, sizes: list[int]) -> None:
    state = tictactoe.replay(moves) if moves else tictactoe.initial
    found = symmetries.of_state(state)
    assert found is not None
    assert len(found) == kept
    role = next(role for role in tictactoe.roles if len(state.legal(role)) > 1)
    classes = symmetries.alike_moves(state, role)
    assert classes is not None
    # Where a corner and the one across are taken, the centre is alone, and so on.
    assert sorted(map(len, classes)) == sizes
    assert sorted(str(move) for alike in classes for move in alike) == sorted(map(str, state.legal(role)))


def test_too_many_symmetries_are_not_listed(tictactoe: Game, symmetries: Symmetries) -> None:
    assert symmetries.of_state(tictactoe.initial, most=3) is None
    assert symmetries.alike_moves(tictactoe.initial, "xplayer", most=3) is None
