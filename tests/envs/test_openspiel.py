"""Games in OpenSpiel: its own tests pass, and its own games are played alike."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, mcts

import ludorum.envs.openspiel
from ludorum import Game, gdl
from ludorum.move import Move

KINDS = pyspiel.GameType


def test_its_own_simulation_passes(any_game: Game) -> None:
    game = pyspiel.load_game(f"ludorum(game={any_game.name},max_steps=40)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_legal_actions_are_what_openspiel_finds_by_itself(any_game: Game) -> None:
    state, rng = pyspiel.load_game(f"ludorum(game={any_game.name},max_steps=20)").new_initial_state(), random.Random(2)
    while not state.is_terminal():
        for player in range(state.num_players()):
            assert state.legal_actions(player) == pyspiel.State.legal_actions(state, player)
        if state.is_simultaneous_node():
            choices = map(state.legal_actions, range(state.num_players()))
            state.apply_actions([rng.choice(choice or [0]) for choice in choices])
        else:
            assert state.legal_actions() == pyspiel.State.legal_actions(state)
            state.apply_action(rng.choice(state.legal_actions()))
    assert state.legal_actions() == []


def test_what_is_claimed_of_a_game() -> None:
    kind = pyspiel.load_game("ludorum(game=tictactoe)").get_type()
    assert kind.dynamics == KINDS.Dynamics.SEQUENTIAL
    assert kind.utility == KINDS.Utility.ZERO_SUM
    assert kind.information == KINDS.Information.PERFECT_INFORMATION
    together = pyspiel.load_game("ludorum(game=rockpaperscissors)").get_type()
    assert together.dynamics == KINDS.Dynamics.SIMULTANEOUS
    dilemma = pyspiel.load_game("ludorum(game=prisonersdilemma)").get_type()
    assert dilemma.utility == KINDS.Utility.GENERAL_SUM
    dice = pyspiel.load_game("ludorum(game=pig)").get_type()
    assert dice.chance_mode == KINDS.ChanceMode.EXPLICIT_STOCHASTIC


def test_a_sum_that_no_match_has_shown_is_not_claimed() -> None:
    # Six steps are too few for any match to end, so that nobody has seen what the goals add up to.
    short = pyspiel.load_game("ludorum(game=chinesecheckers2,max_steps=6)")
    assert short.get_type().utility == KINDS.Utility.GENERAL_SUM
    pyspiel.random_sim_test(short, num_sims=1, serialize=True, verbose=False)


def test_a_file_of_rules_is_a_game(tmp_path: Path) -> None:
    path = tmp_path / "nim.kif"
    path.write_text(gdl.to_kif(ludorum.load("nim").rules), encoding="utf-8")
    game = pyspiel.load_game(f"ludorum(path={path})")
    assert game.num_players() == 2


def square(move: Move) -> str:
    x, y = (int(str(part)) for part in move.term.args)
    return f"({x - 1},{y - 1})"


def column(move: Move) -> str:
    return str(int(str(move.term.args[0])) - 1)


def pawn(move: Move) -> str:
    x, y, to_x, to_y = (int(str(part)) for part in move.term.args)
    # There black begins, from above.
    return f"{'abcdefgh'[x - 1]}{9 - y}{'abcdefgh'[to_x - 1]}{9 - to_y}"


def forced(state: pyspiel.State) -> None:
    """Make the moves that leave no choice; we make them at once."""
    while not state.is_terminal() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])


@pytest.mark.parametrize(("ours", "theirs", "name"), [
    ("tictactoe", "tic_tac_toe", square), ("connectfour", "connect_four", column),
    ("breakthrough", "breakthrough", pawn),
])
def test_its_own_games_are_played_alike(ours: str, theirs: str, name: Callable[[Move], str]) -> None:
    mine, other = pyspiel.load_game(f"ludorum(game={ours})"), pyspiel.load_game(theirs)
    encoding = mine.tables.encoding
    rng = random.Random(1)
    for _ in range(100):
        here, there = mine.new_initial_state(), other.new_initial_state()
        while not here.is_terminal():
            forced(there)
            player = here.current_player()
            assert player == there.current_player()
            legal = {name(encoding.move(encoding.agents[player], action)): action for action in here.legal_actions()}
            known = {text.lstrip("xo").rstrip("*"): action for action in there.legal_actions()
                     for text in [there.action_to_string(player, action)]}
            assert legal.keys() == known.keys()
            chosen = rng.choice(sorted(legal))
            here.apply_action(legal[chosen])
            there.apply_action(known[chosen])
        forced(there)
        assert there.is_terminal()
        assert here.returns() == there.returns()


def test_its_tree_search_beats_random_play() -> None:
    game = pyspiel.load_game("ludorum(game=tictactoe)")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    wins = 0
    for match in range(10):
        bot = mcts.MCTSBot(game, 2.0, 60, evaluator, random_state=np.random.RandomState(match))
        rng, state = random.Random(match), game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bot.step(state) if state.current_player() == 0 else rng.choice(state.legal_actions()))
        wins += state.returns()[0] > 0
    assert wins >= 8


def test_its_regret_minimisation_solves_kuhn_poker() -> None:
    game = pyspiel.load_game("ludorum(game=kuhnpoker)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    # A chip is 25 of 50 points here; the value is a loss of an eighteenth of a chip (Kuhn 1950).
    assert value * 2 == pytest.approx(-1 / 18, abs=2e-3)


def test_a_game_must_be_named() -> None:
    with pytest.raises(ValueError, match="name a game"):
        ludorum.envs.openspiel.LudorumGame({})
