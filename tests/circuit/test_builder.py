"""Making gates: constants, repetitions and what two levels say of each other."""

from __future__ import annotations

from ludorum._core import GateBuilder
from ludorum.circuit.circuit import FALSE, TRUE

# Wire 0 is the constant; these are given.
GIVEN = 5
A, B, C, D = 2, 4, 6, 8


def test_a_conjunction_of_nothing_is_true_and_a_disjunction_of_nothing_false() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.all_of([]) == TRUE
    assert builder.any_of([]) == FALSE


def test_constants_go_away() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.all_of([A, TRUE]) == A
    assert builder.all_of([A, FALSE]) == FALSE
    assert builder.any_of([A, FALSE]) == A
    assert builder.any_of([A, TRUE]) == TRUE
    assert builder.gate_inputs == ()


def test_a_literal_is_said_once() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.all_of([A, A]) == A
    assert builder.all_of([A, B, A]) == builder.all_of([A, B])


def test_nothing_is_true_together_with_its_negation() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.all_of([A, B, A ^ 1]) == FALSE
    assert builder.any_of([A, B, A ^ 1]) == TRUE


def test_the_same_conjunction_in_any_order_is_the_same_gate() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.all_of([A, B, C]) == builder.all_of([C, A, B])
    assert len(builder.gate_inputs) == 1


def test_a_disjunction_is_a_negated_conjunction_of_negations() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.any_of([A, B]) == builder.all_of([A ^ 1, B ^ 1]) ^ 1


def test_what_a_conjunction_says_is_not_said_again_beside_it() -> None:
    builder = GateBuilder(GIVEN)
    both = builder.all_of([A, B])
    assert builder.all_of([both, A]) == both
    assert builder.all_of([both, A, C]) == builder.all_of([both, C])


def test_a_conjunction_excludes_the_negations_of_its_inputs() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.all_of([builder.all_of([A, B]), B ^ 1, C]) == FALSE


def test_not_both_beside_one_of_them_is_not_the_other() -> None:
    builder = GateBuilder(GIVEN)
    not_both = builder.all_of([A, B]) ^ 1
    assert builder.all_of([not_both, A]) == builder.all_of([A, B ^ 1])


def test_not_both_goes_without_saying_beside_not_one() -> None:
    builder = GateBuilder(GIVEN)
    not_both = builder.all_of([A, B]) ^ 1
    assert builder.all_of([not_both, A ^ 1]) == A ^ 1


def test_loop_wires_are_never_shared() -> None:
    builder = GateBuilder(GIVEN)
    assert builder.loop_wire() != builder.loop_wire()
