"""Every game of the corpus with the relations engine: loaded, played, and compared with its trace.

    python bench/relations_corpus.py CORPUS/games CORPUS/oracle [--only TEXT] [--out FILE]

Each game runs in a process of its own. Prints a line a game, a summary at the end, and exits with 1 if a trace differs
that is not in disagreements.toml. What is in FILE already is not done again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

COLLECTIONS = ("ggp.org", "dresden", "gdl2")
_KNOWN = tomllib.loads((Path(__file__).parent / "disagreements.toml").read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("traces", type=Path)
    parser.add_argument("--only", default="", help="games whose path contains this")
    parser.add_argument("--out", type=Path, help="where to write what was found, as JSON lines")
    parser.add_argument("--seconds", type=float, default=60, help="for a game, all together")
    parser.add_argument("--one", action="store_true", help="the first path is a game and the second its trace")
    arguments = parser.parse_args()
    if arguments.one:
        json.dump(measured(arguments.games, arguments.traces, arguments.seconds), sys.stdout)
        return
    found = []
    known = {result["game"]: result for result in earlier(arguments.out)}
    for path in games(arguments.games, arguments.only):
        name = str(path.relative_to(arguments.games))
        if name in known:
            found.append(known[name])
            continue
        trace = arguments.traces / f"{name.removesuffix('.kif')}.json.gz"
        result = {"game": name, **run(path, trace, arguments.seconds)}
        found.append(result)
        print(described(result), flush=True)
        if arguments.out:
            with arguments.out.open("a", encoding="utf-8") as out:
                out.write(json.dumps(result) + "\n")
    sys.exit(summary(found))


def earlier(out: Path | None) -> list[dict[str, Any]]:
    """What runs before this one have found."""
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out and out.exists() else []


def games(folder: Path, only: str) -> list[Path]:
    return [path for collection in COLLECTIONS for path in sorted((folder / collection).glob("*.kif"))
            if only in str(path)]


def run(path: Path, trace: Path, seconds: float) -> dict[str, Any]:
    command = [sys.executable, __file__, str(path), str(trace), "--one", "--seconds", str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"did not end within {3 * seconds:.0f} s"}
    if done.returncode:
        return {"error": f"exit status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def measured(path: Path, trace: Path, seconds: float) -> dict[str, Any]:
    import ludorum
    from ludorum.clock import Deadline
    from ludorum.engines.playouts import Outcome
    from ludorum.errors import LudorumError
    from ludorum.match.trace import compare_trace, read_trace

    start = time.perf_counter()
    try:
        game = ludorum.load(path, engine="relations")
        answer: dict[str, Any] = {"load_seconds": time.perf_counter() - start, "plans": game.report["plans"]}
        n, elapsed = 1, 0.0
        while elapsed < 0.3 and n < 1 << 16:
            begun = time.perf_counter()
            played = game.playouts(n, seed=1, max_steps=1000)
            elapsed = time.perf_counter() - begun
            n *= 2
        answer |= {"states_per_second": played.states / elapsed, "length": played.mean_length,
                   "finished": played.count(Outcome.FINISHED), "stuck": played.count(Outcome.STUCK),
                   "cut": played.count(Outcome.CUT)}
        if trace.exists():
            compared = compare_trace(game, read_trace(trace), Deadline.within(seconds))
            answer["trace"] = {"states": compared.states, "is_complete": compared.is_complete,
                               "mismatches": [str(mismatch) for mismatch in compared.mismatches[:5]]}
    except LudorumError as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return answer


def described(result: dict[str, Any]) -> str:
    if "error" in result:
        return f"{result['game']}: {result['error']}"
    trace = result.get("trace", {})
    odd = [f"{result[what]} {what}" for what in ("stuck", "cut") if result[what]]
    odd += ["trace not complete"] if trace and not trace["is_complete"] else []
    odd += trace.get("mismatches", [])
    return (f"{result['game']}: loaded in {result['load_seconds']:.2f} s, {result['states_per_second']:,.0f} states/s, "
            f"{trace.get('states', 0)} states of the trace{'; ' if odd else ''}{'; '.join(odd)}")


def summary(found: list[dict[str, Any]]) -> int:
    failed = [result["game"] for result in found if "error" in result]
    traced = [result for result in found if "trace" in result]
    differing = [result["game"] for result in traced if result["trace"]["mismatches"]]
    unexpected = [game for game in differing if game not in _KNOWN]
    short = [result["game"] for result in traced if not result["trace"]["is_complete"]]
    states = sum(result["trace"]["states"] for result in traced)
    print(f"{len(found)} games, {len(failed)} failed, {states:,} states of {len(traced)} traces compared; "
          f"{len(differing)} traces differ, {len(unexpected)} of them unexpectedly; "
          f"{len(short)} were not finished")
    for title, names in (("failed", failed), ("differ", unexpected), ("not finished", short)):
        if names:
            print(f"{title}: {', '.join(names)}")
    return 1 if failed or unexpected else 0


if __name__ == "__main__":
    main()
