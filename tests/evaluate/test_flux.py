"""The player `flux`."""

from __future__ import annotations

import threading

import pytest

import ludorum
from ludorum import Move, Outcome, evaluate
from ludorum.clock import Deadline
from ludorum.errors import UnknownPlayer
from ludorum.players import AnyPlayer, Flux, Random, join_match, named


@pytest.mark.parametrize("leaves", ["binary", "distances"])
def test_a_win_is_taken_and_a_loss_prevented(leaves: str) -> None:
    game = ludorum.load("tictactoe")
    player = named(f"flux:states=2000,leaves={leaves}")
    winning = game.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    assert join_match(player, game, "xplayer").move(winning, Deadline.within(60)) == Move("(mark 1 3)")
    losing = game.replay("(mark 1 1) (mark 2 2) (mark 1 2)")
    assert join_match(player, game, "oplayer").move(losing, Deadline.within(60)) == Move("(mark 1 3)")


@pytest.mark.parametrize("name", ["tictactoe3p", "rockpaperscissors", "pig", "eightpuzzle"])
def test_any_kind_of_game_is_played_legally(name: str) -> None:
    game = ludorum.load(name)
    seats: dict[str, AnyPlayer] = {
        role: Flux(states=500, seed=1) if number == 0 else Random(seed=number)
             for number, role in enumerate(role for role in game.roles if role != "random")}
    match = ludorum.play(game, seats, seed=1, max_steps=12)
    assert match.outcome in (Outcome.FINISHED, Outcome.CUT)


def test_distances_alone_win_races() -> None:
    # One step ahead there is nothing to see but how far the pawns are.
    game = ludorum.load("breakthrough")
    for seed in range(5):
        assert ludorum.play(game, white=Flux(depth=1), black=Random(seed=seed)).goals["white"] == 100


@pytest.mark.parametrize("text", [
    "Flux(seconds=1.0)",
    "Flux(seconds=0.5, states=500, leaves='binary', openings=2, seed=1)",
    "Flux(seconds=1.0, depth=3, mobility=0.25, fitted=True, nonuniform=False)",
])
def test_it_is_written_as_it_was_made(text: str) -> None:
    assert repr(eval(text)) == text


def test_without_a_circuit_it_searches_all_the_same() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    player = Flux(60, states=2000).join(game, game.role("xplayer"))
    winning = game.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    assert player.move(winning, Deadline.within(60)) == Move("(mark 1 3)")
    assert player.why_not is not None
    assert "has no circuit" in player.why_not


def test_without_time_it_searches_all_the_same_and_takes_the_evaluation_up_when_there_is_time() -> None:
    game = ludorum.load("othello")
    player = Flux(states=100).join(game, game.roles[0])
    player.prepare(Deadline.within(0))
    assert player.why_not is not None
    assert player.move(game.initial) in game.initial.legal(game.roles[0])
    assert player.why_not is None


def test_an_evaluation_that_is_late_is_taken_up_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game, gate = ludorum.load("tictactoe"), threading.Event()
    made = evaluate.evaluation(game)

    def slow(*_: object, **__: object) -> evaluate.StateEvaluation:
        gate.wait(60)
        return made

    monkeypatch.setattr(evaluate, "evaluation", slow)
    player = Flux(states=100).join(game, "xplayer")
    assert player.move(game.initial, Deadline.within(0.2)) in game.initial.legal("xplayer")
    assert player.why_not == "the evaluation was not made in time"
    gate.set()
    assert player.move(game.initial, Deadline.within(600)) in game.initial.legal("xplayer")
    assert player.why_not is None


def test_it_knows_one_game_after_the_other() -> None:
    player, tictactoe, small = Flux(states=300), ludorum.load("tictactoe"), ludorum.load("smallconnectfour")
    for game in (tictactoe, small, tictactoe):
        role = game.roles[0]
        assert player.move(game.initial, role, Deadline.within(30)) in game.initial.legal(role)


@pytest.mark.parametrize("options", ["truth=2", "leaves=far", "exponent=-1", "seconds=0"])
def test_options_that_make_no_sense_are_refused(options: str) -> None:
    with pytest.raises(UnknownPlayer):
        named(f"flux:{options}")
