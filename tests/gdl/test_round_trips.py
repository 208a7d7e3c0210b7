"""What is printed reads back as the same rules, in both syntaxes."""

from __future__ import annotations

import pytest
from gdl_corpus import SAMPLE, corpus_text
from gdl_strategies import arguments, rulesheets
from hypothesis import given

from ludorum import gdl
from ludorum.gdl import Argument, Rulesheet, Term


@given(rulesheets)
def test_rules_survive_kif(rulesheet: Rulesheet) -> None:
    assert gdl.read(gdl.to_kif(rulesheet), syntax="kif") == rulesheet


@given(rulesheets)
def test_rules_survive_infix(rulesheet: Rulesheet) -> None:
    assert gdl.read(gdl.to_infix(rulesheet), syntax="infix") == rulesheet


@given(rulesheets)
def test_the_syntax_of_printed_rules_is_recognised(rulesheet: Rulesheet) -> None:
    assert gdl.read(gdl.to_kif(rulesheet)) == rulesheet
    assert gdl.read(gdl.to_infix(rulesheet)) == rulesheet


@given(arguments)
def test_a_ground_term_is_its_own_text(argument: Argument) -> None:
    if isinstance(argument, Term) and not list(gdl.variables(argument)):
        assert gdl.parse_term(str(argument)) == argument


@pytest.mark.parametrize("path", SAMPLE)
def test_games_of_the_corpus_survive_both(path: str) -> None:
    rulesheet = gdl.parse(corpus_text(path), path)
    assert gdl.parse(gdl.to_kif(rulesheet)) == rulesheet
    assert gdl.parse(gdl.to_infix(rulesheet)) == rulesheet


def test_kif_is_printed_for_people() -> None:
    text = """\
(role white)
(role black)

(<= (legal ?r noop) (role ?r))

(<= (next (cell ?x ?y b))
    (true (cell ?x ?y b))
    (not (does white (mark ?x ?y))))
"""
    assert gdl.to_kif(gdl.read(text)) == text


def test_infix_is_printed_for_people() -> None:
    text = """\
role(white).
role(black).

legal(R, noop) :- role(R).

next(cell(X, Y, b)) :-
    true(cell(X, Y, b)),
    (not does(white, mark(X, Y)) ; distinct(X, Y)).
"""
    assert gdl.to_infix(gdl.read(text)) == text
