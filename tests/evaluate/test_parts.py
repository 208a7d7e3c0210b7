"""What is added to the goals: mobility, novelty, goal values, the end; and weights fitted to playouts."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from collection import GAMES
from ludorum.analysis.samples import samples
from ludorum.engines.circuit import CircuitReasoner
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.evaluate.fitting import Fit

GGP_ORG = GAMES / "ggp.org"

# Ten steps to the left or to the right; only where one stands in the end counts, and there are fewer moves to choose
# from on the good side: mobility misleads.
TRAP = """
(role walker) (role judge)
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8)
(init (at 4)) (init (step 0))
(wide 0) (wide 1) (wide 2) (wide 3) (wide 4)
(<= (legal walker (go up)) (true (at ?x)) (after ?x ?y))
(<= (legal walker (go down)) (true (at ?x)) (after ?y ?x))
(<= (legal walker (rest ?n)) (true (at ?x)) (wide ?x) (after ?n ?m))
(legal judge watch)
(<= (next (at ?y)) (does walker (go up)) (true (at ?x)) (after ?x ?y))
(<= (next (at ?y)) (does walker (go down)) (true (at ?x)) (after ?y ?x))
(<= (next (at ?x)) (does walker (rest ?n)) (true (at ?x)))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= terminal (true (step 8)))
(<= (goal walker 100) (true (at 8)))
(<= (goal walker 75) (true (at 7)))
(<= (goal walker 60) (true (at 6)))
(<= (goal walker 50) (true (at 5)))
(<= (goal walker 0) (true (at ?x)) (wide ?x))
(goal judge 50)
"""


def test_goal_values_are_those_that_hold_now() -> None:
    game = ludorum.load("othello")
    states = samples(game, 600, seed=4)
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    chosen = EvaluationSettings(goals=0, goal_values=1)
    values = evaluation(game, chosen).core.evaluate(reasoner.simulator(), states.rows)
    goals = reasoner.simulator().goals(states.rows)
    assert (goals >= 0).all()
    assert np.allclose(values, goals)


def test_mobility_is_50_where_it_is_as_usual_and_more_with_more_moves() -> None:
    game = ludorum.load("breakthrough")
    states = samples(game, 20_000)
    usual = [float(choices[choices > 1].mean()) for choices in states.choices.T]
    state = game.initial
    moves = len(state.legal("white"))
    # One role moves at a time, and the other has no choice.
    expected = 50 + 25 * (moves - usual[0]) / (moves + usual[0])
    chosen = EvaluationSettings(goals=0, mobility=1)
    assert evaluation(game, chosen).values(state)["white"] == pytest.approx(expected, abs=0.2)


def test_novelty_grows_as_marks_are_made() -> None:
    game = ludorum.load("tictactoe")
    new = evaluation(game, EvaluationSettings(goals=0, novelty=1))
    assert new.values(game.initial)["xplayer"] == pytest.approx(0, abs=1e-3)
    # Every mark changes two fluents, and every other one the turn back: nine marks have changed 18 + 2.
    state = game.replay("(mark 1 1) (mark 2 2)")
    assert new.values(state)["xplayer"] == pytest.approx(100 * 4 / 20, abs=1e-3)


def test_the_end_is_nearer_with_fewer_cells_to_fill() -> None:
    game = ludorum.load("tictactoe")
    near, far = (evaluation(game, EvaluationSettings(goals=0, **{part: 1.0}))  # type: ignore[arg-type]
                 for part in ("termination", "survival"))
    early, late = game.initial, game.replay("(mark 1 1) (mark 2 2) (mark 1 2) (mark 1 3) (mark 3 1) (mark 2 1)")
    assert near.values(late)["xplayer"] > near.values(early)["xplayer"]
    assert near.values(late)["xplayer"] + far.values(late)["xplayer"] == pytest.approx(100, abs=1e-3)


def fitted(text: str) -> Fit:
    found = evaluation(ludorum.load(text), EvaluationSettings(is_fitted=True)).report["fit"]
    assert isinstance(found, Fit)
    return found


def test_a_part_that_misleads_is_dropped() -> None:
    found = fitted(TRAP)
    assert "mobility" in found.dropped
    assert found.weights
    assert found.explained > 0.3


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "helps"), [("checkers", True), ("checkers-cylinder-mustjump", False)])
def test_mobility_helps_in_checkers_but_not_where_one_must_jump_on_a_cylinder(name: str, helps: bool) -> None:
    assert ("mobility" in fitted(str(GGP_ORG / f"{name}.kif")).weights) == helps


def test_the_goals_explain_how_breakthrough_ends() -> None:
    found = fitted("breakthrough")
    assert found.weights["goals"] > 0


def test_a_fitted_evaluation_tells_better_states_from_worse() -> None:
    game = ludorum.load("connectfour")
    value = evaluation(game, EvaluationSettings(is_fitted=True))
    three = game.replay("(drop 1) (drop 7) (drop 2) (drop 7) (drop 3) (drop 6)")
    assert value.values(three)["red"] > value.values(three)["black"]


def test_weights_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="weights"):
        EvaluationSettings(goals=0)
    with pytest.raises(ValueError, match="weights"):
        EvaluationSettings(mobility=-1)
