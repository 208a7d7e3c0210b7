"""What can stand at the arguments of relations and functions: the thesis's step counter, and what it stands for."""

from __future__ import annotations

import ludorum
from ludorum.gdl.domains import Domains, ImprovedDomains, Place, Symbol
from ludorum.gdl.terms import Term

# Figures 5.1 and 7.2, with what makes it a game.
COUNTER = ludorum.parse("""
    (role r) (legal r wait) (goal r 100) (<= terminal (true (step 3)))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (init (step 0))
    (<= (next (step ?x)) (true (step ?y)) (succ ?y ?x))
""")
STEP = Place("function", "step", 1, 1)
BEFORE, AFTER = (Place("relation", "succ", 2, i) for i in (1, 2))
TRUE = Place("relation", "true", 1, 1)


def constants(*names: object) -> frozenset[Symbol]:
    return frozenset(Symbol(str(name)) for name in names)


def test_the_counter_and_its_successor_relation_share_a_domain() -> None:
    domains = Domains(COUNTER)
    assert domains.of(STEP) == domains.of(BEFORE) == domains.of(AFTER) == constants(0, 1, 2, 3)
    assert domains.of(TRUE) == frozenset([Symbol("step", 1)])
    assert domains.same(STEP, BEFORE)
    assert not domains.same(STEP, TRUE)


def test_the_directed_graph_tells_the_last_step_from_the_first() -> None:
    domains = ImprovedDomains(COUNTER)
    assert domains.of(BEFORE) == constants(0, 1, 2)
    assert domains.of(AFTER) == constants(1, 2, 3)
    assert domains.of(STEP) == constants(0, 1, 2, 3)
    assert domains.terms(TRUE) == frozenset(Term("step", (Term(str(i)),)) for i in range(4))
    assert (AFTER, STEP) in set(domains.edges)
    assert (BEFORE, STEP) not in set(domains.edges)


def test_a_number_at_two_places_makes_one_domain_but_no_link() -> None:
    domains = Domains(ludorum.parse("""
        (role r) (legal r wait) (goal r 1) (<= terminal (true (step 1)))
        (init (step 1)) (<= (next (step ?x)) (true (step ?x)))
    """))
    goal = Place("relation", "goal", 2, 2)
    assert domains.same(STEP, goal)
    assert domains.link(STEP) != domains.link(goal)


def test_to_compare_is_not_to_join() -> None:
    domains = Domains(ludorum.parse("""
        (role r) (legal r wait) (goal r 100) (<= terminal (true (at ?x)) (true (owner ?y)) (distinct ?x ?y))
        (init (at a)) (init (owner b)) (<= (next ?f) (true ?f))
    """))
    at, owner = Place("function", "at", 1, 1), Place("function", "owner", 1, 1)
    assert not domains.same(at, owner)


def test_terms_without_end_are_told_apart() -> None:
    domains = ImprovedDomains(ludorum.parse("""
        (role r) (legal r grow) (goal r 100) (<= terminal (true (tree leaf)))
        (init (tree leaf)) (<= (next (tree (node ?x))) (true (tree ?x)))
    """))
    assert domains.terms(TRUE) is None


def test_the_fluents_of_a_game_are_among_the_terms_of_its_directed_graph() -> None:
    for name in ("tictactoe", "nim", "hanoi", "racetrack"):
        game = ludorum.load(name)
        terms = ImprovedDomains(game.rules).terms(TRUE)
        assert terms is not None
        assert set(game.fluents or ()) <= terms
