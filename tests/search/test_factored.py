"""Puzzles that are really several puzzles are solved part by part."""

from __future__ import annotations

import pytest

import ludorum
from collection import GAMES, MISSING
from ludorum import Game
from ludorum.analysis.factors import Factors, decompose
from ludorum.clock import Budget, Deadline
from ludorum.errors import LudorumError
from ludorum.search.puzzle import Portfolio, check
from ludorum.search.puzzle import factored as factored_puzzles
from ludorum.search.puzzle.breadth import BreadthFirst
from ludorum.search.puzzle.factored import Factored
from ludorum.search.puzzle.problem import Problem

# Far more than anything here needs, on however busy a machine.
LONG = 60.0
GGP_ORG = GAMES / "ggp.org"


def towers(*, disks: int, end: str) -> str:
    """A stack of disks on each of two tables, to be turned over: every move takes the top disk of each to another peg.

    `end` says when the game is won. The left table needs an odd number of moves or waits by moving a disk to and fro.
    """
    pegs = "(peg a) (peg b) (peg c)"
    sizes = " ".join(f"(disk {i})" for i in range(disks))
    smaller = " ".join(f"(smaller {i} {j})" for i in range(disks) for j in range(i + 1, disks))
    start = " ".join(f"(init (on {table} {i} a))" for table in ("left", "right") for i in range(disks))
    steps = " ".join(f"(plus {i} {i + 1})" for i in range(2**disks + 2))
    return f"""
    (role mover) {pegs} {sizes} {smaller} {start} {steps} (init (step 0)) (table left) (table right)
    (<= (covered ?t ?d) (true (on ?t ?d ?p)) (true (on ?t ?e ?p)) (smaller ?e ?d))
    (<= (blocked ?t ?d ?p) (true (on ?t ?e ?p)) (smaller ?e ?d))
    (<= (can ?t ?d ?p) (table ?t) (true (on ?t ?d ?q)) (peg ?p) (distinct ?p ?q) (not (covered ?t ?d))
        (not (blocked ?t ?d ?p)))
    (<= (legal mover (move ?d ?p ?e ?q)) (can left ?d ?p) (can right ?e ?q))
    (<= (moved left ?d ?p) (does mover (move ?d ?p ?e ?q)))
    (<= (moved right ?e ?q) (does mover (move ?d ?p ?e ?q)))
    (<= (moves ?t ?d) (moved ?t ?d ?p))
    (<= (next (on ?t ?d ?p)) (moved ?t ?d ?p))
    (<= (next (on ?t ?d ?p)) (true (on ?t ?d ?p)) (not (moves ?t ?d)))
    (<= (next (step ?n)) (true (step ?m)) (plus ?m ?n))
    (<= (unready ?t ?p) (table ?t) (peg ?p) (disk ?d) (not (true (on ?t ?d ?p))))
    {end}
    (<= terminal won) (<= terminal (true (step {2**disks + 2})))
    (<= (goal mover 100) won) (<= (goal mover 0) (not won))
    """


BOTH = "(<= won (not (unready left c)) (not (unready right b)))"
EITHER = "(<= won (not (unready left c))) (<= won (not (unready right b)))"


def factored(game: Game) -> Factored:
    parts = decompose(game, budget=Budget(LONG))
    assert not isinstance(parts, Factors), parts.why
    problem = Problem.of(game.initial)
    assert problem is not None
    return Factored(game.initial, problem, parts)


def breadth_first(game: Game) -> BreadthFirst:
    problem = Problem.of(game.initial)
    assert problem is not None
    search = BreadthFirst(problem)
    search.advance(LONG)
    return search


@pytest.mark.parametrize("end", [BOTH, EITHER], ids=["both", "either"])
def test_two_towers_are_turned_over_in_as_many_moves_as_one(end: str) -> None:
    game = ludorum.load(towers(disks=3, end=end))
    search = factored(game)
    search.advance(LONG)
    assert search.best is not None
    check(game.initial, search.best)
    assert len(search.best.moves) == 2**3 - 1
    # Of each table there are 27 states, of both together 729.
    assert search.states <= 2 * 27 * 8


def test_parts_take_far_fewer_states_than_the_whole() -> None:
    game = ludorum.load(towers(disks=4, end=BOTH))
    search, whole = factored(game), breadth_first(game)
    search.advance(LONG)
    assert search.best is not None
    assert whole.best is not None
    assert len(search.best.moves) == len(whole.best.moves) == 2**4 - 1
    assert 3 * search.states < int(whole.outcome.split()[0].replace(",", ""))


def test_what_cannot_be_reached_in_both_at_once_is_not_claimed() -> None:
    # One is to be done after an odd number of moves, the other after none at all.
    never = "(<= won (not (unready left c)) (not (unready right a)) (true (step 1)))"
    game = ludorum.load(towers(disks=2, end=never))
    search = factored(game)
    search.advance(LONG)
    assert search.is_over
    assert search.best is None
    assert search.bound == 100  # nothing is said about it


@pytest.mark.parametrize("combination", ["at once", "by turns"])
def test_a_part_with_too_many_moves_is_given_up_before_they_are_made(combination: str,
                                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    # All moves of a layer are made at once, which no deadline can interrupt.
    if combination == "by turns" and not GAMES.is_dir():
        pytest.skip(MISSING)
    game = ludorum.load(towers(disks=3, end=BOTH) if combination == "at once" else GGP_ORG / "blocksWorldSerial.kif")
    search = factored(game)
    monkeypatch.setattr(factored_puzzles, "_MAX_PLAN_MOVES", 1)
    search.advance(LONG)
    assert search.is_over
    assert search.best is None
    assert search.states <= 4


def test_the_solver_uses_it_where_it_is_asked_to_and_refuses_where_it_cannot() -> None:
    solution = Portfolio(ludorum.load(towers(disks=3, end=BOTH)).initial, method="factors").solve(Deadline.within(LONG))
    assert (solution.goal, solution.proved, solution.method) == (100, True, "factors")
    with pytest.raises(LudorumError, match="cannot be solved by factors: one game: "):
        Portfolio(ludorum.load("hanoi").initial, method="factors")


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "moves"), [
    ("lightsOnParallel", 4), ("blocksWorldParallel", 3), ("blocksWorldSerial", 6), ("asteroidsParallel", 10),
])
def test_puzzles_that_were_made_of_puzzles_are_solved_by_their_parts(name: str, moves: int) -> None:
    # As long as the shortest plans that planning by answer sets or breadth-first search find for the whole.
    game = ludorum.load(GGP_ORG / f"{name}.kif")
    search = factored(game)
    search.advance(LONG)
    assert search.best is not None
    check(game.initial, search.best)
    assert len(search.best.moves) == moves
