"""`ludorum replay`: does our engine agree with what was written down?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludorum.cli.arguments import Engine, GameArgument, Json, load_game
from ludorum.cli.output import console, print_json, working
from ludorum.cli.verb import Failure
from ludorum.clock import Deadline
from ludorum.grammar import agree
from ludorum.match.trace import compare, read_trace

# Enough to see a pattern; the rest is only counted.
_SHOWN = 10

Record = Annotated[Path, typer.Argument(
    metavar="RECORD", help="A match record, ours or GGP-Base's, or a trace: JSON, gzipped or not.")]
Seconds = Annotated[float | None, typer.Option(min=0, help="Stop comparing after this time.")]


def replay(game: GameArgument, record: Record, engine: Engine = None, seconds: Seconds = None,
           json: Json = False) -> None:
    """Replay a match record or a trace and compare every state. Fails if moves are not legal, or anything differs, or
    there is nothing to compare."""
    trace = read_trace(record)
    loaded = load_game(game, engine)
    with working(f"replaying {record.name}"):
        comparison = compare(loaded, trace, Deadline.within(seconds))
    shown = comparison.mismatches[:_SHOWN]
    count = len(comparison.mismatches)
    if json:
        print_json({"game": loaded.name, "engine": loaded.engine, "states": comparison.states,
                    "complete": comparison.is_complete, "mismatch_count": count,
                    "mismatches": [asdict(mismatch) for mismatch in shown]})
    else:
        for mismatch in shown:
            console().print(str(mismatch))
    states = f"{comparison.states} {agree(comparison.states, 'state')}"
    summary = f"{loaded.name}: {states} compared, {count} {agree(count, 'mismatch', 'mismatches')}"
    if not comparison.is_complete:
        summary += "; stopped before the end"
    if count:
        raise Failure(summary)
    if comparison.is_complete and not comparison.states:
        raise Failure(f"{loaded.name}: there is nothing to compare, {record} has no states")
    if not json:
        console().print(summary)
