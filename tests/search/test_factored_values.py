"""Games of two roles that are really several games are worth the sum of what these are worth."""

from __future__ import annotations

import pytest

import ludorum
from collection import GAMES
from ludorum.clock import Deadline
from ludorum.errors import NotSeparable
from ludorum.search.factored_values import factored_values
from ludorum.search.minimax import MinimaxSearch
from ludorum.search.values import solve_values

pytestmark = pytest.mark.slow

LONG = 60.0
GGP_ORG = GAMES / "ggp.org"

# A pile of stones for each hand; whoever takes the last stone of a pile has it. While one takes from the left pile, the
# other takes from the right one, and the other way round the next time.
PILES = """
(role ann) (role bob)
(init (left {left})) (init (right {right})) (init (turn ann))
(<= (next (turn ann)) (true (turn bob))) (<= (next (turn bob)) (true (turn ann)))
(other ann bob) (other bob ann)
(less 1 1 0) (less 2 1 1) (less 2 2 0) (less 3 1 2) (less 3 2 1) (less 4 1 3) (less 4 2 2) (less 5 1 4) (less 5 2 3)
(<= (legal ?r (from left ?k)) (true (turn ?r)) (true (left ?n)) (less ?n ?k ?m))
(<= (legal ?r (from right ?k)) (true (turn ?o)) (other ?o ?r) (true (right ?n)) (less ?n ?k ?m))
(<= (legal ?r wait) (true (turn ?r)) (true (left 0)))
(<= (legal ?r wait) (true (turn ?o)) (other ?o ?r) (true (right 0)))
(<= (next (left ?m)) (does ?r (from left ?k)) (true (left ?n)) (less ?n ?k ?m))
(<= (next (right ?m)) (does ?r (from right ?k)) (true (right ?n)) (less ?n ?k ?m))
(<= (next (left 0)) (true (left 0))) (<= (next (right 0)) (true (right 0)))
(<= (next (has ?r left)) (does ?r (from left ?k)) (true (left ?n)) (less ?n ?k 0))
(<= (next (has ?r right)) (does ?r (from right ?k)) (true (right ?n)) (less ?n ?k 0))
(<= (next (has ?r ?p)) (true (has ?r ?p)))
(<= terminal (true (left 0)) (true (right 0)))
{goals}
"""
SUM = """
(<= (goal ?r 100) (role ?r) (true (has ?r left)) (true (has ?r right)))
(<= (goal ?r 60) (true (has ?r left)) (other ?r ?o) (true (has ?o right)))
(<= (goal ?r 40) (true (has ?r right)) (other ?r ?o) (true (has ?o left)))
(<= (goal ?r 0) (role ?r) (not (true (has ?r left))) (not (true (has ?r right))))
"""


@pytest.mark.parametrize("left", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("right", [3, 4])
def test_two_piles_are_worth_what_each_is_worth(left: int, right: int) -> None:
    # With one or two stones a turn, a pile is lost to whoever has to move where three divides it.
    game = ludorum.load(PILES.format(left=left, right=right, goals=SUM))
    found = factored_values(game)
    ann = (60 if left % 3 else 0) + (0 if right % 3 else 40)
    assert found.values == {"ann": ann, "bob": 100 - ann}
    assert MinimaxSearch(game, goals=0, mobility=0).search().values == found.values
    state = game.initial
    for joint in found.principal_variation:
        state = state.after(joint)
    assert state.is_terminal
    assert state.goals == found.values


def test_goals_that_are_no_sum_keep_a_game_together() -> None:
    both_or_nothing = """
    (<= (goal ?r 100) (role ?r) (true (has ?r left)) (true (has ?r right)))
    (<= (goal ann 10) (true (has ann left)) (true (has bob right)))
    (<= (goal bob 90) (true (has ann left)) (true (has bob right)))
    (<= (goal ann 10) (true (has ann right)) (true (has bob left)))
    (<= (goal bob 90) (true (has ann right)) (true (has bob left)))
    (<= (goal ?r 0) (role ?r) (not (true (has ?r left))) (not (true (has ?r right))))
    """
    with pytest.raises(NotSeparable, match="sum"):
        factored_values(ludorum.load(PILES.format(left=4, right=3, goals=both_or_nothing)))


def test_a_game_that_ends_before_its_parts_do_is_kept_together() -> None:
    text = PILES.format(left=4, right=3, goals=SUM).replace("(<= terminal (true (left 0)) (true (right 0)))",
                                                            "(<= terminal (true (left 0)))")
    with pytest.raises(NotSeparable, match="some end has no goal value"):
        factored_values(ludorum.load(text))


def test_a_board_is_not_taken_apart() -> None:
    with pytest.raises(NotSeparable, match="one game"):
        factored_values(ludorum.load("tictactoe"))


@pytest.mark.corpus
def test_double_tictactoe_is_a_draw_on_both_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a machine with other work a tenth of the time may be too short for the parts.
    monkeypatch.setattr("ludorum.search.values._PREPARATION_SHARE", 1.0)
    monkeypatch.setattr("ludorum.search.values._PREPARATION_MAX_S", LONG)
    found = solve_values(ludorum.load(GGP_ORG / "doubletictactoe.kif"), Deadline.within(LONG))
    assert found is not None
    assert found.method == "factors"
    assert found.values == {"xplayer": 50, "oplayer": 50}
    assert found.assumes == ()
