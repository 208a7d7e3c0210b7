"""One game, every engine: each in a process of its own, one after the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ludorum.compare.matches import Match
from ludorum.gdl import Source

#: The ways of reasoning, the fastest first: a circuit for many states at once, a circuit that follows one state and
#: recomputes what a move changes, and the other engines.
WAYS = ("batch", "incremental", "relations", "prolog", "reference")
# Beyond the time for loading and searching: starting, and answers that come late.
_GRACE = 90.0


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """What a way of reasoning made of a game; `error` says why it has no figures."""

    game: str
    way: str
    error: str | None = None
    load_seconds: float | None = None
    #: Both with nodes, seconds and nodes_per_second.
    minimax: dict[str, Any] = field(default_factory=dict)
    montecarlo: dict[str, Any] = field(default_factory=dict)
    positions: int = 0
    peak_memory_mb: float | None = None
    #: Whether its node counts are those of the others wherever both finished a depth; None where none did.
    agrees: bool | None = None


def compare(source: Source, name: str, matches: list[Match], *, ways: Iterable[str] = WAYS, seconds: float = 5.0,
            load_seconds: float = 60.0, seed: int = 0) -> list[EngineComparison]:
    """Searches along the matches with each way of reasoning, `seconds` for each of the two searches."""
    found: dict[str, dict[str, Any]] = {}
    for way in ways:
        if way == "incremental" and "error" in found.get("batch", {}):
            # It is the same circuit.
            found[way] = found["batch"]
            continue
        found[way] = _measured({"text": source.text, "name": source.name, "way": way, "matches": matches,
                                "seconds": seconds, "load_seconds": load_seconds, "seed": seed})
    counts = {way: result["minimax"]["completed"] for way, result in found.items() if "minimax" in result}
    return [_comparison(name, way, result, _agrees(way, counts)) for way, result in found.items()]


def _measured(task: dict[str, Any]) -> dict[str, Any]:
    """The result of a task of child.py, or an error."""
    limit = task["load_seconds"] + 2 * task["seconds"] + _GRACE
    try:
        ended = subprocess.run([sys.executable, "-m", "ludorum.compare.child"], input=json.dumps(task), text=True,
                               capture_output=True, timeout=limit, check=False,
                               # A circuit from the cache would load in no time.
                               env={**os.environ, "LUDORUM_CACHE": "off"})
    except subprocess.TimeoutExpired:
        return {"error": f"not done within {limit:g} s"}
    if ended.returncode != 0:
        notes = ended.stderr.strip().splitlines()
        return {"error": notes[-1] if notes else f"exit status {ended.returncode}"}
    result: dict[str, Any] = json.loads(ended.stdout)
    return result


def _agrees(way: str, counts: dict[str, list[list[int]]]) -> bool | None:
    """Whether the depths that this way and others finished have the same nodes."""
    if way not in counts:
        return None
    compared = [(mine[:len(theirs)], theirs[:len(mine)]) for other, theirs_all in counts.items() if other != way
                for mine, theirs in zip(counts[way], theirs_all, strict=True)]
    # Depth 0 has no nodes in any engine.
    if not any(len(mine) > 1 for mine, _ in compared):
        return None
    return all(mine == theirs for mine, theirs in compared)


def _comparison(game: str, way: str, result: dict[str, Any], agrees: bool | None) -> EngineComparison:
    if "error" in result:
        return EngineComparison(game, way, error=result["error"])
    minimax, montecarlo = ({key: value for key, value in result[search].items() if key != "completed"}
                           for search in ("minimax", "montecarlo"))
    return EngineComparison(game, way, load_seconds=result["load_seconds"], minimax=minimax, montecarlo=montecarlo,
                      positions=result["positions"], peak_memory_mb=result["peak_memory_mb"], agrees=agrees)
