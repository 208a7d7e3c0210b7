"""`ludorum solve`: plans, what is proved of them, and how it ends where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ludorum

Run = Callable[..., Any]

# The treasure lies behind the second door; there is no way back, and no way to anything that would be worth 100.
HALLWAY = """
(role thief) (init (at hall))
(<= (legal thief left) (true (at hall))) (<= (legal thief right) (true (at hall)))
(<= (next (at cellar)) (does thief left)) (<= (next (at attic)) (does thief right))
(<= terminal (true (at cellar))) (<= terminal (true (at attic)))
(<= (goal thief 20) (true (at cellar))) (<= (goal thief 70) (true (at attic)))
(<= (goal thief 100) (true (at cellar)) (true (at attic)))
"""


@pytest.mark.parametrize("method", [[], ["--method", "breadth-first"], ["--method", "a-star"], ["--method", "beam"],
                                    ["--method", "asp"]])
def test_a_plan_can_be_replayed_and_less_than_100_is_proved(run: Run, method: list[str]) -> None:
    ended = run("solve", "-", "--json", *method, given=HALLWAY)
    assert ended.status == 0
    found = ended.json
    assert (found["goal"], found["proved"], found["plan"]) == (70, True, ["right"])
    assert found["method"] in {did["method"] for did in found["tried"]}
    last = ludorum.load(HALLWAY).replay(" ".join(found["plan"]))
    assert last.goals == {"thief": 70}


def test_people_see_the_moves_and_who_found_them(run: Run) -> None:
    ended = run("solve", "hanoi", "--method", "breadth-first")
    assert ended.status == 0
    lines = ended.out.splitlines()
    assert lines[30].split()[0] == "31"
    assert lines[31].startswith("goal 100, the highest that can be reached; 31 moves, replayed; found by breadth-first")


def test_what_is_not_proved_is_a_finding_that_ends_with_1(run: Run) -> None:
    ended = run("solve", "-", "--method", "nested", "--seconds", "1", "--json", given=HALLWAY)
    assert ended.status == 1
    assert ended.json["proved"] is False
    assert "not solved" in ended.err


def test_a_method_that_there_is_not_is_a_misuse(run: Run) -> None:
    ended = run("solve", "hanoi", "--method", "prayer")
    assert ended.status == 2
    assert "breadth-first" in ended.err
