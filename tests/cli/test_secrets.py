"""`ludorum solve` and `ludorum exploit` in games with secrets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ended import Ended

import ludorum
from ludorum.belief import Belief
from ludorum.cli.knowledge import doubts

Run = Callable[..., "Ended"]



def test_the_command_tells_values_strategies_and_what_can_be_gained(run: Run) -> None:
    told = run("solve", "kuhnpoker", "--json").json
    assert told["values"] == pytest.approx({"anna": 50 - 25 / 18, "ben": 50 + 25 / 18}, abs=1e-6)
    assert told["exploitability"] == pytest.approx(0, abs=1e-6)
    strategies = told["strategies"]
    assert len(strategies["anna"]) == 6
    assert all(sum(entry["moves"].values()) == pytest.approx(1) for entry in strategies["ben"])


def test_the_command_exploits_players(run: Run) -> None:
    told = run("exploit", "kuhnpoker", "random", "--json").json
    assert told["best_reply"] == pytest.approx({"anna": 62.5, "ben": 60.416667}, abs=1e-6)
    told = run("exploit", "kuhnpoker", "legal", "--json").json
    assert all(told["best_reply"][role] >= told["value"][role] for role in ("anna", "ben"))


def test_a_game_of_secrets_that_is_too_large_is_a_failure_in_one_line(run: Run) -> None:
    ended = run("solve", "kriegtictactoe", "--seconds", "3")
    assert ended.status == 1
    assert "too large to solve" in ended.err


def test_a_replay_shows_what_each_side_could_know(run: Run, tmp_path: Path) -> None:
    run("match", "kuhnpoker", "legal", "legal", "--record", str(tmp_path), "--play-clock", "5")
    record = next(tmp_path.glob("*.json*"))
    told = run("replay", "kuhnpoker", str(record), "--knowledge", "--json").json
    # The cards are dealt: each has seen one of three, and the other may hold either of two.
    assert told["knowledge"][0] == {"anna": {"states": 1, "exact": True}, "ben": {"states": 1, "exact": True}}
    assert told["knowledge"][1] == {"anna": {"states": 2, "exact": True}, "ben": {"states": 2, "exact": True}}
    assert "anna saw 2 possibilities; ben saw 2 possibilities" in run("replay", "kuhnpoker", str(record),
                                                                      "--knowledge").out


def test_a_person_is_told_the_odds() -> None:
    belief = Belief(ludorum.load("montyhall"), "candidate")
    for move, percepts in (("noop", []), ("(choose 1)", []), ("noop", ["(opened 3)"])):
        belief.perceived(move, percepts)
    lines = doubts(belief).splitlines()
    assert lines[0] == "2 states are possible. If the others choose at random:"
    assert [line.split() for line in lines[1:]] == [["(car", "2)", "66.7", "%"], ["(car", "1)", "33.3", "%"]]
    assert doubts(Belief(ludorum.load("montyhall"), "candidate")) == "1 state is possible. Nothing is in doubt."
