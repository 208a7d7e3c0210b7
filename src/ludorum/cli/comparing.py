"""`ludorum bench --compare`: the same searches with every engine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludorum.cli.arguments import find_rules
from ludorum.cli.output import console, print_json, table, working
from ludorum.cli.verb import Failure
from ludorum.compare import WAYS, EngineComparison, compare, record_matches
from ludorum.errors import LudorumError
from ludorum.gdl import Source
from ludorum.loading import load_source


def show_comparisons(games: list[str], engine: str | None, *, seconds: float, matches: int, seed: int,
                     json: bool) -> None:
    """Compares the engines in games; raises Failure if their node counts differ, or a game cannot be played at all."""
    results: list[EngineComparison] = []
    failures = []
    for what in games:
        try:
            results += _compared(find_rules(what), engine, seconds=seconds, matches=matches, seed=seed)
        except LudorumError as error:
            # The other games still count.
            if len(games) == 1:
                raise
            failures.append(f"{what}: {error}")
    if json:
        print_json({"results": [asdict(result) for result in results], "failures": failures})
    elif results:
        _show(results)
    wrong = [f"{result.game}: {result.way} counts other nodes" for result in results if result.agrees is False]
    if wrong or failures:
        raise Failure("; ".join([*wrong, *failures]))


def _compared(source: Source, engine: str | None, *, seconds: float, matches: int, seed: int) -> list[EngineComparison]:
    name = "game" if source.name.startswith("<") else Path(source.name).stem
    with working(f"recording matches of {name}"):
        recorded = record_matches(load_source(source), matches, seed=seed)
    ways = [way for way in WAYS if engine in (None, way, {"batch": "circuit", "incremental": "circuit"}.get(way))]
    found: list[EngineComparison] = []
    with working(f"comparing the engines in {name}"):
        found += compare(source, name, recorded, ways=ways, seconds=seconds, seed=seed)
    return found


def _show(results: list[EngineComparison]) -> None:
    measured = table("game", "engine", "minimax nodes/s", "Monte-Carlo nodes/s", "load s", "MB", "counts", left=2)
    for result in results:
        if result.error is not None:
            measured.add_row(result.game, result.way, "–", "–", "–", "–", "–")
            continue
        measured.add_row(result.game, result.way, _speed(result.minimax), _speed(result.montecarlo),
                         f"{result.load_seconds:.2f}", f"{result.peak_memory_mb:.0f}",
                         {True: "agree", False: "DIFFER", None: "–"}[result.agrees])
    out = console()
    out.print(measured)
    for result in results:
        if result.error is not None:
            out.print(f"{result.game} by {result.way}: {result.error}")


def _speed(search: dict[str, Any]) -> str:
    return f"{search['nodes_per_second']:,.0f}"
