"""Every puzzle that is at hand: is it solved, by which method, how fast? Writes the table in docs/solving.md.

    python bench/solving.py [--seconds 60] [--only NAME] [--again-unsolved] [--fresh]

The puzzles of the library, and where the corpus is at hand the games of one role in its folder ggp.org. One game at a
time, in a process of its own, compiled anew. Results are kept in build/solving.jsonl, one line a game, so that an
interrupted run goes on where it stopped; `--fresh` starts anew, `--again-unsolved` tries those once more that were not
solved.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from collection import GAMES
from ludorum import gdl, library
from ludorum.loading import find

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "solving.jsonl"
PAGE = ROOT / "docs" / "solving.md"
START, END = "<!-- solving -->\n", "<!-- /solving -->\n"

# Why a game is not solved, as far as we know.
REASONS = Path(__file__).with_name("unsolved.toml")

Result = dict[str, Any]


def main() -> None:
    arguments = _arguments()
    if arguments.fresh:
        RESULTS.unlink(missing_ok=True)
    RESULTS.parent.mkdir(exist_ok=True)
    games = [game for game in _games() if not arguments.only or arguments.only.lower() in game.lower()]
    known = {} if arguments.only else _known()
    missing = [game for game in games if game not in known
               or (arguments.again_unsolved and not known[game].get("proved"))]
    with RESULTS.open("a", encoding="utf-8") as results:
        for number, game in enumerate(missing, 1):
            result = _solve(game, arguments.seconds)
            results.write(json.dumps(result) + "\n")
            results.flush()
            print(f"{number}/{len(missing)} {_line(result)}", file=sys.stderr, flush=True)
    if not arguments.only:
        _write_page([solved for game in _games() if (solved := _known().get(game))], arguments.seconds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each game, loading included")
    parser.add_argument("--only", help="the games whose name has this in it, and write no page")
    parser.add_argument("--again-unsolved", action="store_true", help="try those again that were not solved")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    return parser.parse_args()


def _games() -> list[str]:
    """The puzzles of the library by name, then the games of one role of the corpus by path."""
    ours = [entry.name for entry in library.catalogue() if entry.kind == "puzzle"]
    theirs = sorted((GAMES / "ggp.org").glob("*.kif"), key=lambda path: path.name.lower())
    return [*ours, *(f"ggp.org/{path.name}" for path in theirs if len(_roles(path)) == 1)]


def _roles(path: Path) -> tuple[Any, ...]:
    source = find(path)
    return gdl.parse(source.text, source.name).roles


def _known() -> dict[str, Result]:
    """The results so far, the last of each game."""
    if not RESULTS.exists():
        return {}
    results = (json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines())
    return {result["game"]: result for result in results}


def _solve(game: str, seconds: float) -> Result:
    what = str(GAMES / game) if "/" in game else game
    command = [sys.executable, "-c", "from ludorum.cli import main; main()", "solve", what, "--json",
               "--seconds", str(seconds)]
    before = _processor_seconds()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * seconds + 30,
                              env={**os.environ, "LUDORUM_CACHE": "off"})
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"game": game, "error": f"did not end within {3 * seconds + 30:.0f} s"}
    except json.JSONDecodeError:
        return {"game": game, "error": (done.stderr.strip().splitlines() or ["no output"])[-1]}
    if "error" in found:
        return {"game": game, "error": found["message"]}
    return {**found, "game": game, "plan": len(found["plan"]), "processor_seconds": _processor_seconds() - before}


def _processor_seconds() -> float:
    """What the processes used that this one has started, those that they started included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _line(result: Result) -> str:
    if "error" in result:
        return f"{result['game']}: {result['error']}"
    state = "solved" if result["proved"] else "not solved"
    return (f"{result['game']}: {state}, {result['goal']} by {result['method'] or 'nobody'} in "
            f"{result['seconds']:.2f} s, {result['processor_seconds']:.2f} s of processor time")


def _write_page(results: list[Result], seconds: float) -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    rows = [_row(result) for result in results]
    unsolved = [f"- `{result['game']}`: {_unsolved(result, reasons)}" for result in results if not result.get("proved")]
    parts = [_totals(results, seconds), "\n".join([
        "| game | best goal | proved | found by | seconds | processor | moves |",
        "| --- | ---: | --- | --- | ---: | ---: | ---: |", *rows])]
    if unsolved:
        parts.append("Not solved:\n\n" + "\n".join(unsolved))
    measured = {result["game"] for result in results}
    if absent := [f"`{game}`" for game in _games() if game not in measured]:
        parts.append(f"Not measured in this run: {', '.join(absent)}.")
    PAGE.write_text(before + START + "\n" + "\n\n".join(parts) + "\n\n" + END + after, encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def _totals(results: list[Result], seconds: float) -> str:
    ours = [result for result in results if "/" not in result["game"]]
    theirs = [result for result in results if "/" in result["game"]]
    solved = [result for result in results if result.get("proved")]
    methods: dict[str, int] = {}
    for result in solved:
        methods[result["method"]] = methods.get(result["method"], 0) + 1
    shares = ", ".join(f"{name} {count}" for name, count in sorted(methods.items(), key=lambda item: -item[1]))
    fast = sum(result["seconds"] < 5 for result in solved)

    def count(of: list[Result]) -> str:
        return f"{sum(bool(result.get('proved')) for result in of)} of {len(of)}"

    return (f"Solved within {seconds:.0f} s, loading included: {count(ours)} puzzles of the library and "
            f"{count(theirs)} games of one role of ggp.org; {fast} of them take less than 5 s. By method: {shares}.")


def _row(result: Result) -> str:
    if "error" in result:
        return f"| {result['game']} | – | no | – | – | – | – |"
    goal = "–" if result["goal"] is None else result["goal"]
    return (f"| {result['game']} | {goal} | {'yes' if result['proved'] else 'no'} | {result['method'] or '–'} "
            f"| {result['seconds']:.2f} | {result['processor_seconds']:.2f} | {result['plan'] or '–'} |")


def _unsolved(result: Result, reasons: dict[str, str]) -> str:
    if "error" in result:
        return str(result["error"])
    tried = "; ".join(f"{did['method']}: {did['outcome']}" for did in result["tried"])
    reason = reasons.get(result["game"], "")
    return f"{reason} ({tried})" if reason else tried


if __name__ == "__main__":
    main()
