"""What a large tree costs: how long a new root takes, and whether the search keeps its rate.

    python bench/tree_memory.py [GAME] [--memory-mb 1024] [--moves 12] [--fraction 1.0]

A tree is grown until it has the asked share of its memory; then the match goes on by the best move again and again,
with some playouts after each. Printed are the times of `set_root`, and playouts per CPU second while the tree was small
and later, as ratios of the first: figures of one run on one machine, to be compared with each other.
"""

from __future__ import annotations

import argparse
import statistics
import time

import ludorum
from ludorum.search import TreeResult, TreeSearch, TreeSettings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", nargs="?", default="connectfour")
    parser.add_argument("--memory-mb", type=int, default=1024)
    parser.add_argument("--moves", type=int, default=12, help="new roots after the tree has grown")
    parser.add_argument("--playouts", type=int, default=200_000, help="between two looks")
    parser.add_argument("--fraction", type=float, default=1.0, help="of the memory that is filled first")
    options = parser.parse_args()
    game = ludorum.load(options.game)
    search = TreeSearch(game, TreeSettings(seed=1, memory_mb=options.memory_mb, expand_at=1))
    state = game.initial

    def think() -> tuple[TreeResult, float]:
        begin = time.process_time()
        result = search.think(state, playouts=options.playouts)
        return result, options.playouts / (time.process_time() - begin)

    result, first = think()
    print(f"{options.game}: {first:,.0f} playouts a CPU second at first", flush=True)
    step = options.fraction * options.memory_mb / 4
    told, before = step, 0.0
    while before < result.memory_mb < options.fraction * options.memory_mb * 0.97 and not result.is_solved:
        before = result.memory_mb
        result, rate = think()
        if result.memory_mb >= told:
            print(f"  {result.memory_mb:6.0f} MB  {rate / first:5.2f}", flush=True)
            told += step
    times = []
    for _ in range(options.moves):
        state = state.after({role: result.best(role) for role in result.moves})
        # Whether there is anything to choose is asked here, so that it is not what is measured.
        if state.is_terminal or not all(len(state.legal(role)) for role in game.roles):
            break
        begin = time.perf_counter()
        search.look_at(state)
        times.append(1000 * (time.perf_counter() - begin))
        result, rate = think()
        print(f"  root {times[-1]:8.3f} ms  {result.memory_mb:6.0f} MB  {result.nodes:,} nodes  {rate / first:5.2f}",
              flush=True)
    if times:
        print(f"set_root: median {statistics.median(times):.3f} ms, longest {max(times):.3f} ms of {len(times)}")


if __name__ == "__main__":
    main()
