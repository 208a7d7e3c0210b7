"""The step of an induction by answer sets, compared with every state, every move and every next state there is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludorum
from ludorum import Game
from ludorum.analysis.proofs.lifted.programs import VIOLATED, AtMostOne, Programs
from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.asp.process import ClingoProcess
from ludorum.gdl.terms import Term

MODES = [Mode("at", 2, inputs) for inputs in ((), (0,), (1,))] + [Mode("lit", 1, ())]

#: Two things on three squares in a row; a lamp may be lit on each square, and is in the way. Initially all of it is
#: true, so that every set of fluents is a state.
BOARD = """
(role left) (role right) (square 1) (square 2) (square 3) (after 1 2) (after 2 3)
(<= (init (at ?r ?x)) (role ?r) (square ?x)) (init (lit 1)) (init (lit 2))
(<= (free ?x) (square ?x) (not (true (lit ?x))))
(<= (way ?x ?y) (after ?x ?y))
(<= (way ?x ?z) (after ?x ?y) (free ?y) (way ?y ?z))
(<= (reaches ?r ?x ?y) (true (at ?r ?x)) (way ?x ?y))
(<= (reaches ?r ?x ?y) (true (at ?r ?x)) (way ?y ?x))
(<= (reaches left ?x ?x) (true (lit ?x)) (square ?x))
(<= (option ?r (go ?x ?y)) (reaches ?r ?x ?y))
(<= (option ?r (turn (lamp ?x))) (role ?r) (square ?x))
(<= terminal (true (lit 1)) (true (lit 2)) (not (true (at left 1)))) (<= (goal ?r 0) (role ?r))
"""
LEGAL = [
    "(<= (legal ?r (go ?x ?y)) (reaches ?r ?x ?y))",
    "(<= (legal ?r (go ?x ?y)) (reaches ?r ?x ?y) (free ?y))",
    "(<= (legal ?r (go ?x ?y)) (role ?r) (square ?x) (square ?y) (not (reaches ?r ?x ?y)))",
    "(<= (legal ?r (go ?x ?x)) (true (at ?r ?x)))",
    "(<= (legal right (go ?x 2)) (true (at right ?x)) (distinct ?x 2))",
    "(<= (legal ?r (go ?x ?y)) (way ?x ?y) (true (at ?other ?y)) (distinct ?other ?r) (role ?r))",
    "(<= (legal ?r ?m) (option ?r ?m))",
    "(<= (legal ?r (turn (lamp ?x))) (free ?x) (role ?r))",
    "(<= (legal ?r (turn ?l)) (option ?r (turn ?l)) (true (at ?r 3)))",
    "(<= (legal ?r (turn ?r)) (role ?r) (true (lit 2)))",
    "(<= (legal ?r wait) (role ?r))",
]
NEXT = [
    "(<= (next (at ?r ?y)) (does ?r (go ?x ?y)))",
    "(<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r (turn ?l)))",
    "(<= (next (at ?r ?z)) (true (at ?r ?z)) (does ?r (go ?x ?y)) (distinct ?z ?x))",
    "(<= (next (at ?r ?z)) (true (at ?r ?z)) (not (does ?r (go ?z ?z))))",
    "(<= (next (at ?r ?z)) (true (at ?r ?z)) (does ?other (go ?x ?y)) (way ?x ?z) (not (reaches ?r ?z ?y)))",
    "(<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r ?m) (does ?other ?m) (distinct ?r ?other))",
    "(<= (next (at ?r 1)) (does ?r ?m) (not (option ?r ?m)))",
    "(<= (next (lit ?x)) (does ?r (turn (lamp ?x))))",
    "(<= (next (lit ?x)) (true (lit ?x)) (role ?r) (not (does ?r (turn (lamp ?x)))))",
    "(<= (next (lit ?x)) (true (lit ?x)) (does left (go ?x ?y)) (does right (go ?y ?z)))",
    "(<= (next (lit 1)) (does ?r ?any) (true (lit 2)))",
]


@pytest.fixture(scope="module")
def clingo() -> Iterator[ClingoProcess]:
    process = ClingoProcess(memory_mb=1024)
    yield process
    process.close()


def can_fail(game: Game, mode: Mode, fluents: tuple[Term, ...]) -> bool:
    """Whether from some state, reachable or not, where the mode holds, a legal step leads to one where it does not."""
    groups = [{fluents[number] for number in group} for group in mode.groups(fluents)]

    def holds(state: ludorum.State) -> bool:
        return all(len(group & set(state.fluents)) <= 1 for group in groups)

    for chosen in chain(*(combinations(fluents, size) for size in range(len(fluents) + 1))):
        state = game.state(chosen)
        if holds(state) and not all(holds(state.after(joint))
                                    for joint in product(*(state.legal(role) for role in game.roles))
                                    if not state.is_terminal):
            return True
    return False


@given(legal=st.lists(st.sampled_from(LEGAL), min_size=1, max_size=3, unique=True),
       following=st.lists(st.sampled_from(NEXT), min_size=2, max_size=4, unique=True),
       mode=st.sampled_from(MODES), most_instances=st.sampled_from([1, 8, 20_000]))
@settings(max_examples=10, deadline=None)
def test_a_step_can_fail_where_some_state_and_move_make_it_fail(
        clingo: ClingoProcess, legal: list[str], following: list[str], mode: Mode, most_instances: int) -> None:
    game = ludorum.load("\n".join([BOARD, *legal, *following]), engine="circuit")
    assert game.fluents is not None
    programs = Programs(game.rules, most_instances=most_instances)

    def has_model(program: str) -> bool:
        return bool(clingo.ask("models", seconds=60, program=program, shown=[VIOLATED])["models"])

    formula = AtMostOne(mode)
    fails = can_fail(game, mode, tuple(game.fluents))
    assert has_model(programs.step(formula, (), going_on=True)) == fails
    if fails:
        # What forgets something may fail, too, where the game cannot, but never the other way round.
        assert has_model(programs.step(formula, ()))
        assert has_model(programs.step(formula, (), weakly=True))
