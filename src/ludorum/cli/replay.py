"""`ludorum replay`: does our engine agree with what was written down?"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludorum.cli.arguments import Engine, GameArgument, Json, load_game
from ludorum.cli.knowledge import possible_states, who_knew
from ludorum.cli.output import console, print_json, working
from ludorum.cli.verb import Failure
from ludorum.clock import Deadline
from ludorum.errors import InvalidRecord, LudorumError
from ludorum.game import Game, Move, Role
from ludorum.grammar import agree
from ludorum.match import record as records
from ludorum.match.trace import compare_trace, read_trace

if TYPE_CHECKING:
    from ludorum.belief import Belief

# Enough to see a pattern; the rest is only counted.
_SHOWN = 10

Record = Annotated[Path, typer.Argument(
    metavar="RECORD", help="A match record, ours or GGP-Base's, or a trace: JSON, gzipped or not.")]
Seconds = Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Stop comparing after this time.")]


KnowledgeOption = Annotated[bool, typer.Option(
    "--knowledge", help="Show how many states each role thought possible at every step, by what it was told.")]


def replay(game: GameArgument, record: Record, engine: Engine = None, seconds: Seconds = None,
           knowledge: KnowledgeOption = False, json: Json = False) -> None:
    """Replay a match record or a trace and compare every state. Fails if moves are not legal, or anything differs, or
    there is nothing to compare."""
    trace = read_trace(record)
    loaded = load_game(game, engine)
    known = _known(loaded, records.read(record)) if knowledge else None
    with working(f"replaying {record.name}"):
        comparison = compare_trace(loaded, trace, Deadline.within(seconds))
    shown = comparison.mismatches[:_SHOWN]
    count = len(comparison.mismatches)
    if json:
        print_json({"game": loaded.name, "engine": loaded.engine, "states": comparison.states,
                    "complete": comparison.is_complete, "mismatch_count": count,
                    "mismatches": [asdict(mismatch) for mismatch in shown],
                    **({} if known is None else {"knowledge": [
                        {role: None if belief is None else {"states": len(belief), "exact": belief.is_exact}
                         for role, belief in beliefs.items()} for beliefs in known]})})
    else:
        for step, beliefs in enumerate(known or ()):
            console().print(f"{step:>4}  {who_knew(beliefs)}")
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


def _known(game: Game, record: records.Record) -> list[dict[Role, Belief | None]]:
    """What every role could know in each state of a record; raises InvalidRecord."""
    states, joints = [game.initial], list[dict[str, Move]]()
    for number, told in enumerate(record.moves, start=1):
        try:
            joints.append({game.role(role): Move(move) for role, move in told.items()})
            states.append(states[-1].after(joints[-1]))
        except LudorumError as error:
            raise InvalidRecord(f"{record.id} cannot be followed at step {number}: {error}") from error
    return [dict(beliefs) for beliefs in _kept(possible_states(game, states, joints))]


def _kept(known: Iterator[dict[Role, Belief | None]]) -> Iterator[dict[Role, Belief | None]]:
    """The beliefs as they were at their step: they go on from there."""
    for beliefs in known:
        yield {role: copy(belief) for role, belief in beliefs.items()}
