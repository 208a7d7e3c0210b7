"""The players `minimax` and `greedy`."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import ludorum
from ludorum import Game, Move, Outcome
from ludorum.clock import Deadline
from ludorum.errors import UnknownPlayer
from ludorum.players import AnyPlayer, Greedy, Minimax, Random, join_match, named


@pytest.fixture(params=["greedy", "minimax:states=2000,depth=2"])
def player(request: pytest.FixtureRequest) -> AnyPlayer:
    return named(request.param)


def test_a_win_is_taken(player: AnyPlayer, tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    assert join_match(player, tictactoe, "xplayer").move(state, Deadline.within(60)) == Move("(mark 1 3)")


def test_a_loss_is_prevented(player: AnyPlayer, tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 2) (mark 1 2)")
    assert join_match(player, tictactoe, "oplayer").move(state, Deadline.within(20)) == Move("(mark 1 3)")


def test_it_can_say_why(player: AnyPlayer, tictactoe: Game) -> None:
    playing = join_match(player, tictactoe, "xplayer")
    assert playing.info is None
    state = tictactoe.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    move = playing.move(state, Deadline.within(60))
    assert playing.info is not None
    assert playing.info.principal_variation[0]["xplayer"] == move
    assert playing.info.states > 0


@pytest.mark.parametrize("name", ["tictactoe3p", "rockpaperscissors", "pig", "eightpuzzle", "meier"])
def test_any_kind_of_game_is_played_legally(player: AnyPlayer, name: str) -> None:
    game = ludorum.load(name)
    seats: dict[str, AnyPlayer] = {
        role: player if number == 0 else Random(seed=number)
        for number, role in enumerate(role for role in game.roles if role != "random")}
    match = ludorum.play(game, seats, seed=1, max_steps=12)
    assert match.outcome in (Outcome.FINISHED, Outcome.CUT)


def test_minimax_never_loses_tictactoe() -> None:
    game = ludorum.load("tictactoe")
    for seed in range(6):
        assert ludorum.play(game, xplayer=Minimax(depth=9), oplayer=Random(seed=seed)).goals["xplayer"] in (50, 100)
        assert ludorum.play(game, xplayer=Random(seed=seed), oplayer=Minimax(depth=9)).goals["oplayer"] in (50, 100)
    assert ludorum.play(game, xplayer=Minimax(depth=9), oplayer=Minimax(depth=9)).goals["xplayer"] == 50


@pytest.mark.parametrize("player", ["greedy:seed=1", "minimax:states=3000"])
def test_looking_ahead_beats_chance_at_connect_four(player: str) -> None:
    game = ludorum.load("connectfour")
    for seed in range(3):
        assert ludorum.play(game, red=named(player), black=Random(seed=seed)).goals["red"] == 100
        assert ludorum.play(game, red=Random(seed=seed), black=named(player)).goals["black"] == 100


def test_the_same_seed_makes_the_same_choices(tictactoe: Game) -> None:
    state = tictactoe.initial
    for make in (lambda: Greedy(seed=3), lambda: Minimax(states=500, seed=3)):
        if tictactoe.engine in ("prolog", "reference") and isinstance(make(), Minimax):
            continue  # by the clock there
        assert len({make().move(state, "xplayer") for _ in range(3)}) == 1


def test_seeds_break_ties_differently() -> None:
    game = ludorum.load("tictactoe")
    for make in (lambda seed: Greedy(seed=seed), lambda seed: Minimax(depth=1, mobility=0, seed=seed)):
        player: Callable[[int], AnyPlayer] = make
        moves = {join_match(player(seed), game, "xplayer").move(game.initial, Deadline()) for seed in range(12)}
        assert len(moves) > 3


def test_the_only_move_is_made_without_thinking(tictactoe: Game) -> None:
    assert Minimax(seconds=1000).move(tictactoe.initial, "oplayer") == Move("noop")


def test_minimax_keeps_the_clock_it_is_given() -> None:
    game = ludorum.load("connectfour")
    player = Minimax(seconds=1000).join(game, game.role("red"))
    player.prepare(Deadline.within(0.2))
    begin = time.monotonic()
    deadline = Deadline.within(0.3)
    assert player.move(game.initial, deadline) in game.initial.legal("red")
    # It would have thought for a quarter of an hour; how late a busy machine lets it be is not what is tested.
    assert time.monotonic() - begin < 60


def test_a_deadline_that_has_passed_still_gets_a_legal_move(player: AnyPlayer, tictactoe: Game) -> None:
    playing = join_match(player, tictactoe, "xplayer")
    assert playing.move(tictactoe.initial, Deadline.within(-1)) in tictactoe.initial.legal("xplayer")


@pytest.mark.parametrize("text", ["minimax:seconds=0", "minimax:depth=-1", "minimax:goals=-1", "greedy:mobility=-2",
                                  "minimax:table_mb=-5", "greedy:depth=2"])
def test_options_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(UnknownPlayer):
        named(text)
