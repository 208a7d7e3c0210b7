"""Proofs by answer sets, as in chapter 7 of Schiffel's thesis."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.analysis.proofs import prove
from ludorum.analysis.proofs.answer_sets import AtMostOne, Programs
from ludorum.analysis.proofs.arguments import Mode
from ludorum.analysis.proofs.pursuit import pursue
from ludorum.clock import Deadline
from ludorum.errors import UnknownProperty

CELL, CONTROL = Mode("cell", 3, (0, 1)), Mode("control", 1, ())
PROPERTIES = ("control", "board", "board_given_control", "constant_sum")


@pytest.mark.parametrize(("name", "expected"), [
    # Figure 7.3: that a cell has one content cannot be proved in these unless only one role is known to be in control.
    ("tictactoe", ("proved", "unknown", "proved", "proved")),
    ("connectfour", ("proved", "unknown", "proved", "proved")),
])
def test_the_thesis_is_repeated(name: str, expected: tuple[str, ...]) -> None:
    found = prove(ludorum.load(name), *PROPERTIES, method="asp", seconds=60)
    assert tuple(proof.verdict for proof in found) == expected


def test_all_input_arguments_of_tictactoe_are_found_in_the_right_order_of_proofs() -> None:
    verdicts = {proof.property: proof.verdict for proof in prove(ludorum.load("tictactoe"), method="asp", seconds=60)}
    assert verdicts["input (control -)"] == "proved"
    assert verdicts["input (cell + + -)"] == "proved"
    refuted = {f"input (cell {signs})" for signs in ("- - -", "+ - -", "- + -", "- - +", "+ - +", "- + +")}
    assert {name for name, verdict in verdicts.items() if verdict == "refuted"} == refuted


def test_the_step_of_control_needs_neither_cells_nor_moves_nor_goals() -> None:
    # Section 7.4.1: rules that cannot matter are left out; and control passes on whatever is done.
    program = Programs(ludorum.load("tictactoe").rules).step(AtMostOne(CONTROL), ())
    rules = [line for line in program.splitlines() if not line.startswith("d__fluent")]
    assert not any("goal" in rule or "terminal" in rule or "does" in rule for rule in rules)
    assert not any(rule.startswith("next(cell") for rule in rules)
    assert any(rule.startswith("next(control") for rule in rules)


def test_moves_range_over_what_may_ever_be_legal() -> None:
    # Definition 7.8: a marked cell depends on the state, that x and y are indices does not.
    program = Programs(ludorum.load("tictactoe").rules).step(AtMostOne(CELL), ())
    assert "1 {does(R,M) : s__legal(R,M)} 1 :- role(R)." in program
    static = [line for line in program.splitlines() if line.startswith("s__legal")]
    assert static
    assert not any("true(" in line or "not " in line for line in static)


def test_properties_that_are_violated_initially_fail_in_the_base_case() -> None:
    game = ludorum.load("(role r) (init (p 1)) (init (p 2)) (legal r go) (<= (next (p 1)) (true (p 1))) "
                        "(<= terminal (not (true (p 1)))) (goal r 0)")
    (proof,) = prove(game, "input (p -)", method="asp")
    assert (proof.verdict, proof.moves) == ("refuted", ())


def test_a_game_without_a_circuit_is_proved_by_answer_sets() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    found = prove(game, "control", "board_given_control", "playable", seconds=20)
    assert [proof.verdict for proof in found] == ["proved", "proved", "unknown"]


def test_fewer_inputs_say_more() -> None:
    assert Mode("cell", 3, (0,)).implies(Mode("cell", 3, (0, 1)))
    assert not Mode("cell", 3, (0, 1)).implies(Mode("cell", 3, (0,)))
    assert not Mode("cell", 3, (0,)).implies(Mode("call", 3, (0, 1)))


def test_answer_sets_know_what_fluents_there_are() -> None:
    with pytest.raises(UnknownProperty, match="has no fluent cell with 2 arguments"):
        prove(ludorum.load("tictactoe"), "input (cell + -)", method="asp")


#: Two roles throw a die of thirty sides; only if both throw their highest do their goals not add up to 100.
RARE = f"""
(role a) (role b)
{" ".join(f"(side {n})" for n in range(30))}
(init start)
(<= (legal ?r (throw ?n)) (role ?r) (side ?n) (true start))
(<= (next (thrown ?r ?n)) (does ?r (throw ?n)))
(<= terminal (not (true start)))
(<= (goal a 100) (not (true start)))
(<= (goal b 0) (not (true (thrown a 29))))
(<= (goal b 0) (true (thrown a 29)) (not (true (thrown b 29))))
(<= (goal b 100) (true (thrown a 29)) (true (thrown b 29)))
"""


def test_an_end_that_is_rare_in_random_play_is_pursued() -> None:
    game = ludorum.load(RARE, engine="relations")
    known = [game_of("(throw 1)", "(throw 2)")] * 30
    found = pursue(game, known, lambda goals: goals.sum(axis=1) != 100,
                   Deadline.within(60))
    assert found is not None
    assert game.replay(found).goals == {"a": 100, "b": 100}


def test_an_end_that_there_is_not_is_not_found() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    match = [game_of(x, o) for x, o in zip(
        ["(mark 1 1)", "noop", "(mark 1 2)", "noop", "(mark 1 3)"],
        ["noop", "(mark 2 1)", "noop", "(mark 2 2)", "noop"], strict=True)]
    whole = tuple(joint for (joint,) in match)
    assert pursue(game, [whole], lambda goals: goals.sum(axis=1) != 100, Deadline.within(5)) is None


def game_of(*moves: str) -> tuple[tuple[ludorum.Move, ...], ...]:
    """A match of one joint move."""
    return (tuple(map(ludorum.Move, moves)),)
