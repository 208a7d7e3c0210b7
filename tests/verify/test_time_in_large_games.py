"""Formulas of time about games with too many states to look at, by an observer or by the first steps."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.verify import prove, resolve
from ludorum.verify.proving import FormulaProof, Verifier


@pytest.fixture(scope="module")
def connectfour() -> Game:
    """Some 10¹² states; a match takes at most 42 steps."""
    return ludorum.load("connectfour")


@pytest.fixture(scope="module")
def verifier(connectfour: Game) -> Verifier:
    """What was proved of the game for one formula helps with the next."""
    return Verifier(connectfour)


@pytest.mark.parametrize(("formula", "holds"), [
    # Red begins, and moves are in turn.
    ("AX AX (control red)", True),
    ("EX EX EX (control red)", False),
    ("AG ((control red) implies AX ((control black) or terminal))", True),
    ("AG ((control red) iff not (control black))", True),
    ("AG exactly 1 ?r (control ?r)", True),
    ("AG all ?x at_most 6 ?y ?c ((cell ?x ?y ?c) and not (cell ?x ?y blank))", True),
    ("EF (at_least 3 (cell 1 1 red) (cell 2 1 red) (cell 3 1 red) (cell 4 1 red))", True),
    # The lowest of a column is taken first; whoever begins may take another column.
    ("A[not (cell 4 2 red) U not (cell 4 1 blank)]", False),
    ("A[(cell 4 2 blank) U (not (cell 4 1 blank) or terminal)]", True),
    ("E[(cell 4 1 blank) U (cell 1 3 red)]", True),
    # Every match ends, and red does not always win.
    ("AF terminal", True),
    ("AF (goal red 100)", False),
    ("AG EF terminal", True),
    ("AG EF (goal red 100)", False),
    ("EF AG not terminal", False),
    ("AF AG (terminal or (control red))", True),
    ("A[G F (terminal or (control red))]", True),
    # What is drawn stays; a column may stay empty to the end.
    ("AG ((cell 4 1 red) implies AG (cell 4 1 red))", True),
    ("EG (cell 4 1 blank)", True),
    ("AX some ?x EX (cell ?x 2 black)", True),
    ("EX all ?x EX (cell ?x 2 black)", False),
])
def test_formulas_of_time_about_connect_four(verifier: Verifier, formula: str, holds: bool) -> None:
    proof = verifier.proof(formula, resolve(formula, verifier.game), Budget(30))
    assert proof.verdict == ("proved" if holds else "refuted"), proof.method
    for match in proof.matches:
        verifier.game.replay(match.moves)


def test_a_match_refutes_what_does_not_always_come_about(connectfour: Game) -> None:
    (proof,) = prove(connectfour, "AF (goal red 100)", budget=Budget(30))
    assert isinstance(proof, FormulaProof)
    end = connectfour.replay(proof.matches[0].moves)
    assert end.is_terminal
    assert end.goals["red"] != 100


#: A walker flips one of 41 bits at a time and never has to switch the light on.
BITS = """
(role walker)
(<= (bit ?n) (then ?n ?m)) (bit 40)
""" + "".join(f"(then {n} {n + 1})" for n in range(40)) + """
(<= (legal walker (flip ?n)) (bit ?n))
(legal walker light)
(<= (next (on ?n)) (true (on ?n)) (not (does walker (flip ?n))))
(<= (next (on ?n)) (does walker (flip ?n)) (not (true (on ?n))))
(<= (next lit) (does walker light))
(<= (next lit) (true lit))
(<= terminal (true lit) (true (on 0)) (true (on 1)))
(<= (goal walker 100) (true lit))
(<= (goal walker 0) (not (true lit)))
"""


@pytest.mark.parametrize(("formula", "verdict"), [
    ("AG (lit implies AX lit)", "proved"),
    ("A[lit implies G lit]", "proved"),
    ("EF (lit and (on 3))", "proved"),
    ("EX EX (at_least 2 lit (on 0) (on 1))", "proved"),
    ("AX (lit or some ?n (on ?n))", "proved"),
    # Whoever flips a bit for ever comes back to where he was, and does not end.
    ("AF terminal", "refuted"),
    ("AG ((on 0) implies AF terminal)", "refuted"),
    # That takes a loop through more states than the first steps lead to, which nobody looks for.
    ("AG ((all ?n (on ?n)) implies AF (not (on 3)))", "unknown"),
])
def test_formulas_of_time_about_a_game_that_need_not_end(formula: str, verdict: str) -> None:
    (proof,) = prove(ludorum.load(BITS), formula, budget=Budget(4))
    assert proof.verdict == verdict, proof.method


def test_what_is_negated_or_one_of_several_is_so_for_every_match(connectfour: Game) -> None:
    # Not of all matches but of each: neither comes about in all, nor in none.
    for formula in ("not F (goal red 100)", "F (cell 4 1 red) or G (cell 4 1 red)"):
        (proof,) = prove(connectfour, formula, budget=Budget(20))
        assert proof.verdict == "refuted", proof.method
    (proof,) = prove(connectfour, "F (goal red 100) or G not (goal red 100)", budget=Budget(20))
    assert proof.verdict == "proved"
