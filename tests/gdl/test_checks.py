"""Verdicts that the page of diagnostics does not show: what is allowed, and the corners of the definition."""

from __future__ import annotations

import pytest
from gdl_corpus import corpus_text

from ludorum import gdl
from ludorum.gdl import Diagnostic

GAME = """
(role white)
(init start)
(legal white wait)
(<= (next done) (true start))
(<= terminal (true done))
(goal white 50)
"""


def findings(text: str) -> list[Diagnostic]:
    return gdl.check(text + GAME)


def codes(text: str) -> list[str]:
    return [found.code for found in findings(text)]


@pytest.mark.parametrize("text", [
    # Keywords that are conditions at competitions.
    "(<= (goal white 0) stuck) (<= stuck (not (legal white wait)))",
    "(<= (legal white go) (not terminal))",
    "(<= terminal (goal white 50))",
    # A word may name a relation, a function and a constant.
    "(cell cell) (<= (legal white (cell ?x)) (cell ?x))",
    "(init (move a b)) (init (phase move)) (<= (legal white go) (true (move a b)) (true (phase move)))",
    # Bound by every alternative, or outside.
    "(init (p 1)) (init (q 1)) (init (r 1))"
    "(<= (legal white (go ?x)) (or (true (p ?x)) (and (true (q ?x)) (true (r ?y)))))",
    "(init (p 1)) (init (q 1)) (<= (legal white (go ?x)) (true (p ?x)) (or (distinct ?x 1) (not (true (q ?x)))))",
    "(init (p 1)) (init (q 1)) (<= (legal white (go ?x)) (true (p ?x)) (not (and (true (q ?x)) (distinct ?x 1))))",
    # Recursion that walks along facts.
    "(<= (legal white ?x) (less ?x 3)) (succ 1 2) (succ 2 3) (<= (less ?x ?y) (succ ?x ?y))"
    "(<= (less ?x ?z) (less ?y ?z) (succ ?x ?y))",
    "(<= (legal white ?x) (r ?x ?y)) (r 0 0) (q 0) (<= (r ?a (f ?a)) (r ?b ?a) (q ?b))",
    # GDL-II.
    "(role random) (<= (legal random (throw ?n)) (die ?n)) (die 1) (<= (sees white ?m) (does random ?m))",
    # Hints of any arity.
    "(base (p 1)) (input wait) (input white wait)",
    "(<= (goal white ?v) (points ?v)) (points 70)",
])
def test_nothing_is_said_against(text: str) -> None:
    assert codes(text) == []


def test_no_init_means_an_empty_initial_state() -> None:
    assert gdl.check(GAME.replace("(init start)", "").replace("(true start)", "(not (true done))")) == []


@pytest.mark.parametrize(("text", "code"), [
    # Through other relations, and through a not.
    ("(<= (legal white go) (p)) (<= p (not q)) (<= q (does white go))", "depends-on-moves"),
    ("(<= (goal white 0) (next moved)) (<= (next moved) (does white wait))", "depends-on-moves"),
    ("(<= (init p) (not q)) (<= q (legal white wait))", "init-depends-on-state"),
    ("(<= (input white ?m) (legal white ?m))", "hint-depends-on-state"),
    # A role that has a variable is no role.
    ("(role ?x)", "role-not-fact"),
    # Negative cycles through or, and longer than one step.
    ("(<= (legal white go) p) (<= p (or q r)) (<= q (not p)) (<= r (true start))", "unstratified-negation"),
    # A cycle whose argument nothing limits, though the term does not grow.
    ("(<= (legal white ?x) (p ?x ?y)) (p 1 1) (<= (p ?x ?x) (p ?x ?y))", "unbounded-recursion"),
    # Variables of facts.
    ("(init (cell ?x))", "unsafe-variable"),
    ("(goal white win)", "goal-value"),
    ("(goal white -1)", "goal-value"),
    ("(goal white 101)", "goal-value"),
    ("(<= (goal black 10) (true start))", "unknown-role"),
    ("(terminal now)", "keyword-arity"),
    ("(<= (legal white go) (distinct a))", "keyword-arity"),
])
def test_a_slip_is_found(text: str, code: str) -> None:
    assert code in codes(text)


def test_every_slip_is_found_at_once() -> None:
    text = ("(does white go) (true start) (distinct a b) (<= (role ?x) (true ?x))"
            "(<= (legal white x) (init start))")
    assert {found.code for found in findings(text) if found.level == "error"} == {
        "does-in-head", "true-in-head", "distinct-in-head", "role-not-fact", "init-in-body"}


def test_messages_speak_the_syntax_of_the_author() -> None:
    game = gdl.to_infix(gdl.read(GAME))
    [found] = gdl.check("next(cell(X, N)) :- does(white, wait), true(cell(X, 0)).\ninit(cell(1, 0)).\n"
                        "terminal :- true(cell(1, 0)).\n" + game)
    assert "N is used in the head" in found.message
    assert "true(cell(X, N))" in found.help


# Tiny rulesheets by other people, some invalid on purpose. A restriction that competitions did not enforce is
# a warning; what makes play impossible is an error.
@pytest.mark.parametrize(("path", "level", "code"), [
    ("fixtures/notsafe.kif", "warning", "unsafe-negation"),
    ("fixtures/orsafe.kif", "warning", "unsafe-variable"),
    ("fixtures/headsafe.kif", "warning", "unsafe-variable"),
    ("fixtures/varInTopLevelSentence.kif", "warning", "unsafe-variable"),
    ("fixtures/notunstrat.kif", "warning", "unstratified-negation"),
    ("fixtures/unstratrec.kif", "warning", "unstratified-negation"),
    ("fixtures/recurseunstrat.kif", "warning", "unbounded-recursion"),
    ("fixtures/emptyDisjunction.kif", "warning", "empty-disjunction"),
    ("fixtures/baseDependsOnTrue.kif", "warning", "hint-depends-on-state"),
    ("fixtures/test_case_3c.kif", "warning", "undefined-relation"),
    ("fixtures/test_invalid_function_arities_differ.kif", "warning", "function-arity"),
    ("fixtures/test_invalid_sentence_arities_differ.kif", "error", "arity-conflict"),
    ("fixtures/mularity.kif", "error", "arity-conflict"),
    ("fixtures/init_depen.kif", "error", "init-depends-on-state"),
    ("fixtures/legal_depen.kif", "error", "depends-on-moves"),
    ("fixtures/proptest.kif", "error", "depends-on-moves"),
    ("fixtures/axioms1.kif", "error", "true-in-head"),
    ("fixtures/axioms3.kif", "error", "malformed-rule"),
    ("fixtures/chapter10.kif", "error", "keyword-arity"),
    ("fixtures/PropNetFile1.kif", "error", "stray-symbol"),
    ("broken/Tiger_vs_Dogs.kif", "error", "missing-terminal"),
    ("broken/duplicatestatelarge.kif", "error", "unclosed-parenthesis"),
    ("broken/tactactoematch1.kif", "error", "unopened-parenthesis"),
    ("broken/tiger_vs_dogs-2.kif", "error", "stray-symbol"),
    ("gdl2/transit.kif", "warning", "next-in-body"),
    ("gdl2/mastermind2x3.kif", "warning", "sees-in-body"),
    ("gdl2/BlindTicTacToe.kif", "warning", "variable-function"),
    ("dresden/Corridor.kif", "warning", "function-arity"),
])
def test_rulesheets_from_the_wild_get_the_right_verdict(path: str, level: str, code: str) -> None:
    found = gdl.check(corpus_text(path), path)
    assert code in {diagnostic.code for diagnostic in found}
    assert any(diagnostic.level == "error" for diagnostic in found) == (level == "error")


@pytest.mark.parametrize("name", [
    "connectFour", "ticTacToe", "maze", "test_case_1b", "test_case_3d", "test_case_5a", "test_case_5e",
    "test_case_5f", "test_fvv_1", "test_clean_not_distinct", "proptest_complex_grounded"])
def test_valid_rulesheets_from_the_wild_are_found_valid(name: str) -> None:
    assert gdl.check(corpus_text(f"fixtures/{name}.kif")) == []


def test_every_line_of_a_file_with_four_open_rules_is_named() -> None:
    text = corpus_text("broken/ticTacToe2.kif")
    assert [(d.code, text.splitlines()[d.line - 1].split("?")[0]) for d in gdl.check(text)] == [
        ("unclosed-parenthesis", "(<= (row "), ("unclosed-parenthesis", "(<= (column "),
        ("unclosed-parenthesis", "(<= (diagonal "), ("unclosed-parenthesis", "(<= (diagonal ")]
