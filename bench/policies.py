"""What a playout costs when moves are chosen by a policy, beside one that is random: CPU time, taking turns.

    python bench/policies.py [--playouts 100000] [--rounds 3] [GAME...]

The search around it is part of it. Playouts that choose well end sooner, so their length is told too.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from statistics import median

import ludorum
from ludorum.search import TreeSearch, TreeSettings

POLICIES = {"uniform": TreeSettings(), "mast": TreeSettings(policy="mast", epsilon=0.4),
            "replies": TreeSettings(policy="replies"), "decisive": TreeSettings(decisive=True),
            "nst": TreeSettings(policy="nst")}


def measured(game: ludorum.Game, settings: TreeSettings, playouts: int, seed: int) -> tuple[float, float]:
    """Microseconds and moves of a playout."""
    with TreeSearch(game, replace(settings, seed=seed, lanes=512, proofs=False)) as search:
        # What is found out once, and the first playouts, in few lanes, tell nothing.
        search.think(game.initial, playouts=playouts // 4)
        before, begin = search.result, time.process_time()
        search.think(game.initial, playouts=playouts)
        seconds, found = time.process_time() - begin, search.result
        made = found.playouts - before.playouts
        return 1e6 * seconds / made, (found.steps - before.steps) / made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["connectfour", "breakthrough", "othello", "draughts"])
    parser.add_argument("--playouts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print("| game | " + " | ".join(POLICIES) + " |\n| --- |" + " ---: |" * len(POLICIES))
    for name in options.games:
        game = ludorum.load(name)
        found: dict[str, list[tuple[float, float]]] = {policy: [] for policy in POLICIES}
        for seed in range(options.rounds):
            for policy, settings in POLICIES.items():
                playouts = options.playouts // (10 if policy == "nst" else 1)
                found[policy].append(measured(game, settings, playouts, seed))
        middle = [(median(time for time, _ in told), median(length for _, length in told)) for told in found.values()]
        print(f"| {name} | " + " | ".join(f"{time:.2f} µs, {length:.0f} moves ({time / middle[0][0]:.2f})"
                                          for time, length in middle) + " |", flush=True)


if __name__ == "__main__":
    main()
