"""What was proved is used: the game compiled anew is the same game."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum.analysis.invariants import Invariants, invariants
from ludorum.clock import Budget
from ludorum.search.minimax import MinimaxSearch

# A token goes round; only what is never true or never true together makes the rules long.
TOKEN = """
(role r) (init (at 1)) (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 1)
(legal r go) (legal r stay)
(<= (next (at ?b)) (does r go) (true (at ?a)) (next_to ?a ?b))
(<= (next (at ?a)) (does r stay) (true (at ?a)))
(<= (next ghost) (true (at 1)) (true (at 2)) (does r go))
(<= terminal (true (at 4)))
(<= (goal r 100) (true (at 4)) (not (true (at 1))) (not (true (at 2))) (not (true (at 3))))
(<= (goal r 0) (true ghost))
"""


def test_invariants_of_tictactoe() -> None:
    found = invariants(ludorum.load("tictactoe"), budget=Budget(30))
    assert len(found.one_hot) == 10, "nine cells and control"
    assert {str(fluent) for fluent in found.stays_false} == {f"(cell {x} {y} blank)" for x in "123" for y in "123"}
    assert len(found.stays_true) == 18
    assert (found.constant_sum, found.turn_taking, found.longest) == (100, True, 9)
    assert found.to_json()["one_hot"][-1] == ["(control oplayer)", "(control xplayer)"]
    assert "at most 9 steps" in str(found)


def test_a_game_compiled_with_what_was_proved_gets_smaller_and_plays_alike() -> None:
    game = ludorum.load(TOKEN)
    found = invariants(game, budget=Budget(30))
    assert [[str(fluent) for fluent in group] for group in found.one_hot] == [["(at 1)", "(at 2)", "(at 3)", "(at 4)"]]
    assert [str(fluent) for fluent in found.never] == ["ghost"]
    smaller = game.specialized(found)
    assert smaller.report["reachable"]["gates"] < game.report["gates"]
    played, again = (one.playouts(2_000, seed=5) for one in (game, smaller))
    assert np.array_equal(played.lengths, again.lengths)
    assert np.array_equal(played.goals, again.goals)


def test_states_where_it_does_not_hold_are_answered_as_before() -> None:
    game = ludorum.load(TOKEN)
    smaller = game.specialized(invariants(game, budget=Budget(30)))
    for fluents in ("(at 1) (at 2)", "(at 4) ghost", "", "(at 1) (at 2) (at 3) (at 4) ghost"):
        before, after = game.state(fluents), smaller.state(fluents)
        assert before.goals == after.goals
        assert {state.fluents for _, state in game.expand(before)} == {s.fluents for _, s in smaller.expand(after)}
        played, again = (state.game.playouts(64, state, seed=1) for state in (before, after))
        assert np.array_equal(played.lengths, again.lengths)
        assert np.array_equal(played.goals, again.goals)


def test_a_search_need_not_assume_a_constant_sum_that_was_proved() -> None:
    game = ludorum.load("hexapawn")
    assert MinimaxSearch(game).search(depth=3).assumes
    proved = invariants(game, budget=Budget(30))
    assert proved.constant_sum == 100
    assert not MinimaxSearch(game.specialized(proved)).search(depth=3).assumes


def test_nothing_is_known_of_a_game_without_a_circuit() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    assert invariants(game) == Invariants()
    assert game.specialized(Invariants()).engine == "relations"


@pytest.mark.parametrize("name", ["hexapawn", "tictactoe"])
def test_groups_hold_in_all_walks(name: str) -> None:
    game = ludorum.load(name)
    found = invariants(game, budget=Budget(60))
    assert found.one_hot
    state = game.initial
    while not state.is_terminal and all(state.legal(role) for role in game.roles):
        assert all(sum(fluent in state.fluents for fluent in group) == 1 for group in found.one_hot)
        state = state.after([state.legal(role)[0] for role in game.roles])
