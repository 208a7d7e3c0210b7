"""The table of reasoners: `ludorum bench --compare` over the games of two papers, beside what the papers measured.

    python bench/reasoners.py CORPUS/games [--seconds 5] [--only NAME] [--ways batch relations] [--again]

Results are kept in build/reasoners.json as they come, so that a run that was stopped goes on where it was; the tables
of docs/lab/reasoners.md are written from them at the end.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import ludorum
from ludorum.compare import WAYS, compare, record_matches
from ludorum.loading import find

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "reasoners.json"
PAGE = ROOT / "docs" / "lab" / "reasoners.md"

# Schiffel and Björnsson, "Efficiency of GDL Reasoners" (GIGA 2013), Table 1: nodes a second of the fastest of their
# seven reasoners on one core of a 2.5 GHz Xeon, by minimax and by Monte-Carlo; and the rulesheet in our corpus.
COMPARISON = {
    "Amazons": ("ggp.org/amazons", 4877, 454),
    "Breakthrough": ("ggp.org/breakthrough", 3783, 2638),
    "Chinese checkers 1p": ("ggp.org/chineseCheckers1", 6249, 4538),
    "Chinese checkers 2p": ("ggp.org/chineseCheckers2", 4340, 3193),
    "Chinese checkers 3p": ("ggp.org/chineseCheckers3", 3195, 2464),
    "Chinese checkers 4p": ("ggp.org/chineseCheckers4", 2018, 1511),
    "Chinese checkers 6p": ("ggp.org/chineseCheckers6", 1581, 1500),
    "Chinese checkers 6p-sim": ("dresden/chinesecheckers6-simultaneous", 2400, 1023),
    "Connect4": ("ggp.org/connectFour", 1780, 933),
    "Othello-2007": ("dresden/othello-comp2007", 747, 258),
    "Skirmish": ("ggp.org/skirmish", 3327, 1391),
    "Tictactoe": ("ggp.org/ticTacToe", 14471, 11988),
}
# The same, Table 2: programs written for the game, in Java.
SPECIFIC = {"Breakthrough": (5_543_666, 709_230), "Connect4": (5_072_668, 2_530_426)}

# Schofield and Saffidine, "High Speed Forward Chaining for General Game Playing" (GIGA 2013), Table 1: thousands of
# states a second in random matches on one core of an i7 at 3.4 GHz.
CHAINING = {
    "ggp.org/amazons": 0.2, "ggp.org/asteroidsSerial": 370, "gdl2/beatMania": 366, "ggp.org/blocker": 638,
    "ggp.org/breakthrough": 168, "ggp.org/bunk_t": 595, "ggp.org/chomp": 694, "ggp.org/connectFour": 111,
    "ggp.org/doubletictactoe": 636, "ggp.org/hanoi": 1375, "ggp.org/lightsOut": 728, "ggp.org/minichess": 75,
    "ggp.org/nim1": 234, "ggp.org/pancakes6": 2046, "ggp.org/peg": 139, "ggp.org/roshambo2": 1612,
    "ggp.org/sheepAndWolf": 94, "ggp.org/ticTacToe": 898, "ggp.org/tictactoex9": 112,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each search, by each engine")
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--only", default="", help="games whose name has this in it")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="measure these only, and keep the others")
    parser.add_argument("--again", action="store_true", help="measure again what was measured before")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no other game after so long")
    arguments = parser.parse_args()
    kept: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    start = time.monotonic()
    names = dict.fromkeys([*(game for game, *_ in COMPARISON.values()), *CHAINING])
    # What takes several engines minutes to load comes last.
    for name in sorted(names, key=lambda name: name == "ggp.org/amazons"):
        if arguments.only not in name or time.monotonic() - start > 60 * arguments.minutes:
            continue
        before = kept.get(name, {"seconds": arguments.seconds, "rows": {}})
        rows = before["rows"] if before["seconds"] == arguments.seconds else {}
        if not arguments.again and all(way in rows for way in arguments.ways):
            continue
        path = arguments.games / f"{name}.kif"
        print(name, flush=True)
        matches = record_matches(ludorum.load(path), arguments.matches)
        found = compare(find(path), path.stem, matches, ways=arguments.ways, seconds=arguments.seconds)
        kept[name] = {"seconds": arguments.seconds, "rows": rows | {row.way: asdict(row) for row in found}}
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(kept))
    write_page(kept)


def write_page(kept: dict[str, Any]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    tables = {"minimax": searches(kept, "minimax", 1), "montecarlo": searches(kept, "montecarlo", 2),
              "specific": specific(kept), "chaining": chaining(kept), "loading": loading(kept)}
    for name, table in tables.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        assert start, f"the page has no place for {name}"
        _, end, after = rest.partition("\n<!-- end -->")
        text = before + start + table + end + after
    PAGE.write_text(text, encoding="utf-8")


def searches(kept: dict[str, Any], search: str, column: int) -> str:
    lines = [f"| game | {' | '.join(WAYS)} | the paper's best | counts |",
             f"| --- |{' ---: |' * (len(WAYS) + 1)} --- |"]
    for name, entry in COMPARISON.items():
        rows = kept.get(entry[0], {}).get("rows", {})
        cells = [speed(rows.get(way), search) for way in WAYS]
        agrees = [row["agrees"] for row in rows.values() if row["agrees"] is not None]
        counts = "–" if not agrees else "agree" if all(agrees) else "DIFFER"
        lines.append(f"| {name} | {' | '.join(cells)} | {entry[column]:,} | {counts} |")
    return "\n".join(lines)


def specific(kept: dict[str, Any]) -> str:
    lines = ["| game | search | written for the game | the paper's best GDL | our best |",
             "| --- | --- | ---: | ---: | ---: |"]
    for column, search in enumerate(("minimax", "montecarlo")):
        for name, theirs in SPECIFIC.items():
            ours = best(kept.get(COMPARISON[name][0], {}).get("rows", {}), search)
            lines.append(f"| {name} | {search} | {theirs[column]:,} | {COMPARISON[name][1 + column]:,} | {ours:,.0f} |")
    return "\n".join(lines)


def chaining(kept: dict[str, Any]) -> str:
    lines = [f"| game | {' | '.join(WAYS)} | the paper's | our best | relations |",
             f"| --- |{' ---: |' * (len(WAYS) + 1)} ---: | ---: |"]
    tenfold = no_less = measured = 0
    for name, thousands in CHAINING.items():
        rows = kept.get(name, {}).get("rows", {})
        paper = 1000 * thousands
        cells = [speed(rows.get(way), "montecarlo") for way in WAYS]
        ratios = "– | –"
        if rows:
            measured += 1
            whole = best(rows, "montecarlo") / paper
            alone = nodes_per_second(rows.get("relations"), "montecarlo") / paper
            tenfold, no_less = tenfold + (whole >= 10), no_less + (alone >= 1)
            ratios = f"×{whole:,.1f} | ×{alone:.2f}"
        lines.append(f"| {name.split('/')[1]} | {' | '.join(cells)} | {paper:,.0f} | {ratios} |")
    lines += ["", f"Ten times the paper's figure with the better of our engines on {tenfold} of {measured} games, and "
                  f"no less than it with `relations` alone on {no_less}."]
    return "\n".join(lines)


def loading(kept: dict[str, Any]) -> str:
    lines = [f"| game | {' | '.join(f'{way} s | MB' for way in WAYS)} |", f"| --- |{' ---: |' * 2 * len(WAYS)}"]
    for name in dict.fromkeys([*(entry[0] for entry in COMPARISON.values()), *CHAINING]):
        rows = kept.get(name, {}).get("rows", {})
        lines.append(f"| {name.split('/')[1]} | {' | '.join(cost(rows.get(way)) for way in WAYS)} |")
    return "\n".join(lines)


def cost(row: dict[str, Any] | None) -> str:
    return f"{row['load_seconds']:.1f} | {row['peak_memory_mb']:.0f}" if row and not row["error"] else "– | –"


def best(rows: dict[str, Any], search: str) -> float:
    return max((nodes_per_second(row, search) for row in rows.values()), default=0.0)


def nodes_per_second(row: dict[str, Any] | None, search: str) -> float:
    return row[search]["nodes_per_second"] if row and not row["error"] else 0.0


def speed(row: dict[str, Any] | None, search: str) -> str:
    return f"{nodes_per_second(row, search):,.0f}" if row and not row["error"] else "–"


if __name__ == "__main__":
    main()
