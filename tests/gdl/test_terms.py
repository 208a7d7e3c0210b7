"""Terms: values that print as GDL, paste back, count and travel."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest

from ludorum.gdl import parse_term
from ludorum.gdl.terms import Term, Variable


def test_a_term_pastes_back() -> None:
    term = parse_term("(cell 1 (at b) x)")
    assert repr(term) == "parse_term('(cell 1 (at b) x)')"
    assert eval(repr(term)) == term


def test_a_term_with_variables_prints_as_gdl() -> None:
    assert repr(Term("cell", (Variable("x"), Term("1")))) == "<Term (cell ?x 1)>"


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("0", 0), ("100", 100), ("-3", -3), ("007", 7)])
def test_a_number_is_a_number(text: str, number: int) -> None:
    assert int(Term(text)) == number


@pytest.mark.parametrize("term", [Term("x"), Term("1", (Term("2"),)), Term("1.5"), Term("٣"), Term("9" * 5000),
                                  Variable("1")])
def test_what_is_no_number_is_none(term: Term | Variable) -> None:
    with pytest.raises(ValueError, match="is no number"):
        int(term)


def test_terms_of_any_depth_can_be_pickled_and_copied() -> None:
    term: Term = Term("zero")
    for _ in range(50_000):
        term = Term("successor", (term, Term("and")))
    assert pickle.loads(pickle.dumps(term)) == term
    assert deepcopy(term) == term


def test_variables_travel_too() -> None:
    term = Term("cell", (Variable("x"), Term("1"), Term("f", (Variable("y"), Term("?x")))))
    assert pickle.loads(pickle.dumps(term)) == term
