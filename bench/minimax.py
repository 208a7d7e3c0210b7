"""States that alpha-beta visits in a second, on one thread, and what a sweep of the engine costs it.

    python bench/minimax.py [GAME ...]      the table, as Markdown; connect four if no game is named

A state is visited if the search looked at it: a terminal or estimated value was used, the table knew it, or its
successors were searched. Those that were only generated, because a sweep costs the same with them, are counted apart.
Rates are by the CPU time of the process, so that what else the machine does matters little; medians over the rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

# NumPy's linear algebra would start threads that spin for a while, and their time would count.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import ludorum
from ludorum.search.minimax import MinimaxSearch

EVALUATIONS = {"none": (0.0, 0.0), "goals": (1.0, 0.0), "mobility": (0.0, 1.0), "goals and mobility": (1.0, 1.0)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["connectfour"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    print("| game | evaluation | depth | states a second | generated a second | successors a sweep | µs a sweep |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in options.games:
        game = ludorum.load(name)
        for title, (goals, mobility) in EVALUATIONS.items():
            rounds = [measure(game, goals, mobility, options.seconds) for _ in range(options.rounds)]
            states, generated, sweeps, depth = (statistics.median(column) for column in zip(*rounds, strict=True))
            print(f"| {name} | {title} | {depth:.0f} | {states:,.0f} | {generated:,.0f} | {generated / sweeps:.1f} "
                  f"| {1e6 / sweeps:.2f} |", flush=True)


def measure(game: ludorum.Game, goals: float, mobility: float, seconds: float) -> tuple[float, float, float, int]:
    """States, generated states and sweeps a second of CPU time, and the depth reached."""
    search = MinimaxSearch(game, goals=goals, mobility=mobility)
    search.search(depth=1)
    begin = time.process_time()
    found = search.search(seconds=seconds)
    spent = time.process_time() - begin
    return found.states / spent, found.generated / spent, found.sweeps / spent, found.depth


if __name__ == "__main__":
    main()
