"""Reading the infix notation of the papers."""

from __future__ import annotations

import pytest

from ludorum import gdl
from ludorum.errors import InvalidRules

# The tic-tac-toe of the literature, in its layout; the KIF beside it was written by hand.
INFIX = """
role( xplayer ). role( oplayer ).
init(cell(a,1, blank )). init( control ( xplayer )).

legal (P, mark(X,Y)) :-
    true( control (P)), true(cell(X,Y,blank )).
legal (P,noop) :- role(P), not true( control (P)).

next(cell(M,N,C)) :- true(cell(M,N,C)),
    does(P,mark(X,Y)), distinct (X,M).

terminal :- not open.
open :- true(cell(X,Y,blank )).
goal(xplayer ,50) :- not line(x), not line(o).
"""
KIF = """
(role xplayer) (role oplayer)
(init (cell a 1 blank)) (init (control xplayer))
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y blank)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?m ?n ?c)) (true (cell ?m ?n ?c)) (does ?p (mark ?x ?y)) (distinct ?x ?m))
(<= terminal (not open))
(<= open (true (cell ?x ?y blank)))
(<= (goal xplayer 50) (not (line x)) (not (line o)))
"""


def test_both_syntaxes_say_the_same() -> None:
    assert gdl.read(INFIX) == gdl.read(KIF)


@pytest.mark.parametrize(("infix", "kif"), [
    ("p :- q ; r, s.", "(<= p (or q (and r s)))"),
    ("p :- (q ; r), s.", "(<= p (or q r) s)"),
    ("p :- (q, r), s.", "(<= p (and q r) s)"),
    ("p :- q or r and s.", "(<= p (or q (and r s)))"),
    ("p :- q | r & s.", "(<= p (or q (and r s)))"),
    ("p <= q.", "(<= p q)"),
    ("p :- .", "(<= p)"),
    ("p :- not q, ~ r, \\+ s, not (t ; u).", "(<= p (not q) (not r) (not s) (not (or t u)))"),
    ("p :- not(q).", "(<= p (not q))"),
    ("p :- not not q.", "(<= p (not (not q)))"),
    ("p :- q(X), r(Y), X \\= Y.", "(<= p (q ?x) (r ?y) (distinct ?x ?y))"),
    ("p :- not X != f(Y).", "(<= p (not (distinct ?x (f ?y))))"),
    ("p :- and(q), or(r), and().", "(<= p (and q) (or r) (and))"),
    ("p('+', 'it\\'s', '\\\\', 1).", "(p + it's \\ 1)"),
    ("p('XPlayer', xPlayer, -3, state-goal).", "(p xplayer xplayer -3 state-goal)"),
    ("p(?'odd+name', _under).", "(p ?odd+name ?_under)"),
    ("p. % a comment. q.\n/* r.\n s. */ t.", "(p) (t)"),
    ("p('not', or).", "(p not or)"),
    ("terminal :- p.", "(<= terminal p)"),
    ("++(1, 2). p :- ++(X, Y), \\+ q.", "(++ 1 2) (<= p (++ ?x ?y) (not q))"),
    ("p :- q(X), r(Y), X = Y.", "(<= p (q ?x) (r ?y) (not (distinct ?x ?y)))"),
    ("p <= q(X) ∧ r(Y) ∧ (¬X=Y ∨ ¬s)", "(<= p (q ?x) (r ?y) (or (distinct ?x ?y) (not s)))"),
    # As on slides: no full stop anywhere, so an arrow shows what is a head.
    ("role(a) <=\nf(X, g(Y)) <= p(X)\n  ∧ q(Y)\nterminal <= p(1) ∨ ¬q(2)",
     "(<= (role a)) (<= (f ?x (g ?y)) (p ?x) (q ?y)) (<= terminal (or (p 1) (not (q 2))))"),
])
def test_an_infix_clause_means_a_rule(infix: str, kif: str) -> None:
    assert gdl.read(infix, syntax="infix") == gdl.read(kif, syntax="kif")


def test_an_anonymous_variable_is_new_each_time() -> None:
    [rule] = gdl.read("p :- q(_, _, _1).").rules
    [condition] = rule.body
    assert isinstance(condition, gdl.Term)
    assert len(set(condition.args)) == 3


@pytest.mark.parametrize(("text", "syntax"), [
    ("(role white)", "kif"),
    ("; role(white).\n(role white)", "kif"),
    ("\ufeff  \r\n(role white)", "kif"),
    ("terminal\n(role white)", "kif"),
    ("terminal (role white) (<= p (q :-))", "kif"),
    ("", "kif"),
    ("role(white).", "infix"),
    ("\ufeffrole(white).", "infix"),
    ("% (role white)\nrole(white).", "infix"),
    ("/* (role white) */ role(white).", "infix"),
    ("terminal :- p.", "infix"),
    ("terminal.", "infix"),
    ("terminal.\nrole(white).", "infix"),
    ("terminal<=p.", "infix"),
    ("'odd name'(x).", "infix"),
    ("next(p) :-\n  (legal(white, x) ;\n  role(y)).", "infix"),
    # Even where the first clause has a mistake.
    ("role(white)\nrole(black).\nterminal :- p.", "infix"),
    ("role(white.\nterminal :- p.", "infix"),
])
def test_the_syntax_is_recognised(text: str, syntax: str) -> None:
    try:
        source = gdl.read(text).source
    except InvalidRules as error:
        source = error.diagnostics[0].source
    assert source.syntax == syntax


def test_the_syntax_can_be_forced() -> None:
    assert gdl.read("(p.)", syntax="kif").rules[0].head == gdl.Term("p.")
    with pytest.raises(InvalidRules):
        gdl.read("(p)", syntax="infix")


def test_positions_are_those_of_the_text() -> None:
    text = "p :- not (q(X), r(X)),\n  s(f(X))."
    [rule] = gdl.read(text).rules
    spans = [formula.span for formula in rule.body]
    assert [text[span.start : span.end] for span in spans if span] == ["not (q(X), r(X))", "s(f(X))"]
    assert rule.span == gdl.Span(0, len(text))


def test_every_bad_clause_is_reported_and_the_good_ones_are_not() -> None:
    findings = gdl.check("role(white). role(black. legal(white, x) :- . ) goal(white, 50). terminal :- p, .")
    assert [d.code for d in findings if d.level == "error"] == [
        "unclosed-parenthesis", "unexpected-token", "unexpected-token"]


@pytest.mark.parametrize("text", ["p(" * 100_000, "p :- " + "(" * 100_000, "p :- " + "not " * 100_000 + "q.",
                                  "p :- " + "q, " * 10_000 + "q."])
def test_depth_is_bounded_and_length_is_not(text: str) -> None:
    codes = {d.code for d in gdl.check(text, syntax="infix") if d.level == "error"}
    assert ("too-deep" in codes) == ("q, q" not in text)
