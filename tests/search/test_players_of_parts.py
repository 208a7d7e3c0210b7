"""Players that search a game by its parts."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.clock import NEVER, Deadline
from ludorum.players import MCTS, Ludorum, Playing, join_match
from ludorum.players.factored import FactoredPlanner
from ludorum.players.naming import named
from piles import SUM, WITH_THE_FIRST, WITH_THE_LAST, piles

pytestmark = pytest.mark.slow

SEARCHERS = ["mcts:playouts=60,factors=on,seed=1", "cadia:playouts=60,factors=on,seed=1",
             "minimax:states=60,factors=on,seed=1"]

# A walker on each of two circles of places.
WALKERS = """
(role guide) (side left) (side right) (way on) (way back) (init (at left 0)) (init (at right 0)) (init (hour 1))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 0)
(tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7)
(<= (next (hour ?n)) (true (hour ?m)) (tick ?m ?n))
(<= (next (at ?s ?q)) (goes ?s on) (true (at ?s ?p)) (after ?p ?q))
(<= (next (at ?s ?q)) (goes ?s back) (true (at ?s ?p)) (after ?q ?p))
(<= (goal guide 0) (not won)) (<= (goal guide 100) won)
"""
# The guide tells both where to go, or one of them while the other stays; the latter wins by either of them.
AT_ONCE = """
(<= (legal guide (walk ?l ?r)) (way ?l) (way ?r))
(<= (goes left ?w) (does guide (walk ?w ?v))) (<= (goes right ?w) (does guide (walk ?v ?w)))
(<= terminal (true (hour 5))) (<= won (true (at left 4)) (true (at right 2)))
"""
ONE_AT_A_TIME = """
(<= (legal guide (walk ?s ?w)) (side ?s) (way ?w)) (<= (goes ?s ?w) (does guide (walk ?s ?w)))
(<= (next (at ?s ?p)) (true (at ?s ?p)) (not (moves ?s))) (<= (moves ?s) (goes ?s ?w))
(<= terminal (true (hour 7))) (<= won (true (at left 4))) (<= won (true (at right 3)))
"""


def method(playing: Playing) -> str:
    assert playing.info is not None
    return playing.info.method


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(("left", "right"), [(4, 3), (5, 5), (3, 4)])
def test_a_pile_goes_to_whom_it_is_due(name: str, left: int, right: int) -> None:
    # With one or two stones a turn, a pile is lost to whoever has to move where three divides it.
    game = piles(WITH_THE_LAST, SUM, left=left, right=right)
    ann = (60 if left % 3 else 0) + (0 if right % 3 else 40)
    assert ludorum.play(game, {role: named(name) for role in game.roles}).goals == {"ann": ann, "bob": 100 - ann}
    player = join_match(named(name), game, game.roles[0])
    player.move(game.initial, NEVER)
    assert method(player).startswith("2 games apart: ")


def test_thoughts_tell_what_the_parts_make_together() -> None:
    game = piles(WITH_THE_LAST, SUM, left=4, right=3)
    player = MCTS(playouts=2_000, factors=True, seed=1).join(game, game.role("ann"))
    move = player.move(game.initial)
    assert player.info is not None
    # Ann takes from the left pile only, and she did not think about the right one.
    assert move in game.initial.legal("ann")
    assert player.info.values == {}
    assert 0 < player.info.playouts <= 2_000
    assert method(player).startswith("2 games apart: ")


@pytest.mark.parametrize("name", SEARCHERS)
def test_parts_have_no_more_work_together_than_the_whole_would(name: str) -> None:
    game = piles(WITH_THE_LAST, SUM, left=5, right=5)
    player = join_match(named(name), game, game.roles[0])
    player.prepare(NEVER)
    player.move(game.initial, NEVER)
    assert player.info is not None
    # What is in flight when the limit is reached is finished.
    assert player.info.playouts <= 60 + 64
    assert player.info.playouts > 0 or 0 < player.info.states <= 60


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_race_is_played_apart_too(name: str) -> None:
    game = piles(WITH_THE_FIRST, SUM)
    player = join_match(named(name), game, game.roles[0])
    assert player.move(game.initial, NEVER) in game.initial.legal("ann")
    assert method(player).startswith("2 games apart: ")


@pytest.mark.parametrize("moves", [AT_ONCE, ONE_AT_A_TIME])
def test_a_puzzle_is_solved_by_its_parts(moves: str) -> None:
    game = ludorum.load(WALKERS + moves)
    player = MCTS(playouts=400, factors=True, seed=1)
    assert ludorum.play(game, guide=player).goals == {"guide": 100}
    playing = player.join(game, game.role("guide"))
    playing.move(game.initial)
    assert method(playing) == "a plan by parts"


def test_without_a_plan_the_whole_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    # A plan is looked for by the clock, and a fast machine would find this one at once.
    monkeypatch.setattr(FactoredPlanner, "_look", lambda *_: None)
    game = ludorum.load(WALKERS + AT_ONCE)
    player = MCTS(playouts=2, factors=True, seed=1).join(game, game.role("guide"))
    assert player.move(game.initial) in game.initial.legal("guide")
    assert method(player) == "tree search"


def test_one_game_is_searched_as_ever() -> None:
    game = ludorum.load("tictactoe")
    moves = {MCTS(playouts=300, seed=3, factors=wanted).move(game.initial, "xplayer") for wanted in (False, True)}
    assert len(moves) == 1


def test_a_state_that_cannot_come_about_is_searched_as_a_whole() -> None:
    game = piles(WITH_THE_LAST, SUM)
    state = game.state("(pile left 4) (pile right 5) (hand left ann) (hand left bob)")
    player = MCTS(playouts=50, factors=True, seed=1).join(game, game.role("ann"))
    assert player.move(state) in state.legal("ann")
    assert method(player) in ("tree search", "solved")


def test_ludorum_takes_games_apart() -> None:
    game = piles(WITH_THE_LAST, SUM)
    player = Ludorum(0.2, seed=1).join(game, game.role("ann"))
    player.prepare(Deadline.within(60))
    player.move(game.initial)
    assert player.why == "mcts, since the game is really 2 games"
    assert method(player).startswith("2 games apart: ")
