"""What a circuit for every turn saves: playouts, tree search and alpha-beta with and without, taking turns in one run.

    python bench/turns.py            the table, as Markdown; --write puts it into docs/lab/speed.md
    python bench/turns.py checkers   of these games only

Games are the rulesheets of the corpus beside the project (CORPUS/games). With and without, the same circuit is
played, and the same seed gives the same playouts; that is checked on the way.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import collection
import ludorum
from ludorum.circuit.core import simulator
from ludorum.clock import Deadline
from ludorum.search.minimax import MinimaxSearch
from ludorum.search.tree import TreeSearch

ROOT = Path(__file__).resolve().parent.parent
CORPUS = collection.GAMES / "ggp.org"
PAGE = ROOT / "docs" / "lab" / "speed.md"
GAMES = ("ticTacToe", "connectFour", "breakthrough", "reversi", "checkers", "hex", "skirmish", "speedChess",
         "chineseCheckers3", "pawnWhopping", "connect5", "cephalopodMicro", "chinook")
SECONDS = 0.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    collection.require()
    lines = ["| game | phases | inputs of a step | with them | playouts | tree search | alpha-beta |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in options.games:
        lines.append(row(name, options.rounds))
        print(lines[-1], file=sys.stderr)
    page = "\n".join(lines) + "\n"
    print(page)
    if options.write:
        begin, end = "<!-- turns -->\n", "<!-- /turns -->"
        before, rest = PAGE.read_text(encoding="utf-8").split(begin)
        PAGE.write_text(before + begin + page + end + rest.split(end)[1], encoding="utf-8")


def row(name: str, rounds: int) -> str:
    game = ludorum.load(str(CORPUS / f"{name}.kif"), engine="circuit")
    circuit: Any = game.reasoner.circuit  # type: ignore[attr-defined]
    circuit = circuit.reachable or circuit
    if not circuit.phases:
        sys.exit(f"{name} has no phases")
    plain = replace(circuit, phases=())
    with_them, without = (game.with_circuit(known, name=name) for known in (circuit, plain))
    cones = simulator(circuit).describe()
    inputs = [sum(part[cone]["inputs"] for cone in ("terminal", "legal", "next")) for part in (cones, *cones["phases"])]
    figures = [ratio(one, other, rounds) for one, other in (
        playouts(game, circuit, plain),
        (lambda: tree(with_them), lambda: tree(without)),
        (lambda: alpha_beta(with_them), lambda: alpha_beta(without)))]
    return (f"| {name} | {len(circuit.phases)} | {inputs[0]:,} | {statistics.mean(inputs[1:]):,.0f} | "
            + " | ".join(figures) + " |")


def ratio(one: Callable[[], float], other: Callable[[], float], rounds: int) -> str:
    """How many times as fast one is as the other: the median of rounds, the smallest and the largest."""
    one(), other()
    ratios = [one() / other() for _ in range(rounds)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def playouts(game: ludorum.Game, *circuits: Any) -> tuple[Callable[[], float], Callable[[], float]]:
    start = game.reasoner.row(game.initial.position)  # type: ignore[attr-defined]
    cores = [simulator(circuit) for circuit in circuits]
    lanes = cores[0].fastest_lanes(start)
    began = time.process_time()
    found = [core.playouts(start, 2000, 1, 1, 10_000, lanes)[:3] for core in cores]
    n = int(2000 * max(1.0, 2 * SECONDS / max(1e-4, time.process_time() - began)))
    assert all(map(np.array_equal, *found)), game.name

    def rate(core: Any) -> float:
        began = time.process_time()
        core.playouts(start, n, 1, 1, 10_000, lanes)
        return n / (time.process_time() - began)

    return lambda: rate(cores[0]), lambda: rate(cores[1])


def tree(game: ludorum.Game) -> float:
    search = TreeSearch(game)
    began = time.process_time()
    found = search.think(game.initial, deadline=Deadline.within(SECONDS))
    return found.playouts / (time.process_time() - began)


def alpha_beta(game: ludorum.Game) -> float:
    search = MinimaxSearch(game, goals=0, mobility=0)
    began = time.process_time()
    found = search.search(seconds=SECONDS)
    return found.states / (time.process_time() - began)


if __name__ == "__main__":
    main()
