"""The player of puzzles follows its plan, and keeps its head where things go otherwise."""

from __future__ import annotations

import time

import pytest

import ludorum
from ludorum import Game
from ludorum.clock import Deadline
from ludorum.joint import choosers, goes_on
from ludorum.move import Role
from ludorum.players import Explains, Finishes, Prepares, Solver, named

# Far more than anything here needs, on however busy a machine.
LONG = 60.0


@pytest.fixture(scope="module")
def hanoi() -> Game:
    return ludorum.load("hanoi")


def test_it_prepares_explains_and_finishes() -> None:
    player = named("solver:seconds=2,seed=3")
    assert isinstance(player, Solver)
    assert isinstance(player, Prepares)
    assert isinstance(player, Explains)
    assert isinstance(player, Finishes)
    assert player.thoughts is None


@pytest.mark.parametrize("name", ["hanoi", "wolfgoatcabbage", "eightpuzzle", "blocksworld"])
def test_it_solves_what_it_plays(name: str) -> None:
    game = ludorum.load(name)
    player = Solver(seconds=LONG)
    match = ludorum.play(game, {game.roles[0]: player})
    player.finish()
    assert match.goals == {game.roles[0]: 100}


def test_it_says_what_it_is_going_to_do_and_does_it(hanoi: Game) -> None:
    (role,) = hanoi.roles
    player = Solver(seconds=LONG)
    player.prepare(hanoi, role, Deadline.within(LONG))
    state = hanoi.initial
    move = player.move(state, role)
    thoughts = player.thoughts
    assert thoughts is not None
    assert thoughts.proved == {move}
    assert thoughts.values == {move: 100.0}
    promised = [joint[role] for joint in thoughts.principal_variation]
    made = []
    while not state.is_terminal:
        made.append(player.move(state, role))
        state = state.after({role: made[-1]})
    assert made == promised


def test_it_plans_anew_when_it_finds_itself_elsewhere(hanoi: Game) -> None:
    (role,) = hanoi.roles
    player = Solver(seconds=LONG)
    planned = player.move(hanoi.initial, role)
    other = next(move for move in hanoi.initial.legal(role) if move != planned)
    state = hanoi.initial.after({role: other})
    while not state.is_terminal:
        state = state.after({role: player.move(state, role)})
    player.finish()
    assert state.goals[role] == 100


def test_it_answers_in_time_with_a_legal_move_when_there_is_none_to_think() -> None:
    game = ludorum.load("knightstour")
    (role,) = game.roles
    player = Solver()
    state = game.initial
    for _ in range(5):
        start = time.monotonic()
        move = player.move(state, role, Deadline.within(0.1))
        assert time.monotonic() - start < LONG
        assert move in state.legal(role)
        state = state.after({role: move})
        # Whoever has no time to think may soon be stuck.
        if not goes_on(state):
            break
    player.finish()


def test_among_others_it_makes_sensible_moves() -> None:
    # One move wins at once.
    game = ludorum.load("tictactoe")
    state = game.replay("(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3)")
    (role,) = choosers(state)
    player = Solver(seconds=1.0)
    assert str(player.move(state, Role(role), Deadline.within(LONG))) == "(mark 1 3)"
    player.finish()
