"""Games as PettingZoo environments: its own tests pass, and what agents see and get is what the rules say.

Its tests warn of agents whose names end in no number, and of observations that are dictionaries; both are meant.
"""

from __future__ import annotations

import gymnasium
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import ludorum
from ludorum import Game
from ludorum.envs import pettingzoo
from ludorum.errors import IllegalMove


@pytest.mark.filterwarnings("ignore")
def test_its_own_tests_pass(any_game: Game) -> None:
    api_test(pettingzoo.env(any_game, max_steps=60), num_cycles=40)
    parallel_api_test(pettingzoo.parallel_env(any_game, max_steps=60), num_cycles=40)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["tictactoe", "pig", "rockpaperscissors", "montyhall", "kuhnpoker", "tictactoe3p"])
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    game = ludorum.load(name)
    seed_test(lambda: pettingzoo.env(game), num_cycles=30)
    parallel_seed_test(lambda: pettingzoo.parallel_env(game), num_cycles=30)


@pytest.mark.filterwarnings("ignore")
def test_a_match_without_any_choice_is_not_over_before_it_begins() -> None:
    game = ludorum.load("muddychildren")
    api_test(pettingzoo.env(game), num_cycles=30)
    parallel_api_test(pettingzoo.parallel_env(game), num_cycles=30)
    env = pettingzoo.env(game)
    env.reset(seed=1)
    assert env.agents
    assert not any(env.terminations.values())
    # There is one thing to do.
    assert env.observe(env.agent_selection)["action_mask"].sum() == 1


def play(env: pettingzoo.GameAECEnv, moves: str) -> None:
    for move in moves.split(", "):
        env.step(env.encoding.action(env.agent_selection, move))


def test_only_who_has_a_choice_is_asked_and_the_winner_is_paid() -> None:
    env = pettingzoo.env("tictactoe")
    env.reset(seed=1)
    assert env.agent_selection == "xplayer"
    assert env.observe("xplayer")["action_mask"].sum() == 9
    assert env.observe("oplayer")["action_mask"].sum() == 0
    play(env, "(mark 1 1), (mark 2 1), (mark 1 2), (mark 2 2), (mark 1 3)")
    assert env.rewards == {"xplayer": 1.0, "oplayer": -1.0}
    assert all(env.terminations.values())
    assert env.infos["xplayer"] == {"goal": 100}


def test_who_makes_an_illegal_move_loses_unless_it_is_asked_otherwise() -> None:
    env = pettingzoo.env("tictactoe")
    env.reset(seed=1)
    play(env, "(mark 1 1), (mark 1 1)")
    assert env.rewards == {"xplayer": 1.0, "oplayer": -1.0}
    strict = pettingzoo.env("tictactoe", illegal="raise")
    strict.reset(seed=1)
    play(strict, "(mark 1 1)")
    with pytest.raises(IllegalMove, match="oplayer"):
        play(strict, "(mark 1 1)")


def test_those_who_choose_at_once_do_not_see_each_other() -> None:
    env = pettingzoo.env("rockpaperscissors")
    env.reset(seed=1)
    before = env.observe(env.possible_agents[1])["observation"].tolist()
    env.step(0)
    assert env.agent_selection == env.possible_agents[1]
    assert env.observe(env.possible_agents[1])["observation"].tolist() == before


def test_a_role_with_secrets_sees_what_it_was_told_and_never_the_state() -> None:
    env = pettingzoo.env("kuhnpoker", illegal="raise")
    percepts, moves = env.encoding.percepts, env.encoding.moves
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert isinstance(space, gymnasium.spaces.Dict)
        assert space["observation"].shape == (len(percepts[agent]) + len(moves[agent]),)
    seen: dict[str, set[object]] = {agent: set() for agent in env.possible_agents}
    for seed in range(40):
        env.reset(seed=seed)
        agent = env.agent_selection
        shown = env.observe(agent)["observation"][:len(percepts[agent])]
        told = [str(percepts[agent][k]) for k in shown.nonzero()[0]]
        # One card is dealt to it, and it is told of no other.
        assert len([word for word in told if "card" in word or "dealt" in word or "deal" in word]) <= 1
        seen[agent].add(tuple(told))
    first = env.possible_agents[0]
    assert len(seen[first]) == 3
