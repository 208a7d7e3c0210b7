"""What the words of a rulesheet mean, told with tiny games."""

from __future__ import annotations

import pytest
from ground_evaluation import Evaluation

from ludorum import gdl
from ludorum.asp.process import ClingoProcess
from ludorum.gdl import Term
from ludorum.ground import GroundProgram, ground, to_asp


def program(text: str) -> GroundProgram:
    result = ground(gdl.read(text))
    check(result)
    return result


def check(program: GroundProgram) -> None:
    """What the circuit compiler may rely on."""
    inputs = {*program.fluent_atoms, *(atom for atoms in program.move_atoms for atom in atoms)}
    assert len(inputs) == len(program.fluents) + sum(map(len, program.moves))
    assert inputs.isdisjoint(program.heads)
    assert inputs.isdisjoint(program.facts)
    assert program.facts.isdisjoint(program.heads)
    derivable = program.facts.union(program.heads)
    for body in program.bodies:
        atoms = {literal if literal >= 0 else ~literal for literal in body}
        assert body
        assert atoms <= derivable | inputs
        assert atoms.isdisjoint(program.facts)
    asked = [program.next_atoms, *program.legal_atoms, [atom for of in program.goal_atoms for _, atom in of],
             [atom for of in program.percept_atoms for _, atom in of], [program.terminal_atom]]
    assert {atom for atoms in asked for atom in atoms} - {None} <= derivable
    assert max(derivable | inputs, default=-1) < program.atom_count
    assert list(program.fluents) == sorted(program.fluents, key=str)
    assert all(list(moves) == sorted(moves, key=str) for moves in program.moves)


def texts(terms: object) -> list[str]:
    return list(map(str, terms))  # type: ignore[call-overload]


def test_a_fluent_is_possible_if_it_is_initial_or_can_come_next() -> None:
    found = program("""
        (role r) (init (at a)) (step a b) (step b c) (step d e)
        (<= (legal r (go ?x)) (true (at ?y)) (step ?y ?x))
        (<= (next (at ?x)) (does r (go ?x)))
        (<= terminal (true (at c))) (<= (goal r 100) (true (at c)))
    """)
    assert texts(found.fluents) == ["(at a)", "(at b)", "(at c)"]
    assert texts(found.moves[0]) == ["(go b)", "(go c)"]
    assert texts(found.fluents[i] for i in found.initial) == ["(at a)"]
    assert found.next_atoms[0] is None


def test_things_that_are_no_roles_make_no_moves() -> None:
    found = program("(role r) (thing t) (legal r go) (<= (legal ?t stay) (thing ?t)) (goal r 1) (goal t 2)"
                    "(<= (next (went ?who ?how)) (does ?who ?how)) (<= terminal (true (went r go)))")
    assert [texts(moves) for moves in found.moves] == [["go"]]
    assert texts(found.fluents) == ["(went r go)"]
    assert len(found.goal_atoms) == 1


def test_the_order_of_roles_is_that_of_the_source() -> None:
    found = program("(role zoe) (role adam) (<= (legal ?r go) (role ?r)) terminal (goal zoe 0) (goal adam 1)")
    assert texts(found.roles) == ["zoe", "adam"]
    assert [[value for value, _ in goals] for goals in found.goal_atoms] == [[0], [1]]


def test_no_init_means_an_empty_initial_state() -> None:
    found = program("(role r) (legal r go) (<= (next done) (does r go)) (<= terminal (true done))"
                    "(goal r 1)")
    assert found.initial == ()
    game = Evaluation(found)
    assert not game.is_terminal([])
    assert game.is_terminal(game.after([], ["go"]))


def test_atoms_without_a_rule_are_false() -> None:
    game = Evaluation(program(
        "(role r) (init x) (<= (next x) (true x)) (legal r go) (<= (legal r fly) (true wings))"
        "(<= (legal r no) (true x) flying) (<= terminal (true x) (not flying))"
        "(<= (goal r 5) (true x) (not (true wings)))"))
    assert game.is_terminal(["x"])
    assert game.goals(["x"]) == (5,)
    assert texts(game.program.moves[0]) == ["go"]


def test_legal_goal_and_terminal_may_occur_in_bodies() -> None:
    game = Evaluation(program("""
        (role r) (init (n 1)) (<= (legal r a) (true (n 1))) (<= (legal r b) (legal r a))
        (<= (next (n 2)) (does r b)) (<= terminal (not (legal r a)))
        (<= (goal r 100) terminal) (<= (goal r 0) (not (goal r 100)))
    """))
    assert texts(game.legal(["(n 1)"])[0]) == ["a", "b"]
    assert game.goals(["(n 1)"]) == (0,)
    assert game.goals(["(n 2)"]) == (100,)


def test_next_may_occur_in_bodies() -> None:
    game = Evaluation(program("""
        (role r) (init a) (legal r go) (<= (next b) (true a)) (<= (next c) (next b))
        (<= (sees r new) (next c)) (<= terminal (true c)) (goal r 0)
    """))
    assert game.after(["a"], ["go"]) == {Term("b"), Term("c")}
    assert game.percepts(["a"], ["go"]) == (frozenset([Term("new")]),)
    assert game.percepts(["b"], ["go"]) == (frozenset(),)


def test_a_variable_only_under_not_is_existential_inside_it() -> None:
    game = Evaluation(program("""
        (role r) (init (on a b)) (legal r go) (<= (next (on b a)) (true (on a b))) (block a) (block b)
        (<= (goal r 10) (block ?x) (not (true (on ?x ?y)))) (<= terminal (not (true (on ?x ?y))))
    """))
    assert not game.is_terminal(["(on a b)"])
    assert game.is_terminal([])
    assert game.goals(["(on a b)"]) == (10,)
    assert game.goals(["(on a b)", "(on b a)"]) == (None,)


def test_an_unsafe_head_variable_ranges_over_its_domain() -> None:
    game = Evaluation(program("""
        (role r) (init (cell a)) (<= (next (cell b)) (does r stop)) (legal r go) (legal r stop)
        (<= (next (cell ?x)) (does r go)) (<= terminal (true (cell b))) (goal r 0)
    """))
    assert texts(sorted(game.after(["(cell a)"], ["go"]), key=str)) == ["(cell a)", "(cell b)"]


def test_an_unsafe_distinct_variable_ranges_over_its_domain() -> None:
    game = Evaluation(program("""
        (role r) (init (cell a)) (init (cell b)) (<= (next (cell ?x)) (true (cell ?x))) (legal r go)
        (<= terminal (true (cell ?x)) (distinct ?x ?y)) (goal r 0)
    """))
    assert game.is_terminal(["(cell a)"])


def test_goals_that_are_no_values_are_ignored_with_a_note() -> None:
    found = program("(role r) (legal r go) terminal"
                    "(goal r 101) (goal r -1) (goal r win) (goal r 7) (goal r (f 1))")
    assert [value for value, _ in found.goal_atoms[0]] == [7]
    assert found.report["ignored_goals"] == ["(goal r (f 1))", "(goal r -1)", "(goal r 101)", "(goal r win)"]


def test_percepts_are_told_by_role() -> None:
    game = Evaluation(program("""
        (role r) (role s) (init x) (<= (next x) (true x)) (<= (legal ?r go) (role ?r)) (legal r wave)
        (<= (sees s (waved r)) (does r wave)) (<= (sees ?r start) (role ?r) (true x))
        (<= terminal (true y)) (goal r 0)
    """))
    assert [sorted(map(str, percepts)) for percepts in game.percepts(["x"], ["wave", "go"])] == [
        ["start"], ["(waved r)", "start"]]


def test_base_and_input_are_hints_that_grounding_does_not_need() -> None:
    found = program("(role r) (base (f 1)) (input r fly) (init (f 2)) (legal r go)"
                    "(<= (next (f 2)) (true (f 2))) (<= terminal (true (f 2))) (goal r 0)")
    assert texts(found.fluents) == ["(f 2)"]
    assert texts(found.moves[0]) == ["go"]


def test_relations_and_functions_may_share_names_with_others_and_with_keywords() -> None:
    game = Evaluation(program("""
        (role r) (init (true 1)) (init (not 2)) (p 1) (p 1 2) (p (p 1)) (legal r go)
        (<= (next (true ?x)) (true (true ?x)) (p ?x)) (<= (true) (p 1 2))
        (<= terminal (p (p ?x)) (true (not 2))) (goal r 0)
    """))
    assert game.after(["(true 1)", "(not 2)"], ["go"]) == {gdl.parse_term("(true 1)")}
    assert game.is_terminal(["(not 2)"])


@pytest.mark.parametrize("split", ["auto", "always", "never"])
def test_facts_about_the_answer_are_the_same_however_rules_are_split(split: str) -> None:
    rules = gdl.parse("(role r) (init a) (legal r go) (<= (next b) (does r go)) terminal (goal r 100)")
    found = ground(rules, split=split)  # type: ignore[arg-type]
    check(found)
    assert found.terminal_atom in found.facts
    assert found.goal_atoms[0][0][1] in found.facts
    assert found.legal_atoms[0][0] in found.facts


def test_the_exported_program_is_one_that_clingo_reads() -> None:
    text = to_asp(gdl.parse("(role r) (init (at a)) (legal r go) (<= (next (at b)) (true (at a))) (base x)"
                            "(<= terminal (not (true (at a)))) (goal r 0)", name="walk.kif"))
    assert text.startswith("% walk.kif")
    assert "next(at(b)) :- true(at(a))." in text
    assert "base" not in text
    process = ClingoProcess(memory_mb=1024)
    empty = text + ":- true(_). :- does(_,_).\n"
    answer = process.ask("models", seconds=20, program=empty, shown=[("terminal", 0)])
    assert answer["models"] == [["terminal"]]
    process.close()
