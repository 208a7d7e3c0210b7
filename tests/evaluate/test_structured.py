"""Quantities, boards and comparisons inside the evaluation, beside section 5.3 of the thesis."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.samples import samples
from ludorum.analysis.structures import structures
from ludorum.engines.circuit import CircuitReasoner
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.evaluate.structured import nearness

# Two lanes of five rows and three columns, one for each racer, as in Figure 5.2.
RACETRACK = """
(role white) (role black) (lane white wlane) (lane black blane)
(nextrow a b) (nextrow b c) (nextrow c d) (nextrow d e) (nextcolumn 1 2) (nextcolumn 2 3)
(row a) (row b) (row c) (row d) (row e) (column 1) (column 2) (column 3)
(<= (begins ?r a 2) (role ?r))
(<= (init (cell ?l ?y ?x ?r)) (lane ?r ?l) (begins ?r ?y ?x))
(<= (init (cell ?l ?y ?x blank)) (lane ?r ?l) (row ?y) (column ?x) (not (begins ?r ?y ?x)))
(<= (at ?r ?y ?x) (lane ?r ?l) (true (cell ?l ?y ?x ?r)))
(<= (legal ?r forward) (at ?r ?y ?x) (nextrow ?y ?z))
(<= (legal ?r left) (at ?r ?y ?x) (nextcolumn ?u ?x))
(<= (legal ?r right) (at ?r ?y ?x) (nextcolumn ?x ?u))
(<= (goes ?r ?z ?x) (does ?r forward) (at ?r ?y ?x) (nextrow ?y ?z))
(<= (goes ?r ?y ?u) (does ?r left) (at ?r ?y ?x) (nextcolumn ?u ?x))
(<= (goes ?r ?y ?u) (does ?r right) (at ?r ?y ?x) (nextcolumn ?x ?u))
(<= (next (cell ?l ?y ?x ?r)) (lane ?r ?l) (goes ?r ?y ?x))
(<= (next (cell ?l ?y ?x blank)) (lane ?r ?l) (row ?y) (column ?x) (not (goes ?r ?y ?x)))
(<= terminal (at ?r e ?x))
(<= (goal white 100) (true (cell wlane e 1 white)))
(<= (goal white 0) (not (true (cell wlane e 1 white))))
(<= (goal black 100) (true (cell blane e 1 black)))
(<= (goal black 0) (not (true (cell blane e 1 black))))
"""

# Each takes tokens from a heap; whoever has more of them when the time is up wins.
MOST_TOKENS = """
(role left) (role right)
(count 0 1) (count 1 2) (count 2 3) (count 3 4) (count 4 5) (count 5 6)
(<= (less ?a ?b) (count ?a ?b))
(<= (less ?a ?c) (count ?a ?b) (less ?b ?c))
(init (has left 0)) (init (has right 0)) (init (step 0))
(legal left take) (legal left wait) (legal right take) (legal right wait)
(<= (next (has ?r ?n)) (true (has ?r ?m)) (does ?r take) (count ?m ?n))
(<= (next (has ?r ?n)) (true (has ?r ?n)) (does ?r wait))
(<= (next (step ?n)) (true (step ?m)) (count ?m ?n))
(<= terminal (true (step 6)))
(<= (goal left 100) (true (has left ?a)) (true (has right ?b)) (less ?b ?a))
(<= (goal left 0) (true (has left ?a)) (true (has right ?b)) (not (less ?b ?a)))
(<= (goal right 100) (true (has left ?a)) (true (has right ?b)) (not (less ?b ?a)))
(<= (goal right 0) (true (has left ?a)) (true (has right ?b)) (less ?b ?a))
"""

# A puzzle whose goal names a number, as checkers names the pieces that are left.
COUNTDOWN = """
(role counter) (count 0 1) (count 1 2) (count 2 3) (count 3 4)
(init (pieces red 4)) (init (pieces black 4))
(<= (legal counter (remove ?c)) (true (pieces ?c ?n)) (count ?m ?n))
(<= (next (pieces ?c ?m)) (does counter (remove ?c)) (true (pieces ?c ?n)) (count ?m ?n))
(<= (next (pieces ?c ?n)) (true (pieces ?c ?n)) (does counter (remove ?d)) (distinct ?c ?d))
(<= terminal (true (pieces ?c 0)))
(<= (goal counter 100) (true (pieces black 0)))
(<= (goal counter 0) (not (true (pieces black 0))))
"""


def number(game: Game, fluent: str) -> int:
    return [str(each) for each in game.fluents or ()].index(fluent)


def test_racetrack_is_14_45ths_away() -> None:
    # 1/3 · (0 + 3/5 + 1/3): the same lane, three of five rows, one of three columns.
    game = ludorum.load(RACETRACK, name="racetrack")
    target, piece = number(game, "(cell wlane e 1 white)"), number(game, "(cell wlane b 2 white)")
    near = nearness(structures(game), [target])[target]
    assert near.is_mean
    assert {plane: distance for distance, plane in near.parts}[piece] == Fraction(14, 45)


def test_the_piece_nearer_to_its_goal_is_worth_what_the_distance_says() -> None:
    game = ludorum.load(RACETRACK, name="racetrack")
    state = game.replay([{"white": "forward", "black": "forward"}])
    worth = evaluation(game, EvaluationSettings(leaves="structures")).values(state)["white"]
    # The goal is (1 − t) · (1 − 14/45). The end is near if any of the six cells of the last rows is reached: two
    # columns are 14/45 away for each racer and the middle one 9/45.
    goal = 0.45 * (1 - 14 / 45)
    end = (4 * (0.45 * (1 - 14 / 45)) ** 15 + 2 * (0.45 * (1 - 9 / 45)) ** 15) ** (1 / 15)
    assert worth == pytest.approx(100 * (1 - ((1 - goal) ** 15 + end**15) ** (1 / 15)), abs=1e-3)


def test_a_quantity_is_worth_more_the_nearer_it_is_to_what_the_goal_names() -> None:
    game = ludorum.load(COUNTDOWN, name="countdown")
    worth = evaluation(game, EvaluationSettings(leaves="structures"))
    target = number(game, "(pieces black 0)")
    near = nearness(structures(game), [target])[target]
    # Five numbers of pieces; those of the other colour say nothing.
    assert {str((game.fluents or ())[plane]): distance for distance, plane in near.parts} == {
        f"(pieces black {n})": Fraction(n, 5) for n in range(5)}
    values = [worth.values(game.state(f"(pieces red 4) (pieces black {n})"))["counter"] for n in (4, 3, 2, 1)]
    assert values == sorted(values)
    assert values[0] < values[-1]


@pytest.mark.parametrize("leaves", ["structures", "distances"])
def test_a_larger_margin_is_worth_more(leaves: str) -> None:
    # Section 5.3.1: to be ahead by more is better, and to be behind by less.
    game = ludorum.load(MOST_TOKENS, name="tokens")
    worth = evaluation(game, EvaluationSettings(leaves=leaves))  # type: ignore[arg-type]
    assert worth.report["comparisons"] == 2

    def left(mine: int, other: int) -> float:
        return worth.values(game.state(f"(has left {mine}) (has right {other}) (step 4)"))["left"]

    margins = [left(0, 4), left(1, 3), left(2, 2), left(3, 2), left(3, 1), left(4, 0)]
    assert margins == sorted(margins)
    assert len(set(margins)) == len(margins)
    assert max(margins[:3]) < 50 < min(margins[3:])


def test_without_comparisons_only_who_leads_counts() -> None:
    game = ludorum.load(MOST_TOKENS, name="tokens")
    worth = evaluation(game, EvaluationSettings(leaves="binary"))

    def left(mine: int, other: int) -> float:
        return worth.values(game.state(f"(has left {mine}) (has right {other}) (step 4)"))["left"]

    assert left(4, 0) == pytest.approx(left(3, 1), abs=0.01)


@pytest.mark.parametrize("leaves", ["structures", "distances"])
def test_goals_with_comparisons_hold_where_the_rules_say(leaves: str) -> None:
    game = ludorum.load(MOST_TOKENS, name="tokens")
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    states = samples(game, 400, seed=3)
    goals = reasoner.simulator().goals(states.rows)
    values = evaluation(game, EvaluationSettings(leaves=leaves)).core.evaluate(
        reasoner.simulator(), states.rows)
    assert ((values > 50) == (goals == 100)).all()
