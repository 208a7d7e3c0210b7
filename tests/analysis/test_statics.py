"""Relations that count and compare are known by what they mean."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.analysis.statics import StaticRelation, counting_relations
from ludorum.clock import Budget
from ludorum.gdl.scrambling import scramble
from ludorum.gdl.terms import Term
from ludorum.loading import find

FRAME = "(role r) (legal r wait) (goal r 100) (init a) (<= (next a) (true a)) (<= terminal (not (true a)))"


def found(rules: str) -> dict[str, StaticRelation]:
    relations = counting_relations(ludorum.parse(f"{FRAME} {rules}"), Budget())
    return {relation.name: relation for relation in relations}


def term(name: object) -> Term:
    return Term(str(name))


NUMBERS = "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"


def test_a_successor_relation_is_antisymmetric_functional_and_injective() -> None:
    succ = found(NUMBERS)["succ"]
    assert succ.is_successor
    assert not succ.is_order
    assert succ.in_order(map(term, (3, 1, 0))) == tuple(map(term, (0, 1, 3)))


@pytest.mark.parametrize("less", [
    "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (less ?y ?z))",
    "(<= (less ?x ?z) (succ ?y ?z) (same_or_less ?x ?y)) (<= (same_or_less ?x ?x) (succ ?x ?y))"
    "(<= (same_or_less ?x ?z) (succ ?y ?z) (same_or_less ?x ?y))",
    " ".join(f"(less {i} {j})" for i in range(5) for j in range(i + 1, 5)),
], ids=["closure", "two relations", "facts"])
def test_an_order_is_antisymmetric_and_transitive_however_it_is_written(less: str) -> None:
    order = found(f"{NUMBERS} {less}")["less"]
    assert order.is_order
    assert not order.is_successor
    assert [order.hasse.distance(term(0), term(i)) for i in range(5)] == [0, 1, 2, 3, 4]
    assert order.hasse.distance(term(4), term(0)) is None
    assert order.hasse.apart(term(4), term(1)) == 3


def test_an_order_that_holds_of_equal_things_has_the_same_diagram() -> None:
    order = found(" ".join(f"(atmost {i} {j})" for i in range(4) for j in range(i, 4)))["atmost"]
    assert order.is_order
    assert order.hasse.distance(term(0), term(3)) == 3


def test_a_partial_order_counts_by_the_shortest_way_up() -> None:
    # From a to d by b, or by c and e.
    pairs = "(below a b) (below a c) (below a d) (below a e) (below b d) (below c e) (below c d) (below e d)"
    order = found(pairs)["below"]
    assert order.is_order
    assert order.hasse.distance(term("a"), term("d")) == 2
    assert order.hasse.distance(term("b"), term("e")) is None
    assert order.in_order(map(term, "abcde")) is None
    assert order.in_order(map(term, "aced")) == tuple(map(term, "aced"))


def test_counting_round_a_circle_is_counting_too() -> None:
    clock = found("(after 1 2) (after 2 3) (after 3 4) (after 4 1)")["after"]
    assert clock.is_successor
    assert clock.is_cyclic
    assert clock.hasse.apart(term(4), term(1)) == 1
    assert clock.in_order(map(term, (4, 2, 3, 1))) == tuple(map(term, (1, 2, 3, 4)))


@pytest.mark.parametrize("rules", [
    "(beside 1 2) (beside 2 1) (beside 2 3) (beside 3 2)",        # symmetric
    "(colour white light) (colour black dark)",                   # no chain
    "(child a b) (child a c) (child b d)",                        # not functional, not transitive
    "(<= (now ?x ?y) (true a) (succ ?x ?y)) " + NUMBERS.replace("succ", "before"),   # not static, and before is
], ids=["symmetric", "pairs", "tree", "dynamic"])
def test_other_relations_do_not_count(rules: str) -> None:
    assert not {"beside", "colour", "child", "now"} & found(rules + " (succ 0 1)").keys()


@pytest.mark.parametrize("game", ["kalah", "racetrack", "hanoi"])
def test_other_words_make_the_same_relations(game: str) -> None:
    rules = ludorum.parse(find(game).text)
    plain = counting_relations(rules, Budget())
    other = counting_relations(scramble(rules, 5), Budget())
    assert plain
    assert ([(known.kind, len(known.things), len(known.pairs)) for known in plain]
            == [(known.kind, len(known.things), len(known.pairs)) for known in other])
