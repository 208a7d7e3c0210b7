"""Batches: many games side by side, each as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

import ludorum
from ludorum import Game
from ludorum.errors import IllegalMove
from ludorum.state import State

GAMES = ["tictactoe", "connectfour", "rockpaperscissors", "tictactoe3p", "eightpuzzle", "pig"]

# Two steps at the most; whoever goes left is stuck, right is home, and around goes on.
FORK = """
(role walker)
(init (at start))
(<= (legal walker left) (true (at start)))
(<= (legal walker right) (true (at start)))
(<= (legal walker around) (true (at start)))
(<= (next (at swamp)) (does walker left))
(<= (next (at home)) (does walker right))
(<= (next (at start)) (does walker around))
(<= terminal (true (at home)))
(<= (goal walker 100) (true (at home)))
(<= (goal walker 0) (not (true (at home))))
"""


@pytest.mark.parametrize("engine", ["circuit", "relations"])
@pytest.mark.parametrize("name", GAMES)
def test_games_of_a_batch_are_what_states_say(name: str, engine: str) -> None:
    game = ludorum.load(name, engine=engine)
    batch = game.batch(3)
    batch.seed(7)
    states = [game.initial] * 3
    for _ in range(12):
        moves = batch.sample()
        told = batch.step(moves, tell=True)
        assert told is not None
        for i, state in enumerate(states):
            if state.is_terminal:
                continue
            joint = [batch.moves[role][number] for role, number in enumerate(moves[i])]
            states[i] = state.after(joint)
            assert {batch.fluent_terms[k] for k in np.flatnonzero(batch.fluents[i])} == set(states[i].fluents)
            assert bool(batch.is_terminal[i]) == states[i].is_terminal
            goals = [-1 if goal is None else goal for goal in states[i].goals.values()]
            assert batch.goals[i].tolist() == goals
            if not states[i].is_terminal:
                for role, legal in zip(game.roles, batch.legal, strict=True):
                    number = list(game.roles).index(role)
                    shown = {batch.moves[number][k] for k in np.flatnonzero(legal[i])}
                    assert shown == {move.term for move in states[i].legal(role)}
                assert batch.choosers[i].tolist() == [role in states[i].choosers for role in game.roles]


def test_what_roles_are_told_is_what_states_tell() -> None:
    game = ludorum.load("montyhall")
    batch = game.batch(64)
    batch.seed(3)
    terms = [(role, term) for role, told in zip(game.roles, game.circuit.percepts, strict=True) for term, _ in told]
    states = [game.initial] * 64
    heard = 0
    for _ in range(4):
        moves = batch.sample()
        told = batch.step(moves, tell=True)
        assert told is not None
        for i in range(64):
            if not states[i].is_terminal:
                states[i] = states[i].after([batch.moves[role][number] for role, number in enumerate(moves[i])])
                shown = {terms[k] for k in np.flatnonzero(told[i])}
                assert shown == {(role, term) for role, said in states[i].percepts.items() for term in said}
                heard += len(shown)
    # In every match the candidate sees one door opened.
    assert heard == 64


def test_a_game_may_be_terminal_stuck_or_cut() -> None:
    game = ludorum.load(FORK, name="fork")
    batch = game.batch(3, max_steps=2)
    number = {str(move): k for k, move in enumerate(batch.moves[0])}
    batch.step(np.array([[number["left"]], [number["right"]], [number["around"]]]))
    assert batch.is_stuck.tolist() == [True, False, False]
    assert batch.is_terminal.tolist() == [False, True, False]
    batch.step(np.array([[0], [0], [number["around"]]]))
    assert batch.standings.tolist() == [2, 1, 3]
    assert batch.is_over.all()
    assert batch.lengths.tolist() == [1, 1, 2]
    batch.reset(np.array([True, False, False]))
    assert batch.is_over.tolist() == [False, True, True]


def test_an_illegal_move_is_named_and_changes_nothing() -> None:
    game = ludorum.load("tictactoe")
    batch = game.batch(4)
    moves = batch.sample()
    moves[2, 0] = 99
    before = batch.rows.copy()
    with pytest.raises(IllegalMove, match="move 99 of role 0 is not legal in game 2"):
        batch.step(moves)
    assert (batch.rows == before).all()
    with pytest.raises(ValueError, match="shape"):
        batch.step(moves[:2])


def test_moves_are_drawn_uniformly() -> None:
    batch = ludorum.load("breakthrough").batch(1000)
    batch.seed(11)
    counts = np.zeros(len(batch.moves[0]), dtype=int)
    for _ in range(220):
        np.add.at(counts, batch.sample()[:, 0], 1)
    legal = batch.legal[0][0]
    assert counts[~legal].sum() == 0
    assert chisquare(counts[legal]).pvalue > 1e-4


def test_no_move_that_is_drawn_is_illegal() -> None:
    batch = ludorum.load("othello").batch(2048)
    batch.seed(5)
    for _ in range(200):
        # step raises for an illegal move.
        batch.step(batch.sample())
        batch.reset(batch.is_over)


def test_a_game_draws_the_same_whatever_is_beside_it() -> None:
    game = ludorum.load("connectfour")

    def walk(n: int, threads: int) -> np.ndarray:
        batch = game.batch(n, threads=threads)
        batch.seed(40)
        for _ in range(10):
            batch.step(batch.sample())
        return batch.rows[:50].copy()

    alone = walk(50, 1)
    assert (walk(5000, 1) == alone).all()
    assert (walk(5000, 2) == alone).all()


def test_only_the_games_that_are_named_take_part() -> None:
    batch = ludorum.load("tictactoe").batch(4)
    chosen = np.array([True, False, True, False])
    moves = batch.sample(chosen)
    assert (moves[~chosen] == 2**32 - 1).all()
    batch.step(moves, chosen)
    assert batch.lengths.tolist() == [1, 0, 1, 0]


def test_arrays_of_the_caller_are_filled() -> None:
    game = ludorum.load("tictactoe")
    batch = game.batch(2)
    fluents = np.full((2, len(batch.fluent_terms)), 9, dtype=np.uint8)
    assert batch.write_fluents(fluents) is fluents
    assert set(fluents.ravel()) == {0, 1}
    assert fluents[0].sum() == len(game.initial.fluents)
    legal = np.full((2, len(batch.moves[1])), 9, dtype=np.uint8)
    batch.write_legal(legal, 1)
    assert legal.sum(axis=1).tolist() == [1, 1]
    with pytest.raises(ValueError, match="wrong shape"):
        batch.write_fluents(np.zeros((2, 3), dtype=np.uint8))


def test_single_games_are_put_into_a_state(tictactoe_later: State) -> None:
    game = tictactoe_later.game
    batch = game.batch(3)
    position = tictactoe_later.position
    assert isinstance(position, bytes)
    batch.reset(np.array([False, True, False]), np.frombuffer(position, dtype=np.uint64))
    assert batch.legal[1].sum(axis=1).tolist() == [1, 8, 1]


@pytest.fixture
def tictactoe_later() -> State:
    game: Game = ludorum.load("tictactoe", engine="circuit")
    return game.replay("(mark 1 1)")


@pytest.mark.parametrize("engine", ["circuit", "relations"])
@pytest.mark.parametrize("name", ["tictactoe", "rockpaperscissors", "pig"])
def test_beginning_anew_at_once_is_the_same_as_resetting_afterwards(name: str, engine: str) -> None:
    game = ludorum.load(name, engine=engine)
    at_once, later = game.batch(70, max_steps=12), game.batch(70, max_steps=12)
    at_once.seed(9)
    later.seed(9)
    fluents, legal = at_once.fluent_bytes, at_once.legal_bytes
    ends = 0
    for _ in range(40):
        if engine == "circuit":
            at_once.step(at_once.sample(), auto_reset=True, fluents=fluents, legal=legal)
        else:
            # There are more fluents as the game goes on, so an array of yours would soon be too narrow.
            at_once.step(at_once.sample(), auto_reset=True)
            fluents, legal = at_once.fluent_bytes, at_once.legal_bytes
        later.step(later.sample())
        over = later.is_over
        assert (at_once.ended == later.standings).all()
        assert (at_once.ended == later.ended).all()
        assert (at_once.final_goals[over] == later.goals[over]).all()
        assert (at_once.final_goals[~over] == -1).all()
        ends += int(over.sum())
        later.reset(over)
        assert (at_once.rows == later.rows).all()
        assert (fluents == later.fluent_bytes).all()
        assert (legal == later.legal_bytes).all()
    assert ends > 70


def test_legal_moves_are_packed_bits_too() -> None:
    batch = ludorum.load("breakthrough").batch(5)
    packed = np.unpackbits(batch.legal_rows.view(np.uint8), axis=1, bitorder="little")
    assert (packed[:, :batch.legal_bytes.shape[1]] == batch.legal_bytes).all()
