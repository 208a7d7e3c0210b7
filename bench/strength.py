"""Connect four against `random` and `greedy`: how many of a hundred matches from each seat the tree search wins.

    python bench/strength.py [--matches 100] [--playouts 20000]

The number of playouts is fixed, so the result depends on the seeds alone.
"""

from __future__ import annotations

import argparse
import time

import ludorum
from ludorum.players import MCTS, Greedy, Player, Random


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=20_000)
    options = parser.parse_args()
    game = ludorum.load("connectfour")
    begin = time.process_time()
    print("| against | seat | won | drawn | lost |")
    print("| --- | --- | ---: | ---: | ---: |")
    for title, kind in {"random": Random, "greedy": Greedy}.items():
        for seat, other in [("red", "black"), ("black", "red")]:
            counts = {100: 0, 50: 0, 0: 0}
            for seed in range(options.matches):
                players: dict[str, Player] = {seat: MCTS(playouts=options.playouts, seed=seed), other: kind(seed=seed)}
                counts[ludorum.play(game, players).goals[game.role(seat)] or 0] += 1
            print(f"| {title} | {seat} | {counts[100]} | {counts[50]} | {counts[0]} |", flush=True)
    print(f"\n{time.process_time() - begin:.0f} s of processor time")


if __name__ == "__main__":
    main()
