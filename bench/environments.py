"""Steps a second of environments: batches with random choice, masks and observations, and single environments.

    python bench/environments.py [GAME …]           the table, in CPU seconds of one thread
    python bench/environments.py --threads          what two threads make of 8192 games, beside one
    python bench/environments.py --envpool PYTHON   beside EnvPool's C++ games, which that Python has installed
    python bench/environments.py --draws 1000000000 whether `sample` is uniform, and never illegal

The best of some rounds counts, since a busy machine only ever makes it slower. Two threads and one take turns, and the
median counts: in time that passes, which needs two cores with nothing else to do, and in CPU time, which
says what there is to gain at the most.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import numpy as np
import pyspiel
from scipy.stats import chisquare

import ludorum
import ludorum.envs.openspiel
from ludorum.envs.gymnasium import GameEnv
from ludorum.envs.pettingzoo import env as aec

GAMES = ("tictactoe", "connectfour", "breakthrough", "othello", "draughts")
SIZES = (64, 1024, 8192)
ROUNDS, SECONDS = 5, 0.3
#: Those that EnvPool has.
ENVPOOL_GAMES = ("tictactoe", "connectfour", "othello")
THREAD_GAMES, THREAD_ROUNDS, THREAD_SECONDS = ("tictactoe", "connectfour", "breakthrough", "draughts"), 40, 0.05


def rate(work: Callable[[], int]) -> float:
    """Steps a CPU second, after a warm-up."""
    work()
    best = 0.0
    for _ in range(ROUNDS):
        start, steps = time.process_time(), 0
        while (elapsed := time.process_time() - start) < SECONDS:
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


def seconds_a_step(work: Callable[[], int]) -> tuple[float, float]:
    """In time that passes, and of CPU time."""
    start, cpu, steps = time.perf_counter(), time.process_time(), 0
    while (elapsed := time.perf_counter() - start) < THREAD_SECONDS:
        steps += work()
    return elapsed / steps, (time.process_time() - cpu) / steps


def two_threads(name: str) -> tuple[float, float]:
    """How much faster two threads are than one, by the clock, and at best by what CPU time they take."""
    one, two = (random_play(name, 8192, threads) for threads in (1, 2))
    one()
    two()
    rounds = [(*seconds_a_step(one), *seconds_a_step(two)) for _ in range(THREAD_ROUNDS)]
    return (median(alone / both for alone, _, both, _ in rounds),
            median(2 * alone / both for _, alone, _, both in rounds))


def draws(count: int) -> None:
    """Draw so many moves of random play, where `step` refuses an illegal one, and see whether they are uniform."""
    for name in THREAD_GAMES:
        play, done = random_play(name, 8192), 0
        roles = len(ludorum.load(name).roles)
        while done < count // len(THREAD_GAMES):
            done += play() * roles
        batch = ludorum.load(name).batch(8192)
        batch.seed(1)
        counts = np.zeros(len(batch.moves[0]), dtype=np.int64)
        for _ in range(max(1, count // (8192 * 100))):
            counts += np.bincount(batch.sample()[:, 0], minlength=len(counts))
        legal = batch.legal[0][0]
        assert counts[~legal].sum() == 0
        p_value = chisquare(counts[legal]).pvalue if legal.sum() > 1 else 1.0
        print(f"{name}: {done:,} draws, none illegal; uniform over {legal.sum()} moves with p = {p_value:.3f} in "
              f"{counts.sum():,}", flush=True)


def beside_envpool(python: str) -> None:
    script = str(Path(__file__).parent / "envpool_rates.py")
    print("| game | ours | EnvPool | ratio |\n| --- | ---: | ---: | ---: |")
    for name in ENVPOOL_GAMES:
        ours = max(rate(random_play(name, n)) for n in SIZES)
        said = subprocess.run([python, script, name], check=True, capture_output=True, text=True).stdout
        theirs = float(said.split()[-1])
        print(f"| {name} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.0f} |", flush=True)


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--envpool", metavar="PYTHON")
    parser.add_argument("--draws", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.threads:
        for name in chosen.games or THREAD_GAMES:
            passed, spent = two_threads(name)
            print(f"{name}: two threads do {passed:.2f} times as much by the clock, {spent:.2f} by CPU time",
                  flush=True)
    elif chosen.envpool:
        beside_envpool(chosen.envpool)
    elif chosen.draws:
        draws(chosen.draws)
    else:
        table(chosen.games or GAMES)


def table(games: Sequence[str]) -> None:
    print("| game | " + " | ".join(f"batch of {n}" for n in SIZES)
          + " | one of PettingZoo | one of Gymnasium | one of OpenSpiel |")
    print("| --- |" + " ---: |" * (len(SIZES) + 3))
    for name in games:
        rates = [*(rate(random_play(name, n)) for n in SIZES), aec_rate(name), gymnasium_rate(name),
                 openspiel_rate(name)]
        print(f"| {name} | " + " | ".join(f"{value:,.0f}" for value in rates) + " |", flush=True)


if __name__ == "__main__":
    main()
