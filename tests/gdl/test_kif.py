"""Reading KIF, the notation of competitions."""

from __future__ import annotations

import pytest

from ludorum import gdl
from ludorum.errors import InvalidRules, InvalidTerm
from ludorum.gdl import And, Not, Or, Rule, Term, Variable


def rules(text: str) -> tuple[Rule, ...]:
    return gdl.read(text, syntax="kif").rules


def atom(name: str, *arguments: str) -> Term:
    return Term(name, tuple(Variable(a[1:]) if a[0] == "?" else Term(a) for a in arguments))


def test_a_rule_has_a_head_and_conditions() -> None:
    [rule] = rules("(<= (legal ?r noop) (role ?r) (not (true (control ?r))))")
    control = Term("true", (atom("control", "?r"),))
    assert rule == Rule(atom("legal", "?r", "noop"), (atom("role", "?r"), Not(control)))


def test_symbols_and_variables_are_the_same_in_any_case() -> None:
    assert rules("(<= (LEGAL ?Player No) (Role ?PLAYER))") == rules("(<= (legal ?player no) (role ?Player))")


def test_a_rule_without_conditions_is_a_fact() -> None:
    assert rules("(<= (goal white 100))") == rules("(goal white 100)")
    assert rules("(<= terminal)") == rules("terminal")


def test_parentheses_around_a_lone_symbol_mean_nothing() -> None:
    assert rules("(<= (terminal) (open))") == rules("(<= terminal open)")
    assert rules("(init (light (off)))") == rules("(init (light off))")


def test_or_and_and_nest_in_any_way() -> None:
    [rule] = rules("(<= p (or q (and r (not (or s t)))))")
    p, q, r, s, t = map(Term, "pqrst")
    assert rule == Rule(p, (Or((q, And((r, Not(Or((s, t))))))),))


def test_distinct_is_an_atom() -> None:
    [rule] = rules("(<= p (distinct ?x a))")
    assert rule.body == (atom("distinct", "?x", "a"),)


def test_inside_a_term_every_word_is_a_symbol() -> None:
    [rule] = rules("(sees white (does black (or 1 (not 2))))")
    assert str(rule.head) == "(sees white (does black (or 1 (not 2))))"


@pytest.mark.parametrize("text", [
    "\ufeff(role white)",
    "(role\r\n\twhite)\r\n",
    "(role white);a comment that ends the text",
    "; (role black)\n(role;;; who?\n white)",
    "; old line ends\r(role white)\r; (role black)\r",
    "  (  role   white  )  ",
])
def test_spaces_comments_and_line_ends_do_not_matter(text: str) -> None:
    assert rules(text) == (Rule(atom("role", "white")),)


def test_symbols_contain_anything_but_spaces_parentheses_and_semicolons() -> None:
    [rule] = rules("(won't:-go|+*/\\'\"é.1 <b> {x})")
    assert rule.head == Term("won't:-go|+*/\\'\"é.1", (Term("<b>"), Term("{x}")))


def test_positions_travel_from_the_token_to_the_rule() -> None:
    text = "; one\n(<= (next (on ?x))\n    (not (true (off ?x))))"
    [rule] = rules(text)
    negation = rule.body[0]
    assert isinstance(negation, Not)
    assert isinstance(negation.formula, Term)

    def written(span: gdl.Span | None) -> str:
        assert span is not None
        return text[span.start : span.end]

    assert written(rule.span) == text[6:]
    assert written(rule.head.span) == "(next (on ?x))"
    assert written(negation.span) == "(not (true (off ?x)))"
    assert written(negation.formula.args[0].span) == "(off ?x)"


def test_roles_keep_the_order_of_the_source() -> None:
    sheet = gdl.read("(role zoe) (role random) (role amy) (role zoe)")
    assert [str(role) for role in sheet.roles] == ["zoe", "random", "amy"]


@pytest.mark.parametrize("text", [
    "(" * 100_000, ")" * 100_000, "(a " * 100_000, "(a\n" * 100_000, "(" * 100_000 + ")" * 100_000])
def test_a_hundred_thousand_parentheses_are_an_error_and_no_crash(text: str) -> None:
    with pytest.raises(InvalidRules):
        gdl.parse(text)


def test_terms_may_be_nested_a_hundred_deep() -> None:
    text = "(s " * 100 + "zero" + ")" * 100
    assert str(gdl.parse_term(text)) == text
    assert gdl.parse_term(text) == gdl.parse_term(text.upper())


def test_a_ground_term_is_read_from_text() -> None:
    assert gdl.parse_term(" (Mark 1 (f X)) ") == Term("mark", (Term("1"), Term("f", (Term("x"),))))
    assert gdl.parse_term("noop") == gdl.parse_term("(noop)") == Term("noop")


@pytest.mark.parametrize("text", ["", "a b", "(mark 1", "(mark 1))", "?x", "(mark ?x)", "()", "((a) b)"])
def test_anything_else_is_no_ground_term(text: str) -> None:
    with pytest.raises(InvalidTerm):
        gdl.parse_term(text)


@pytest.mark.parametrize(("text", "places"), [
    # One statement of several is left open: its own start is to blame, not the end of the text.
    ("(role a)\n(init (p 1)\n(init (p 2))\n(init (p 3))\n", [(2, 1)]),
    # Two statements are.
    ("(role a)\n(<= p (q)\n(r 1)\n(<= p (r 1)\n(r 2)\n", [(2, 1), (4, 1)]),
    # Conditions start in the first column too, so the layout says nothing; rule arrows still do.
    ("(<= (p ?x)\n(q ?x))\n(<= (r ?x)\n(q ?x)\n(<= (s ?x)\n(q ?x))\n", [(3, 1)]),
    # Everything in one line.
    ("(role a) (<= p (q r) (<= s (q r)) (q r)", [(1, 10)]),
    # The text is indented as a whole.
    ("  (role a)\n  (init (p 1)\n  (init (p 2))\n", [(2, 3)]),
])
def test_an_unclosed_parenthesis_is_found_where_it_opens(text: str, places: list[tuple[int, int]]) -> None:
    found = [d for d in gdl.check(text) if d.code == "unclosed-parenthesis"]
    assert [(d.line, d.column) for d in found] == places
