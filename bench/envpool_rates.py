"""Steps a CPU second of EnvPool's C++ games: run by the Python of an environment where EnvPool is installed.

    python bench/envpool_rates.py GAME …    a line a game: its name, and the best rate of three sizes of batch

`bench/environments.py --envpool PYTHON` calls this in the same run as ours. Only `step` is counted, on all threads: the
choice of moves, which NumPy makes, is not held against it.
"""

from __future__ import annotations

import sys
import time

import envpool
import numpy as np

NAMES = {"tictactoe": "TicTacToe-v1", "connectfour": "ConnectFour-v1", "othello": "Othello-v1"}
SIZES = (64, 1024, 8192)
ROUNDS, SECONDS = 3, 0.3


def rate(name: str, n: int) -> float:
    env = envpool.make_gymnasium(NAMES[name], num_envs=n, num_threads=1)
    rng = np.random.default_rng(1)
    _, info = env.reset()
    best = 0.0
    for _ in range(ROUNDS):
        spent, steps = 0.0, 0
        while spent < SECONDS:
            mask = info["legal_action_mask"]
            # Never 0, which would choose what is not legal.
            action = (mask * (1 + rng.random(mask.shape))).argmax(axis=1).astype(np.int32)
            start = time.process_time()
            *_, info = env.step(action)
            spent += time.process_time() - start
            steps += n
        best = max(best, steps / spent)
    env.close()
    return best


for asked in sys.argv[1:]:
    print(asked, max(rate(asked, n) for n in SIZES), flush=True)
