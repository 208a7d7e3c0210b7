"""How long games take to load, in CPU seconds, without the cache. Writes docs/lab/loading.md.

    python bench/loading.py [--folder ggp.org] [--seconds 60] [--only NAME]

What is imported is imported before. The time of this process and of the one that grounds are told apart.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import ludorum
from collection import GAMES, require
from ludorum.errors import LudorumError

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "lab" / "loading.md"
SLOWEST = 20


@dataclass(frozen=True, slots=True)
class Loaded:
    name: str
    engine: str
    here: float
    grounding: float
    passes: float
    gates: int | None

    @property
    def seconds(self) -> float:
        return self.here + self.grounding


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default="ggp.org")
    parser.add_argument("--seconds", type=float, default=60.0, help="the budget of a game")
    parser.add_argument("--only", help="the games whose name has this in it; writes no page")
    arguments = parser.parse_args()
    require()
    games = sorted((GAMES / arguments.folder).glob("*.kif"), key=lambda path: path.name.lower())
    os.environ["LUDORUM_CACHE"] = "off"
    ludorum.load("tictactoe")
    found = []
    for path in games:
        if not arguments.only or arguments.only.lower() in path.stem.lower():
            found.append(measured(path, arguments.seconds))
            print(line(found[-1]), file=sys.stderr, flush=True)
    if not arguments.only:
        PAGE.write_text(page(found, arguments.folder), encoding="utf-8")


def measured(path: Path, seconds: float) -> Loaded:
    here, grounding = cpu(resource.RUSAGE_SELF), cpu(resource.RUSAGE_CHILDREN)
    try:
        game = ludorum.load(path, seconds=seconds)
        engine, report = game.engine, game.report
    except LudorumError as error:
        engine, report = type(error).__name__, {}
    passes = [*report.get("passes", ()), *report.get("reachable", {}).get("passes", ())]
    return Loaded(path.stem, engine, cpu(resource.RUSAGE_SELF) - here, cpu(resource.RUSAGE_CHILDREN) - grounding,
                  sum(did["seconds"] for did in passes), report.get("gates"))


def cpu(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def line(game: Loaded) -> str:
    gates = "" if game.gates is None else f"{game.gates:,}"
    return f"| {game.name} | {game.engine} | {game.seconds:.2f} | {game.grounding:.2f} | {game.passes:.2f} | {gates} |"


def page(found: list[Loaded], folder: str) -> str:
    seconds = [game.seconds for game in found]
    deciles = statistics.quantiles(seconds, n=10)
    engines = {engine: sum(game.engine == engine for game in found) for engine in {game.engine for game in found}}
    slowest = sorted(found, key=lambda game: -game.seconds)[:SLOWEST]
    return "\n".join([
        "# Loading",
        "",
        f"CPU seconds to load the {len(found)} games of {folder} without the cache, by `bench/loading.py`: of this",
        "process and of the one that grounds together. Imports are not counted.",
        "",
        f"- median {statistics.median(seconds):.2f} s, nine of ten within {deciles[-1]:.2f} s",
        f"- engines: {', '.join(f'{engine} {count}' for engine, count in sorted(engines.items()))}",
        "",
        f"The {len(slowest)} that take longest:",
        "",
        "| game | engine | seconds | of them clingo | passes | gates |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
        *map(line, slowest),
        "",
    ])


if __name__ == "__main__":
    main()
