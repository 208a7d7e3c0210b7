"""States a second in random play with the relations engine, beside the table of the forward-chaining paper.

    python bench/relations.py CORPUS/games [--seconds 2] [--engine relations]

One thread. Seconds are those of the processor, so that other work on the machine counts for little.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import ludorum
from ludorum import Game

# Schofield and Saffidine, "High Speed Forward Chaining for General Game Playing" (GIGA 2013), Table 1: thousands of
# states a second on one core of an i7 at 3.4 GHz; and the rulesheet of the same name in our corpus. Their Amazons is
# the one where moving and shooting are one move.
PAPER = {
    "amazons": 0.2, "asteroidsSerial": 370, "beatMania": 366, "blocker": 638, "breakthrough": 168, "bunk_t": 595,
    "chomp": 694, "connectFour": 111, "doubletictactoe": 636, "hanoi": 1375, "lightsOut": 728, "minichess": 75,
    "nim1": 234, "pancakes6": 2046, "peg": 139, "roshambo2": 1612, "sheepAndWolf": 94, "ticTacToe": 898,
    "tictactoex9": 112,
}
# Games that are to be fast although they cannot be grounded, or hardly.
LARGE = ("chess", "amazons_10x10")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--engine", default="relations")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    print("| game | load s | states/s | the paper's | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    ratios = []
    for name in (*PAPER, *LARGE):
        if arguments.only not in name:
            continue
        before = time.process_time()
        collection = "gdl2" if name == "beatMania" else "ggp.org"
        game = ludorum.load(arguments.games / collection / f"{name}.kif", engine=arguments.engine)
        loaded = time.process_time() - before
        speed = states_per_second(game, arguments.seconds)
        paper = 1000 * PAPER[name] if name in PAPER else None
        ratios += [speed / paper] if paper else []
        beside = f"{paper:,.0f} | {speed / paper:.2f}" if paper else "– | –"
        print(f"| {name} | {loaded:.1f} | {speed:,.0f} | {beside} |", flush=True)
    print(f"\nNo less than the paper's on {sum(ratio >= 1 for ratio in ratios)} of {len(ratios)} games.")


def states_per_second(game: Game, seconds: float) -> float:
    states, n, seed = 0, 1, 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        states += game.playouts(n, seed=seed).states
        n, seed = min(2 * n, 1 << 14), seed + 1
    return states / elapsed


if __name__ == "__main__":
    main()
