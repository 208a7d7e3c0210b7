"""Moves that change and tell nothing are left out of search, and nothing else is."""

from __future__ import annotations

import pytest

import ludorum
from collection import GAMES
from ludorum.analysis.idle import without_idle_moves

# A market that hears bids at time 1 alone, and where c sends what nobody heeds.
LATE = """
trader(a). trader(c). prices(0,3).
message(A,bid(P)) <= trader(A) ∧ P ≥ 0.
next(bid(P)) <= receive(a,bid(P)) ∧ time(1).
terminal <= time(3).
"""


def test_what_nobody_hears_is_left_to_silence() -> None:
    game = ludorum.load(LATE)
    assert game.perft(3) == [25, 25**2, 25**3]
    assert without_idle_moves(game).perft(3) == [1, 5, 5]


def test_states_percepts_and_goals_stay_as_they_are() -> None:
    game = ludorum.load(LATE)
    lean = without_idle_moves(game)
    quiet = {"a": "silent", "c": "silent"}
    loud = {"a": "(bid 2)", "c": "silent"}
    assert lean.replay([quiet, loud, quiet]).fluents == game.replay([loud, loud, loud]).fluents


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "kuhnpoker", "vickrey"])
def test_where_every_move_matters_none_is_left_out(name: str) -> None:
    game = ludorum.load(name)
    assert without_idle_moves(game).perft(4) == game.perft(4)


@pytest.mark.corpus
def test_the_auction_of_the_slides_has_one_tick_that_matters() -> None:
    text = "".join((GAMES / "markets" / name).read_text(encoding="utf-8")
                   for name in ("sealed-bid.msl", "private-values.scenario"))
    # 36 deals, 49 pairs of messages at time 1, and at time 2 the 55/49 ways to clear them.
    assert without_idle_moves(ludorum.load(text)).perft(6) == [6, 36, 36, 36 * 49, 36 * 55, 0]
