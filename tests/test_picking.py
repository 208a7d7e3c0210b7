"""The player `ludorum`: who it lets play, and why."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Game, Move, State
from ludorum.clock import NEVER, Deadline
from ludorum.errors import LudorumError
from ludorum.players import Ludorum, Player, Random
from ludorum.players import ludorum as picking
from ludorum.players.trial import FIRST, MATCHES, NEEDED, Score, try_out

# Far more than any of these trials needs, on however busy a machine.
LONG = 120.0

# In turn both say a word, twelve in all; whoever says a bad one loses.
WORDS = """
(role left) (role right) (other left right) (other right left)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(succ 10 11) (succ 11 12)
(init (turn left)) (init (step 0))
(<= (legal ?r good) (true (turn ?r)))
(<= (legal ?r bad) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (erred ?r)) (does ?r bad))
(<= (next (erred ?r)) (true (erred ?r)))
(<= terminal (true (step 12)))
(<= terminal (true (erred ?r)))
(<= (goal ?r 0) (role ?r) (true (erred ?r)))
(<= (goal ?r 100) (other ?r ?o) (true (erred ?o)) (not (true (erred ?r))))
(<= (goal ?r 50) (role ?r) (not (true (erred left))) (not (true (erred right))))
"""


class Says:
    """Says the same word whenever it may."""

    def __init__(self, word: str) -> None:
        self._word = Move(word)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        legal = state.legal(role)
        return self._word if self._word in legal else legal[0]


@pytest.fixture(scope="module")
def words() -> Game:
    return ludorum.load(WORDS)


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load("tictactoe")


def picked(game: Game, start_clock: float | None) -> Ludorum:
    player = Ludorum(0.02, seed=1)
    player.prepare(game, game.roles[0], Deadline.within(start_clock))
    return player


def test_a_challenger_that_always_wins_is_convincing_and_one_that_always_loses_is_soon_out(words: Game) -> None:
    def score(champion: str, challenger: str) -> Score | None:
        return try_out(words, Says(champion), Says(challenger), Deadline.within(LONG))

    assert score("bad", "good") == Score(5, 5)
    # Four matches lost are enough to know that nine of twelve cannot be won, and so are seven that were drawn.
    assert score("good", "bad") == Score(0, 4)
    assert score("good", "good") == Score(3.5, 7)


def test_a_trial_without_time_tries_nobody(words: Game) -> None:
    assert try_out(words, Says("bad"), Says("good"), Deadline.within(0)) is None


def test_all_matches_may_be_won_before_a_challenger_is_convincing() -> None:
    assert not Score(8.5, 11).is_over
    assert Score(8.5, MATCHES).is_over
    assert not Score(8.5, MATCHES).is_convincing
    assert Score(NEEDED, MATCHES).is_convincing
    assert not Score(FIRST, FIRST + 1).is_convincing


@pytest.mark.parametrize(("name", "why"), [
    ("eightpuzzle", "solver, since the game has one role"), ("pig", "mcts, since the game has chance or secrets")])
def test_some_games_need_no_trial(name: str, why: str) -> None:
    assert picked(ludorum.load(name), 0.3).why == why


def test_without_a_long_start_clock_the_tree_search_plays(tictactoe: Game) -> None:
    for start_clock in (None, 1.0):
        assert picked(tictactoe, start_clock).why == "mcts, since there was no time for a trial"
    unprepared = Ludorum(0.02, seed=1)
    assert unprepared.move(tictactoe.initial, "xplayer") in tictactoe.initial.legal("xplayer")
    assert unprepared.why == "mcts, since there was no time for a trial"


def test_without_a_circuit_only_those_are_tried_that_need_no_evaluation() -> None:
    why = picked(ludorum.load("tictactoe", engine="relations"), 12.0).why
    assert "cadia won " in why
    assert "has no circuit" in why
    assert "flux" not in why


def test_tictactoe_is_a_draw_whoever_plays_it_so_the_tree_search_does(tictactoe: Game) -> None:
    player = picked(tictactoe, 18.0)
    assert player.why.startswith("mcts, since mcts with a prior won ")
    assert "; cadia won " in player.why
    assert player.move(tictactoe.initial, "xplayer", Deadline.within(5)) in tictactoe.initial.legal("xplayer")
    assert player.thoughts is not None
    assert player.thoughts.method.endswith(player.why)


@pytest.mark.parametrize(("winners", "last"), [
    ("flux by fluents", "flux won 3 of 12 quick matches against flux by fluents"),
    ("cadia", "flux won 3 of 12 quick matches against cadia"),
    ("mcts with a prior", "flux won 3 of 12 quick matches against mcts with a prior"),
    ("flux", "flux won 9 of 12 quick matches against mcts"),
    ("mcts with a prior, cadia with a prior, flux", "flux won 9 of 12 quick matches against cadia with a prior")])
def test_who_convinces_is_to_be_beaten_from_then_on(tictactoe: Game, monkeypatch: pytest.MonkeyPatch, winners: str,
                                                     last: str) -> None:
    met = iter(["mcts with a prior", "cadia with a prior" if winners.startswith("mcts") else "cadia", "flux by fluents",
                "flux"])

    def convinced(game: Game, champion: Player, challenger: Player, deadline: Deadline, *, seed: int) -> Score:
        return Score(9 if next(met) in winners.split(", ") else 3, 12)

    monkeypatch.setattr(picking, "try_out", convinced)
    player = picked(tictactoe, 10.0)
    assert player.why.startswith(f"{winners.split(', ')[-1]}, since mcts with a prior won ")
    assert player.why.endswith(last)
    assert ludorum.play(tictactoe, xplayer=player, oplayer=Random(seed=1)).goals["xplayer"] == 100


def test_a_trial_that_fails_does_not_cost_the_match(tictactoe: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> Score:
        raise LudorumError("out of luck")

    monkeypatch.setattr(picking, "try_out", failing)
    player = picked(tictactoe, 10.0)
    assert player.why == "mcts, since the trial failed: out of luck"
    assert player.move(tictactoe.initial, "xplayer") in tictactoe.initial.legal("xplayer")


def test_a_game_after_another_is_picked_for_anew(tictactoe: Game) -> None:
    player = picked(ludorum.load("eightpuzzle"), 0.3)
    player.prepare(tictactoe, tictactoe.role("xplayer"), Deadline.within(0.3))
    assert player.why.startswith("mcts")
    player.finish()
