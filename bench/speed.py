"""Playouts a second, beside OpenSpiel's own C++ rollouts measured in the same run.

    python bench/speed.py                  the table, as Markdown; --write puts it into docs/lab/speed.md and README.md
    python bench/speed.py --instructions   also counts instructions with valgrind, where that is installed

OpenSpiel is installed into an environment of its own under build/. Each round measures every game once with both
systems, on one thread, by the CPU time of the process that plays, so that what else the machine does matters
little; the table gives medians over the rounds and, for the ratio, the smallest and the largest round. Games are
the rulesheets of the corpus beside the project (CORPUS/games), which most of the field uses.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import collection

ROOT = Path(__file__).resolve().parent.parent
CORPUS = collection.GAMES / "ggp.org"
OPEN_SPIEL = ROOT / "build" / "openspiel"


@dataclass(frozen=True)
class Row:
    title: str
    rulesheet: str
    open_spiel: str | None
    playouts: int


GAMES = (
    Row("tic-tac-toe", "ticTacToe", "tic_tac_toe", 4_000_000),
    Row("connect four", "connectFour", "connect_four", 1_000_000),
    Row("breakthrough 8×8", "breakthrough", "breakthrough", 100_000),
    Row("othello", "reversi", "othello", 60_000),
    Row("checkers", "checkers", "checkers", 20_000),
    Row("hex 9×9", "hex", "hex(board_size=9)", 8_000),
    Row("peg solitaire", "peg", None, 1_000_000),
    Row("eight puzzle", "eightPuzzle", None, 500_000),
    Row("skirmish", "skirmish", None, 8_000),
)

# Runs where OpenSpiel is installed: one search of one simulation, which evaluates the first state by n rollouts in C++.
ROLLOUTS = """
import sys, time, pyspiel
game, n = pyspiel.load_game(sys.argv[1]), 64
while True:
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(n, 1), 1.0, 1, 100, False, 1, False)
    state, start = game.new_initial_state(), time.process_time()
    bot.mcts_search(state)
    seconds = time.process_time() - start
    if seconds > 0.5:
        break
    n = int(n * max(2, min(10, 0.8 / max(seconds, 1e-4))))
print(n / seconds)
"""

# Loads one game, then plays it.
OURS = """
import json, sys, time, ludorum
path, n, lanes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) or None
game = ludorum.load(path, engine="circuit")
reasoner = game.reasoner
start = reasoner.initial
lanes = lanes or reasoner.lanes(start)
seconds = []
for seed in range(3):
    began = time.process_time()
    played = reasoner.playouts(n, start, seed=seed, lanes=lanes)
    seconds.append(time.process_time() - began)
work = reasoner.work(n, start, seed=0, lanes=lanes)
print(json.dumps({"rate": n / min(seconds), "length": played.mean_length, "lanes": lanes, **work,
                  "cones": reasoner.describe(), "seconds": min(seconds)}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    collection.require()
    python = open_spiel()
    ours: dict[str, list[dict[str, Any]]] = {row.title: [] for row in GAMES}
    theirs: dict[str, list[float]] = {row.title: [] for row in GAMES}
    for number in range(options.rounds):
        for row in GAMES:
            print(f"round {number + 1}: {row.title}", file=sys.stderr)
            if row.open_spiel:
                theirs[row.title].append(float(run(python, ROLLOUTS, row.open_spiel)))
            ours[row.title].append(json.loads(run(sys.executable, OURS, str(rulesheet(row)), str(row.playouts), "0")))
    counted = GAMES if options.instructions else ()
    instructions = {row.title: count_instructions(row, ours[row.title][0]) for row in counted}
    page = "\n".join(table(ours, theirs)) + "\n\n" + "\n".join(costs(ours, instructions)) + "\n"
    print(page)
    if options.write:
        put(ROOT / "docs" / "lab" / "speed.md", page)
        put(ROOT / "README.md", "\n".join(table(ours, theirs)) + "\n")


def rulesheet(row: Row) -> Path:
    return CORPUS / f"{row.rulesheet}.kif"


def run(python: str | Path, script: str, *arguments: str) -> str:
    # NumPy's linear algebra would start threads that spin for a while, and their time would count.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [str(python), "-c", script, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def open_spiel() -> Path:
    python = OPEN_SPIEL / "bin" / "python"
    if not python.exists():
        venv.create(OPEN_SPIEL, with_pip=True)
    if subprocess.run([python, "-c", "import pyspiel"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "open_spiel"], check=True)
    return python


def table(ours: dict[str, list[dict[str, Any]]], theirs: dict[str, list[float]]) -> list[str]:
    lines = ["| game | playouts a second | states a second | OpenSpiel | ratio (smallest to largest round) |",
             "| --- | ---: | ---: | ---: | ---: |"]
    for row in GAMES:
        rates = [measured["rate"] for measured in ours[row.title]]
        rate = statistics.median(rates)
        states = rate * ours[row.title][0]["length"]
        if row.open_spiel:
            ratios = [mine / other for mine, other in zip(rates, theirs[row.title], strict=True)]
            other = f"{statistics.median(theirs[row.title]):,.0f}"
            ratio = f"{statistics.median(ratios):.3g}× ({min(ratios):.3g} to {max(ratios):.3g})"
        else:
            other, ratio = "–", f"({min(rates):,.0f} to {max(rates):,.0f})"
        lines.append(f"| {row.title} | {rate:,.0f} | {states:,.0f} | {other} | {ratio} |")
    return lines


def costs(ours: dict[str, list[dict[str, Any]]], instructions: dict[str, float]) -> list[str]:
    """What a step of all lanes costs: gates and inputs evaluated, bytes touched, time."""
    lines = ["| game | lanes | gates a step | inputs a step | goal gates | bytes touched a step | ns a step "
             "| ns an input |" + (" instructions an input |" if instructions else ""),
             "| --- " + "| ---: " * (7 + bool(instructions)) + "|"]
    for row in GAMES:
        best = min(ours[row.title], key=lambda measured: measured["seconds"])
        cones = best["cones"]
        # Where there are phases, a step of the one is as likely as one of the other.
        parts = cones["phases"] or [cones]
        gates, inputs = (round(sum(part[cone][what] for part in parts for cone in ("terminal", "legal", "next"))
                               / len(parts)) for what in ("gates", "inputs"))
        touched = cones["slots"] * best["lanes"] // 8 + 4 * (gates + inputs)
        step = best["seconds"] / best["steps"] * 1e9
        line = (f"| {row.title} | {best['lanes']} | {gates:,} | {inputs:,} | {cones['goal']['gates']:,} | {touched:,} "
                f"| {step:,.0f} | {step / inputs:.2f} |")
        if instructions:
            line += f" {instructions[row.title] / inputs:.2f} |"
        lines.append(line)
    return lines


def count_instructions(row: Row, measured: dict[str, Any]) -> float:
    """Instructions of one step of all lanes, everything included, by the difference between two runs."""
    if shutil.which("valgrind") is None:
        sys.exit("--instructions needs valgrind")
    script = """
import sys, ludorum
reasoner = ludorum.load(sys.argv[1], engine="circuit").reasoner
for _ in range(int(sys.argv[3])):
    reasoner.playouts(int(sys.argv[2]), reasoner.initial, lanes=int(sys.argv[4]))
"""
    n = max(20_000, row.playouts // 20)  # so many that what a call costs does not show
    totals = []
    for times in (1, 2):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-c", script,
                   str(rulesheet(row)), str(n), str(times), str(measured["lanes"])]
        report = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        found = re.search(r"Collected : (\d+)", report)
        assert found, report
        totals.append(int(found[1]))
    again = run(sys.executable, OURS, str(rulesheet(row)), str(n), str(measured["lanes"]))
    steps = float(json.loads(again)["steps"])
    return (totals[1] - totals[0]) / steps


def put(path: Path, text: str) -> None:
    """Replaces what stands between the marks."""
    old = path.read_text()
    marked = f"<!-- speed -->\n{text}<!-- /speed -->"
    new = re.sub(r"<!-- speed -->.*?<!-- /speed -->", lambda _: marked, old, flags=re.S)
    path.write_text(new)
    print(f"written: {path.relative_to(ROOT)} ({time.strftime('%Y-%m-%d')})", file=sys.stderr)


if __name__ == "__main__":
    main()
