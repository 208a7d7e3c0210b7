"""The player of puzzles follows its plan, and keeps its head where things go otherwise."""

from __future__ import annotations

import time

import pytest

import ludorum
from ludorum import Game
from ludorum.clock import Deadline
from ludorum.joint import goes_on
from ludorum.move import Role
from ludorum.players import Solver, named

# Far more than anything here needs, on however busy a machine.
LONG = 60.0


@pytest.fixture(scope="module")
def hanoi() -> Game:
    return ludorum.load("hanoi")


def test_it_has_nothing_to_say_before_its_first_move(hanoi: Game) -> None:
    player = named("solver:seconds=2,seed=3")
    assert isinstance(player, Solver)
    assert player.join(hanoi, hanoi.roles[0]).info is None


@pytest.mark.parametrize("name", ["hanoi", "wolfgoatcabbage", "eightpuzzle", "blocksworld"])
def test_it_solves_what_it_plays(name: str) -> None:
    game = ludorum.load(name)
    player = Solver(seconds=LONG)
    match = ludorum.play(game, {game.roles[0]: player})
    assert match.goals == {game.roles[0]: 100}


def test_it_says_what_it_is_going_to_do_and_does_it(hanoi: Game) -> None:
    (role,) = hanoi.roles
    playing = Solver(seconds=LONG).join(hanoi, role)
    playing.prepare(Deadline.within(LONG))
    state = hanoi.initial
    move = playing.move(state)
    info = playing.info
    assert info is not None
    assert info.proved == {move}
    assert info.values == {move: 100.0}
    promised = [joint[role] for joint in info.principal_variation]
    made = []
    while not state.is_terminal:
        made.append(playing.move(state))
        state = state.after({role: made[-1]})
    assert made == promised


def test_it_plans_anew_when_it_finds_itself_elsewhere(hanoi: Game) -> None:
    (role,) = hanoi.roles
    playing = Solver(seconds=LONG).join(hanoi, role)
    planned = playing.move(hanoi.initial)
    other = next(move for move in hanoi.initial.legal(role) if move != planned)
    state = hanoi.initial.after({role: other})
    while not state.is_terminal:
        state = state.after({role: playing.move(state)})
    playing.finish()
    assert state.goals[role] == 100


def test_it_answers_in_time_with_a_legal_move_when_there_is_none_to_think() -> None:
    game = ludorum.load("knightstour")
    (role,) = game.roles
    playing = Solver().join(game, role)
    state = game.initial
    for _ in range(5):
        start = time.monotonic()
        move = playing.move(state, Deadline.within(0.1))
        assert time.monotonic() - start < LONG
        assert move in state.legal(role)
        state = state.after({role: move})
        # Whoever has no time to think may soon be stuck.
        if not goes_on(state):
            break
    playing.finish()


def test_among_others_it_makes_sensible_moves() -> None:
    # One move wins at once.
    game = ludorum.load("tictactoe")
    state = game.replay("(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3)")
    (role,) = state.choosers
    player = Solver(seconds=1.0)
    assert str(player.move(state, Role(role), Deadline.within(LONG))) == "(mark 1 3)"
