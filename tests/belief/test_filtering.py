"""The filter of Thielscher's legal player (2013): its examples to the letter; and it never knows anything false."""

from __future__ import annotations

import random
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludorum
from ludorum.belief import Belief
from ludorum.belief.filtering import Filter, GroundRules
from ludorum.belief.open_program import OpenFacts, OpenProgram, atom_of, supports
from ludorum.clock import Deadline
from ludorum.errors import TooLarge
from ludorum.players import Legal2
from ludorum.players.determinization import determinized_move

# Example 2: a :- b(X). obs :- not a. p :- not a. q :- a.
B1, B2, A, OBS, P, Q = range(6)
NOTHING_KNOWN = OpenFacts(frozenset(), frozenset({B1, B2}))


@pytest.fixture
def example() -> OpenProgram:
    return OpenProgram({A: [(B1,), (B2,)], OBS: [(~A,)], P: [(~A,)], Q: [(A,)]}, {B1, B2})


def test_example_2_has_the_supports_of_the_paper(example: OpenProgram) -> None:
    assert supports(example, A, NOTHING_KNOWN) == {frozenset({B1}), frozenset({B2})}
    assert supports(example, OBS, NOTHING_KNOWN) == {frozenset({~B1, ~B2})}
    assert supports(example, ~OBS, NOTHING_KNOWN) == {frozenset({B1}), frozenset({B2})}


def test_example_4_seeing_tells_much_and_not_seeing_nothing(example: OpenProgram) -> None:
    assert example.implied(NOTHING_KNOWN, told=[OBS]) == {~B1, ~B2}
    assert example.implied(NOTHING_KNOWN, told=[~OBS]) == frozenset()


def test_what_follows_either_way_has_no_empty_support() -> None:
    """`x :- b. x :- not b.` holds in all cases, but backward chaining needs a support for it."""
    program = OpenProgram({1: [(0,), (~0,)]}, {0})
    facts = OpenFacts(frozenset(), frozenset({0}))
    assert program.all([1], facts) == {1}
    assert program.unsupported([1], facts) == frozenset()
    assert frozenset() not in supports(program, 1, facts)


def test_example_3_the_opened_door_is_known() -> None:
    """Monty opens door 3; which doors are closed afterwards is known, and where the car is is not."""
    game = ludorum.load("montyhall")
    known = Filter(game, "candidate")
    for move, percepts in (("noop", []), ("(choose 1)", []), ("noop", ["(opened 3)"])):
        known.perceived(move, percepts)
    assert known.is_consistent
    assert "(opened 3)" in set(map(str, known.known))
    assert {"(car 1)", "(car 2)"} <= set(map(str, known.possible))


@st.composite
def programs(draw: st.DrawFn) -> tuple[OpenProgram, OpenFacts, list[int]]:
    """Stratified programs over five base atoms: an atom depends on those below it."""
    base, heads = range(5), range(5, 10)
    bodies = {head: draw(st.lists(st.lists(st.integers(0, head - 1).flatmap(lambda a: st.sampled_from([a, ~a])),
                                           min_size=1, max_size=3), min_size=1, max_size=3)) for head in heads}
    known = frozenset(draw(st.sets(st.sampled_from(base), max_size=2)))
    possible = frozenset(draw(st.sets(st.sampled_from(base)))) - known
    return OpenProgram(bodies, set(base)), OpenFacts(known, possible), list(heads)


def holds(program: OpenProgram, literal: int, facts: set[int]) -> bool:
    """By the definition: an atom holds if it is a fact or some body does."""
    atom = atom_of(literal)
    is_true = atom in facts or any(all(holds(program, other, facts) for other in body)
                                   for body in program.bodies.get(atom, ()))
    return is_true == (literal >= 0)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_solver_and_supports_agree_with_all_cases(made: tuple[OpenProgram, OpenFacts, list[int]]) -> None:
    program, facts, heads = made
    cases = [set(facts.known) | set(some) for some in chain.from_iterable(
        combinations(sorted(facts.possible), count) for count in range(len(facts.possible) + 1))]
    assert program.some(heads, facts) == {head for head in heads if any(holds(program, head, case) for case in cases)}
    assert program.all(heads, facts) == {head for head in heads if all(holds(program, head, case) for case in cases)}
    for literal in [*heads, *(~head for head in heads)]:
        left = [case for case in cases if holds(program, literal, case)]
        found = supports(program, literal, facts)
        assert bool(found) == bool(left)
        implied = {lit for atom in facts.possible for lit in (atom, ~atom)
                   if left and all((atom in case) == (lit >= 0) for case in left)}
        assert program.implied(facts, told=[literal]) == implied
        # What all supports have in common is what the solver finds.
        assert (frozenset.intersection(*found) if found else frozenset()) == implied
        if literal >= 0:
            assert (literal in program.unsupported([literal], facts)) == (frozenset() in found)


def test_recursion_is_no_reason_for_itself() -> None:
    """Places are reached from the first one by ways that may be open, not from each other alone."""
    ways, places = {0: (0, 1), 1: (1, 2), 2: (2, 1)}, {0: 10, 1: 11, 2: 12}
    bodies: dict[int, list[tuple[int, ...]]] = {11: [], 12: []}
    for way, (one, other) in ways.items():
        bodies[places[other]].append((places[one], way))
    program = OpenProgram(bodies, set(ways), {10})
    assert program.some([11, 12], OpenFacts(frozenset(), frozenset({1, 2}))) == frozenset()
    assert program.some([11, 12], OpenFacts(frozenset(), frozenset({0, 1, 2}))) == {11, 12}


@pytest.mark.parametrize("name", ["bankerandthief", "kuhnpoker", "meier", "phantomtictactoe", "spyvsspy", "transit"])
def test_a_better_filter_knows_no_less_and_none_knows_what_is_not_so(name: str) -> None:
    game = ludorum.load(name)
    rules = GroundRules(game)
    for role in (role for role in game.roles if role != "random"):
        chance, state = random.Random(3), game.initial
        paper, backbone = (Filter(game, role, kind, rules=rules) for kind in ("paper", "backbone"))
        exact = Belief(game, role)
        while not state.is_terminal:
            joint = {each: chance.choice(state.legal(each)) for each in game.roles}
            state = state.after(joint)
            for knowing in (paper, backbone, exact):
                knowing.perceived(joint[role], state.percepts[role])
            assert paper.is_consistent
            assert backbone.is_consistent
            assert paper.known <= backbone.known
            assert backbone.known | backbone.possible <= paper.known | paper.possible
            if exact.is_exact:
                odds = exact.odds()
                assert backbone.known <= {fluent for fluent, value in odds.items() if value > 1 - 1e-9}
                assert set(odds) <= backbone.known | backbone.possible
            assert set(paper.legal) <= set(backbone.legal) <= set(state.legal(role))


def test_who_is_told_every_move_knows_everything() -> None:
    """The paper's last claim: where moves are all that is perceived, nothing is lost."""
    game = ludorum.load("""
        (role left) (role right) (side a) (side b)
        (init (step 0)) (succ 0 1) (succ 1 2)
        (<= (legal left (take ?s)) (side ?s)) (<= (legal right (take ?s)) (side ?s))
        (<= (next (taken ?r ?s)) (does ?r (take ?s)))
        (<= (next (taken ?r ?s)) (true (taken ?r ?s)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (sees left (move ?r ?m)) (does ?r ?m))
        (<= terminal (true (step 2)))
        (goal left 50) (goal right 50)""")
    known = Filter(game, "left")
    known.perceived("(take a)", ["(move left (take a))", "(move right (take b))"])
    assert not known.possible
    assert set(map(str, known.known)) == {"(taken left a)", "(taken right b)", "(step 1)"}
    assert known.knows_legal


def test_percepts_that_cannot_be_are_noticed() -> None:
    known = Filter(ludorum.load("explodingbomb"), "agent")
    known.perceived("noop", ["(no such thing)"])
    assert not known.is_consistent


def test_too_many_supports_are_refused() -> None:
    base = range(40)
    program = OpenProgram({40: [tuple(base[i : i + 4]) for i in range(0, 40, 4)]}, set(base))
    with pytest.raises(TooLarge, match="supports"):
        supports(program, ~40, OpenFacts(frozenset(), frozenset(base)))


@pytest.mark.parametrize("knowing", ["paper", "backbone", "exact"])
def test_legal2_makes_legal_moves(knowing: str) -> None:
    for name in ("phantomtictactoe", "kuhnpoker"):
        game = ludorum.load(name)
        role = next(role for role in game.roles if role != "random")
        playing = Legal2(knowing, seed=1).join(game, role)  # type: ignore[arg-type]
        playing.prepare(Deadline.within(20))
        chance, state, belief = random.Random(4), game.initial, Belief(game, role)
        while not state.is_terminal:
            joint = {each: chance.choice(state.legal(each)) for each in game.roles}
            joint[role] = determinized_move(playing, belief, role, Deadline.within(5))
            assert joint[role] in state.legal(role)
            state = state.after(joint)
            belief.perceived(joint[role], state.percepts[role])
