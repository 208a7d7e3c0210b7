"""What is proved to stay as it is counts for what it is."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.analysis.invariants import INVARIANTS, Invariants, invariants
from ludorum.clock import Deadline
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.players import Flux, Minimax
from ludorum.search.minimax import MinimaxSearch

#: One collects two stones, and may lose a vase that is wanted, too; nothing brings it back.
VASE = """
(role r)
(init (has vase)) (init (turn 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(legal r take) (legal r drop) (legal r wait)
(<= (next (has vase)) (true (has vase)) (not (does r drop)))
(<= (next (has ?x)) (true (has ?x)) (distinct ?x vase))
(<= (next (has first)) (does r take))
(<= (next (has second)) (does r take) (true (has first)))
(<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
(<= terminal (true (turn 4)))
(<= won (true (has vase)) (true (has first)) (true (has second)))
(<= (goal r 100) won)
(<= (goal r 0) (not won))
"""


@pytest.fixture(scope="module")
def vase() -> ludorum.Game:
    return ludorum.load(VASE)


@pytest.mark.parametrize("form", ["yager", "product"])
def test_what_is_lost_for_good_is_worth_less_than_what_is_only_missing(vase: ludorum.Game, form: str) -> None:
    settings = EvaluationSettings(leaves="binary", form="product" if form == "product" else "yager")
    known = invariants(vase)
    assert {str(fluent) for fluent in known.stays_false} >= {"(has vase)"}
    assert {str(fluent) for fluent in known.stays_true} >= {"(has first)", "(has second)"}
    lost, kept = vase.replay("drop"), vase.replay("wait")
    guessed, sure = (evaluation(vase, settings, invariants=some) for some in (Invariants(), known))
    assert sure.values(lost)["r"] < guessed.values(lost)["r"]
    # The vase is there and may yet be lost: nothing is sure about that.
    assert sure.values(kept)["r"] == pytest.approx(guessed.values(kept)["r"])


def test_what_is_won_for_good_is_worth_more(vase: ludorum.Game) -> None:
    settings = EvaluationSettings(leaves="binary", form="product")
    taken = vase.replay("take")
    guessed, sure = (evaluation(vase, settings, invariants=some) for some in (Invariants(), invariants(vase)))
    assert sure.values(taken)["r"] > guessed.values(taken)["r"]


def test_a_game_compiled_with_what_is_proved_is_evaluated_by_it(vase: ludorum.Game) -> None:
    known = invariants(vase)
    compiled = vase.specialized(known)
    lost = compiled.replay("drop")
    assert evaluation(compiled).values(lost) == pytest.approx(evaluation(vase, invariants=known).values(
        vase.replay("drop")))


def test_a_search_that_is_told_what_is_proved_assumes_no_constant_sum() -> None:
    game = ludorum.load("tictactoe")
    known = invariants(game)
    assert known.turn_taking
    found = MinimaxSearch(game, invariants=known).search(depth=2)
    assert (found.method, found.assumes) == ("alpha-beta", ())
    assert MinimaxSearch(game).search(depth=2).assumes == ("the goals of the two roles always have the same sum",)


@pytest.mark.parametrize("player", [Minimax(states=200), Flux(60, states=200)])
def test_players_prove_what_they_can_before_the_first_move(player: Minimax | Flux) -> None:
    game = ludorum.load("tictactoe")
    playing = player.join(game, game.role("xplayer"))
    playing.prepare(Deadline.within(60))
    known = game.findings.known(INVARIANTS)
    assert known is not None
    assert known.value.constant_sum == 100
    assert playing.move(game.initial) in game.initial.legal("xplayer")


def test_players_that_are_in_a_hurry_prove_nothing() -> None:
    game = ludorum.load("tictactoe")
    Flux(60, states=200).join(game, game.roles[0]).prepare(Deadline.within(1))
    assert game.findings.known(INVARIANTS) is None
