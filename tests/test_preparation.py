"""Preparation is done in pieces that can be broken off: a match waits for none of them."""

from __future__ import annotations

import threading

import pytest

import ludorum
from ludorum.analysis import symmetry
from ludorum.clock import NEVER, Deadline
from ludorum.errors import LudorumError
from ludorum.players import MCTS
from ludorum.players.background import by_deadline

pytestmark = pytest.mark.slow

LONG = 60.0


def test_work_that_is_not_done_by_the_deadline_is_left_behind() -> None:
    gate = threading.Event()
    assert by_deadline(lambda: gate.wait(LONG), Deadline.within(0.05)) is None
    gate.set()


def test_work_is_waited_for_where_there_is_no_hurry_and_its_mistakes_are_told() -> None:
    assert by_deadline(lambda: 42, NEVER) == by_deadline(lambda: 42, Deadline.within(LONG)) == 42

    def failing() -> int:
        raise LudorumError("out of luck")

    with pytest.raises(LudorumError, match="out of luck"):
        by_deadline(failing, Deadline.within(LONG))


def test_symmetries_that_are_not_found_in_time_cost_nothing_but_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    game, gate = ludorum.load("connectfour"), threading.Event()
    monkeypatch.setattr(symmetry, "find_symmetries", lambda *_, **__: gate.wait(LONG))
    playing = MCTS(seconds=None, symmetries=True, seed=1).join(game, "red")
    playing.prepare(Deadline.within(3))
    # It has thought about the first state in the time that was left.
    assert playing.best_so_far(game.initial) in game.initial.legal("red")
    gate.set()
    playing.finish()
