"""`ludorum prove` and `check` with formulas of time and knowledge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Ended

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
