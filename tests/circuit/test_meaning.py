"""Whatever the rules are, no pass changes what they mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_programs import assert_same_meaning, keeps_agreements, reachable_states, small_program

from ludorum.circuit import Circuit, compile_circuit
from ludorum.circuit.passes import (
    build,
    factor,
    flatten,
    merge_agreeing_fluents,
    share,
    simplify,
    unroll,
    use_legality,
    use_one_hot_moves,
)
from ludorum.ground import GroundProgram

PASSES = [simplify, use_legality, merge_agreeing_fluents, flatten, use_one_hot_moves, factor, share, unroll]
ROLES = {"left": "a b c d", "right": "a b"}
FLUENTS = ("p", "q", "r")
DOES = [f"does:{role}:{move}" for role, moves in ROLES.items() for move in moves.split()]
# Relations of a state, from the lowest stratum to the highest; then those that may read moves.
OF_STATES = [["s1", "s2", "s3"], ["t1", "t2", "t3"]]
OF_STEPS = [["u1", "u2", "u3"], ["v1", "v2"]]


@st.composite
def programs(draw: st.DrawFn) -> GroundProgram:
    """Stratified ground programs with recursion within the strata; what is asked of states reads no moves."""
    rules: list[str] = []

    def add(heads: list[str], positive: list[str], negative: list[str], most: int) -> None:
        literals = [*positive, *(f"~{name}" for name in negative)]
        bodies = st.lists(st.sampled_from(literals), min_size=1, max_size=4, unique=True)
        for head, body in draw(st.lists(st.tuples(st.sampled_from(heads), bodies), max_size=most)):
            rules.append(f"{head} <- {' '.join(body)}")

    known = list(FLUENTS)
    for stratum in OF_STATES:
        add(stratum, known + stratum, known, 6)
        known += stratum
    legal = [f"legal:{role}:{move}" for role, moves in ROLES.items() for move in moves.split()]
    # Enough legal moves that there are steps to compare.
    rules += [f"{head} <-" for head in draw(st.lists(st.sampled_from(legal), unique=True, max_size=6))]
    free = [head for head in legal if f"{head} <-" not in rules]
    if free:
        add(free, known, known, 6)
    add(["terminal", "goal:left:100", "goal:left:0", "goal:right:50"], known, known, 5)
    known += DOES
    for stratum in OF_STEPS:
        add(stratum, known + stratum, known, 6)
        known += stratum
    add([*(f"next:{fluent}" for fluent in FLUENTS), "sees:right:noise"], known, known, 8)
    initial = " ".join(draw(st.lists(st.sampled_from(FLUENTS), unique=True)))
    return small_program(rules, fluents=" ".join(FLUENTS), moves=ROLES, initial=initial)


@given(programs())
@settings(max_examples=60)
def test_building_keeps_the_meaning(program: GroundProgram) -> None:
    assert_same_meaning(build(program), program)


@pytest.mark.parametrize("optimise", PASSES, ids=lambda one: getattr(one, "name", getattr(one, "__name__", "")))
@given(program=programs())
@settings(max_examples=40)
def test_a_pass_keeps_the_meaning(optimise: Callable[[Circuit], Circuit], program: GroundProgram) -> None:
    assert_same_meaning(optimise(build(program)), program)


@given(programs())
@settings(max_examples=60)
def test_fluents_that_are_said_to_agree_do_so_wherever_play_leads(program: GroundProgram) -> None:
    circuit = merge_agreeing_fluents(build(program))
    assert all(keeps_agreements(circuit, state) for state in reachable_states(program))


@given(programs())
@settings(max_examples=100)
def test_all_passes_together_keep_the_meaning(program: GroundProgram) -> None:
    assert_same_meaning(compile_circuit(program), program)
