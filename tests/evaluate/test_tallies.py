"""Goals that count in roundabout ways: the evaluation sees by how much."""

from __future__ import annotations

import numpy as np

import ludorum
from ludorum.evaluate import evaluation

#: Five squares that are marked by either role; who has marked more at the end wins. What a square counts is added up
#: from square to square, and the sum is compared by a chain, so that no rule holds a comparison.
MAJORITY = """
(role left) (role right)
(square 1) (square 2) (square 3) (square 4) (square 5)
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9) (after 9 10)
(<= (init (cell ?s blank)) (square ?s))
(init (control left))
(<= (legal ?r (mark ?s)) (true (control ?r)) (true (cell ?s blank)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?s ?r)) (does ?r (mark ?s)))
(<= (next (cell ?s ?c)) (true (cell ?s ?c)) (not (marked ?s)))
(<= (marked ?s) (does ?r (mark ?s)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= open (true (cell ?s blank)))
(<= terminal (not open))
(<= (worth ?s 2) (true (cell ?s left)))
(<= (worth ?s 1) (true (cell ?s blank)))
(<= (worth ?s 0) (true (cell ?s right)))
(<= (total 1 ?n) (worth 1 ?n))
(<= (total ?t ?c) (after ?s ?t) (square ?s) (total ?s ?a) (worth ?t ?b) (sum ?a ?b ?c))
(sum 0 0 0) (<= (sum ?b 0 ?b) (after ?a ?b))
(<= (sum ?a ?b2 ?c2) (after ?b1 ?b2) (after ?c1 ?c2) (sum ?a ?b1 ?c1))
(<= (over ?n) (after ?n ?m) (total 5 ?m))
(<= (over ?n) (after ?n ?m) (over ?m))
(<= (goal left 100) (over 5))
(<= (goal left 0) (not (over 5)))
(<= (goal right 100) (not (over 5)))
(<= (goal right 0) (over 5))
"""


def _discs(state: ludorum.State) -> int:
    held = [str(fluent) for fluent in state.fluents]
    return sum(fluent.endswith(" black)") for fluent in held if fluent.startswith("(cell")) - sum(
        fluent.endswith(" white)") for fluent in held if fluent.startswith("(cell"))


def test_othello_is_the_better_the_more_discs_there_are() -> None:
    # The library's rules add discs up by rows and compare halves of the board, so no comparison is in them.
    game = ludorum.load("othello")
    found = evaluation(game)
    assert found.report["tallies"] == 2
    state = game.initial
    for step in range(12):
        legal = {role: list(state.legal(role)) for role in game.roles}
        state = state.after({role: moves[step % len(moves)] for role, moves in legal.items()})
    after = [state.after({"black": move}) for move in state.legal("black")]
    discs, values = [_discs(each) for each in after], found.of(after)[:, 0]
    assert len(set(discs)) > 1
    for one, value in zip(discs, values, strict=True):
        assert all(value > other for fewer, other in zip(discs, values, strict=True) if one > fewer)


def test_whoever_turns_over_another_number_of_discs_is_worth_something_else() -> None:
    # There were three values in all where comparisons through adders were not seen.
    game = ludorum.load("othello")
    found = evaluation(game)
    state, seen = game.initial, set[float]()
    for step in range(40):
        role = max(game.roles, key=lambda each: len(list(state.legal(each))))
        moves = list(state.legal(role))
        after = [state.after({role: move}) for move in moves if not state.after({role: move}).is_terminal]
        values = np.round(found.of(after)[:, game.roles.index(role)], 12) if after else np.zeros(0)
        assert len(set(values)) >= len(set(map(_discs, after)))
        seen.update(values.tolist())
        state = state.after({role: moves[step % len(moves)]})
    assert len(seen) > 3


def test_a_sum_that_a_chain_compares_is_a_tally_of_its_squares() -> None:
    game = ludorum.load(MAJORITY)
    found = evaluation(game)
    state = game.replay("(mark 1) (mark 2)")
    level = found.values(state)["left"]
    ahead = found.values(state.after({"left": ludorum.Move("(mark 3)")}))["left"]
    assert ahead > level
