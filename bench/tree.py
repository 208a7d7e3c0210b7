"""Playouts a second inside the tree, beside those without one, and what a second thread brings.

    python bench/tree.py [GAME ...]      the tables, as Markdown; connect four, breakthrough, othello and draughts, and
                                         the checkers of the corpus where it is at hand

The first table is by the CPU time of one thread, so that what else the machine does matters little. The second is by
wall time: two threads on one tree, and beside them what two separate processes reach, which is the most that the
machine allows. Every figure is the median of rounds in which all kinds of runs take turns; a search begins with an
empty tree.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import collection

# NumPy's linear algebra would start threads that spin for a while, and their time would count.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import ludorum
from ludorum.clock import Deadline
from ludorum.search import TreeResult, TreeSearch, TreeSettings

CORPUS = collection.GAMES / "ggp.org"
#: What is asked of the search, in playouts a second of one thread or as a part of those without a tree.
TARGETS = {"connectfour": "500,000", "breakthrough": "250,000", "othello": "half", "checkers": "half"}
KINDS = {"plain": TreeSettings(), "mast": TreeSettings(policy="mast", epsilon=0.4), "nst": TreeSettings(policy="nst")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--table", choices=("one", "two", "both"), default="both", help="for one thread or two")
    options = parser.parse_args()
    checkers = CORPUS / "checkers.kif"
    games = options.games or [*["connectfour", "breakthrough", "othello", "draughts"],
                              *([str(checkers)] if checkers.exists() else [])]
    if options.table != "two":
        print("| game | without a tree | tree | part of it | lanes in use | MAST | NST | target |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name in games:
            one_thread(name, options.rounds, options.seconds)
    if options.table != "one":
        print("\n| game | one thread | two threads | ratio | two processes | ratio |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for name in games:
            two_threads(name, options.rounds, options.seconds)


def one_thread(name: str, rounds: int, seconds: float) -> None:
    game = ludorum.load(name)
    game.playouts(1_000)
    flat, used = [], []
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for number in range(rounds):
        flat.append(flat_rate(game, seconds, number))
        for kind, settings in KINDS.items():
            begin = time.process_time()
            result = think(game, settings, seconds)
            rates[kind].append(result.playouts / (time.process_time() - begin))
            if kind == "plain":
                used.append(result.utilisation)
    part = statistics.median(tree / plain for tree, plain in zip(rates["plain"], flat, strict=True))
    tree, mast, nst = (statistics.median(rates[kind]) for kind in KINDS)
    print(f"| {game.name} | {statistics.median(flat):,.0f} | {tree:,.0f} | {part:.2f} | {statistics.median(used):.0%} "
          f"| {mast:,.0f} | {nst:,.0f} | {TARGETS.get(game.name, '')} |", flush=True)


def flat_rate(game: ludorum.Game, seconds: float, seed: int) -> float:
    """Playouts a second of CPU time from the initial state."""
    playouts, spent, n = 0, 0.0, 20_000
    while spent < seconds / 2:
        begin = time.process_time()
        game.playouts(n, seed=seed)
        spent += time.process_time() - begin
        playouts += n
        n = min(4 * n, 1_000_000)
    return playouts / spent


def think(game: ludorum.Game, settings: TreeSettings, seconds: float) -> TreeResult:
    return TreeSearch(game, settings).think(game.initial, deadline=Deadline.within(seconds))


def two_threads(name: str, rounds: int, seconds: float) -> None:
    game = ludorum.load(name)
    context = multiprocessing.get_context("spawn")
    ends: list[Connection] = []
    for _ in range(2):
        ours, theirs = context.Pipe()
        context.Process(target=serve, args=(name, theirs), daemon=True).start()
        ends.append(ours)
    for end in ends:
        end.recv()
    kinds: dict[str, Callable[[], float]] = {
        "one": lambda: think(game, TreeSettings(), seconds).playouts / seconds,
        "two": lambda: think(game, TreeSettings(threads=2), seconds).playouts / seconds,
        "processes": lambda: both(ends, seconds) / seconds,
    }
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind, run in kinds.items():
            rates[kind].append(run())
    for end in ends:
        end.send(None)
    one = statistics.median(rates["one"])
    ratios = {kind: statistics.median(rate / alone for rate, alone in zip(rates[kind], rates["one"], strict=True))
              for kind in ("two", "processes")}
    print(f"| {game.name} | {one:,.0f} | {statistics.median(rates['two']):,.0f} | {ratios['two']:.2f} "
          f"| {statistics.median(rates['processes']):,.0f} | {ratios['processes']:.2f} |", flush=True)


def both(ends: list[Connection], seconds: float) -> int:
    """The playouts of two processes that search side by side."""
    for end in ends:
        end.send(seconds)
    return sum(end.recv() for end in ends)


def serve(name: str, end: Connection) -> None:
    game = ludorum.load(name)
    think(game, TreeSettings(), 0.1)
    end.send("ready")
    while (seconds := end.recv()) is not None:
        end.send(think(game, TreeSettings(), seconds).playouts)


if __name__ == "__main__":
    main()
