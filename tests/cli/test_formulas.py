"""`ludorum prove` and `check` with formulas of time and knowledge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ended import Ended

Run = Callable[..., "Ended"]


def test_a_formula_is_refuted_by_matches_side_by_side(run: Run) -> None:
    ended = run("prove", "montyhall", "knows_goal candidate")
    assert ended.status == 1
    assert "candidate cannot tell match 1 from match 2" in ended.out
    told = run("prove", "montyhall", "knows_goal candidate", "--json").json
    (proof,) = told["proofs"]
    assert proof["verdict"] == "refuted"
    assert [match.get("roles") for match in proof["matches"]] == [None, ["candidate"]]


def test_formulas_and_properties_go_together(run: Run) -> None:
    told = run("prove", "tictactoe", "control", "AF terminal", "--json").json
    assert [proof["verdict"] for proof in told["proofs"]] == ["proved", "proved"]


def test_a_misspelt_formula_is_shown_with_a_caret(run: Run) -> None:
    ended = run("prove", "montyhall", "AG (terminal implies K candidat terminal)")
    assert ended.status == 1
    assert "^^^" in ended.err
    assert "no role candidat" in ended.err


def test_check_warns_of_what_roles_are_not_told_and_says_what_would_mend_it(run: Run) -> None:
    told = run("check", "montyhall", "--knowledge", "--json").json
    (lacking,) = told["knowledge"]
    assert (lacking["role"], lacking["property"]) == ("candidate", "knows_goal candidate")
    assert lacking["repair"] == ["(<= (sees candidate (did random (hide_car ?x1))) (does random (hide_car ?x1)))"]
    assert run("check", "tictactoe", "--knowledge", "--json").json["knowledge"] == []


# Behind one of two doors there is somebody; only that one can be opened, and nobody says which it is.
DOORS = """
(role guesser) (role random) (side left) (side right)
(init (step 0))
(<= (legal random (open ?s)) (true (step 0)) (side ?s))
(<= (legal random noop) (true (step 1)))
(<= (legal guesser noop) (true (step 0)))
(<= (legal guesser (go ?s)) (true (door ?s)))
(<= (legal guesser stay) (true (step 1)))
(<= (next (door ?s)) (does random (open ?s)))
(<= (next (step 1)) (true (step 0)))
(<= (next (step 2)) (true (step 1)))
(<= (next (went ?s)) (does guesser (go ?s)))
(<= terminal (true (step 2)))
(<= (goal guesser 100) (true (went ?s)))
(<= (goal guesser 50) (not gone))
(<= gone (true (went ?s)))
(goal random 0)
"""


def test_a_role_that_cannot_know_its_legal_moves_is_warned_of(run: Run) -> None:
    told = run("check", "-", given=DOORS)
    assert "warning: guesser may not know its legal moves" in told.out
    assert "guesser cannot tell match 1 from match 2" in told.out
    assert "(open left)" in told.out
    assert "(open right)" in told.out
    assert "0 errors, 1 warning" in told.out
    assert "warning" not in run("check", "montyhall").out.replace("0 warnings", "")


@pytest.mark.parametrize("player", ["random", "legal2", "mcts:playouts=32", "ismcts:playouts=32",
                                    "ludorum:seconds=0.05"])
def test_where_it_cannot_know_a_player_makes_a_move_that_is_legal_in_any_case(run: Run, tmp_path: Path,
                                                                               player: str) -> None:
    (tmp_path / "doors.kif").write_text(DOORS, encoding="utf-8")
    for match in run("match", str(tmp_path / "doors.kif"), player, "--games", "4", "--json").json["matches"]:
        assert match["errors"] == []
        assert match["moves"][1]["guesser"] == "stay"
