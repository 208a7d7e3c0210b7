"""What a rulesheet becomes in Prolog: the scheme of Fluxplayer, and what any rulesheet needs beyond it."""

from __future__ import annotations

import pytest

from ludorum import gdl
from ludorum.prolog import to_prolog
from ludorum.prolog.writing import atom, constant, term

FRAME = """
(role anna)
(init (at 1))
(<= (legal anna go) (true (at ?x)))
(<= terminal (true (at 9)))
(<= (goal anna 100) (true (at 9)))
"""


def program(rules: str) -> str:
    return to_prolog(gdl.parse(FRAME + rules))


def test_the_rule_of_the_thesis_becomes_the_rule_of_the_thesis() -> None:
    # Section 3.3.2 of Schiffel's thesis shows it.
    written = program("(<= (next (cell ?x ?y x)) (does anna (mark ?x ?y)))"
                      "(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y blank)))")
    assert ("legal(P, mark(X, Y), State) :-\n    true(control(P), State),\n    true(cell(X, Y, blank), State).\n"
            in written)


def test_a_relation_takes_the_moves_the_state_both_or_neither() -> None:
    written = program("""
        (step 1 2)
        (<= going (does anna go))
        (<= here (true (at ?x)))
        (<= on going here)
        (<= (next (at ?y)) on (true (at ?x)) (step ?x ?y))
    """)
    assert "r_step(1, 2).\n" in written
    assert "r_going(Moves) :-\n    does(anna, go, Moves).\n" in written
    assert "r_here(State) :-\n    true(at(_), State).\n" in written
    assert "r_on(Moves, State) :-\n    r_going(Moves),\n    r_here(State).\n" in written
    assert ("next(at(Y), Moves, State) :-\n    r_on(Moves, State),\n    true(at(X), State),\n    r_step(X, Y).\n"
            in written)


def test_what_must_not_hold_waits_for_its_variables() -> None:
    written = program("(<= (next (at ?x)) (not (true (shut ?x))) (distinct ?x ?y) (true (at ?x)) (true (door ?y)))")
    assert ("next(at(X), State) :-\n    true(at(X), State),\n    \\+ true(shut(X), State),\n"
            "    true(door(Y), State),\n    distinct(X, Y).\n") in written


def test_variables_named_like_the_further_arguments_are_kept_apart() -> None:
    written = program("(<= (next (at ?state)) (true (at ?state)) (true (at ?moves)) (does anna ?moves))")
    assert "next(at(State), Moves__, State__) :-\n    true(at(State), State__),\n" in written
    assert "    does(anna, Moves, Moves__).\n" in written


def test_what_calls_itself_is_tabled_unless_through_a_negation() -> None:
    written = program("""
        (step 1 2)
        (<= (way ?x ?y) (step ?x ?y))
        (<= (way ?x ?z) (way ?x ?y) (step ?y ?z))
        (<= (next (at ?y)) (true (at ?x)) (way ?x ?y))
        (<= (goal anna 50) (not (goal anna 100)))
    """)
    assert ":- table(r_way/2).\n" in written
    assert "table(goal" not in written


def test_a_relation_without_rules_fails_instead_of_being_unknown() -> None:
    assert "r_magic(_) :-\n    fail.\n" in program("(<= (next (at 2)) (magic ?x) (true (at ?x)))")


@pytest.mark.parametrize(("name", "written"), [
    ("a", "a"), ("a_1", "a_1"), ("1", "1"), ("-3", "-3"), ("0", "0"), ("01", "'01'"), ("-0", "'-0'"), ("+", "'+'"),
    ("a'b", "'a\\'b'"), ("back\\slash", "'back\\\\slash'"), ("ä", "'\\xe4\\'"), ("[]", "'[]'"),
])
def test_a_constant_is_a_number_an_atom_or_quoted(name: str, written: str) -> None:
    assert constant(name) == written


def test_a_number_that_is_a_functor_is_quoted() -> None:
    assert term(gdl.parse_term("(1 2 (f x))")) == "'1'(2, f(x))"
    assert atom("1") == "'1'"


def test_a_deep_term_is_written_without_recursion() -> None:
    depth = 50_000
    deep = gdl.Term("z")
    for _ in range(depth):
        deep = gdl.Term("s", (deep,))
    assert term(deep) == "s(" * depth + "z" + ")" * depth
