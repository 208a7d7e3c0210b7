"""Ends that the rules leave open: nobody gets a goal, or nobody can move. Every verb says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

# White takes one or two of three; black watches. Whoever takes the last one alone is told what that is worth.
NO_GOAL = """
(role white) (role black)
(init (pile 3)) (less 3 2) (less 2 1) (less 1 0) (less2 3 1) (less2 2 0)
(<= (legal white one) (true (pile ?n)) (less ?n ?m))
(<= (legal white two) (true (pile ?n)) (less2 ?n ?m))
(legal black noop)
(<= (next (pile ?m)) (does white one) (true (pile ?n)) (less ?n ?m))
(<= (next (pile ?m)) (does white two) (true (pile ?n)) (less2 ?n ?m))
(<= (next (last one)) (does white one))
(<= (next (last two)) (does white two))
(<= terminal (true (pile 0)))
(<= (goal white 40) (true (last one)))
(goal black 0)
"""

# The same for one: there is no goal at all for whoever ends it.
PUZZLE = """
(role white)
(init (pile 2)) (less 2 1) (less 1 0)
(legal white one)
(<= (next (pile ?m)) (true (pile ?n)) (less ?n ?m))
(<= terminal (true (pile 0)))
(<= (goal white 100) (true (pile 1)))
"""

STUCK = """
(role white) (role black)
(init (pile 2)) (less 2 1) (less 1 0)
(legal white one)
(<= (legal black noop) (true (pile 2)))
(<= (next (pile ?m)) (true (pile ?n)) (less ?n ?m))
(<= terminal (true (pile 0)))
(<= (goal ?r 50) (role ?r))
"""


def test_check_says_for_whom_and_how_often_there_is_no_goal(run: Run) -> None:
    found, = run("check", NO_GOAL, "--json").json["diagnostics"]
    assert found["code"] == "undefined-goal"
    assert found["message"].endswith("for white")
    assert run("check", NO_GOAL, "--rules-only", "--json").json["diagnostics"] == []


def test_info_counts_the_ends_without_a_goal(run: Run) -> None:
    told = run("info", NO_GOAL, "--json").json["random_play"]
    assert told["finished"] == told["matches"]
    # Only one and then two ends by two, which chance plays one time in four.
    assert 0.15 < told["undefined_goals"]["white"] / told["matches"] < 0.35
    assert told["undefined_goals"]["black"] == 0
    assert "end without a goal for white" in run("info", NO_GOAL).out
    assert "end with a goal for everybody" in run("info", "nim").out


def test_solve_says_that_an_end_without_a_goal_counts_as_0(run: Run) -> None:
    assert run("solve", PUZZLE, "--json").json["undefined_goals"] == ["white"]
    assert "The rules give white no goal there, or several. That counts as 0." in run("solve", PUZZLE).out
    assert run("solve", "nim", "--json").json["undefined_goals"] == []


def test_a_match_says_so_and_a_mean_leaves_it_out(run: Run) -> None:
    many = run("match", NO_GOAL, "random", "legal", "--games", 30)
    line = next(line.split() for line in many.out.splitlines() if line.startswith("white  random"))
    # The goals that there are, are 40.
    assert line[:4] == ["white", "random", "30", "40.0"]
    assert 0 < int(line[4]) < 30
    assert "The rules give white no goal there, or several." in run("match", PUZZLE, "legal").out


def test_a_tournament_says_so_and_a_mean_leaves_it_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "open.kif").write_text(NO_GOAL)
    (tmp_path / "autumn.toml").write_text(
        'games = ["open.kif"]\nrepetitions = 8\n[players]\nanna = "random"\nben = "random"\n')
    ended = run("tournament", tmp_path / "autumn.toml", "--workers", 1)
    assert ended.status == 0
    assert "no goal" in ended.out.splitlines()[0]
    assert "Ratings count an end without a goal as 0." in ended.out
    told = run("tournament", tmp_path / "autumn.toml", "--workers", 1, "--json").json
    for standing in told["standings"]:
        goals = [result["goals"][role] for result in told["results"] for role, who in result["players"].items()
                 if who == standing["player"]]
        given = [goal for goal in goals if goal is not None]
        assert standing["undefined_goals"] == len(goals) - len(given)
        assert standing["mean_goal"] == pytest.approx(sum(given) / len(given), abs=0.01)
    assert "no goal" in (tmp_path / "autumn.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_play_says_who_is_stuck_and_by_which_rule(run: Run, tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "stuck.kif").write_text(STUCK)
    ended = run("play", tmp_path / "stuck.kif", "--seconds", 0.01, *options)
    assert ended.status == 1
    assert ended.err.startswith("ludorum: black has no legal move in stuck at step 2, and the game is not over: "
                                "its only rule for legal does not hold")
    assert "line 5" in ended.err


def test_play_does_not_name_a_winner_where_a_goal_is_missing(run: Run) -> None:
    assert "The rules give white no goal there, or several." in run("play", PUZZLE, "--seconds", 0.01).out


def test_check_finds_the_dead_end(run: Run) -> None:
    found, = run("check", STUCK, "--json").json["diagnostics"]
    assert (found["code"], found["message"]) == ("stuck-match", "black has no legal move, and the game goes on")
