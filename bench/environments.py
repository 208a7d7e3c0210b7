"""Steps a second of environments: batches with random choice, masks and observations, and single environments.

    python bench/environments.py [GAME …]   the table, in CPU seconds of one thread

The best of some rounds counts, since a busy machine only ever makes it slower. The last column is what two threads make
of 8192 games, in time that passes, beside one thread in the same run: it needs a machine with two cores to itself.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import numpy as np
import pyspiel

import ludorum
import ludorum.envs.openspiel
from ludorum.envs.gymnasium import GameEnv
from ludorum.envs.pettingzoo import env as aec

GAMES = ("tictactoe", "connectfour", "breakthrough", "othello", "draughts")
SIZES = (64, 1024, 8192)
ROUNDS, SECONDS = 5, 0.3


def rate(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """Steps a second of this clock, after a warm-up."""
    work()
    best = 0.0
    for _ in range(ROUNDS):
        start, steps = clock(), 0
        while (elapsed := clock() - start) < SECONDS:
            steps += work()
        best = max(best, steps / elapsed)
    return best


def random_play(name: str, n: int, threads: int = 1) -> Callable[[], int]:
    """A step of n games at random: choice, checks, new matches, masks and observations."""
    batch = ludorum.load(name).batch(n, threads=threads)
    batch.seed(1)
    fluents = np.empty((n, len(batch.fluent_terms)), dtype=np.uint8)
    legal = np.empty((n, sum(map(len, batch.moves))), dtype=np.uint8)
    joint = np.empty((n, len(batch.moves)), dtype=np.uint32)

    def once() -> int:
        batch.step(batch.sample(out=joint), auto_reset=True, fluents=fluents, legal=legal)
        return n

    return once


def two_threads(name: str) -> float:
    """How much faster two threads are than one."""
    one, two = (random_play(name, 8192, threads) for threads in (1, 2))
    return rate(two, time.perf_counter) / rate(one, time.perf_counter)


def aec_rate(name: str) -> float:
    env = aec(name)

    def match() -> int:
        env.reset(seed=1)
        steps = 0
        while env.agents and not env.terminations[env.agent_selection]:
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
            steps += 1
        return steps

    return rate(match)


def gymnasium_rate(name: str) -> float:
    env = GameEnv(name)

    def match() -> int:
        observed, _ = env.reset(seed=1)
        steps, over = 0, False
        while not over:
            observed, _, terminated, truncated, _ = env.step(int(observed["action_mask"].argmax()))
            over = terminated or truncated
            steps += 1
        return steps

    return rate(match)


def openspiel_rate(name: str) -> float:
    game = pyspiel.load_game(f"ludorum(game={name})")
    rng = random.Random(1)

    def match() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return rate(match)


def main() -> None:
    print("| game | " + " | ".join(f"batch of {n}" for n in SIZES)
          + " | one of PettingZoo | one of Gymnasium | one of OpenSpiel | two threads |")
    print("| --- |" + " ---: |" * (len(SIZES) + 4))
    for name in sys.argv[1:] or GAMES:
        rates = [*(rate(random_play(name, n)) for n in SIZES), aec_rate(name), gymnasium_rate(name),
                 openspiel_rate(name)]
        print(f"| {name} | " + " | ".join(f"{value:,.0f}" for value in rates) + f" | {two_threads(name):.2f}× |",
              flush=True)


if __name__ == "__main__":
    main()
