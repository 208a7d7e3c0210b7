"""`ludorum play` in games with secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ludorum
from ludorum import Move, Role
from ludorum.cli.onlooker import Insider

# Chance hides a coin in one of two hands, and the seeker, who is told nothing, says in which.
HANDS = """
(role seeker) (role random) (hand left) (hand right) (init hiding)
(<= (legal random (hide ?h)) (true hiding) (hand ?h))
(<= (legal random wait) (not (true hiding)))
(<= (legal seeker wait) (true hiding))
(<= (legal seeker (say ?h)) (not (true hiding)) (hand ?h))
(<= (next (coin ?h)) (does random (hide ?h)))
(<= (next (coin ?h)) (true (coin ?h)))
(<= (next (said ?h)) (does seeker (say ?h)))
(<= (sees seeker ready) (does random (hide ?h)))
(<= terminal (true (said ?h)))
(<= (goal seeker 100) (true (said ?h)) (true (coin ?h)))
(<= (goal seeker 0) (true (said ?h)) (not (true (coin ?h))))
(<= (goal seeker 0) (not (true (said left))) (not (true (said right))))
(goal random 0)
"""


def test_the_engine_does_not_look_behind_what_its_role_is_told(run: Callable[..., Any]) -> None:
    goals = [run("play", HANDS, "--json", "--seconds", "0.02", "--seed", seed).json["goals"]["seeker"]
             for seed in range(12)]
    # Whoever sees the coin never misses it.
    assert 0 in goals


def test_where_it_lost_track_of_the_states_it_claims_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    game = ludorum.load(HANDS)
    insider = Insider(game, Role("seeker"))
    insider(game.initial, {})
    hidden = game.initial.after({"random": "(hide left)"})
    # As if the match were none of the states that are known: in none of them can this be said already.
    insider(hidden, {Role("seeker"): Move("(say left)"), Role("random"): Move("(hide left)")})
    shown = capsys.readouterr().out
    assert "seeker is told ready" in shown
    assert "more than can be worked out" in shown
    assert "coin" not in shown
