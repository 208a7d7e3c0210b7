"""Puzzles are solved, by every method alike, and what is proved of them is so.

Lengths of shortest plans are from the literature, as noted.
"""

from __future__ import annotations

import threading
import time
from functools import cache

import pytest

import ludorum
from ludorum import Game, gdl
from ludorum.clock import Deadline
from ludorum.errors import LudorumError, WrongPlan
from ludorum.gdl import Term
from ludorum.search.puzzle import METHODS, Plan, Portfolio, Solution, check
from ludorum.search.puzzle.astar import AStar
from ludorum.search.puzzle.breadth import BreadthFirst
from ludorum.search.puzzle.nested import NestedMonteCarlo
from ludorum.search.puzzle.planning import Planning, horizons
from ludorum.search.puzzle.problem import Problem
from ludorum.search.puzzle.symmetry import permutations
from towers import hanoi

# Far more than anything here needs, on however busy a machine.
LONG = 60.0

# Three doors; the right-hand ones are worth more. Behind the first would be a better one, where one never gets.
DOORS = """
(role walker) (init outside)
(legal walker left) (legal walker middle) (legal walker right)
(<= (next (in ?door)) (does walker ?door))
(<= terminal (true (in ?door)))
(<= (goal walker 10) (true (in left)))
(<= (goal walker 20) (true (in middle)))
(<= (goal walker 30) (true (in right)))
(<= (goal walker 100) (true (in behind)))
(<= (next (in behind)) (true (in left)) (does walker left))
"""

# A lamp that is switched at every step, whether one wants to or not; the game ends after five of them.
BLINKER = """
(role watcher) (init off) (init (step 0))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
(legal watcher wait) (legal watcher wink)
(<= (next on) (true off)) (<= (next off) (true on))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= terminal (true (step 5)))
(<= (goal watcher 40) (true on))
(<= (goal watcher 100) (true off))
"""

# Never over.
TREADMILL = """
(role runner) (init (at 0)) (after 0 1) (after 1 2) (after 2 0)
(legal runner run) (legal runner rest)
(<= (next (at ?n)) (does runner run) (true (at ?m)) (after ?m ?n))
(<= (next (at ?m)) (does runner rest) (true (at ?m)))
(<= terminal (true (at home))) (<= (next (at home)) (true (at home)))
(goal runner 100)
"""

# Two goal values at once are none.
UNDECIDED = """
(role judge) (init start)
(legal judge yes) (legal judge both)
(<= (next (said ?m)) (does judge ?m))
(<= terminal (true (said ?m)))
(<= (goal judge 50) (true (said yes)))
(<= (goal judge 70) (true (said both))) (<= (goal judge 80) (true (said both)))
"""


def lights(size: int) -> str:
    """Lights out on a square where all lamps are lit, without a limit on the moves."""
    cells = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
    touches = " ".join(f"(touches {x} {y} {u} {v})" for x, y in cells for u, v in cells if abs(x - u) + abs(y - v) <= 1)
    lit = " ".join(f"(init (lit {x} {y}))" for x, y in cells)
    facts = " ".join(f"(cell {x} {y})" for x, y in cells)
    return f"""
    (role player) {facts} {touches} {lit}
    (<= (legal player (press ?x ?y)) (cell ?x ?y))
    (<= (flips ?u ?v) (does player (press ?x ?y)) (touches ?x ?y ?u ?v))
    (<= (next (lit ?x ?y)) (true (lit ?x ?y)) (not (flips ?x ?y)))
    (<= (next (lit ?x ?y)) (cell ?x ?y) (not (true (lit ?x ?y))) (flips ?x ?y))
    (<= bright (true (lit ?x ?y)))
    (<= terminal (not bright)) (<= (goal player 100) (not bright)) (<= (goal player 0) bright)"""


@cache
def load(what: str) -> Game:
    return ludorum.load(what)


def solve(game: Game, method: str | None = None, seconds: float = LONG) -> Solution:
    portfolio = Portfolio(game.initial, method=method)
    try:
        return portfolio.solve(Deadline.within(seconds))
    finally:
        portfolio.close()


def replayed(game: Game, solution: Solution) -> int | None:
    """What the plan of a solution reaches."""
    (role,) = game.roles
    last = game.replay([{role: move} for move in solution.plan])
    assert last.is_terminal
    return last.goals[role]


def test_a_plan_may_have_moves_that_its_engine_met_while_it_was_looked_for() -> None:
    game = ludorum.load(hanoi(4), engine="relations")
    solution = Portfolio(game.initial, method="breadth-first").solve(Deadline.within(LONG))
    assert solution.proved
    assert len(solution.plan) == 2**4 - 1



# None of these is several puzzles in one.
@pytest.mark.parametrize("method", [method for method in METHODS if method != "factors"])
@pytest.mark.parametrize("what", [hanoi(3), lights(2), "wolfgoatcabbage", "missionaries"],
                         ids=["hanoi", "lights", "wolfgoatcabbage", "missionaries"])
def test_every_method_solves_a_small_puzzle(what: str, method: str) -> None:
    solution = solve(load(what), method)
    assert (solution.goal, solution.proved, solution.method) == (100, True, method)
    assert replayed(load(what), solution) == 100


@pytest.mark.parametrize("disks", [1, 2, 3, 4, 5, 6])
def test_a_tower_of_n_disks_takes_2_to_the_n_less_1_moves(disks: int) -> None:
    assert len(solve(load(hanoi(disks)), "breadth-first").plan) == 2**disks - 1


def test_the_hardest_eight_puzzle_takes_31_moves() -> None:
    # Reinefeld, Complete solution of the eight-puzzle, 1993: two positions take 31 moves, none takes more.
    game = load("eightpuzzle")
    rows = ["867", "254", "3 1"]
    cells = [f"(cell {x} {y} {tile if tile != ' ' else 'gap'})" for y, row in enumerate(reversed(rows), 1)
             for x, tile in enumerate(row, 1)]
    state = game.state(" ".join([*cells, "(step 0)"]))
    assert len(Portfolio(state, method="breadth-first").solve(Deadline.within(LONG)).plan) == 31


@pytest.mark.parametrize(("size", "least"), [(2, 4), (3, 5), (4, 4)])
def test_all_lights_on_a_square_take_as_few_presses_as_known(size: int, least: int) -> None:
    # OEIS A075462, the minimal number of presses that switch off a whole n × n square.
    assert len(solve(load(lights(size)), "breadth-first").plan) == least


def test_the_best_door_is_proved_to_be_the_best_there_is() -> None:
    for method in ("breadth-first", "a-star", "answer sets"):
        solution = solve(load(DOORS), method)
        assert (solution.goal, solution.proved) == (30, True), method
        assert [str(move) for move in solution.plan] == ["right"]


def test_random_play_proves_nothing() -> None:
    portfolio = Portfolio(load(DOORS).initial, method="nested Monte-Carlo")
    solution = portfolio.solve(Deadline.within(0.2))
    assert (solution.goal, solution.proved) == (30, False)


def test_what_a_counter_decides_at_its_end_is_not_lost_by_merging_states() -> None:
    # The lamp is on after an odd number of steps, so 100 is out of reach; a state where it is off is met before.
    game = load(BLINKER)
    problem = Problem.of(game.initial)
    assert problem is not None
    assert game.fluents is not None
    assert [str(game.fluents[number]) for number in problem.counter] == [f"(step {n})" for n in range(6)]
    for method in ("breadth-first", "answer sets", None):
        solution = solve(game, method)
        assert (solution.goal, solution.proved, len(solution.plan)) == (40, True, 5), method


def test_a_state_that_ends_the_game_may_be_worth_more_at_the_end_of_the_counter() -> None:
    # Who is home in time gets 100, who is home early 50; a search that merges steps meets home early.
    rules = """
    (role guest) (init out) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
    (legal guest wait) (legal guest go)
    (<= (next home) (does guest go)) (<= (next out) (does guest wait))
    (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
    (<= terminal (true home)) (<= terminal (true (step 3)))
    (<= (goal guest 100) (true home) (true (step 3)))
    (<= (goal guest 50) (true home) (not (true (step 3))))
    (<= (goal guest 0) (not (true home)))"""
    problem = Problem.of(load(rules).initial)
    assert problem is not None
    assert len(problem.counter) == 4
    solution = solve(load(rules), "breadth-first")
    assert (solution.goal, solution.proved) == (100, True)
    assert [str(move) for move in solution.plan] == ["wait", "wait", "go"]


@pytest.mark.parametrize(("name", "limit"), [("eightpuzzle", 60), ("hanoi", 40), ("lightsout", 25)])
def test_the_counter_of_a_puzzle_is_found(name: str, limit: int) -> None:
    problem = Problem.of(load(name).initial)
    assert problem is not None
    assert len(problem.counter) == limit + 1


def test_a_counter_that_something_depends_on_is_none() -> None:
    # Waiting is allowed at the first step only, so that steps are not all alike.
    rules = BLINKER.replace("(legal watcher wink)", "(<= (legal watcher wink) (true (step 0)))")
    problem = Problem.of(load(rules).initial)
    assert problem is not None
    assert problem.counter == ()


def test_a_game_that_never_ends_is_proved_to_have_no_plan() -> None:
    solution = solve(load(TREADMILL), "breadth-first")
    assert (solution.goal, solution.plan, solution.proved) == (None, (), True)
    assert solution.method == "breadth-first"


def test_several_goal_values_at_once_are_worth_nothing() -> None:
    for method in ("breadth-first", "answer sets"):
        solution = solve(load(UNDECIDED), method)
        assert (solution.goal, solution.proved) == (50, True), method


def test_planning_needs_no_circuit() -> None:
    game = ludorum.load(hanoi(2), engine="reference")
    solution = solve(game)
    assert (solution.goal, solution.method, len(solution.plan)) == (100, "answer sets", 3)
    with pytest.raises(LudorumError, match="breadth-first"):
        Portfolio(game.initial, method="breadth-first")


def test_planning_starts_from_any_state() -> None:
    game = load(hanoi(3))
    (role,) = game.roles
    later = game.replay("(move 1 a c) (move 2 a b) (move 1 c b)")
    planning = Planning(later)
    planning.advance(LONG)
    assert planning.best is not None
    assert len(planning.best.moves) == 4
    assert later.game.replay([]).goals[role] == 0
    check(later, planning.best)


def test_horizons_grow_and_end_with_the_longest() -> None:
    assert list(horizons(20)) == [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 20]


def test_a_closed_planner_stops_at_once() -> None:
    # Nobody would see the end of it: clingo is asked for a plan that does not exist, at ever longer horizons.
    planning = Planning(load(TREADMILL).initial, longest=100_000)
    thread = threading.Thread(target=planning.advance, args=(600.0,))
    thread.start()
    time.sleep(0.5)
    planning.close()
    thread.join(LONG)
    assert not thread.is_alive()
    assert planning.is_over
    assert planning.best is None


def test_a_planner_without_memory_says_so() -> None:
    planning = Planning(load("sudoku").initial, memory_mb=150)
    planning.advance(LONG)
    assert planning.is_over
    assert "150 MB" in planning.outcome


def test_a_search_without_memory_says_so_and_proves_nothing() -> None:
    problem = Problem.of(load("sudoku").initial)
    assert problem is not None
    for method in (BreadthFirst(problem, memory_mb=1), AStar(problem, memory_mb=1)):
        method.advance(LONG)
        assert method.is_over
        assert method.best is None
        assert method.bound == 100
        assert "out of memory" in method.outcome


def test_time_is_kept() -> None:
    # Nobody solves this from the start in a moment; what comes back says what was tried.
    start = time.monotonic()
    solution = solve(load(TREADMILL.replace("(goal runner 100)", "(<= (goal runner 100) (true (at home)))")),
                     "nested Monte-Carlo", seconds=0.5)
    assert not solution.proved
    assert solution.goal is None
    assert [did.method for did in solution.tried] == ["nested Monte-Carlo"]
    assert time.monotonic() - start < LONG


def test_nested_search_plays_the_same_from_the_same_seed() -> None:
    problem = Problem.of(load("knightstour").initial)
    assert problem is not None

    def best(seed: int) -> tuple[Term, ...]:
        search = NestedMonteCarlo(problem, seed=seed, rounds=3)
        search.advance(LONG)
        return search.moves

    assert best(1) == best(1)
    assert best(1) != best(2)


def test_a_wrong_plan_is_an_error() -> None:
    state = load(hanoi(2)).initial
    moves = tuple(map(gdl.parse_term, ["(move 1 a b)", "(move 2 a c)", "(move 1 b c)"]))
    check(state, Plan(100, moves))
    with pytest.raises(WrongPlan, match="instead of 50"):
        check(state, Plan(50, moves))
    with pytest.raises(WrongPlan, match="stops before"):
        check(state, Plan(100, moves[:2]))
    with pytest.raises(WrongPlan, match="cannot play"):
        check(state, Plan(100, (moves[1], *moves)))


def test_games_of_several_roles_have_no_plan() -> None:
    with pytest.raises(LudorumError, match="2 roles"):
        Portfolio(load("tictactoe").initial)


# Symmetries


@pytest.mark.parametrize(("name", "images"), [
    ("pegsolitaire", 8), ("lightsout", 8), ("knightstour", 8),  # of a square
    ("hanoi", 2),  # the goal is about one peg; the two others may change places
])
def test_a_board_has_the_symmetries_that_it_shows(name: str, images: int) -> None:
    game = load(name)
    problem = Problem.of(game.initial)
    assert problem is not None
    assert 1 + len(permutations(game, problem, Deadline.within(LONG))) == images


def test_symmetric_states_are_merged_and_plans_stay_right() -> None:
    game = load(lights(3))
    problem = Problem.of(game.initial)
    assert problem is not None
    found = permutations(game, problem, Deadline.within(LONG))
    assert len(found) == 7
    plain, merged = BreadthFirst(problem), BreadthFirst(problem, symmetries=found)
    for search in (plain, merged):
        search.advance(LONG)
        assert search.best is not None
        check(game.initial, search.best)
    assert plain.best is not None
    assert merged.best is not None
    assert len(plain.best.moves) == len(merged.best.moves) == 5
