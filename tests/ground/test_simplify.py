"""Facts and impossible atoms are followed to the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludorum.ground import simplify as simplifying
from ludorum.ground.program import GroundRules


def simplify(heads: Sequence[int], bodies: Sequence[tuple[int, ...]], facts: Iterable[int],
             inputs: Mapping[int, Sequence[int]]) -> tuple[list[int], list[tuple[int, ...]], set[int], set[int]]:
    rules, known, possible = simplifying.simplify(GroundRules.of(heads, bodies), facts, inputs)
    return rules.heads, rules.bodies, known, possible


def test_a_true_condition_is_left_out() -> None:
    heads, bodies, facts, _ = simplify([0, 1], [(), (0, 5)], [], {5: [0]})
    assert (heads, bodies, facts) == ([1], [(5,)], {0})


def test_a_rule_whose_conditions_are_all_true_makes_a_fact() -> None:
    heads, _, facts, _ = simplify([1, 2, 3], [(0,), (1, ~9), (2, 8)], [0], {})
    assert heads == []
    assert facts == {0, 1, 2}


def test_a_false_condition_drops_the_rule_and_what_only_it_made_possible() -> None:
    heads, bodies, _, possible = simplify([1, 2, 3], [(9,), (1,), (4, ~2)], [], {4: [3, 7], 5: [2]})
    assert (heads, bodies) == ([3], [(4,)])
    assert possible == {4}


def test_what_is_undecided_stays() -> None:
    rules = [2, 2, 3], [(0, ~1), (1,), (~2,)]
    heads, bodies, facts, possible = simplify(*rules, [9], {0: [9], 1: [9]})
    assert (heads, bodies) == rules
    assert facts == {9}
    assert possible == {0, 1}


def test_a_rule_that_contradicts_itself_never_fires() -> None:
    heads, _, facts, _ = simplify([1], [(0, ~0)], [0], {})
    assert heads == []
    assert facts == {0}
