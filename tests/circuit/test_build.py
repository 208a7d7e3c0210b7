"""From ground rules to a first circuit."""

from __future__ import annotations

from small_programs import assert_same_meaning, evaluated, small_program

from ludorum.circuit.circuit import FALSE, TRUE
from ludorum.circuit.passes import build


def test_a_rule_with_one_condition_needs_no_gate() -> None:
    circuit = build(small_program(["next:p <- q", "next:q <- ~p"], fluents="p q"))
    # Wire 1 is p and wire 2 is q.
    assert circuit.next == (4, 3)
    assert circuit.gates == 0


def test_rules_with_the_same_head_are_alternatives() -> None:
    circuit = build(small_program(["next:p <- p", "next:p <- q"], fluents="p q"))
    assert [evaluated(circuit, state).next[0] for state in ((), (0,), (1,), (0, 1))] == [False, True, True, True]
    assert circuit.gates == 1


def test_a_rule_without_conditions_and_a_fact_always_hold() -> None:
    circuit = build(small_program(["next:p <-"], fluents="p q", facts=["next:q"]))
    assert circuit.next == (TRUE, TRUE)


def test_what_no_rule_derives_is_false() -> None:
    circuit = build(small_program(["next:q <- nothing"], fluents="p q", moves={"robot": "go"}))
    assert circuit.next == (FALSE, FALSE)
    assert circuit.legal == ((FALSE,),)
    assert circuit.terminal == FALSE


def test_rules_that_nobody_asks_for_are_left_out() -> None:
    circuit = build(small_program(["idle <- p q", "terminal <- p"], fluents="p q"))
    assert circuit.gates == 0


def test_the_same_condition_of_two_rules_is_one_gate() -> None:
    circuit = build(small_program(["next:p <- p q", "terminal <- q p"], fluents="p q"))
    assert circuit.next[0] == circuit.terminal
    assert circuit.gates == 1


def test_goals_and_percepts_belong_to_their_roles() -> None:
    circuit = build(small_program(
        ["goal:left:100 <- p", "goal:right:0 <- p", "sees:right:moved <- does:left:go"],
        fluents="p", moves={"left": "go stay", "right": "wait"}))
    answers = evaluated(circuit, (0,), (0, 0))
    assert answers.goals == ((True,), (True,))
    assert answers.percepts == ((), (True,))
    assert [[value for value, _ in goals] for goals in circuit.goals] == [[100], [0]]


def test_recursion_reaches_what_a_chain_leads_to() -> None:
    program = small_program([
        "reached:1 <- p", "reached:2 <- reached:1 q", "reached:1 <- reached:2 q",
        "reached:3 <- reached:2 r", "reached:2 <- reached:3 r", "terminal <- reached:3",
    ], fluents="p q r")
    circuit = build(program)
    assert circuit.loops
    assert evaluated(circuit, (0, 1, 2)).terminal
    assert not evaluated(circuit, (1, 2)).terminal
    assert_same_meaning(circuit, program)


def test_atoms_that_only_support_each_other_are_false() -> None:
    program = small_program(["egg <- hen", "hen <- egg", "terminal <- hen", "next:p <- ~egg"], fluents="p")
    circuit = build(program)
    answers = evaluated(circuit, ())
    assert not answers.terminal
    assert answers.next == (True,)


def test_an_atom_that_needs_itself_is_false() -> None:
    program = small_program(["terminal <- terminal", "terminal <- p q"], fluents="p q")
    circuit = build(program)
    assert not evaluated(circuit, (0,)).terminal
    assert evaluated(circuit, (0, 1)).terminal


def test_recursion_may_read_the_negation_of_another_recursion() -> None:
    program = small_program([
        "a <- b", "b <- a", "b <- p",
        "c <- d", "d <- c", "d <- q ~a",
        "terminal <- c",
    ], fluents="p q")
    circuit = build(program)
    assert len({loop.component for loop in circuit.loops}) == 2
    assert [evaluated(circuit, state).terminal for state in ((), (0,), (1,), (0, 1))] == [False, False, True, False]


def test_every_gate_reads_only_what_comes_before_it() -> None:
    program = small_program(["a <- b q", "b <- a p", "b <- q", "terminal <- a ~p", "next:p <- b q"], fluents="p q")
    circuit = build(program)
    for wire in range(circuit.first_gate, circuit.wires):
        assert all(literal >> 1 < wire for literal in circuit.inputs_of(wire))
