"""Every game of the corpus: does it load, how fast, how big, and do others agree? Writes docs/lab/corpus.md.

    python bench/corpus.py [--jobs 2] [--walks 3] [--folders ggp.org dresden gdl2] [--only NAME] [--fresh]

One process a game. Results are kept in build/corpus.jsonl, one line a game, so that an interrupted run goes
on where it stopped; `--fresh` starts anew.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from collection import GAMES, ORACLE, require
from corpus_page import page

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("ggp.org", "dresden", "gdl2")
RESULTS = ROOT / "build" / "corpus.jsonl"
PAGE = ROOT / "docs" / "lab" / "corpus.md"

# The budget of a game, and the time for comparing it with others.
SECONDS, MEMORY_MB = 60.0, 4096
COMPARE_SECONDS = 60.0


def main() -> None:
    arguments = _arguments()
    require()
    if arguments.fresh:
        RESULTS.unlink(missing_ok=True)
    RESULTS.parent.mkdir(exist_ok=True)
    known = {} if arguments.only else _known()
    games = [game for folder in arguments.folders for game in _games(folder)
             if not arguments.only or arguments.only.lower() in game.lower()]
    missing = [game for game in games if game not in known]
    with ThreadPoolExecutor(arguments.jobs) as pool, RESULTS.open("a", encoding="utf-8") as results:
        for number, result in enumerate(pool.map(lambda game: _measure(game, arguments), missing), 1):
            results.write(json.dumps(result) + "\n")
            results.flush()
            print(f"{number}/{len(missing)} {_line(result)}", file=sys.stderr, flush=True)
    if not arguments.only:
        PAGE.write_text(page(list(_known().values())), encoding="utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", nargs="+", choices=FOLDERS, default=FOLDERS)
    parser.add_argument("--jobs", type=int, default=1, help="games measured at once")
    parser.add_argument("--walks", type=int, default=0, help="random walks beside the reference engine")
    parser.add_argument("--only", help="measure the games whose path has this in it again, and write no page")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    return parser.parse_args()


def _games(folder: str) -> list[str]:
    games = GAMES
    return sorted((str(path.relative_to(games)) for path in (games / folder).glob("*.kif")), key=str.lower)


def _known() -> dict[str, dict[str, Any]]:
    """The results so far, the last of each game."""
    if not RESULTS.exists():
        return {}
    results = (json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines())
    return {result["game"]: result for result in results}


def _measure(game: str, arguments: argparse.Namespace) -> dict[str, Any]:
    trace = ORACLE / Path(game).with_suffix(".json.gz")
    command = [sys.executable, str(Path(__file__).with_name("corpus_game.py")), str(GAMES / game),
               "--trace", str(trace), "--seconds", str(SECONDS), "--memory-mb", str(MEMORY_MB),
               "--compare-seconds", str(COMPARE_SECONDS), "--walks", str(arguments.walks)]
    limit = 3 * SECONDS + 3 * COMPARE_SECONDS
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"game": game, "error": f"did not end within {limit:.0f} s"}
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        return {"game": game, "error": f"crashed: {reason[0]}"}
    return {"game": game, **json.loads(done.stdout)}


def _line(result: dict[str, Any]) -> str:
    if "error" in result:
        return f"{result['game']}: {result['error'][:200]}"
    line = f"{result['game']}: {result['engine']}, {result['load_seconds']:.2f} s"
    if "gates" in result:
        line += f", {result['gates']} gates, {result['playouts_per_second']:,.0f} playouts/s"
    for what in ("trace", "walks"):
        if what in result:
            line += f", {what}: {result[what]['states']} states, {result[what]['mismatch_count']} mismatches"
    return line


if __name__ == "__main__":
    main()
