"""For which games of the corpus is there something to count, and how long does it take to find it?

    python bench/counting.py [--seconds 5] [--only NAME] [--fresh]      the table of what was left out, as Markdown

The games of ggp.org with two roles that compile to a circuit. Each is loaded in this process, then its counting
evaluation is made within a number of seconds of CPU time. Results are kept in build/counting.jsonl, one line a game, so
that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import collection
import ludorum
from ludorum.clock import Budget
from ludorum.errors import LudorumError
from ludorum.evaluate import EvaluationSettings, evaluation

RESULTS = Path(__file__).resolve().parent.parent / "build" / "counting.jsonl"
LOAD_SECONDS = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", default="", help="only games whose names have this in them")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    options = parser.parse_args()
    collection.require()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    RESULTS.parent.mkdir(exist_ok=True)
    known = _known()
    for path in sorted((collection.GAMES / "ggp.org").rglob("*.kif")):
        if options.only in path.stem and (path.stem not in known or options.only):
            result = measured(path, options.seconds)
            known[path.stem] = result
            with RESULTS.open("a", encoding="utf-8") as results:
                results.write(json.dumps(result) + "\n")
            print(result, file=sys.stderr, flush=True)
    print(table(list(known.values()), options.seconds))


def _known() -> dict[str, dict[str, Any]]:
    if not RESULTS.exists():
        return {}
    return {result["game"]: result for result in map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())}


def measured(path: Path, seconds: float) -> dict[str, Any]:
    """What came of one game."""
    try:
        game = ludorum.load(path, seconds=LOAD_SECONDS)
    except LudorumError as error:
        return {"game": path.stem, "why": f"does not load: {str(error).splitlines()[0]}"}
    if len(game.roles) != 2 or game.engine != "circuit":
        return {"game": path.stem, "why": f"{len(game.roles)} roles, {game.engine}"}
    begin = time.process_time()
    try:
        made = evaluation(game, EvaluationSettings(goals=0, counting=1), budget=Budget.within(seconds))
    except LudorumError as error:
        return {"game": path.stem, "took": time.process_time() - begin, "counted": 0,
                "left_out": {str(error).splitlines()[0]: 1}}
    found = made.report["counting"]
    return {"game": path.stem, "took": time.process_time() - begin, "form": found.form,
            "counted": sum(not role.is_empty for role in found.roles), "left_out": dict(found.left_out)}


def table(results: list[dict[str, Any]], seconds: float) -> str:
    """How many games there are, for how many there is something to count, and what else there is to say."""
    asked = [result for result in results if "took" in result]
    in_time = [result for result in asked if result["took"] <= seconds and result["counted"]]
    reasons = Counter(reason for result in asked if not result["counted"]
                      for reason in result["left_out"] or ["nothing"])
    lines = [f"{len(asked)} games of two roles with a circuit; of {len(in_time)} of them "
             f"({100 * len(in_time) / max(1, len(asked)):.0f} %) there is something to count, found within "
             f"{seconds:g} s; for both roles in {sum(result['counted'] == 2 for result in in_time)}.", ""]
    lines += ["| game | seconds | roles with something to count | left out |", "| --- | ---: | ---: | --- |"]
    lines += [f"| {result['game']} | {result['took']:.1f} | {result['counted']} | "
              f"{'; '.join(f'{what} ({times})' for what, times in result['left_out'].items())} |"
              for result in asked if result not in in_time]
    told = ", ".join(f"{what} ({times})" for what, times in reasons.most_common())
    lines += ["", f"Where nothing is counted: {told}."]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
