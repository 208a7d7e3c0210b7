"""The two games of cashing checks."""

from __future__ import annotations

import random

import pytest
from positions import load, play

from ludorum import State, gdl, library

BLIND, STALE_DATED = "cashingchecks", "staledatedchecks"


def take(state: State, *checks: int) -> State:
    return play(state, *(f"(cash {check})" for check in checks))


def cashed(name: str, checks: list[int]) -> tuple[int, int]:
    """What both have cashed after taking these checks in turn, the second player's compensation included."""
    sums = [0, 5]
    for turn, check in enumerate(checks, start=1):
        # Of the twelve, the largest is good in the first turn only, the next until the second, and so on.
        is_stale = name == STALE_DATED and turn > 13 - check
        sums[(turn - 1) % 2] += 0 if is_stale else check
    return sums[0], sums[1]


@pytest.mark.parametrize("name", [BLIND, STALE_DATED])
def test_the_rules_are_valid(name: str) -> None:
    assert gdl.check(library.entry(name).text, name=f"{name}.kif") == []


@pytest.mark.parametrize(("name", "largest"), [(BLIND, 20), (STALE_DATED, 12)])
def test_taking_the_largest_check_is_a_draw_after_ten_turns(name: str, largest: int) -> None:
    checks = list(range(largest, largest - 10, -1))
    before = take(load(name).initial, *checks[:-1])
    assert not before.is_terminal
    state = take(before, checks[-1])
    assert state.is_terminal
    assert state.goals == {"left": 50, "right": 50}


@pytest.mark.parametrize(("name", "count"), [(BLIND, 20), (STALE_DATED, 12)])
def test_who_has_cashed_more_wins(name: str, count: int) -> None:
    numbers, results = random.Random(1), set()
    for _ in range(60):
        checks = numbers.sample(range(1, count + 1), 10)
        left, right = cashed(name, checks)
        goal = 100 if left > right else 50 if left == right else 0
        assert take(load(name).initial, *checks).goals == {"left": goal, "right": 100 - goal}
        results.add(goal)
    assert {0, 100} <= results


def test_a_check_can_be_taken_once() -> None:
    state = take(load(BLIND).initial, 20)
    assert {str(move) for move in state.legal("right")} == {f"(cash {check})" for check in range(1, 20)}
    assert [str(move) for move in state.legal("left")] == ["noop"]


def test_a_check_is_worthless_the_turn_after_its_date() -> None:
    start = load(STALE_DATED).initial
    late, in_time = take(start, 11, 12, 10, 9, 8, 7, 6, 5, 4, 3), take(start, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3)
    assert late.goals == {"left": 100, "right": 0}
    assert in_time.goals == {"left": 50, "right": 50}
