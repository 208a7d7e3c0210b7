"""The reference engine is the definition: what the standard model says, and nothing else."""

from __future__ import annotations

import pytest

from ludorum import gdl
from ludorum.engines.reference import ReferenceReasoner
from ludorum.errors import TooSlow, UnstratifiedRules
from ludorum.gdl import Term, parse_term
from thesis_sheets import FIGURE_2_1


@pytest.fixture(scope="module")
def thesis() -> ReferenceReasoner:
    return ReferenceReasoner(gdl.parse(FIGURE_2_1))


def board(reasoner: ReferenceReasoner, *rows: str, control: str) -> object:
    """The position with these rows from 1 to 3, columns from a to c."""
    contents = {"x": "x", "o": "o", ".": "blank"}
    cells = [f"(cell {column} {row} {contents[mark]})" for row, marks in enumerate(rows, 1)
             for column, mark in zip("abc", marks, strict=True)]
    return reasoner.position(map(parse_term, [*cells, f"(control {control})"]))


def test_the_initial_state_is_an_empty_board(thesis: ReferenceReasoner) -> None:
    assert thesis.initial == board(thesis, "...", "...", "...", control="xplayer")
    assert not thesis.is_terminal(thesis.initial)
    assert thesis.name == "reference"
    assert list(map(str, thesis.roles)) == ["xplayer", "oplayer"]


def test_the_player_in_control_marks_a_blank_cell_and_the_other_waits(thesis: ReferenceReasoner) -> None:
    legal = thesis.legal(board(thesis, "xox", "oxo", "o..", control="xplayer"))
    assert [list(map(str, moves)) for moves in legal] == [["(mark b 3)", "(mark c 3)"], ["noop"]]


def test_a_mark_changes_one_cell_and_control_passes(thesis: ReferenceReasoner) -> None:
    before = board(thesis, "x..", "...", "...", control="oplayer")
    after = thesis.after(before, [Term("noop"), parse_term("(mark b 2)")])
    # The frame rules of the figure say nothing of a cell in another column and row only once, nor twice.
    assert after == board(thesis, "x..", ".o.", "...", control="xplayer")


def test_a_line_ends_the_game_and_wins(thesis: ReferenceReasoner) -> None:
    won = board(thesis, "xxx", "oo.", "...", control="oplayer")
    assert thesis.is_terminal(won)
    assert thesis.goals(won) == (100, 0)


def test_a_full_board_without_a_line_is_a_draw(thesis: ReferenceReasoner) -> None:
    drawn = board(thesis, "xox", "xxo", "oxo", control="oplayer")
    assert thesis.is_terminal(drawn)
    assert thesis.goals(drawn) == (50, 50)


def test_two_lines_at_once_are_no_definite_goal(thesis: ReferenceReasoner) -> None:
    # Blank cells in a line hold for ?p = blank, which is no player's line; two full lines hold for both.
    both = board(thesis, "xxx", "ooo", "...", control="xplayer")
    assert thesis.goals(both) == (None, None)


def test_what_a_role_sees_follows_from_the_state_and_the_moves() -> None:
    game = ReferenceReasoner(gdl.parse("""
        (role random) (role guesser) (init start)
        (<= (legal random (flip ?s)) (side ?s)) (side heads) (side tails) (legal guesser wait)
        (<= (next (was ?s)) (does random (flip ?s)))
        (<= (sees guesser (coin ?s)) (true start) (does random (flip ?s)))
        (<= terminal (true (was ?s))) (goal guesser 0) (goal random 0)
    """))
    joint = [parse_term("(flip tails)"), Term("wait")]
    assert game.percepts(game.initial, joint) == (frozenset(), frozenset([parse_term("(coin tails)")]))
    assert game.percepts(game.position([]), joint) == (frozenset(), frozenset())


def test_goals_outside_0_to_100_do_not_count() -> None:
    game = ReferenceReasoner(gdl.read("(role r) (legal r go) terminal (goal r 101) (goal r win) (goal r 30)"))
    assert game.goals(game.initial) == (30,)


def test_rules_stratified_only_by_atom_have_their_model() -> None:
    game = ReferenceReasoner(gdl.parse("""
        (role r) (init (n 3)) (legal r go) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (wins 1) (true (n 3)))
        (<= (wins ?n) (succ ?m ?n) (true (n 3)) (distinct ?n 1) (not (wins ?m)))
        (<= (goal r ?n) (wins ?n)) terminal
    """))
    # 1 wins, so 2 does not, so 3 does: two goals hold, and none is definite.
    assert game.goals(game.initial) == (None,)
    assert game.goals(game.position([])) == (None,)


def test_rules_that_contradict_themselves_have_no_answer() -> None:
    game = ReferenceReasoner(gdl.parse(
        "(role r) (init x) (legal r go) terminal (<= (goal r 1) (true x) (not (goal r 1)))"))
    with pytest.raises(UnstratifiedRules):
        game.goals(game.initial)


def test_a_question_that_takes_too_long_is_given_up_and_others_are_answered() -> None:
    game = ReferenceReasoner(gdl.parse("""
        (role r) (init x) (legal r go) (goal r 0)
        (<= (deep ?x) (true ?x)) (<= (deep (f ?x)) (deep ?x)) (<= terminal (deep y))
    """), seconds=1)
    with pytest.raises(TooSlow, match=r"^the reference engine passed its budget of 1 s"):
        game.is_terminal(game.initial)
    assert game.goals(game.initial) == (0,)
