"""Relaxed plans, memory-enhanced IDA* and minimum lookahead."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.clock import Deadline
from ludorum.search.puzzle import Portfolio
from ludorum.search.puzzle.problem import Problem

# A door that a key opens; taking the key loses the lamp, and taking the lamp loses the key.
DOOR = """
(role agent) (init here)
(<= (legal agent take) (true here)) (<= (legal agent light) (true here))
(<= (legal agent open) (true key))
(<= (next here) (true here))
(<= (next key) (does agent take)) (<= (next key) (true key) (not (does agent light)))
(<= (next lamp) (does agent light)) (<= (next lamp) (true lamp) (not (does agent take)))
(<= (next door) (does agent open)) (<= (next door) (true door))
(<= terminal (true door) (true lamp) (true key)) (<= terminal (true done))
(<= (goal agent 100) (true door) (true lamp) (true key))
"""


def distance(*fluents: str) -> int:
    game = ludorum.load(DOOR, name="door")
    problem = Problem.of(game.state(["here", *fluents]))
    assert problem is not None
    assert problem.relaxed_plan is not None
    return problem.relaxed_plan(problem.start)


def test_relaxed_plans_count_the_moves_of_a_plan_where_nothing_is_lost() -> None:
    # Take, light, open; that lighting loses the key does not count, though really no state has both.
    assert distance() == 3
    assert distance("key") == 2
    assert distance("lamp") == 2
    assert distance("key", "door") == 1
    # A move that serves twice counts once: the key is needed for the door and in the end.
    assert distance("key", "door", "lamp") == 0


@pytest.mark.parametrize("method", ["relaxed", "ida-star", "lookahead"])
def test_puzzles_are_solved_by_each_method_alone(method: str) -> None:
    portfolio = Portfolio(ludorum.load("blocksworld").initial, method=method)
    solution = portfolio.solve(Deadline.within(60))
    assert solution.goal == 100
    assert solution.method == method


def test_the_first_plan_of_blind_deepening_is_a_shortest_one() -> None:
    start = ludorum.load("blocksworld").initial
    lengths = [len(Portfolio(start, method=method).solve(Deadline.within(60)).plan)
               for method in ("breadth-first", "ida-star")]
    assert lengths[0] == lengths[1]


def test_deepening_comes_to_an_end_where_there_is_nothing_to_find() -> None:
    solution = Portfolio(ludorum.load(DOOR, name="door").initial, method="ida-star").solve(Deadline.within(60))
    assert solution.goal is None
