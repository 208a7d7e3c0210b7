"""Proofs by answer sets, as in chapter 7 of Schiffel's thesis."""

from __future__ import annotations

from contextlib import closing

import pytest

import ludorum
from ludorum.analysis.proofs import prove
from ludorum.analysis.proofs.lifted.programs import VIOLATED, AtMostOne, Programs
from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.analysis.proofs.tactics.rare_outcomes import reach_rare_outcome
from ludorum.asp.process import ClingoProcess
from ludorum.clock import Budget
from ludorum.errors import UnknownProperty

CELL, CONTROL = Mode("cell", 3, (0, 1)), Mode("control", 1, ())
PROPERTIES = ("control", "board", "board_given_control", "constant_sum")


@pytest.mark.parametrize("name", ["tictactoe", "connectfour"])
def test_the_thesis_is_repeated(name: str) -> None:
    # Figure 7.3: that a cell has one content cannot be proved in these unless only one role is known to be in control.
    found = {proof.property: proof for proof in prove(ludorum.load(name), *PROPERTIES, method="asp", budget=Budget(60))}
    assert {proof.verdict for proof in found.values()} == {"proved"}
    assert {name: proof.method for name, proof in found.items()} == dict.fromkeys(PROPERTIES, "answer sets") | {
        "board": "answer sets given (control -)"}


def test_all_input_arguments_of_tictactoe_are_found_in_the_right_order_of_proofs() -> None:
    verdicts = {proof.property: proof.verdict for proof in prove(ludorum.load("tictactoe"), method="asp")}
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


def test_moves_are_told_by_their_arguments() -> None:
    # A mark is a column and a row: three values each, not nine marks.
    program = Programs(ludorum.load("tictactoe").rules).step(AtMostOne(CELL), ())
    choices = [line for line in program.splitlines() if line.startswith("1 {")]
    assert sorted(line.count("(R,") for line in choices) == [0, 3, 3]
    assert "does" not in program


#: Two sides move a piece along a row or a column and shoot from there; 262,144 moves, too many to be listed.
ARCHERS = f"""
(role white) (role black) (other white black) (other black white)
{" ".join(f"(index {n})" for n in range(1, 9))} {" ".join(f"(succ {n} {n + 1})" for n in range(1, 8))}
(init (on 1 1 white)) (init (on 8 1 white)) (init (on 1 8 black)) (init (on 8 8 black)) (init (control white))
(<= (taken ?x ?y) (true (on ?x ?y ?what)))
(<= (empty ?x ?y) (index ?x) (index ?y) (not (taken ?x ?y)))
(<= (beside ?x1 ?y ?x2 ?y) (succ ?x1 ?x2) (index ?y))
(<= (beside ?x ?y1 ?x ?y2) (succ ?y1 ?y2) (index ?x))
(<= (line ?x1 ?y1 ?x2 ?y2) (beside ?x1 ?y1 ?x2 ?y2))
(<= (line ?x1 ?y ?x3 ?y) (succ ?x1 ?x2) (empty ?x2 ?y) (line ?x2 ?y ?x3 ?y))
(<= (line ?x ?y1 ?x ?y3) (succ ?y1 ?y2) (empty ?x ?y2) (line ?x ?y2 ?x ?y3))
(<= (slides ?x1 ?y1 ?x2 ?y2) (line ?x1 ?y1 ?x2 ?y2))
(<= (slides ?x1 ?y1 ?x2 ?y2) (line ?x2 ?y2 ?x1 ?y1))
(<= (legal ?r (play ?x1 ?y1 ?x2 ?y2 ?x3 ?y3)) (true (control ?r)) (true (on ?x1 ?y1 ?r)) (slides ?x1 ?y1 ?x2 ?y2)
    (empty ?x2 ?y2) (slides ?x2 ?y2 ?x3 ?y3) (empty ?x3 ?y3))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (on ?x ?y ?what)) (true (on ?x ?y ?what)) (not (left ?x ?y)))
(<= (left ?x ?y) (does ?r (play ?x ?y ?x2 ?y2 ?x3 ?y3)))
(<= (next (on ?x ?y ?r)) (does ?r (play ?x1 ?y1 ?x ?y ?x3 ?y3)))
(<= (next (on ?x ?y arrow)) (does ?r (play ?x1 ?y1 ?x2 ?y2 ?x ?y)))
(<= (next (control ?r)) (true (control ?other)) (other ?r ?other))
(<= (able ?r) (true (on ?x ?y ?r)) (slides ?x ?y ?x2 ?y2) (empty ?x2 ?y2))
(<= terminal (true (control ?r)) (not (able ?r)))
(<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))
"""


def test_the_board_of_a_game_with_many_moves_is_proved() -> None:
    # That nothing moves or shoots onto a piece needs what is empty; that no arrow hits the archer, where lines go to.
    programs = Programs(ludorum.gdl.parse(ARCHERS, name="archers"))
    board, control = AtMostOne(Mode("on", 3, (0, 1))), AtMostOne(CONTROL)
    with closing(ClingoProcess(memory_mb=1024)) as clingo:
        def can_fail(*known: AtMostOne) -> bool:
            program = programs.step(board, known, weakly=True)
            return bool(clingo.ask("models", seconds=100, program=program, shown=[VIOLATED])["models"])

        assert not can_fail(control)
        # Two sides that move at once may meet.
        assert can_fail()


def test_properties_that_are_violated_initially_fail_in_the_base_case() -> None:
    game = ludorum.load("(role r) (init (p 1)) (init (p 2)) (legal r go) (<= (next (p 1)) (true (p 1))) "
                        "(<= terminal (not (true (p 1)))) (goal r 0)")
    (proof,) = prove(game, "input (p -)", method="asp")
    assert (proof.verdict, proof.moves) == ("refuted", ())


def test_a_game_without_a_circuit_is_proved_by_answer_sets() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    found = prove(game, "control", "board_given_control", "playable", budget=Budget(20))
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
    found = reach_rare_outcome(game, known, lambda goals: goals.sum(axis=1) != 100,
                   Budget(60))
    assert found is not None
    assert game.replay(found).goals == {"a": 100, "b": 100}


def test_an_end_that_there_is_not_is_not_found() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    match = [game_of(x, o) for x, o in zip(
        ["(mark 1 1)", "noop", "(mark 1 2)", "noop", "(mark 1 3)"],
        ["noop", "(mark 2 1)", "noop", "(mark 2 2)", "noop"], strict=True)]
    whole = tuple(joint for (joint,) in match)
    assert reach_rare_outcome(game, [whole], lambda goals: goals.sum(axis=1) != 100, Budget(5)) is None


def game_of(*moves: str) -> tuple[tuple[ludorum.Move, ...], ...]:
    """A match of one joint move."""
    return (tuple(map(ludorum.Move, moves)),)


#: A number that grows with every step, so that there is no end of fluents; and whose turn it is.
GROWING = """
; engine: relations
(role r) (role s) (init (n zero)) (init (turn r))
(<= (next (n (s ?x))) (true (n ?x)))
(<= (next (turn r)) (true (turn s))) (<= (next (turn s)) (true (turn r)))
(<= (legal ?p go) (true (turn ?p))) (<= (legal ?p stay) (true (turn ?p)))
(<= (legal r noop) (true (turn s))) (<= (legal s noop) (true (turn r)))
(<= (next (was ?p)) (does ?p go)) (<= (next (was ?p)) (true (was ?p)))
(<= (next over) (does ?p stay)) (<= terminal (true over))
(<= (goal ?p 100) (true (turn ?p))) (<= (goal r 0) (true (turn s))) (<= (goal s 0) (true (turn r)))
"""


def test_where_terms_grow_without_end_nothing_is_proved_and_the_reason_is_told() -> None:
    found = {proof.property: proof for proof in prove(ludorum.load(GROWING), budget=Budget(20))}
    assert found.keys() == {"control", "constant_sum", "input (n -)", "input (turn -)", "input (was -)"}
    # Both have gone on after two steps, which random play sees; all others hold.
    refuted = found.pop("input (was -)")
    assert refuted.verdict == "refuted"
    assert refuted.moves is not None
    assert {(proof.verdict, proof.method) for proof in found.values()} == {
        ("unknown", "the rules let more than 200,000 fluents be")}


def test_where_terms_grow_without_end_a_property_can_be_named() -> None:
    game = ludorum.load(GROWING)
    (proof,) = prove(game, "input (n -)", budget=Budget(20))
    assert (proof.verdict, proof.method) == ("unknown", "the rules let more than 200,000 fluents be")
    with pytest.raises(UnknownProperty):
        prove(game, "input (n + -)", budget=Budget(20))
