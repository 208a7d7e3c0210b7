"""Flat clauses: the same rules without `or`, `and` and compound `not`."""

from __future__ import annotations

import ludorum
from ludorum import gdl
from ludorum.gdl.clauses import Clause, flatten


def clauses(text: str) -> list[str]:
    return [str(clause) for clause in flatten(gdl.read(text))]


def test_a_rule_without_connectives_stays_as_it_is() -> None:
    text = "(<= (p ?x) (q ?x ?y) (not (r ?y)) (distinct ?x ?y))"
    assert clauses(text) == [text]


def test_or_gives_a_clause_for_every_alternative() -> None:
    assert clauses("(<= (p ?x) (or (q ?x) (and (r ?x) (s ?x))))") == [
        "(<= (p ?x) (q ?x))", "(<= (p ?x) (r ?x) (s ?x))"]


def test_an_empty_or_never_holds_and_an_empty_and_always() -> None:
    assert clauses("(<= p (or))") == []
    assert clauses("(<= p (and))") == ["p"]
    assert clauses("(<= p (not (or)))") == ["p"]
    assert clauses("(<= p (not (and)))") == []


def test_not_of_or_is_not_of_each() -> None:
    assert clauses("(<= p (not (or q (not r))))") == ["(<= p r (not q))"]


def test_not_of_and_becomes_a_relation() -> None:
    first, second = flatten(gdl.read("(<= (p ?x) (q ?x) (not (and (r ?x ?y) (s ?y))))"))
    assert [str(atom) for atom in first.positive] == ["(q ?x)"]
    assert first.negative == (second.head,)
    # ?y occurs only under the `not`, so it stays inside.
    assert [str(argument) for argument in second.head.args] == ["?x"]
    assert [str(atom) for atom in second.positive] == ["(r ?x ?y)", "(s ?y)"]


def test_a_variable_only_under_a_not_is_existential_inside_it() -> None:
    first, second = flatten(gdl.read("(<= (p ?x) (q ?x) (not (r ?x ?y)))"))
    assert first.negative == (second.head,)
    assert [str(argument) for argument in second.head.args] == ["?x"]


def test_two_nots_do_not_share_their_own_variables() -> None:
    rules = flatten(gdl.read("(<= p (not (q ?y)) (not (r ?y)))"))
    assert [clause.head.args for clause in rules] == [(), (), ()]


def test_terms_that_cannot_be_equal_need_not_be_compared() -> None:
    assert clauses("(<= (p ?x) (q ?x) (distinct a b) (distinct (f ?x) (g ?x)))") == ["(<= (p ?x) (q ?x))"]


def test_a_term_is_never_distinct_from_itself() -> None:
    assert clauses("(<= (p ?x) (q ?x) (distinct ?x ?x))") == []


def test_not_distinct_makes_terms_equal() -> None:
    assert clauses("(<= (p ?x) (q ?x ?y) (not (distinct ?y (f ?x))))") == ["(<= (p ?x) (q ?x (f ?x)))"]
    assert clauses("(<= (p ?x) (q ?x) (not (distinct a b)))") == []


def test_alternatives_that_would_explode_are_named() -> None:
    choices = " ".join(f"(or (a{i} ?x) (b{i} ?x))" for i in range(20))
    rules = flatten(gdl.read(f"(<= (p ?x) (q ?x) {choices})"))
    assert len(rules) == 1 + 2 * 20


def test_a_variable_bound_outside_a_named_alternative_is_bound_inside() -> None:
    choices = " ".join(f"(or (a{i} ?x) (not (b{i} ?x)))" for i in range(20))
    for clause in flatten(gdl.read(f"(q 1) (q 2) (<= (p ?x) (q ?x) {choices})")):
        assert all_variables_are_bound(clause)


def test_an_unsafe_head_variable_ranges_over_its_domain() -> None:
    rules = flatten(gdl.read("(init (cell 1 b)) (<= (next (cell 1 x)) go) (<= (next (cell 2 ?c)) go)"))
    assert all(map(all_variables_are_bound, rules))
    guard = next(clause.positive[-1] for clause in rules if str(clause.head) == "(next (cell 2 ?c))")
    domain = {str(clause.head.args[0]) for clause in rules if clause.head.name == guard.name}
    assert domain == {"b", "x"}


def test_what_is_asked_of_an_argument_that_a_rule_leaves_open_is_in_its_domain() -> None:
    game = """
        (role r) (legal r go) (<= (next (at ?x)) (p ?x) (does r go))
        (<= (same ?x ?x)) (q a) (q c) (<= (p ?y) (q ?y) (same ?y c))
        (<= terminal (true (at c))) (goal r 0)
    """
    for engine in ("circuit", "reference", "relations"):
        assert str(ludorum.load(game, engine=engine).replay("go")) == "(at c)"


def test_spans_lead_back_to_the_rule() -> None:
    text = "(p a)\n(<= (p ?x) (or (q ?x) (r ?x)))"
    spans = [clause.span for clause in flatten(gdl.read(text))]
    assert [span and text[span.start:span.end] for span in spans] == [text[:5], text[6:], text[6:]]


def all_variables_are_bound(clause: Clause) -> bool:
    bound = {v.name for atom in clause.positive for v in gdl.variables(atom)}
    terms = [clause.head, *clause.negative, *(side for pair in clause.distinct for side in pair)]
    return all(v.name in bound for term in terms for v in gdl.variables(term))
