"""Games as Gymnasium environments: its checker, opponents, and vectors that do what its own wrapper does."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import ludorum
from ludorum import Game
from ludorum.envs.gymnasium import GameEnv, GameVectorEnv
from ludorum.errors import LudorumError

CROSSINGS = ["(ferry goat)", "cross", "(ferry wolf)", "(ferry goat)", "(ferry cabbage)", "cross", "(ferry goat)"]


@pytest.mark.filterwarnings("ignore")
def test_its_own_checker_passes(any_game: Game) -> None:
    check_env(GameEnv(any_game, max_steps=60), skip_render_check=True)


@pytest.mark.filterwarnings("ignore")
def test_games_are_made_by_name() -> None:
    env = gymnasium.make("ludorum/tictactoe-v0")
    assert isinstance(env.unwrapped, GameEnv)
    assert env.unwrapped.encoding.game.name == "tictactoe"
    any_game = gymnasium.make("ludorum:ludorum/Game-v0", game="nim", opponents="legal")
    assert isinstance(any_game.unwrapped, GameEnv)
    assert any_game.unwrapped.encoding.game.name == "nim"
    many = gymnasium.make_vec("ludorum/connectfour-v0", num_envs=5, vectorization_mode="vector_entry_point")
    assert many.reset(seed=1)[0]["action_mask"].shape == (5, 8)  # seven columns, and waiting


def test_a_puzzle_pays_at_its_end() -> None:
    env = GameEnv("wolfgoatcabbage", illegal="raise")
    env.reset(seed=0)
    total = 0.0
    # Alcuin's answer: the goat goes over, comes back once, and goes over last.
    for move in CROSSINGS:
        _, reward, terminated, _, info = env.step(env.encoding.action(env.role, move))
        total += reward
    assert terminated
    assert total == 1.0
    assert info["goal"] == 100


def test_opponents_play_by_their_names() -> None:
    env = GameEnv("tictactoe", role="oplayer", opponents="mcts:playouts=400,seed=1", illegal="raise")
    losses = 0
    for seed in range(8):
        _, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        over, reward = False, 0.0
        while not over:
            _, reward, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        losses += reward == -1.0
    env.close()
    # Random play hardly ever holds out against search.
    assert losses >= 6


def trajectory(envs: Any, steps: int, seed: int) -> list[Any]:
    """What comes of acting by the masks; the same for the same environments."""
    observed, _ = envs.reset(seed=seed)
    rows = []
    for step in range(steps):
        actions = np.array([np.flatnonzero(mask)[step % mask.sum()] if mask.any() else 0
                            for mask in observed["action_mask"]])
        observed, rewards, terminated, truncated, info = envs.step(actions)
        row = [observed["observation"], observed["action_mask"], rewards, terminated, truncated]
        if "final_obs" in info:
            for i in np.flatnonzero(info["_final_obs"]):
                final = info["final_obs"]
                row.append(final[i]["observation"] if isinstance(final, np.ndarray) else final["observation"][i])
        rows.append([np.asarray(part).copy() for part in row])
        if envs.metadata["autoreset_mode"] == AutoresetMode.DISABLED and (terminated | truncated).any():
            observed, _ = envs.reset(options={"reset_mask": terminated | truncated})
    return rows


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "rockpaperscissors", "eightpuzzle"])
def test_a_vector_does_what_the_wrapper_of_single_environments_does(name: str, mode: AutoresetMode) -> None:
    game = ludorum.load(name)
    single = SyncVectorEnv([lambda: GameEnv(game, max_steps=30)] * 6, autoreset_mode=mode)
    ours = GameVectorEnv(game, 6, max_steps=30, autoreset_mode=mode)
    for one, other in zip(trajectory(single, 60, 5), trajectory(ours, 60, 5), strict=True):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            np.testing.assert_array_equal(left, right)


def test_boards_are_planes_and_nothing_is_lost() -> None:
    game = ludorum.load("breakthrough")
    env = GameEnv(game, layout="board")
    observed, _ = env.reset(seed=1)
    planes = observed["observation"]
    assert planes.shape[1:] == (8, 8)
    # Two kinds of pawns and what is empty; whose turn it is fills planes of its own.
    assert sorted(planes.sum(axis=(1, 2)).tolist()) == [0, 16, 16, 64] or 32 in planes.sum(axis=(1, 2))
    with pytest.raises(ValueError, match="no board"):
        GameEnv("nim", layout="board")


def test_vectors_refuse_what_they_would_have_to_tell() -> None:
    with pytest.raises(LudorumError, match="has secrets or chance"):
        GameVectorEnv("kuhnpoker", 3)
