"""Formulas read back as what they print, and what is wrong with one is shown where it stands."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from secret_games import random_formula

import ludorum
from ludorum.errors import InvalidFormula
from ludorum.game import Game
from ludorum.verify import parse, resolve


@pytest.fixture(scope="module")
def montyhall() -> Game:
    return ludorum.load("montyhall")


@pytest.mark.parametrize("text", [
    "AG ((round 1) implies knows_whether c1 (muddy c1))",
    "EF C {a b} (attack dawn)",
    "EF K a K b (attack dawn)",
    "A[not terminal U (goal x 100)]",
    "EG F (p 1)",
    "some ?d K agent (armed ?d)",
    "all ?x ?y ((cell ?x ?y b) or not (cell ?x ?y b))",
    "surely agent (goal agent 90) within 3",
    "well_formed and knows_legal x",
    "D {a b} E {a} true iff false",
    "(p 1) U ((p 2) U (p 3))",
    "AG exactly 1 ?p (control ?p)",
    "at_least 2 ?x ?y ((cell ?x ?y b) and terminal)",
    "(at_most 1 terminal (p 1) K a (p 2))",
])
def test_formulas_print_as_they_are_written(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize("seed", range(60))
def test_what_is_printed_reads_back(seed: int) -> None:
    formula = parse(random_formula(seed, ["a", "b"], depth=5, surely=True))
    assert parse(str(formula)) == formula


@pytest.mark.parametrize(("prefix", "infix"), [
    ("(and p q r)", "p and q and r"),
    ("(implies p (not q))", "p implies not q"),
    ("(iff p q)", "p iff q"),
    ("(AG (or p q))", "AG (p or q)"),
    ("A G p", "AG p"),
    ("p implies q implies r", "p implies (q implies r)"),
    ("p and q or r", "(p and q) or r"),
    ("not p and q", "(not p) and q"),
    ("AG [p and q]", "AG (p and q)"),
    ("(P 1) ; a comment", "(p 1)"),
])
def test_there_are_several_ways_to_write_a_formula(prefix: str, infix: str) -> None:
    assert parse(prefix) == parse(infix)


@pytest.mark.parametrize(("text", "column", "message"), [
    ("AG (terminal", 4, "never closed"),
    ("AG (terminal implies K candidate (phase decid))", 34, "(phase decid) can never hold in montyhall"),
    ("AG K monty terminal", 4, "no role monty"),
    ("C candidate terminal", 3, "about a group of roles"),
    ("terminal or (car ?d)", 13, "nothing says which ?d"),
    ("terminal and", 13, "missing at the end"),
    ("terminal terminal", 10, "cannot stand here"),
    ("surely candidate terminal", 26, "within how many steps"),
    ("and terminal", 1, "stands between two formulas"),
    ("", 1, "missing"),
    ("C {} terminal", 4, "a group is roles"),
    ("all (car ?d)", 5, "a variable such as ?x follows all"),
    ("some ?d (carr ?d)", 9, "(carr ?d) can never hold"),
    ("(" * 300 + "terminal" + ")" * 300, 61, "inside each other"),
    ("(goal candidate much)", 1, "can never hold"),
    ("exactly ?d (car ?d)", 9, "a number follows exactly"),
    ("at_least 2 (car 1)", 12, "a variable such as ?x follows at_least 2"),
    ("(at_most two terminal)", 10, "a number follows at_most"),
    ("terminal and all ?d ?e (car ?d)", 14, "nothing under all speaks of ?e"),
    # Hostile ones: none of them may take long, or as much memory as there is.
    (" implies ".join(["terminal"] * 5_000), 1_021, "inside each other"),
    (f"A[{' U '.join(['terminal'] * 5_000)}]", 641, "inside each other"),
    (" iff ".join(["terminal"] * 5_000), 781, "inside each other"),
    ("not " * 5_000 + "terminal", 241, "inside each other"),
    ("(car " + "(f " * 5_000 + "1" + ")" * 5_001, 180, "terms inside each other"),
    (" ".join(f"all ?{x} all ?{x}2" for x in "abcdefgh") + " ("
     + " and ".join(f"((did candidate ?{x}) or (did random ?{x}2))" for x in "abcdefgh") + ")", 1, "written out"),
    ("surely candidate terminal within 123456", 34, "a number follows within"),
])
def test_errors_point_at_what_is_wrong(montyhall: Game, text: str, column: int, message: str) -> None:
    with pytest.raises(InvalidFormula) as raised:
        resolve(text, montyhall)
    (diagnostic,) = raised.value.diagnostics
    assert message in diagnostic.message
    assert diagnostic.column == column
    assert "^" in str(raised.value)


def test_variables_stand_for_all_values_at_their_places(montyhall: Game) -> None:
    assert str(resolve("some ?d K candidate (car ?d)", montyhall)) == \
        "K candidate (true (car 1)) or K candidate (true (car 2)) or K candidate (true (car 3))"


@pytest.mark.parametrize(("text", "means"), [
    ("exactly 1 ?d (car ?d)", "(exactly 1 (true (car 1)) (true (car 2)) (true (car 3)))"),
    ("at_least 1 ?d (car ?d)", "(true (car 1)) or (true (car 2)) or (true (car 3))"),
    ("at_most 0 ?d (car ?d)", "not (true (car 1)) and not (true (car 2)) and not (true (car 3))"),
    ("at_least 4 ?d (car ?d)", "false"),
    ("at_most 3 ?d (car ?d)", "true"),
    # What is listed twice counts twice, and what is known to hold is counted already.
    ("(at_least 2 (car 1) (car 1) (car 2))", "(at_least 2 (true (car 1)) (true (car 1)) (true (car 2)))"),
    ("(exactly 2 true (car 1) false (car 2) (car 3))", "(exactly 1 (true (car 1)) (true (car 2)) (true (car 3)))"),
])
def test_numbers_of_values_are_counted(montyhall: Game, text: str, means: str) -> None:
    assert str(resolve(text, montyhall)) == means


def test_a_long_chain_of_iff_is_not_written_out(montyhall: Game) -> None:
    # Twice as long with every word it would be longer than any memory.
    resolved = str(resolve(" iff ".join(["(car 1)", "(car 2)"] * 20), montyhall))
    assert resolved.count("iff") == 39


def test_any_text_is_a_formula_or_an_error_in_words(montyhall: Game) -> None:
    random = Random(1)
    pieces = ["AG", "K", "candidate", "(", ")", "{", "}", "[", "]", "and", "U", "terminal", "?x", "all", "within", "3",
              "(car 1)", "not", "surely", ";", "well_formed", "knows_goal", "E", "C", "exactly", "at_least", "iff"]
    for _ in range(2_000):
        text = " ".join(random.choices(pieces, k=random.randrange(9)))
        with suppress(InvalidFormula):
            resolve(text, montyhall)
