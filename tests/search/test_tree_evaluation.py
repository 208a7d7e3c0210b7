"""An evaluation in the tree search: what moves are worth before they are tried, and playouts that end early."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludorum
from ludorum import Game, Move, State, _core
from ludorum.clock import Deadline
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.players import MCTS, AnyPlayer, Greedy
from ludorum.players.naming import named
from ludorum.search import TreeSearch, TreeSettings

# A climber on a ladder of nine rungs goes up or down, five times. Only the top is worth something at the end.
LADDER = """
(role climber)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(init (rung 4)) (init (step 0))
(legal climber up) (legal climber down)
(<= (next (rung ?m)) (true (rung ?n)) (does climber up) (succ ?n ?m))
(<= (next (rung ?m)) (true (rung ?n)) (does climber down) (succ ?m ?n))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 5)))
(<= (goal climber 100) (true (rung 8)))
(<= (goal climber 0) (not (true (rung 8))))
"""


@pytest.fixture(scope="module")
def ladder() -> Game:
    return ludorum.load(LADDER)


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load("tictactoe")


def by_rung(game: Game) -> Any:
    """Ten points a rung."""
    assert game.fluents is not None
    rungs = np.array([10 * int(str(fluent.args[0])) if fluent.name == "rung" else 0 for fluent in game.fluents])

    def evaluate(states: NDArray[np.bool_]) -> NDArray[np.float64]:
        values: NDArray[np.float64] = (states @ rungs)[:, None].astype(float)
        return values

    return evaluate


def constant(value: float, roles: int = 2) -> Any:
    return lambda states: np.full((len(states), roles), value)


def found(game: Game, evaluation: Any, playouts: int, state: State | None = None, **options: Any) -> dict[str, Any]:
    search = TreeSearch(game, TreeSettings(seed=1, **options), evaluation=evaluation)
    result = search.think(state or game.initial, playouts=playouts)
    return {str(move): known for moves in result.moves.values() for move, known in moves.items()}


def test_a_move_that_was_never_tried_is_worth_what_the_evaluation_says_of_its_successor(ladder: Game) -> None:
    moves = found(ladder, by_rung(ladder), 1, prior_visits=1_000)
    (tried, untried) = sorted(moves, key=lambda move: -moves[move].visits)
    assert (moves[tried].visits, moves[untried].visits) == (1, 0)
    # The rung above is the fifth; what is more promising is tried first.
    assert (tried, untried) == ("up", "down")
    assert moves["down"].value == pytest.approx(30)
    assert moves["up"].value == pytest.approx(50, abs=0.1)


def test_a_playout_counts_as_much_as_one_visit_of_the_prior(ladder: Game) -> None:
    top = ladder.replay("up up up")
    # Both playouts that begin on the eighth rung or the sixth are cut there, and worth 80 and 60.
    moves = found(ladder, by_rung(ladder), 2, state=top, prior_visits=1, cutoff=0, in_flight=1)
    assert {move: known.visits for move, known in moves.items()} in ({"up": 2, "down": 0}, {"up": 1, "down": 1})
    assert moves["up"].value == pytest.approx(80)


def test_a_playout_ends_after_so_many_steps_with_what_the_state_is_worth(ladder: Game) -> None:
    for cutoff, steps in [(0, 1), (2, 3)]:
        moves = found(ladder, by_rung(ladder), 4_000, cutoff=cutoff, in_flight=1, expand_at=10_000, proofs=False)
        # A random walk stays where it is on average.
        assert moves["up"].value == pytest.approx(50, abs=4 * (steps > 1) + 1e-4)
        assert moves["down"].value == pytest.approx(30, abs=4 * (steps > 1) + 1e-4)


def test_a_game_that_is_over_before_the_cut_is_worth_its_goals(ladder: Game) -> None:
    # After four steps up one more leads to the end.
    moves = found(ladder, by_rung(ladder), 50, state=ladder.replay("up up up up"), cutoff=3, proofs=False)
    assert moves["down"].value == 0
    assert moves["up"].value == 0
    assert found(ladder, by_rung(ladder), 50, state=ladder.replay("up up up up"), cutoff=3)["up"].is_proved


def test_what_is_proved_counts_for_more_than_an_evaluation_that_misleads(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    misled = TreeSettings(seed=1, prior_visits=20, cutoff=1)
    result = TreeSearch(tictactoe, misled, evaluation=constant(0)).think(state, playouts=5_000)
    assert result.best("xplayer") == Move("(mark 1 3)")
    assert result.is_solved


def test_the_value_of_tictactoe_is_proved_with_an_evaluation_too(tictactoe: Game) -> None:
    settings = TreeSettings(seed=1, prior_visits=3, cutoff=2)
    result = TreeSearch(tictactoe, settings).think(tictactoe.initial, playouts=1_000_000)
    assert result.lower == result.upper == {"xplayer": 50, "oplayer": 50}


def test_where_two_choose_at_once_a_prior_is_the_mean_over_the_others_moves() -> None:
    game = ludorum.load("""
        (role row) (role column) (init (turn 0))
        (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))
        (<= (next (chose ?r ?m)) (does ?r ?m)) (next (turn 1))
        (<= terminal (true (turn 1)))
        (<= (goal row 100) (true (chose row a)) (true (chose column a)))
        (<= (goal row 0) (not (both)))
        (<= (both) (true (chose row a)) (true (chose column a)))
        (<= (goal column 80) (true (chose column b)))
        (<= (goal column 20) (true (chose column a)))
    """)
    # Every successor is the end of the game, and worth its goals.
    search = TreeSearch(game, TreeSettings(seed=1, prior_visits=100_000, proofs=False), evaluation=constant(33))
    result = search.think(game.initial, playouts=1)
    values = {role: {str(move): known.value for move, known in moves.items()} for role, moves in result.moves.items()}
    assert values["row"] == pytest.approx({"a": 50, "b": 0}, abs=0.01)
    assert values["column"] == pytest.approx({"a": 20, "b": 80}, abs=0.01)


@pytest.mark.parametrize("options", [{"prior_visits": 5}, {"cutoff": 3}, {"prior_visits": 5, "cutoff": 0}], ids=str)
@pytest.mark.parametrize("more", [
    {}, {"policy": "mast"}, {"policy": "nst"}, {"rave": "always"}, {"sufficiency": "adaptive"}, {"lanes": 64},
], ids=str)
def test_every_playout_is_a_visit_and_a_seed_repeats_them_all(options: dict[str, Any], more: dict[str, Any]) -> None:
    game = ludorum.load("connectfour")
    one, other = (found(game, None, 1_000, **options, **more) for _ in range(2))
    assert one == other
    assert sum(move.visits for move in one.values()) == 1_000


def test_threads_share_priors(tictactoe: Game) -> None:
    game = ludorum.load("connectfour")
    moves = found(game, None, 20_000, prior_visits=2, cutoff=10, threads=3)
    assert sum(move.visits for move in moves.values()) == 20_000


def test_a_function_and_an_evaluation_of_the_core_that_agree_are_the_same(tictactoe: Game) -> None:
    options: dict[str, Any] = {"prior_visits": 4, "cutoff": 1}
    # Before the end of tic-tac-toe no line is there, and nobody's goal is more than the draw's.
    goals = tictactoe.initial.goals
    by_function = lambda states: np.tile([goals[role] or 0 for role in tictactoe.roles], (len(states), 1))  # noqa: E731
    assert found(tictactoe, by_function, 300, **options) == found(tictactoe, _core.GoalEvaluation(), 300, **options)


def test_an_engine_without_lanes_cuts_its_playouts_too() -> None:
    game = ludorum.load(LADDER, engine="relations")
    settings = TreeSettings(seed=1, cutoff=0, in_flight=1, expand_at=10_000, proofs=False)
    result = TreeSearch(game, settings, evaluation=_core.GoalEvaluation()).think(game.initial, playouts=10)
    assert {known.value for known in result.moves[game.roles[0]].values()} == {0}


@pytest.mark.parametrize(("evaluation", "message"), [
    (lambda states: np.zeros((len(states), 7)), "one number a state and role"),
    (lambda states: np.full((len(states), 2), 101.0), "from 0 to 100"),
    ("mobility", "function"),
], ids=["shape", "range", "kind"])
def test_an_evaluation_that_is_none_is_refused(tictactoe: Game, evaluation: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        found(tictactoe, evaluation, 10, prior_visits=1)


def test_what_an_evaluation_raises_arrives(tictactoe: Game) -> None:
    def broken(states: NDArray[np.bool_]) -> NDArray[np.float64]:
        raise ZeroDivisionError("so it goes")

    with pytest.raises(ZeroDivisionError, match="so it goes"):
        found(tictactoe, broken, 10, cutoff=1, threads=2)


def test_a_search_that_is_dropped_while_it_asks_python_comes_to_its_end(ladder: Game) -> None:
    search = TreeSearch(ladder, TreeSettings(cutoff=1, proofs=False), evaluation=by_rung(ladder))
    search.look_at(ladder.initial)
    search.begin()
    del search
    gc.collect()


@pytest.mark.parametrize(("options", "message"), [
    ({"prior_visits": -1}, "prior_visits must be between"), ({"cutoff": -1}, "cutoff must be between"),
])
def test_wrong_options_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeSettings(**options)


def test_a_player_takes_an_evaluation_and_its_options_by_name(ladder: Game) -> None:
    player = named("mcts:prior_visits=8,cutoff=2,playouts=200,seed=1")
    assert isinstance(player, MCTS)
    assert (player.settings.prior_visits, player.settings.cutoff) == (8, 2)
    state = ladder.replay("up")
    assert player.move(state, "climber") in state.legal("climber")
    player.evaluate_by(_core.GoalEvaluation())
    assert player.move(state, "climber") in state.legal("climber")


def test_a_player_asks_how_true_the_goals_are(ladder: Game) -> None:
    player = named("mcts:prior_visits=1000,playouts=1,evaluation=fuzzy,seed=1")
    assert isinstance(player, MCTS)
    state = ladder.replay("down")
    worth = {move: evaluation(ladder).values(state.after({"climber": move}))["climber"]
             for move in state.legal("climber")}
    # Else the plain evaluation, which sees no difference between rungs, would do as well.
    assert worth[Move("up")] > worth[Move("down")] + 1
    playing = player.join(ladder, ladder.role("climber"))
    assert playing.move(state) == Move("up")
    assert playing.info is not None
    assert playing.info.values[Move("down")] == pytest.approx(worth[Move("down")], abs=0.1)


def test_without_a_circuit_a_player_asks_the_plain_evaluation() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    thoughts = []
    for kind in ("fuzzy", "plain"):
        player = named(f"mcts:prior_visits=10,playouts=50,evaluation={kind},seed=1")
        assert isinstance(player, MCTS)
        playing = player.join(game, game.roles[0])
        playing.move(game.initial)
        assert playing.info is not None
        thoughts.append(playing.info.visits)
    assert thoughts[0] == thoughts[1]


def test_learning_what_is_usual_takes_a_part_of_the_clock(tictactoe: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    learn = _core.usual_moves

    def recorded(*arguments: Any) -> Any:
        asked.append(arguments[-1])
        return learn(*arguments)

    monkeypatch.setattr(_core, "usual_moves", recorded)
    player = MCTS(seed=1, prior_visits=1, ponder=True)
    playing = player.join(tictactoe, tictactoe.role("xplayer"))
    playing.prepare(Deadline.within(0.5))
    playing.finish()
    assert len(asked) == 1
    assert max(asked) <= 0.25


def test_short_playouts_are_enough_against_greedy() -> None:
    game = ludorum.load("connectfour")
    players: dict[str, AnyPlayer] = {
        "red": MCTS(playouts=3_000, seed=3, cutoff=12, prior_visits=2), "black": Greedy(seed=3)}
    assert ludorum.play(game, players).goals["red"] == 100


def test_a_player_asks_how_far_goals_are_met_by_counting() -> None:
    game = ludorum.load("breakthrough")
    player = named("mcts:prior_visits=1000,playouts=1,evaluation=counting,seed=1")
    assert isinstance(player, MCTS)
    made = evaluation(game, EvaluationSettings(goals=0, counting=1, is_fitted=True))
    white = game.roles[0]
    worth = {move: made.values(game.initial.after({white: move}))[white] for move in game.initial.legal(white)}
    # Else one that sees nothing at the beginning would do as well.
    assert max(worth.values()) > min(worth.values())
    playing = player.join(game, white)
    playing.move(game.initial)
    assert playing.info is not None
    # All but the one that the playout went through.
    close = [move for move, value in worth.items() if playing.info.values[move] == pytest.approx(value, abs=0.1)]
    assert len(close) >= len(worth) - 1
