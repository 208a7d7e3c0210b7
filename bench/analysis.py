"""Every game of the corpus: what is found out about it, and how long that takes. Writes docs/lab/analysis.md.

    python bench/analysis.py [--jobs 1] [--seconds 30] [--folder ggp.org] [--sample 20] [--only NAME] [--fresh]

One process a game, the loading of games apart. Results are kept in build/analysis.jsonl, one line a game, so that an
interrupted run goes on where it stopped; `--fresh` starts anew. `--sample N` takes every so many-th game, so that there
are about N.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from collection import GAMES, require

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "analysis.jsonl"
PAGE = ROOT / "docs" / "lab" / "analysis.md"

#: How long a game may be grounded, or planned; what loading takes at most, and what the analysis may take beyond its
#: budget before it is ended.
GROUNDING, LOADING, GRACE = 60.0, 240.0, 120.0
#: What is to be reached: so many seconds for so many of the games.
GOAL_SECONDS, GOAL_SHARE = 30.0, 0.9
PARTS = ("structures", "play", "symmetries", "factors", "distances", "first_moves", "proofs")


def main() -> None:
    arguments = _arguments()
    require()
    if arguments.fresh:
        RESULTS.unlink(missing_ok=True)
    RESULTS.parent.mkdir(exist_ok=True)
    known = {} if arguments.only else _known()
    games = sorted((str(path.relative_to(GAMES)) for path in (GAMES / arguments.folder).glob("*.kif")), key=str.lower)
    if arguments.sample:
        games = games[:: max(1, len(games) // arguments.sample)]
    if arguments.only:
        games = [game for game in games if arguments.only.lower() in game.lower()]
    missing = [game for game in games if game not in known]
    with ThreadPoolExecutor(arguments.jobs) as pool, RESULTS.open("a", encoding="utf-8") as results:
        for number, result in enumerate(pool.map(lambda game: _analyse(game, arguments.seconds), missing), 1):
            results.write(json.dumps(result) + "\n")
            results.flush()
            print(f"{number}/{len(missing)} {_line(result)}", file=sys.stderr, flush=True)
    if not arguments.only:
        PAGE.write_text(page(list(_known().values()), arguments.seconds), encoding="utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default="ggp.org")
    parser.add_argument("--jobs", type=int, default=1, help="games analysed at once")
    parser.add_argument("--seconds", type=float, default=30.0, help="the budget of a game")
    parser.add_argument("--sample", type=int, help="about so many games, spread evenly")
    parser.add_argument("--only", help="analyse the games whose path has this in it again, and write no page")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    return parser.parse_args()


def _known() -> dict[str, dict[str, Any]]:
    """The results so far, the last of each game."""
    if not RESULTS.exists():
        return {}
    results = (json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines())
    return {result["game"]: result for result in results}


def _analyse(game: str, seconds: float) -> dict[str, Any]:
    ludorum = str(Path(sys.executable).with_name("ludorum"))
    command = [ludorum, "analyse", str(GAMES / game), "--seconds", str(seconds), "--loading", str(GROUNDING),
               "--json"]
    limit = LOADING + seconds + GRACE
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"game": game, "error": f"did not end within {limit:.0f} s"}
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        return {"game": game, "error": reason[0]}
    return {"game": game, **_digest(json.loads(done.stdout))}


def _digest(found: dict[str, Any]) -> dict[str, Any]:
    """What the table shows of an analysis."""
    structures = found["structures"] or {}
    kinds = Counter(fluent["kind"] for fluent in structures.get("fluents", ()))
    standings = Counter(inputs["standing"] for fluent in structures.get("fluents", ()) for inputs in fluent["inputs"])
    return {
        "engine": found["engine"],
        "kind": [trait["says"] for trait in found["kind"]],
        "boards": ["×".join(str(len(axis["values"])) for axis in board["axes"])
                   for board in structures.get("boards", ())],
        "kinds": dict(kinds), "inputs": dict(standings),
        "control": structures.get("control"), "step_counter": structures.get("step_counter"),
        "quantities": len(structures.get("quantities", ())),
        "verdicts": dict(Counter(proof["verdict"] for proof in found["proofs"])),
        "plain": {proof["property"]: proof["verdict"] for proof in found["proofs"] if " " not in proof["property"]},
        "symmetries": found["symmetries"] and found["symmetries"]["count"],
        "in_play": found["symmetries"] and found["symmetries"]["in_play"],
        "factors": found["factors"] and found["factors"]["count"],
        "edges": found["distances"] and found["distances"]["edges"],
        "times": {part: found["times"][part]["seconds"] for part in PARTS},
        "notes": {part: found["times"][part]["note"] for part in PARTS if found["times"][part]["note"]},
        "seconds": found["seconds"],
    }


def _line(result: dict[str, Any]) -> str:
    if "error" in result:
        return f"{result['game']}: {result['error'][:200]}"
    return f"{result['game']}: {result['seconds']:.1f} s, {result['verdicts']}, boards {', '.join(result['boards'])}"


def page(results: Iterable[dict[str, Any]], seconds: float) -> str:
    """The table, with what it comes to."""
    results = sorted(results, key=lambda result: result["game"].lower())
    whole = [result for result in results if "error" not in result]
    failed = [result for result in results if "error" in result]
    quick = sum(result["seconds"] <= GOAL_SECONDS for result in whole)
    verdicts: Counter[str] = Counter()
    for result in whole:
        verdicts.update(result["verdicts"])
    lines = [
        "# The analysis of a collection of games", "",
        f"`ludorum analyse --seconds {seconds:g}` on {len(results)} games, one core each, loading apart. "
        f"{quick} of {len(results)} took no more than {GOAL_SECONDS:g} s "
        f"({100 * quick / max(1, len(results)):.0f} %; the aim is {100 * GOAL_SHARE:.0f} %). "
        f"{sum(bool(result['boards']) for result in whole)} have boards, "
        f"{sum(bool(result['control']) for result in whole)} a control fluent, "
        f"{sum(bool(result['step_counter']) for result in whole)} a step counter, "
        f"{sum((result['factors'] or 0) > 1 for result in whole)} are several games, "
        f"{sum((result['symmetries'] or 0) > 0 for result in whole)} have symmetries. Of all properties "
        f"{verdicts['proved']:,} were proved, {verdicts['refuted']:,} refuted, {verdicts['unknown']:,} are unknown.",
        "", "`make analysis` writes this page. Under each part are its results and the seconds that it took; a dash "
        "means that it found nothing in time or that the game has no circuit. Symmetries are those that keep every "
        "role, the identity apart, and of them those that make a difference in play; properties are proved, refuted "
        "and unknown.", "",
        "| game | boards | turns, clock, quantities | structures s | proved / refuted / unknown | proofs s "
        "| symmetries | in play | s | factors | s | edges of the fluent graph | s | first moves s | together s |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *map(_row, whole)]
    if failed:
        lines += ["", "Not analysed:", ""]
        lines += [f"- `{Path(result['game']).stem}`: {result['error']}" for result in failed]
    return "\n".join(lines) + "\n"


def _row(result: dict[str, Any]) -> str:
    times, verdicts = result["times"], result["verdicts"]
    found = [word for word, is_there in (("turns", result["control"]), ("clock", result["step_counter"]),
                                         (f"{result['quantities']} q", result["quantities"])) if is_there]
    proved = " / ".join(str(verdicts.get(verdict, 0)) for verdict in ("proved", "refuted", "unknown"))
    cells = [
        Path(result["game"]).stem, ", ".join(result["boards"]) or "–", ", ".join(found) or "–",
        f"{times['structures']:.1f}", proved if verdicts else "–", f"{times['proofs']:.1f}",
        _number(result["symmetries"]), _number(result["in_play"]), f"{times['symmetries']:.1f}",
        _number(result["factors"]), f"{times['factors']:.1f}", _number(result["edges"]), f"{times['distances']:.1f}",
        f"{times['first_moves']:.1f}", f"{result['seconds']:.1f}"]
    return f"| {' | '.join(cells)} |"


def _number(value: int | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if value < 10**9 else f"{value:.2e}"


if __name__ == "__main__":
    main()
