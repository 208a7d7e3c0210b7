"""Rules come from strangers: whatever the text, reading ends, and with an answer."""

from __future__ import annotations

import random

import pytest
from gdl_corpus import corpus_text
from gdl_strategies import rulesheets
from hypothesis import given
from hypothesis import strategies as st

from ludorum import gdl
from ludorum.errors import InvalidRules, InvalidTerm
from ludorum.gdl import And, Argument, Formula, Not, Or, Rule, Rulesheet, Span
from ludorum.gdl.source import Syntax

syntaxes = st.sampled_from(["kif", "infix"])
pieces = st.sampled_from([
    "(", ")", " ", "\n", "\t", "\r", ";", "%", "?", "?x", "X", "_", "<=", ":-", ".", ",", "not", "or", "and",
    "distinct", "role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees", "base", "a",
    "f(", "1", "100", "'", "\\", "\\=", "/*", "*/", "\ufeff"])
soups = st.lists(pieces, max_size=60).map("".join) | st.text(max_size=60)


def spans(rule: Rule) -> list[Span | None]:
    found = [rule.span]
    stack: list[Formula | Argument] = [rule.head, *rule.body]
    while stack:
        item = stack.pop()
        found.append(item.span)
        if isinstance(item, Not):
            stack.append(item.formula)
        elif isinstance(item, And | Or):
            stack.extend(item.formulas)
        elif isinstance(item, gdl.Term):
            stack.extend(item.args)
    return found


def examine(text: str, syntax: Syntax | None) -> None:
    """Checks what must hold of every text."""
    findings = gdl.check(text, syntax=syntax)
    for found in findings:
        assert 0 <= found.span.start <= found.span.end <= len(text)
        assert found.line >= 1
        assert found.column >= 1
        assert str(found)
    if any(found.level == "error" for found in findings):
        with pytest.raises(InvalidRules):
            gdl.parse(text, syntax=syntax)
    else:
        assert gdl.parse(text, syntax=syntax).diagnostics == tuple(findings)
    try:
        sheet = gdl.read(text, syntax=syntax)
    except InvalidRules:
        return
    for rule in sheet.rules:
        for span in spans(rule):
            assert span is not None
            assert 0 <= span.start < span.end <= len(text)
    assert gdl.read(gdl.to_kif(sheet)) == sheet
    assert gdl.read(gdl.to_infix(sheet)) == sheet


@given(soups, syntaxes | st.none())
def test_any_text_gets_an_answer(text: str, syntax: Syntax | None) -> None:
    examine(text, syntax)


@given(rulesheets, syntaxes, st.lists(st.tuples(st.integers(0, 400), st.integers(0, 5), soups), max_size=4))
def test_any_edit_of_rules_gets_an_answer(rulesheet: Rulesheet, syntax: Syntax,
                                          edits: list[tuple[int, int, str]]) -> None:
    text = gdl.to_kif(rulesheet) if syntax == "kif" else gdl.to_infix(rulesheet)
    for place, length, piece in edits:
        text = text[:place] + piece + text[place + length :]
    examine(text, syntax)


@given(soups)
def test_any_text_is_a_ground_term_or_is_refused(text: str) -> None:
    try:
        term = gdl.parse_term(text)
    except InvalidTerm:
        return
    assert gdl.parse_term(str(term)) == term


@pytest.mark.parametrize("seed", range(20))
def test_a_real_game_with_slips_gets_an_answer(seed: int) -> None:
    rng = random.Random(seed)
    text = corpus_text("ggp.org/connectFour.kif")
    tokens = ["(", ")", "?x", "not", "or", "true", "next", " ", "<=", "role"]
    for _ in range(rng.randrange(1, 8)):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(tokens) + text[place + rng.randrange(3) :]
    examine(text, None)
