"""What an evaluation costs: states a second, beside playouts a second; and how long it takes to make one.

    python bench/evaluation.py [GAME ...]      the tables, as Markdown; five games if none is named
    python bench/evaluation.py --corpus        the time that fluent graphs take, over all games of the corpus

All by the CPU time of one thread, so that what else the machine does matters little: medians of rounds in which all
kinds take turns. States are those of random play, evaluated 64 at a time as searches do and in one batch of
thousands; what finding the legal moves takes is not counted, since searches know them already.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import collection

# NumPy's linear algebra would start threads that spin for a while, and their time would count.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import ludorum
from ludorum import Game
from ludorum._core import Evaluation, ProgramEvaluation
from ludorum.analysis.distances import fluent_graph
from ludorum.analysis.samples import samples
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.errors import LudorumError
from ludorum.evaluate import EvaluationSettings, evaluation

CORPUS = collection.GAMES / "ggp.org"
GAMES = ("tictactoe", "connectfour", "breakthrough", "othello", "skirmish")
KINDS = {
    "binary": EvaluationSettings(leaves="binary"),
    "structures": EvaluationSettings(leaves="structures"),
    "distances": EvaluationSettings(),
    "product": EvaluationSettings(form="product"),
    "fluents": EvaluationSettings(goals=0, fluents=1),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--corpus", action="store_true", help="only fluent graphs, of every game of the corpus")
    parser.add_argument("--seconds", type=float, default=20.0, help="with --corpus, the most that a game may take")
    options = parser.parse_args()
    if options.corpus:
        corpus(options.games, options.seconds)
    else:
        speed(options.games or GAMES, options.rounds)


def speed(games: tuple[str, ...], rounds: int) -> None:
    print("| game | playouts | states in them | " + " | ".join(f"{kind}, states" for kind in KINDS)
          + " | 64 at a time | steps | made in |")
    print("| --- |" + " ---: |" * (len(KINDS) + 5))
    for name in games:
        game = ludorum.load(name)
        rows = np.ascontiguousarray(samples(game, 20_000).rows[:16_384])
        made, took = {}, {}
        for kind, settings in KINDS.items():
            begin = time.process_time()
            made[kind] = evaluation(game, settings)
            took[kind] = time.process_time() - begin
        figures: dict[str, list[float]] = {}
        for number in range(rounds):
            begin, playouts = time.process_time(), game.playouts(20_000 if number else 1_000, seed=number)
            spent = time.process_time() - begin
            figures.setdefault("playouts", []).append(len(playouts.lengths) / spent)
            figures.setdefault("steps", []).append(float(playouts.lengths.sum()) / spent)
            for kind in KINDS:
                figures.setdefault(kind, []).append(rate(game, made[kind].core, rows, len(rows)))
            figures.setdefault("64", []).append(rate(game, made["distances"].core, rows, 64))
        program = made["distances"].core
        steps = program.steps if isinstance(program, ProgramEvaluation) else 0
        median = {kind: statistics.median(values[1:] or values) for kind, values in figures.items()}
        print(f"| {game.name} | {median['playouts']:,.0f} | {median['steps']:,.0f} | "
              + " | ".join(f"{median[kind]:,.0f}" for kind in KINDS)
              + f" | {median['64']:,.0f} | {steps} | {took['distances']:.2f} s |", flush=True)


def rate(game: Game, core: Evaluation, rows: np.ndarray, at_a_time: int) -> float:
    """States a second of CPU time."""
    assert isinstance(game.reasoner, Simulates)
    return len(rows) / core.time(game.reasoner.simulator(), rows, at_a_time)


def corpus(games: list[str], seconds: float) -> None:
    times, failed = [], []
    for path in [Path(name) for name in games] or sorted(CORPUS.glob("*.kif")):
        try:
            game = ludorum.load(path, seconds=seconds)
        except LudorumError as error:
            failed.append(f"{path.stem}: {str(error).splitlines()[0]}")
            continue
        if game.engine != "circuit":
            continue
        begin = time.process_time()
        try:
            graph = fluent_graph(game, budget=Budget.within(seconds))
        except LudorumError as error:
            failed.append(f"{path.stem}: {error}")
            continue
        times.append((time.process_time() - begin, path.stem, graph))
    times.sort(reverse=True, key=lambda entry: entry[0])
    print("| game | fluents | edges | seconds |\n| --- | ---: | ---: | ---: |")
    for spent, name, graph in times[:15]:
        print(f"| {name} | {len(graph.fluents):,} | {len(graph.sources):,} | {spent:.2f} |")
    took = [entry[0] for entry in times]
    print(f"\n{len(times)} games with a circuit: median {statistics.median(took):.3f} s, largest {max(took):.2f} s, "
          f"{sum(one < 1 for one in took)} under a second.", *failed, sep="\n")


if __name__ == "__main__":
    main()
