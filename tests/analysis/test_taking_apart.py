"""Parts of a game that can be played each for its own sake, as games of their own."""

from __future__ import annotations

from random import Random

import pytest

import ludorum
from collection import GAMES
from ludorum import Game, State
from ludorum.absent import Absent
from ludorum.analysis.factors import Parts, take_apart
from ludorum.clock import Budget
from piles import ALIKE, EITHER, SUM, WITH_THE_FIRST, WITH_THE_LAST, piles


def taken_apart(game: Game) -> Parts:
    parts = take_apart(game, budget=Budget(60))
    assert isinstance(parts, Parts), parts
    return parts


def assert_played_alike(game: Game, parts: Parts, matches: int = 10) -> None:
    """Random matches of the parts are matches of the game: the same courses, the same ends, and goals that fit."""
    random = Random(1)
    for _ in range(matches):
        state = game.initial
        beside = [part.initial for part in parts.games]
        while not state.is_terminal and state.step is not None and state.step < 50:
            assert [part.fluents for part in parts.states(state)] == [part.fluents for part in beside]
            chosen = {role: [random.choice(part.legal(role)) for part in beside] for role in game.roles}
            joint = {role: parts.move(state, role, moves) for role, moves in chosen.items()}
            assert all(move in state.legal(role) for role, move in joint.items())
            state = state.after(joint)
            # A part that is over while the game goes on stays as it is.
            beside = [parts.states(state)[number] if part.is_terminal else
                      part.after({role: chosen[role][number] for role in game.roles})
                      for number, part in enumerate(beside)]
        for role in game.roles:
            made = parts.goal(role, [part.goals[role] or 0 for part in beside])
            assert made is None or made == state.goals[role]


def test_piles_that_add_up_are_two_games() -> None:
    game = piles(WITH_THE_LAST, SUM)
    parts = taken_apart(game)
    for part, own, other in zip(parts.games, ("left", "right"), ("right", "left"), strict=True):
        names = set(map(str, part.fluents or ()))
        assert {f"(pile {own} {stones})" for stones in (0, 1, 2, 3)} <= names
        assert not {f"(pile {other} {stones})" for stones in (0, 1, 2, 3)} & names
    assert [part.roles for part in parts.games] == [game.roles] * 2
    assert_played_alike(game, parts)
    assert parts.goal(game.role("ann"), [part.goals["ann"] or 0 for part in parts.states(game.initial)]) is not None


def test_a_part_is_worth_what_its_pile_is_worth() -> None:
    # With one or two stones a turn, a pile is lost to whoever has to move where three divides it.
    game = piles(WITH_THE_LAST, SUM, left=4, right=3)
    left, right = taken_apart(game).games
    for part in (left, right):
        values = ludorum.search.minimax.MinimaxSearch(part, goals=0, mobility=0).search().values
        assert (values["ann"] or 0) > (values["bob"] or 0)


@pytest.mark.parametrize("end", [WITH_THE_LAST, WITH_THE_FIRST])
@pytest.mark.parametrize("goals", [SUM, EITHER])
def test_parts_can_be_played_for_their_own_sake_whoever_ends_the_game(end: str, goals: str) -> None:
    game = piles(end, goals)
    parts = taken_apart(game)
    assert (parts.goal(game.role("ann"), [0, 0]) is None) == (goals == EITHER)
    assert_played_alike(game, parts)


def test_where_one_part_says_what_another_is_good_for_the_game_is_one() -> None:
    why = take_apart(piles(WITH_THE_LAST, ALIKE), budget=Budget(60))
    assert why == Absent("what a part is worth depends on what the others come to")


# A cat and a mouse walk on a circle and have nothing to do with each other until they meet.
CHASE = """
(role cat) (role mouse) (way on) (way back) (init (at cat 0)) (init (at mouse 3)) (init (hour 1))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 0)
(tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7) (tick 7 8)
(<= (next (hour ?n)) (true (hour ?m)) (tick ?m ?n))
(<= (legal ?r (walk ?w)) (role ?r) (way ?w))
(<= (next (at ?r ?q)) (does ?r (walk on)) (true (at ?r ?p)) (after ?p ?q))
(<= (next (at ?r ?q)) (does ?r (walk back)) (true (at ?r ?p)) (after ?q ?p))
(<= met (true (at cat ?p)) (true (at mouse ?p)))
(<= terminal met) (<= terminal (true (hour 8)))
(<= (goal cat 100) met) (<= (goal cat 0) (not met)) (<= (goal mouse 100) (not met)) (<= (goal mouse 0) met)
"""


def test_a_chase_is_one_game() -> None:
    assert isinstance(take_apart(ludorum.load(CHASE), budget=Budget(60)), Absent)


def test_a_board_is_not_taken_apart() -> None:
    assert str(take_apart(ludorum.load("tictactoe"), budget=Budget(60))).startswith("one game: ")


def test_too_small_a_budget_is_not_remembered() -> None:
    game = piles(WITH_THE_LAST, SUM)
    assert "budget" in str(take_apart(game, budget=Budget(0)))
    taken_apart(game)


# Two towers of bricks; a tower stands as far up as there is a brick on every brick, which is a recursive rule.
TOWERS = """
(role ann) (role bob) (side left) (side right) (other ann bob) (other bob ann) (up 0 1) (up 1 2) (up 2 3)
(init (turn ann)) (<= (next (turn ?r)) (true (turn ?o)) (other ?o ?r)) (floor 1) (floor 2) (floor 3)
(<= (legal ?r (build ?a ?b)) (true (turn ?r)) (free left ?a) (free right ?b))
(<= (free ?s ?n) (side ?s) (floor ?n) (not (built ?s ?n))) (<= (free ?s 0) (side ?s))
(<= (built ?s ?n) (true (brick ?s ?n ?r)))
(<= (legal ?r wait) (true (turn ?o)) (other ?o ?r))
(<= (next (brick left ?a ?r)) (does ?r (build ?a ?b)) (distinct ?a 0))
(<= (next (brick right ?b ?r)) (does ?r (build ?a ?b)) (distinct ?b 0))
(<= (next (brick ?s ?n ?r)) (true (brick ?s ?n ?r)))
(<= (stands ?s 0) (side ?s))
(<= (stands ?s ?n) (stands ?s ?m) (up ?m ?n) (built ?s ?n))
(<= (owns ?r ?s) (true (brick ?s 3 ?r)) (stands ?s 3))
(<= terminal (stands left 3) (stands right 3))
(<= (goal ?r 100) (owns ?r left) (owns ?r right))
(<= (goal ?r 50) (owns ?r left) (role ?r) (not (owns ?r right)))
(<= (goal ?r 50) (owns ?r right) (role ?r) (not (owns ?r left)))
(<= (goal ?r 0) (role ?r) (not (owns ?r left)) (not (owns ?r right)))
"""


def test_recursive_rules_are_taken_apart_too() -> None:
    game = ludorum.load(TOWERS)
    assert_played_alike(game, taken_apart(game), matches=5)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["doubletictactoe", "ticTacToeParallel", "connectFourSimultaneous"])
def test_games_that_were_made_of_games_are_played_apart(name: str) -> None:
    game = ludorum.load(GAMES / "ggp.org" / f"{name}.kif")
    parts = taken_apart(game)
    assert len(parts.games) == 2
    assert_played_alike(game, parts)


def test_a_state_that_no_clock_shows_is_not_taken_apart() -> None:
    game = piles(WITH_THE_LAST, SUM)
    parts = taken_apart(game)
    assert parts.know(game.initial)
    timeless: State = game.state("(pile left 4) (pile right 5)")
    assert not parts.know(timeless)
