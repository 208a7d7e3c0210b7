"""Players and the matches they play."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import ludorum
from ludorum import Game, Move, Outcome, State
from ludorum.clock import Deadline
from ludorum.errors import IllegalMove, MissingPlayer, UnknownPlayer, UnknownRole
from ludorum.players import MCTS, Legal, MonteCarlo, Random, named


def test_a_match_keeps_its_states_moves_and_goals(tictactoe: Game) -> None:
    match = ludorum.play(tictactoe, xplayer=Legal(), oplayer=Legal())
    # In the order of their text the marks run along the columns, so x ends with (mark 3 1) on the diagonal.
    assert [str(joint["xplayer"]) for joint in match.moves][::2] == [
        "(mark 1 1)", "(mark 1 3)", "(mark 2 2)", "(mark 3 1)"]
    assert match.goals == {"xplayer": 100, "oplayer": 0}
    assert len(match.states) == len(match.moves) + 1
    assert match.states[0] == tictactoe.initial
    assert match.states[-1] == tictactoe.replay(match.moves)
    assert match.outcome is Outcome.FINISHED


def test_players_come_as_a_mapping_too(roshambo: Game) -> None:
    match = ludorum.play(roshambo, {"left": Legal(), "right": Legal()})
    assert match.moves == ({"left": Move("paper"), "right": Move("paper")},)
    assert match.goals == {"left": None, "right": None}


def test_random_players_repeat_themselves_from_the_same_seed(tictactoe: Game) -> None:
    one, other = (ludorum.play(tictactoe, xplayer=Random(seed=1), oplayer=Random(seed=2)) for _ in range(2))
    assert one.moves == other.moves


def test_the_referee_plays_the_role_random(coin: Game) -> None:
    matches = [ludorum.play(coin, guesser=Legal(), seed=seed) for seed in range(20)]
    assert {str(match.moves[0]["random"]) for match in matches} == {"(flip heads)", "(flip tails)"}


def test_a_match_that_gets_stuck_ends(cul_de_sac: Game) -> None:
    match = ludorum.play(cul_de_sac, walker=Legal())
    assert match.outcome is Outcome.STUCK
    assert match.moves == ({"walker": Move("go")},)


def test_a_match_is_cut_at_the_limit_of_steps(tictactoe: Game) -> None:
    match = ludorum.play(tictactoe, xplayer=Legal(), oplayer=Legal(), max_steps=3)
    assert match.outcome is Outcome.CUT
    assert len(match.moves) == 3


def test_every_role_needs_a_player_and_every_player_a_role(tictactoe: Game) -> None:
    with pytest.raises(MissingPlayer, match="oplayer"):
        ludorum.play(tictactoe, xplayer=Legal())
    with pytest.raises(UnknownRole, match="white"):
        ludorum.play(tictactoe, xplayer=Legal(), oplayer=Legal(), white=Legal())


def test_a_player_cannot_cheat(tictactoe: Game) -> None:
    class Cheat:
        def move(self, state: State, role: str, deadline: Deadline) -> Move:
            return Move("(mark 9 9)")

    with pytest.raises(IllegalMove, match=r"xplayer cannot play \(mark 9 9\)"):
        ludorum.play(tictactoe, xplayer=Cheat(), oplayer=Legal())


def test_monte_carlo_wins_where_one_move_is_enough(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    assert MonteCarlo(playouts=30, seed=1).move(state, "xplayer") == Move("(mark 1 3)")


def test_monte_carlo_prevents_a_loss_in_the_next_move(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 2) (mark 1 2)")
    assert MonteCarlo(playouts=30, seed=1).move(state, "oplayer") == Move("(mark 1 3)")


def test_monte_carlo_repeats_itself_from_the_same_seed(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 2) (mark 3 3)")
    assert len({MonteCarlo(playouts=10, seed=9).move(state, "oplayer") for _ in range(3)}) == 1


def test_monte_carlo_always_has_a_move_however_short_the_time(tictactoe: Game) -> None:
    move = MonteCarlo(seconds=0).move(tictactoe.initial, "xplayer")
    assert move in tictactoe.initial.legal("xplayer")


def test_monte_carlo_tries_few_at_a_time_where_playouts_take_long(
        tictactoe: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    playouts, made = Game.playouts, []

    def slow(game: Game, n: int, *arguments: Any, **options: Any) -> Any:
        made.append(n)
        time.sleep(0.01 * n)
        return playouts(game, n, *arguments, **options)

    monkeypatch.setattr(Game, "playouts", slow)
    MonteCarlo(seconds=0.3).move(tictactoe.initial, "xplayer")
    # Two take a fifteenth of the time already.
    assert max(made) <= 4


def test_monte_carlo_beats_a_random_player_at_connect_four() -> None:
    game = ludorum.load("connectfour")
    for seed in range(3):
        match = ludorum.play(game, red=MonteCarlo(playouts=2000, seed=seed), black=Random(seed=seed))
        assert match.goals == {"red": 100, "black": 0}


def test_who_has_no_time_tries_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = ludorum.load("tictactoe", engine="reference")
    monkeypatch.setattr(Game, "playouts", lambda *_, **__: pytest.fail("it tried a move out"))
    assert MCTS(0).move(slow.initial, "xplayer") in slow.initial.legal("xplayer")


def test_a_player_is_named_with_its_options() -> None:
    assert repr(named("random:seed=3")) == "Random(seed=3)"
    assert repr(named("random")) == "Random()"
    assert repr(named("montecarlo:playouts=100,seed=none", seed=4)) == "MonteCarlo(playouts=100, seed=None)"
    assert repr(named("legal", seed=4)) == "Legal()"


def test_options_that_are_inherited_have_the_types_of_their_own_module(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "careful.py").write_text("""
from __future__ import annotations
from ludorum.players import MCTS

class Careful(MCTS):
    DEFAULTS = {"exploration": 0.9}
""", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert repr(named("careful:Careful:policy=mast,seed=1")) == "Careful(seed=1, policy='mast')"


@pytest.mark.parametrize(("text", "message"), [
    ("grandmaster", "there is no player 'grandmaster', only random, legal"),
    ("legal:seed=3", "legal has no option 'seed'; it has no options"),
    ("random:sede=3", "random has no option 'sede'; its options are seed"),
    ("random:seed", "'seed' is no option of random: write OPTION=VALUE; its options are seed"),
    ("random:seed=often", "random cannot have seed=often: seed is a whole number or none"),
    ("mcts:policy=luck", "mcts cannot have policy=luck: policy is uniform or mast or nst"),
    ("greedy:goals=nan", "greedy cannot have goals=nan"),
    ("minimax:seconds=inf", "minimax cannot have seconds=inf"),
    ("minimax:depth=5000", "depth is between 1 and 1000"),
    ("ludorum:threads=0", "threads must be between 1 and"),
    ("ludorum:seconds=-1", "seconds cannot be -1"),
    ("montecarlo:playouts=0", "playouts and threads not less than 1"),
    ("solver:seconds=-1", "seconds cannot be less than 0"),
])
def test_a_wrong_name_or_option_is_explained(text: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        named(text)
    assert message in str(error.value)
