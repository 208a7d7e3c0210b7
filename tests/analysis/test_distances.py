"""Fluent graphs and the distances that they give, beside the thesis's chapter 6."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy.typing import NDArray

import ludorum
from ludorum import Game
from ludorum.analysis.distances import Preference, distances, fluent_graph
from ludorum.analysis.distances.graph import UNREACHABLE
from ludorum.analysis.samples import Samples, samples
from ludorum.clock import Budget
from ludorum.errors import NoCircuit, TooLarge, TooSlow, UnknownFluent
from thesis_sheets import FIGURE_2_1

# Pawns of two colours on five files and six ranks, as in the thesis's appendix: a cell holds a pawn or nothing is said.
BREAKTHROUGH = """
(role white) (role black)
(index 1) (index 2) (index 3) (index 4) (index 5)
(rank 1) (rank 2) (rank 3) (rank 4) (rank 5) (rank 6)
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
(<= (init (cellholds ?x 1 white)) (index ?x))
(<= (init (cellholds ?x 2 white)) (index ?x))
(<= (init (cellholds ?x 5 black)) (index ?x))
(<= (init (cellholds ?x 6 black)) (index ?x))
(init (control white))
(<= (aside ?x ?u) (after ?x ?u) (index ?u))
(<= (aside ?x ?u) (after ?u ?x) (index ?x))
(<= (ahead white ?y ?v) (after ?y ?v))
(<= (ahead black ?y ?v) (after ?v ?y))
(<= (full ?x ?y) (true (cellholds ?x ?y ?p)))
(<= (legal ?p (move ?x ?y ?x ?v)) (true (control ?p)) (true (cellholds ?x ?y ?p)) (ahead ?p ?y ?v) (not (full ?x ?v)))
(<= (legal ?p (move ?x ?y ?u ?v)) (true (control ?p)) (true (cellholds ?x ?y ?p)) (ahead ?p ?y ?v) (aside ?x ?u)
    (not (true (cellholds ?u ?v ?p))))
(<= (legal white noop) (true (control black)))
(<= (legal black noop) (true (control white)))
(<= (next (cellholds ?u ?v ?p)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cellholds ?x ?y ?p)) (true (cellholds ?x ?y ?p)) (does ?q (move ?a ?b ?c ?d)) (distinct ?x ?a)
    (distinct ?x ?c))
(<= (next (cellholds ?x ?y ?p)) (true (cellholds ?x ?y ?p)) (does ?q (move ?a ?b ?c ?d)) (distinct ?y ?b)
    (distinct ?y ?d))
(<= (next (cellholds ?x ?y ?p)) (true (cellholds ?x ?y ?p)) (does ?q (move ?a ?b ?c ?d)) (distinct ?x ?a)
    (distinct ?y ?d))
(<= (next (cellholds ?x ?y ?p)) (true (cellholds ?x ?y ?p)) (does ?q (move ?a ?b ?c ?d)) (distinct ?y ?b)
    (distinct ?x ?c))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= whitewins (index ?x) (true (cellholds ?x 6 white)))
(<= blackwins (index ?x) (true (cellholds ?x 1 black)))
(<= (some ?p) (true (cellholds ?x ?y ?p)))
(<= terminal whitewins)
(<= terminal blackwins)
(<= terminal (not (some white)))
(<= terminal (not (some black)))
(<= (goal white 100) (index ?x) (true (cellholds ?x 6 white)))
(<= (goal white 0) (not whitewins))
(<= (goal black 100) (index ?x) (true (cellholds ?x 1 black)))
(<= (goal black 0) (not blackwins))
"""


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load(FIGURE_2_1, name="tictactoe")


@pytest.fixture(scope="module")
def breakthrough() -> Game:
    return ludorum.load(BREAKTHROUGH, name="breakthrough")



def test_figure_6_1_a_cell_is_marked_once_and_for_all(tictactoe: Game) -> None:
    graph = fluent_graph(tictactoe)
    for column in "abc":
        for row in "123":
            cell = f"cell {column} {row}"
            assert set(map(str, graph.before(f"({cell} blank)"))) == {f"({cell} blank)"}
            assert set(map(str, graph.before(f"({cell} x)"))) == {f"({cell} blank)", f"({cell} x)"}
            assert set(map(str, graph.before(f"({cell} o)"))) == {f"({cell} blank)", f"({cell} o)"}


def test_figure_6_6_pawns_come_from_where_pawns_move(breakthrough: Game) -> None:
    graph = fluent_graph(breakthrough)
    pawn = "(cellholds {} {} black)".format
    # In the middle, at the edge of the board, and where no black pawn can come from.
    assert set(map(str, graph.before(pawn(3, 2)))) == {pawn(3, 2), pawn(2, 3), pawn(3, 3), pawn(4, 3)}
    assert set(map(str, graph.before(pawn(1, 1)))) == {pawn(1, 1), pawn(1, 2), pawn(2, 2)}
    assert set(map(str, graph.before(pawn(4, 6)))) == {pawn(4, 6)}


def test_a_pawn_in_the_centre_reaches_more_of_the_last_rank(breakthrough: Game) -> None:
    graph = fluent_graph(breakthrough)

    def reached(file: int) -> int:
        return sum(graph.distance([f"(cellholds {file} 3 black)"], f"(cellholds {x} 1 black)") is not None
                   for x in range(1, 6))

    assert [reached(file) for file in range(1, 6)] == [3, 4, 5, 4, 3]


def test_the_thesis_says_that_cell_1_1_is_not_reached_from_3_2(breakthrough: Game) -> None:
    graph = fluent_graph(breakthrough)
    assert graph.distance(["(cellholds 3 2 black)"], "(cellholds 1 1 black)") is None
    assert graph.distance(["(cellholds 3 3 black)"], "(cellholds 1 1 black)") == 2


def test_section_6_4_1_a_blocked_line_is_infinitely_far_away(tictactoe: Game) -> None:
    graph = fluent_graph(tictactoe)
    open_line = tictactoe.replay("(mark a 1) (mark b 3) (mark b 1) (mark c 3)")
    blocked = tictactoe.replay("(mark a 1) (mark c 1) (mark b 1) (mark c 3)")
    assert graph.distance(open_line, "(cell c 1 x)") == 1
    assert graph.distance(blocked, "(cell c 1 x)") is None
    assert graph.longest("(cell c 1 x)") == 1


def test_what_needs_nothing_comes_from_nothing_and_what_cannot_be_from_nowhere() -> None:
    # The two fluents of section 6.2.1: g always follows, h never does.
    game = ludorum.load("""
        (role r) (init h) (init (clock 0)) (legal r wait)
        (<= (next g) (distinct a b)) (<= (next h) (distinct a a) (true h))
        (<= (next (clock 1)) (true (clock 0))) (<= (next (clock 2)) (true (clock 1)))
        (<= terminal (true (clock 2))) (<= (goal r 100) (true g)) (<= (goal r 0) (not (true g)))""")
    graph = fluent_graph(game)
    assert graph.before("g") == {None}
    assert graph.before("h") == set()
    assert graph.distance(["h"], "g") == 1
    assert graph.distance(["g"], "h") is None
    assert graph.distance(game.initial, "(clock 2)") == 2


def test_pieces_move_as_they_do_where_moves_do_not_name_them() -> None:
    # Section 6.1 of the thesis and section 1 of the paper. A move of skirmish says from where to where, and not what.
    graph = fluent_graph(ludorum.load("skirmish"))

    def steps(piece: str, start: str, end: str) -> int | None:
        return graph.distance([f"(cell {start} {piece})"], f"(cell {end} {piece})")

    assert (steps("wk", "1 1", "3 1"), steps("wk", "1 1", "8 8")) == (2, 7)
    # Three moves to the square beside it, two to the one beyond, four to the nearest one aslant from the corner.
    assert (steps("wn", "4 4", "5 4"), steps("wn", "4 4", "6 4"), steps("wn", "1 1", "2 2")) == (3, 2, 4)
    assert (steps("wr", "1 1", "1 8"), steps("wr", "1 1", "4 2")) == (1, 2)
    # A bishop stays on its colour, and a pawn never goes back.
    assert (steps("wb", "1 1", "3 3"), steps("wb", "1 1", "1 3"), steps("wb", "1 1", "1 2")) == (1, 2, None)
    assert (steps("wp", "3 4", "3 6"), steps("wp", "3 4", "3 3")) == (2, None)
    assert (steps("bp", "3 6", "3 4"), steps("bp", "3 4", "3 5")) == (2, None)


GAMES = ["skirmish", "connectfour", "breakthrough", "othello", "eightpuzzle", "chinesecheckers2", "kalah", "racetrack",
         "tron", "goofspiel"]


@pytest.mark.parametrize("name", GAMES)
def test_no_random_walk_ever_beats_a_distance(name: str) -> None:
    game = ludorum.load(name)
    walks = samples(game, 3000, seed=5, budget=Budget(1))
    targets = np.arange(len(walks.fluents))
    for preference in (Preference(), Preference(0), Preference(1)):
        check(walks, fluent_graph(game, preference).distances_to(targets))
    check(walks, distances(game, targets.tolist()).rows)


def check(walks: Samples, rows: NDArray[np.int32]) -> None:
    """Every fluent of every state was no further away than the steps that its walk took, from all states before."""
    far = np.where(rows == UNREACHABLE, np.iinfo(np.int32).max, rows)
    for end in range(len(walks) - 1, 0, -len(walks) // 40):
        held, steps, index = np.flatnonzero(walks.bits[end]), 0, end
        while index >= 0:
            here = [*np.flatnonzero(walks.bits[index]), far.shape[1] - 1]
            assert far[np.ix_(held, here)].min(axis=1).max() <= steps
            index, steps = int(walks.parents[index]), steps + 1


@pytest.mark.parametrize(("colour", "behind"), [("black", 1), ("white", -1)])
def test_with_empty_cells_told_pawns_still_come_from_pawns(colour: str, behind: int) -> None:
    # The library's rules say that a cell is blank, and the blank cell is as similar to the pawn as the pawn one step
    # behind.
    graph = fluent_graph(ludorum.load("breakthrough"))
    sources = {f"(cell 4 5 {colour})", *(f"(cell {x} {5 + behind} {colour})" for x in (3, 4, 5))}
    assert set(map(str, graph.before(f"(cell 4 5 {colour})"))) == sources


def test_pawns_that_capture_come_from_pawns_where_that_says_more() -> None:
    # What is captured is more similar to the pawn than the pawn is where it comes from. Which graph says more is found
    # in random play.
    game = ludorum.load("hexapawn")
    graph = fluent_graph(game)
    target, pawn, captured = map(graph.number, ["(cell 1 1 black)", "(cell 2 3 black)", "(cell 1 1 white)"])
    assert graph.distances_to([target])[0][captured] == 1
    best = distances(game, [target]).rows[0]
    assert best[captured] == UNREACHABLE
    assert best[pawn] == 2


def test_from_a_state_all_fluents_are_as_far_as_each_of_them() -> None:
    game = ludorum.load("racetrack")
    graph = fluent_graph(game)
    found = graph.distances_from(game.initial)
    assert [None if far == UNREACHABLE else far for far in found] == [
        graph.distance(game.initial, fluent) for fluent in graph.fluents]


def test_many_targets_are_taken_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludorum.load("breakthrough")
    targets = range(len(game.fluents or ()))
    at_once = distances(game, targets)
    monkeypatch.setattr(sys.modules[distances.__module__], "_BLOCK", 7 * (len(targets) + 1))
    in_blocks = distances(game, targets)
    assert in_blocks.preferences == at_once.preferences
    np.testing.assert_array_equal(in_blocks.rows, at_once.rows)


def test_more_distances_than_memory_should_hold_are_an_error() -> None:
    game = ludorum.load("breakthrough")
    with pytest.raises(TooLarge, match="too many to be kept"):
        distances(game, [0] * 10_000_000)


def test_a_distance_to_no_fluent_is_an_error(tictactoe: Game) -> None:
    with pytest.raises(UnknownFluent, match="cell d 1 x"):
        fluent_graph(tictactoe).distance(tictactoe.initial, "(cell d 1 x)")


def test_a_game_without_a_circuit_has_no_fluent_graph() -> None:
    game = ludorum.load(FIGURE_2_1, engine="relations", name="tictactoe")
    with pytest.raises(NoCircuit, match="tictactoe has no circuit"):
        fluent_graph(game)


def test_a_deadline_ends_it() -> None:
    with pytest.raises(TooSlow, match="not found within the budget"):
        fluent_graph(ludorum.load("othello"), budget=Budget.within(0))


def test_a_part_of_the_graph_can_be_drawn(tictactoe: Game) -> None:
    drawn = fluent_graph(tictactoe).to_dot(["(cell a 1 blank)", "(cell a 1 x)"])
    assert '"(cell a 1 blank)" -> "(cell a 1 x)";' in drawn
    assert "(cell a 1 o)" not in drawn
