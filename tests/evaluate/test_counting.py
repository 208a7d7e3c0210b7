"""Evaluations that count: the numbers of the paper, and programs that say what the definitions say."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import ludorum
from ludorum import Game, State
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.evaluate.counted import Counting
from ludorum.evaluate.counting import counting
from ludorum.evaluate.describing import Conjunction, describe, steps

# Tic-tac-toe without diagonals, as in Examples 7, 8 and 10 of the paper.
ROWS_AND_COLUMNS = """
PLAYERS p, q
REL Line(x, y, z) = (R(x, y) and R(y, z)) or (C(x, y) and C(y, z))
REL WinP() = ex x, y, z (P(x) and P(y) and P(z) and Line(x, y, z))
REL WinQ() = ex x, y, z (Q(x) and Q(y) and Q(z) and Line(x, y, z))
RULE Cross: [a | - | - ] -> [a | P(a) | - ] emb P, Q pre not WinQ()
RULE Circle: [a | - | - ] -> [a | Q(a) | - ] emb P, Q pre not WinP()
LOC 0 { PLAYER p PAYOFF { p: :(WinP()) - :(WinQ()); q: :(WinQ()) - :(WinP()) } MOVES [Cross -> 1] }
LOC 1 { PLAYER q PAYOFF { p: :(WinP()) - :(WinQ()); q: :(WinQ()) - :(WinP()) } MOVES [Circle -> 0] }
MODEL [ | P:1 {}; Q:1 {} | ] "
. . .
. . .
. . .
"
"""


def counted(game: Game, form: str) -> Counting:
    assert game.fluents is not None
    return counting(game.rules, game.fluents, 9, Budget(), form=form)  # type: ignore[arg-type]


def holding(game: Game, *fluents: str) -> list[bool]:
    assert game.fluents is not None
    return [str(fluent) in fluents for fluent in game.fluents]


def held(game: Game, state: State) -> list[bool]:
    assert game.fluents is not None
    return [fluent in state.fluents for fluent in game.fluents]


@pytest.mark.parametrize(("form", "expected"), [("goals", 3 / 8), ("moves", 16)])
def test_the_example_of_the_paper_without_diagonals(form: str, expected: float) -> None:
    game = ludorum.load(ROWS_AND_COLUMNS)
    assert counted(game, form).balance(0, holding(game, "(cell a1 p)", "(cell b1 p)", "(cell b2 q)")) == expected


@pytest.mark.parametrize(("form", "expected"), [("goals", 1 / 2), ("moves", 15)])
def test_the_example_of_the_paper_with_all_lines(form: str, expected: float) -> None:
    game = ludorum.load("tictactoe.toss")
    assert counted(game, form).balance(0, holding(game, "(cell a1 x)", "(cell b1 x)", "(cell b2 o)")) == expected


@pytest.mark.parametrize(("name", "step"), [("breakthrough.toss", "(whitestep a2 a3)"),
                                            ("breakthrough", "(move 1 2 1 3)")])
def test_a_pawn_is_worth_more_on_every_row(name: str, step: str) -> None:
    game = ludorum.load(name)
    found = counted(game, "goals")
    before, after = game.initial, game.initial.after({"white": step})
    assert found.balance(0, held(game, before)) == 0
    assert found.balance(0, held(game, after)) == 4.0**-5
    assert game.fluents is not None
    weights = {node.fluent: node.weight for node in found.roles[0].nodes}
    for row in range(1, 9):
        pawns = [game.fluents.index(fluent) for fluent in game.fluents
                 if str(fluent) in (f"(cell a{row} w)", f"(cell 1 {row} white)")]
        if pawns:
            assert [weights[pawn] for pawn in pawns] == [sum(0.25 ** (7 - k) for k in range(row))]


def grid(size: int) -> tuple[list[int], dict[str, frozenset[tuple[int, ...]]]]:
    cells = list(range(size * size))
    right = frozenset((cell, cell + 1) for cell in cells if cell % size < size - 1)
    up = frozenset((cell, cell + size) for cell in cells if cell + size < size * size)
    return cells, {"C": up, "R": right}


@pytest.mark.parametrize("size", [3, 8])
def test_the_last_row_is_described_by_a_chain_of_columns(size: int) -> None:
    cells, relations = grid(size)
    (found,) = describe(frozenset(cells[-size:]), cells, relations) or ()
    assert [literal.relation for literal in found.literals] == ["C"] * (size - 1)
    assert all(literal.holds for literal in found.literals)
    assert str(found).startswith("C(y1, x)" + (" ∧ C(y2, y1)" if size > 2 else ""))
    ways = steps(found, cells, relations)
    assert [sum(ways[cells[row * size]]) for row in range(size)] == list(range(1, size + 1))


def test_hit_ranks_are_those_of_the_paper() -> None:
    cells, relations = grid(3)
    last = frozenset(cells[-3:])

    def rank(pairs: frozenset[tuple[int, ...]], place: int) -> Fraction:
        return Conjunction((), frozenset((pair[place],) for pair in pairs)).hit_rank(last)

    assert rank(relations["C"], 1) == Fraction(3, 6)
    assert rank(relations["C"], 0) == 0
    assert rank(relations["R"], 0) == rank(relations["R"], 1) == Fraction(2, 6)


def test_what_cannot_be_described_is_not() -> None:
    assert describe(frozenset({0}), [0, 1, 2], {"E": frozenset({(0, 1), (1, 2), (2, 0)})}) is None


def walk(game: Game, seed: int, most: int) -> list[State]:
    dice, state, found = random.Random(seed), game.initial, [game.initial]
    while not state.is_terminal and len(found) < most:
        state = state.after({role: dice.choice(list(state.legal(role))) for role in game.roles})
        found.append(state)
    return found


@pytest.mark.parametrize(("name", "form"), list(product(["tictactoe", "connectfour.toss"], ["goals", "moves"])))
def test_programs_say_what_the_definition_says(name: str, form: str) -> None:
    game = ludorum.load(name)
    settings = EvaluationSettings(goals=0, counting=1, counting_form=form)  # type: ignore[arg-type]
    made = evaluation(game, settings)
    found = made.report["counting"]
    states = [state for seed in range(15) for state in walk(game, seed, 40)]
    expected = [[50 + 49 * found.balance(role, held(game, state)) / found.largest for role in range(len(game.roles))]
                for state in states]
    assert np.abs(made.of(states) - np.array(expected)).max() < 1e-4
    assert isinstance(game.reasoner, Simulates)


def test_the_player_of_the_same_name_wins_where_it_can() -> None:
    game = ludorum.load("tictactoe.toss")
    state = game.replay("(cross a1) (nought a2) (cross b1) (nought b2)")
    player = ludorum.players.Toss(states=500)
    assert str(player.move(state, "cross")) == "(cross c1)"
    assert repr(player) == "Toss(seconds=1.0, states=500)"


SCORES = """
(role a) (role b) (init (score a 0)) (init (score b 0)) (init (turn 1))
(up 0 1) (up 1 2) (up 2 3) (worth 0 0) (worth 1 20) (worth 2 60) (worth 3 100)
(legal a go) (legal a stay) (legal b stay)
(<= (next (score a ?m)) (does a go) (true (score a ?n)) (up ?n ?m))
(<= (next (score a ?n)) (does a stay) (true (score a ?n)))
(<= (next (score b ?n)) (true (score b ?n)))
(<= terminal (true (score a 3)))
(<= (goal ?r ?v) (true (score ?r ?n)) (worth ?n ?v))
"""


def test_a_score_counts_as_what_it_pays() -> None:
    game = ludorum.load(SCORES)
    found = evaluation(game, EvaluationSettings(goals=0, counting=1)).report["counting"]
    assert [found.score(0, holding(game, f"(score a {number})")) for number in range(4)] == [0, 0.2, 0.6, 1]


GONE = """
(role a) (role b) (init (stone 1)) (init (stone 2)) (init (stone 3)) (init (stone 4))
(<= (legal a (take ?n)) (true (stone ?n)))
(legal b noop)
(<= (next (stone ?n)) (true (stone ?n)) (not (does a (take ?n))))
(<= some (true (stone ?n)))
(<= terminal (not some))
(<= (goal a 100) (not some)) (<= (goal a 0) some)
(<= (goal b 100) some) (<= (goal b 0) (not some))
"""


def test_a_goal_that_nothing_is_left_is_nearer_the_less_is_left() -> None:
    game = ludorum.load(GONE)
    settings = EvaluationSettings(goals=0, counting=1)
    made = evaluation(game, settings)
    found = made.report["counting"]
    state = game.replay("(take 1) (take 3) (take 4)")
    # One of four stones is left.
    assert found.score(0, held(game, state)) == 3 / 4
    assert not found.is_empty
    expected = [50 + 49 * found.balance(role, held(game, state)) / found.largest for role in (0, 1)]
    assert np.abs(made.of([state])[0] - np.array(expected)).max() < 1e-4


# Stones on a row of squares are counted one square after the other; more of them win.
COUNTED = """
(role a) (role b)
(square 1) (square 2) (square 3) (square 4) (after 1 2) (after 2 3) (after 3 4) (up 0 1) (up 1 2) (up 2 3) (up 3 4)
(<= (less ?m ?n) (up ?m ?n)) (<= (less ?m ?n) (up ?m ?k) (less ?k ?n))
(init (turn a)) (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (taken ?s) (true (stone ?s ?r)))
(<= (legal ?r (put ?s)) (true (turn ?r)) (square ?s) (not (taken ?s)))
(<= (legal ?r skip) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (stone ?s ?r)) (does ?r (put ?s)))
(<= (next (stone ?s ?r)) (true (stone ?s ?r)))
(<= (has 1 ?r 1) (true (stone 1 ?r))) (<= (has 1 ?r 0) (role ?r) (not (true (stone 1 ?r))))
(<= (has ?t ?r ?m) (after ?s ?t) (has ?s ?r ?n) (up ?n ?m) (true (stone ?t ?r)))
(<= (has ?t ?r ?n) (after ?s ?t) (has ?s ?r ?n) (not (true (stone ?t ?r))))
(<= full (taken 1) (taken 2) (taken 3) (taken 4))
(<= terminal full)
(<= (goal ?r 100) (role ?r) (role ?o) (distinct ?r ?o) (has 4 ?r ?m) (has 4 ?o ?n) (less ?n ?m))
(<= (goal ?r 0) (role ?r) (role ?o) (distinct ?r ?o) (has 4 ?r ?m) (has 4 ?o ?n) (not (less ?n ?m)))
"""


def test_what_rules_count_by_naming_themselves_is_counted() -> None:
    game = ludorum.load(COUNTED)
    made = evaluation(game, EvaluationSettings(goals=0, counting=1))
    found = made.report["counting"]
    assert game.fluents is not None
    for number, role in enumerate("ab"):
        weights = {str(game.fluents[node.fluent]): node.weight for node in found.roles[number].nodes}
        # One's own stones are worth the same wherever they are, and those of the other as much less.
        own = {weights[f"(stone {square} {role})"] for square in range(1, 5)}
        theirs = {weights[f"(stone {square} {'ba'[number]})"] for square in range(1, 5)}
        assert len(own) == len(theirs) == 1
        assert own == {-weight for weight in theirs}
        assert min(own) > 0
    states = [state for seed in range(6) for state in walk(game, seed, 20)]
    expected = [[50 + 49 * found.balance(role, held(game, state)) / found.largest for role in (0, 1)]
                for state in states]
    assert np.abs(made.of(states) - np.array(expected)).max() < 1e-4
    assert np.array(expected).min() >= 1
    assert np.array(expected).max() <= 99


def test_marks_that_no_move_takes_away_make_lines() -> None:
    squares = range(1, 18)
    text = "\n".join(["(role a) (role b) (init (turn a))", *(f"(square {n}) (init (cell {n} blank))" for n in squares),
                      *(f"(after {n} {n + 1})" for n in squares[:-1]), """
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (legal ?r (mark ?s)) (true (turn ?r)) (true (cell ?s blank)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (cell ?s ?r)) (does ?r (mark ?s)))
(<= (next (cell ?s ?c)) (true (cell ?s ?c)) (does ?r (mark ?t)) (distinct ?s ?t))
(<= (won ?r) (true (cell ?s ?r)) (after ?s ?t) (true (cell ?t ?r)) (role ?r))
(<= open (true (cell ?s blank)))
(<= terminal (won ?r)) (<= terminal (not open))
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))
"""])
    game = ludorum.load(text)
    found = evaluation(game, EvaluationSettings(goals=0, counting=1)).report["counting"]
    assert found.form == "moves"
    assert [len(counted.lines) for counted in found.roles] == [16, 16]
    # A line with a mark of the other is shut, though a mark elsewhere would leave each of its squares as it is.
    holds = holding(game, *(f"(cell {n} blank)" for n in squares if n != 5), "(cell 5 b)", "(turn a)")
    assert [sum(line.is_open(holds) for line in counted.lines) for counted in found.roles] == [14, 16]


def test_pawns_that_nothing_takes_from_the_last_row_are_told_by_steps() -> None:
    found = evaluation(ludorum.load("breakthrough"), EvaluationSettings(goals=0, counting=1)).report["counting"]
    assert found.form == "goals"
    assert {len(counted.nodes) for counted in found.roles} == {64}
