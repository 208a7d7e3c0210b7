"""The test suites of Gymnasium, PettingZoo and OpenSpiel over every game of the library that has a circuit.

    python bench/environment_suites.py [GAME …]     a line a game; the exit status is 1 if one fails

At the end it lists what the suites warned of, each once, with the number of games.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import warnings
from collections import Counter

import pyspiel
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import generate_playthrough
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import ludorum
import ludorum.envs.openspiel
from ludorum import Game, library
from ludorum.envs import pettingzoo
from ludorum.envs.gymnasium import GameEnv

#: Long games are cut, so that the whole library takes minutes.
STEPS = 60


def suites(known_as: str, game: Game) -> None:
    check_env(GameEnv(game, max_steps=STEPS), skip_render_check=True)
    api_test(pettingzoo.env(game, max_steps=STEPS), num_cycles=STEPS)
    seed_test(lambda: pettingzoo.env(game, max_steps=STEPS), num_cycles=STEPS)
    parallel_api_test(pettingzoo.parallel_env(game, max_steps=STEPS), num_cycles=STEPS)
    parallel_seed_test(lambda: pettingzoo.parallel_env(game, max_steps=STEPS), num_cycles=STEPS)
    name = f"ludorum(game={known_as},max_steps={STEPS})"
    spiel = pyspiel.load_game(name)
    pyspiel.random_sim_test(spiel, num_sims=1, serialize=True, verbose=False)
    text = generate_playthrough.playthrough(name, action_sequence=None, seed=1)
    # What was written down is what playing it again gives.
    actions = [int(found) if found.isdigit() else [int(one) for one in re.findall(r"\d+", found)]
               for found in re.findall(r"^(?:action|actions): (.+)$", text, flags=re.MULTILINE)]
    again = generate_playthrough.playthrough(name, action_sequence=actions, seed=1)
    if text != again:
        raise AssertionError("the playthrough cannot be repeated")


def main() -> int:
    failed = 0
    warned: Counter[str] = Counter()
    for name in sys.argv[1:] or library.names():
        game = ludorum.load(name)
        if game.engine != "circuit":
            print(f"{name}: left out, {game.why}", flush=True)
            continue
        try:
            with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("always")
                suites(name, game)
            # Names and numbers of this game are left out, so that the same warning is counted as one.
            warned.update({re.sub(r"\x1b\[\d+m|'[^']*'|\d+", "…", str(warning.message))[:160] for warning in caught})
            print(f"{name}: passed", flush=True)
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
    for text, count in warned.most_common():
        print(f"warned in {count} games: {text}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
