"""One game of the corpus: loaded, played and compared, with everything measured.

Run by corpus.py in a process of its own, so that a game's memory and time are its own and no game can take
the others with it. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ludorum
from ludorum import Game
from ludorum.clock import Deadline
from ludorum.engines.playouts import Outcome
from ludorum.engines.reference import ReferenceReasoner
from ludorum.errors import BudgetExceeded, LudorumError
from ludorum.match.trace import compare_trace, read_trace

# So long is the run that measures playouts.
_PLAYOUT_SECONDS = 0.3
# Walks are cut here; many games of the corpus go on for hundreds of steps.
_WALK_STEPS = 40
# Enough to see a pattern; the rest is only counted.
_SHOWN = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--trace", type=Path)
    parser.add_argument("--seconds", type=float, required=True, help="for grounding")
    parser.add_argument("--memory-mb", type=int, required=True, help="for grounding")
    parser.add_argument("--compare-seconds", type=float, required=True, help="for the trace, for the walks")
    parser.add_argument("--walks", type=int, default=0)
    arguments = parser.parse_args()
    # No more than a safety net for the machine: whether a game keeps to its budget is measured.
    resource.setrlimit(resource.RLIMIT_AS, (3 * arguments.memory_mb << 20,) * 2)
    # Only the answer goes to standard output.
    out, sys.stdout = sys.stdout, sys.stderr
    json.dump(measured(arguments), out)


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """Everything that is known of the game."""
    start, python_before = time.perf_counter(), time.process_time()
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, 2 * arguments.seconds)
    try:
        game = ludorum.load(arguments.rules, seconds=arguments.seconds, memory_mb=arguments.memory_mb)
    except LudorumError as error:
        return {"error": f"{type(error).__name__}: {error}"}
    except TimeoutError as error:
        limit = 2 * arguments.seconds
        return {"error": f"loading did not end within {limit:.0f} s; it was in {_place(error)}"}
    signal.setitimer(signal.ITIMER_REAL, 0)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer: dict[str, Any] = {
        "engine": game.engine,
        "why": game.why,
        "load_seconds": time.perf_counter() - start,
        "python_seconds": time.process_time() - python_before,
        "clingo_seconds": children.ru_utime + children.ru_stime,
        "python_mb": _peak_mb(),
        "roles": len(game.roles),
        **_sizes(game),
    }
    answer |= _played(game)
    if arguments.trace is not None and arguments.trace.exists():
        answer["trace"] = _traced(game, arguments)
    if arguments.walks and game.engine != "reference":
        answer["walks"] = _walked(game, arguments)
    return answer


def _interrupt(number: int, frame: object) -> None:
    raise TimeoutError


def _place(error: BaseException) -> str:
    """The functions of ours where an exception came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "ludorum" in frame.filename]
    return " > ".join(f"{Path(frame.filename).name}:{frame.name}" for frame in frames[-4:])


def _sizes(game: Game) -> dict[str, Any]:
    if game.fluents is None or game.moves is None:
        return {}
    grounding, passes = game.report["grounding"], game.report["passes"]
    return {
        "clingo_mb": grounding["peak_memory_mb"],
        "grounding_wall_seconds": grounding["seconds"],
        "clingo_wall_seconds": grounding["grounding_seconds"],
        "pass_seconds": sum(did["seconds"] for did in passes),
        "slowest_pass": max(passes, key=lambda did: did["seconds"])["name"],
        "fluents": len(game.fluents),
        "moves": sum(map(len, game.moves.values())),
        "rules": grounding["rules"],
        "gates": game.report["gates"],
        "inputs": passes[-1]["inputs_after"],
    }


def _played(game: Game) -> dict[str, Any]:
    """Playouts a second, and how they end."""
    n = 64 if game.engine == "circuit" else 1
    while True:
        start = time.perf_counter()
        run = game.playouts(n, seed=1)
        took = time.perf_counter() - start
        if took > _PLAYOUT_SECONDS or n >= 1 << 22:
            break
        n *= max(2, min(16, int(_PLAYOUT_SECONDS / max(took, 1e-6))))
    return {
        "playouts": len(run),
        "playouts_per_second": len(run) / took,
        "mean_length": run.mean_length,
        **{outcome.name.lower(): run.count(outcome) for outcome in Outcome},
        "undefined_goals": sum(run.undefined_goals.values()),
    }


def _traced(game: Game, arguments: argparse.Namespace) -> dict[str, Any]:
    comparison = compare_trace(game, read_trace(arguments.trace), Deadline.within(arguments.compare_seconds))
    return {"states": comparison.states, "complete": comparison.is_complete,
            "mismatch_count": len(comparison.mismatches),
            "mismatches": [str(mismatch) for mismatch in comparison.mismatches[:_SHOWN]]}


def _walked(game: Game, arguments: argparse.Namespace) -> dict[str, Any]:
    """Random walks with the reference engine beside ours, until the time is over."""
    deadline = Deadline.within(arguments.compare_seconds)
    reference = ReferenceReasoner(game.rules, seconds=arguments.compare_seconds)
    choose = random.Random(1)
    states, found, complete = 0, [], True
    try:
        for walk in range(arguments.walks):
            for step, differences in enumerate(_walk(game, reference, choose)):
                states += 1
                found += [f"walk {walk}, step {step}: {difference}" for difference in differences]
                if deadline.passed:
                    raise BudgetExceeded
    except BudgetExceeded:
        complete = False
    return {"states": states, "complete": complete, "mismatch_count": len(found),
            "mismatches": found[:_SHOWN]}


def _walk(game: Game, reference: ReferenceReasoner, choose: random.Random) -> Iterator[list[str]]:
    """For every state of a random walk, what the engines say differently of it."""
    ours = game.reasoner
    here, there = ours.initial, reference.initial
    for _ in range(_WALK_STEPS):
        answers = {
            "fluents": (ours.fluents(here), reference.fluents(there)),
            "terminal": (ours.is_terminal(here), reference.is_terminal(there)),
            "legal": (ours.legal(here), reference.legal(there)),
            "goals": (ours.goals(here), reference.goals(there)),
        }
        differences = [f"{what}: {_brief(we)} against {_brief(they)}"
                       for what, (we, they) in answers.items() if we != they]
        yield differences
        legal = reference.legal(there)
        if differences or reference.is_terminal(there) or not all(legal):
            return
        joint = [choose.choice(moves) for moves in legal]
        told, said = ours.percepts(here, joint), reference.percepts(there, joint)
        if told != said:
            yield [f"percepts: {_brief(told)} against {_brief(said)}"]
        here, there = ours.after(here, joint), reference.after(there, joint)


def _brief(value: object) -> str:
    def shown(value: object) -> str:
        if isinstance(value, frozenset):
            return "{" + " ".join(sorted(map(shown, value))) + "}"
        return "(" + ", ".join(map(shown, value)) + ")" if isinstance(value, tuple) else str(value)

    return shown(value)[:300]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    # A fresh process may inherit a low priority on purpose, but never a cache that hides the work.
    os.environ["LUDORUM_CACHE"] = "off"
    main()
