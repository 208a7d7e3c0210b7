"""All states of a game, or as many as there is room and time for."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.proofs.tactics.exploration import Explored, explore
from ludorum.clock import Budget


def choosing(roles: int, numbers: int) -> Game:
    """Every role chooses a number, all at once, and the game is over."""
    return ludorum.load(" ".join([*(f"(role r{i})" for i in range(roles)), *(f"(number {k})" for k in range(numbers))])
                        + """ (init start)
        (<= (legal ?r (choose ?n)) (role ?r) (number ?n))
        (<= (next (chosen ?r ?n)) (does ?r (choose ?n)))
        (<= terminal (not (true start))) (<= (goal ?r 0) (role ?r))""")


def explored(game: Game, budget: Budget) -> Explored:
    return explore(game, budget)


def test_every_joint_move_of_many_is_made() -> None:
    game = choosing(roles=3, numbers=60)
    found = explored(game, Budget())
    assert found.is_complete
    assert len(found.rows) == 1 + 60**3
    for index in (1, 100_000, 60**3):
        position = game.replay(found.path(index)).position
        assert (np.frombuffer(position, dtype=np.uint64) == found.rows[index]).all()  # type: ignore[call-overload]


def test_more_joint_moves_than_anybody_can_make_are_left_alone() -> None:
    # 10^18 of them, whose numbers alone no memory holds.
    found = explored(choosing(roles=9, numbers=100), Budget.within(60))
    assert (len(found.rows), found.is_complete) == (1, False)


def test_more_joint_moves_than_a_float_can_count_are_left_alone_in_silence(recwarn: pytest.WarningsRecorder) -> None:
    found = explored(choosing(roles=1_100, numbers=2), Budget.within(60))
    assert (len(found.rows), found.is_complete) == (1, False)
    assert not recwarn.list


def test_the_budget_of_memory_is_kept() -> None:
    tictactoe = ludorum.load("tictactoe")
    # No process of Python is as small as that.
    assert not explored(tictactoe, Budget(memory_mb=1)).is_complete
    assert explored(tictactoe, Budget()).is_complete
