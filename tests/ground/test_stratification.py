"""An atom that depends on its own negation has no meaning, and is named."""

from __future__ import annotations

import pytest

from ludorum import gdl
from ludorum.errors import UnstratifiedRules
from ludorum.ground import ground

GAME = "(role r) (init (at a)) (legal r go) (<= (next (at b)) (true (at a))) (<= terminal (true (at b)))"


def test_a_negative_cycle_is_named_in_gdl() -> None:
    rules = gdl.parse(GAME + """
        (<= (goal r 100) (won a))
        (<= (won ?x) (true (at ?x)) (not (lost ?x)))
        (<= (lost ?x) (true (at ?x)) (not (won ?x)))
    """)
    with pytest.raises(UnstratifiedRules, match="depends on its own negation") as raised:
        ground(rules)
    assert set(raised.value.atoms) in ({"(won a)", "(lost a)"}, {"(won b)", "(lost b)"})


def test_relations_that_are_not_in_the_rules_are_not_named() -> None:
    rules = gdl.parse(GAME + """
        (<= (goal r 100) (won a))
        (<= (won ?x) (true (at ?x)) (not (and (lost ?x) (legal r go))))
        (<= (lost ?x) (true (at ?x)) (won ?x))
    """)
    with pytest.raises(UnstratifiedRules) as raised:
        ground(rules)
    assert set(raised.value.atoms) in ({"(won a)", "(lost a)"}, {"(won b)", "(lost b)"})


def test_what_counts_is_the_ground_program() -> None:
    # By relation `goal` depends on its own negation, by atom it does not.
    rules = gdl.parse(GAME + """
        (<= (goal r 100) (true (at b)))
        (<= (goal r 0) (true (at a)) (not (goal r 100)))
    """)
    assert [value for value, _ in ground(rules).goal_atoms[0]] == [0, 100]


def test_a_cycle_without_negation_is_no_error() -> None:
    rules = gdl.parse(GAME + """
        (link a b) (link b a)
        (<= (linked ?x ?y) (link ?x ?y) (true (at ?x)))
        (<= (linked ?x ?z) (linked ?x ?y) (linked ?y ?z))
        (<= (goal r 100) (linked a b) (not (linked b b)))
    """)
    assert ground(rules).goal_atoms[0]
