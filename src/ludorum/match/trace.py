"""Traces: walks through a game that were written down, and how ours compares.

Match records are traces too, our own and those of the field. Other systems write walks:

    {"roles": [...],
     "walks": [[{"true": [fluents], "terminal": false,
                 "legal": {role: [moves]}, "joint": [the move each role made, in the order of roles]},
                ...,
                {"true": [...], "terminal": true, "goals": {role: value or null}}], ...]}
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ludorum.clock import Deadline
from ludorum.errors import (
    BudgetExceeded,
    GameOver,
    IllegalMove,
    InvalidRecord,
    LudorumError,
    MissingMove,
    NoLegalMove,
    TooSlow,
    UnknownFluent,
)
from ludorum.game import Game
from ludorum.gdl import Term, parse_term
from ludorum.joint import goes_on
from ludorum.match.record import Record, check_rules, decode
from ludorum.move import as_terms
from ludorum.state import State

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What a trace says of one state; None where it says nothing."""

    fluents: frozenset[Term]
    is_terminal: bool
    legal: dict[str, frozenset[Term]] | None
    #: By role, or in the order of the roles where they are not named.
    goals: dict[str, int | None] | tuple[int | None, ...] | None
    joint: tuple[Term, ...] | None
    #: What every role was told on arriving here.
    percepts: dict[str, frozenset[Term]] | None = None
    #: Whether some role had no legal move.
    is_stuck: bool | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    roles: tuple[str, ...]
    walks: tuple[tuple[TraceStep, ...], ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A question about a state that the trace and our engine answer differently."""

    walk: int
    step: int
    what: str
    trace: str
    ours: str

    def __str__(self) -> str:
        place = f"walk {self.walk}, step {self.step}"
        return f"{place}: {self.what}: the trace has {self.trace}, we have {self.ours}"


@dataclass(frozen=True, slots=True)
class TraceComparison:
    states: int
    mismatches: tuple[Mismatch, ...]
    #: False if the deadline passed, or the engine gave up, before the end of the trace.
    is_complete: bool


def read_trace(path: str | Path) -> Trace:
    """The trace or match record in a JSON file, gzipped or not; raises InvalidRecord."""
    try:
        content = Path(path).read_bytes()
        if content.startswith(_GZIP_MAGIC):
            content = gzip.decompress(content)
        data = json.loads(content)
        if not isinstance(data, dict) or not data.keys() & {"format", "matchId", "walks"}:
            raise InvalidRecord(f"{path} is neither a match record nor a trace: it has no format, no matchId and no "
                                "walks")
        if "format" in data:
            record = decode(content, str(path))
            check_rules(record, str(path))
            return of_record(record)
        if "matchId" in data:
            return of_ggp_base(data)
        # The same few terms come again in every state.
        term = cache(parse_term)
        walks = tuple(tuple(_step(step, term) for step in walk) for walk in data["walks"])
        return Trace(tuple(str(term(role)) for role in data["roles"]), walks)
    except OSError as error:
        raise InvalidRecord(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, EOFError, RecursionError) as error:
        raise InvalidRecord(f"{path} is no JSON: {error}") from error
    except InvalidRecord:
        raise
    except KeyError as error:
        raise InvalidRecord(f"{path} is no trace: it lacks {error}") from error
    except (TypeError, AttributeError, LudorumError) as error:
        raise InvalidRecord(f"{path} is no trace: {error!r}") from error


def of_record(record: Record) -> Trace:
    """What a match record says of its states."""
    steps = []
    for step, state in enumerate(record.states):
        joint = record.moves[step] if step < len(record.moves) else None
        percepts = record.percepts[step - 1] if record.percepts and step else None
        steps.append(TraceStep(
            fluents=frozenset(as_terms(state)),
            is_terminal=joint is None and record.outcome == "finished",
            legal=None,
            goals=None if joint else dict(record.goals),
            joint=None if joint is None else tuple(parse_term(joint[role]) for role in record.roles),
            percepts=None if percepts is None else {role: frozenset(map(parse_term, told))
                                                    for role, told in percepts.items()},
            is_stuck=joint is None and record.outcome == "stuck"))
    return Trace(tuple(record.roles), (tuple(steps),))


def of_ggp_base(data: dict[str, Any]) -> Trace:
    """What a match record of GGP-Base or the Tiltyard says; it does not name the roles."""
    moves, states = data["moves"], data["states"]
    steps = []
    for step, state in enumerate(states):
        is_last = step == len(states) - 1
        steps.append(TraceStep(
            fluents=frozenset(as_terms(state.strip()[1:-1])),
            is_terminal=is_last and bool(data["isCompleted"]),
            legal=None,
            goals=tuple(data["goalValues"]) if is_last and data.get("goalValues") else None,
            joint=tuple(map(parse_term, moves[step])) if step < len(moves) else None))
    return Trace((), (tuple(steps),))


def compare_trace(game: Game, trace: Trace, deadline: Deadline | None = None) -> TraceComparison:
    """Walk through a trace and compare fluents, legal moves, the end and the goals of every state.

    After a difference of fluents the walk goes on from the trace's state, so that one mistake is reported
    once.
    """
    mismatches: list[Mismatch] = []
    if trace.roles and trace.roles != game.roles:
        mismatches.append(Mismatch(0, 0, "roles", " ".join(trace.roles), " ".join(game.roles)))
        return TraceComparison(0, tuple(mismatches), is_complete=True)
    states = 0
    try:
        for number, walk in enumerate(trace.walks):
            for found in _walk(game, number, walk):
                if deadline is not None and deadline.passed:
                    raise TooSlow("the deadline has passed")
                mismatches += found
                states += 1
    except BudgetExceeded:
        return TraceComparison(states, tuple(mismatches), is_complete=False)
    return TraceComparison(states, tuple(mismatches), is_complete=True)


def _walk(game: Game, number: int, walk: Sequence[TraceStep]) -> Iterator[list[Mismatch]]:
    """For every state of a walk the mismatches found there."""
    state = game.initial
    for step, told in enumerate(walk):
        found = [Mismatch(number, step, *difference) for difference in _differences(state, told)]
        try:
            if told.joint is not None:
                if state.fluents != told.fluents:
                    state = game.state(told.fluents)
                state = state.after(told.joint)
        except (IllegalMove, MissingMove, NoLegalMove, GameOver, UnknownFluent) as error:
            found.append(Mismatch(number, step, "joint", " ".join(map(str, told.joint or ())), str(error)))
            yield found
            return
        yield found


def _differences(state: State, told: TraceStep) -> Iterator[tuple[str, str, str]]:
    if told.fluents != state.fluents:
        yield "fluents", *_only(told.fluents, state.fluents)
    if told.is_terminal != state.is_terminal:
        yield "terminal", str(told.is_terminal).lower(), str(state.is_terminal).lower()
    for role, moves in (told.legal or {}).items():
        ours = frozenset(move.term for move in state.legal(role))
        if moves != ours:
            yield f"legal moves of {role}", *_only(moves, ours)
    if told.is_stuck is not None and not state.is_terminal:
        stuck = not goes_on(state)
        if told.is_stuck != stuck:
            yield "stuck", str(told.is_stuck).lower(), str(stuck).lower()
    for role, percepts in (told.percepts or {}).items():
        if percepts != state.percepts[state.game.role(role)]:
            yield f"percepts of {role}", *_only(percepts, state.percepts[state.game.role(role)])
    goals = dict(zip(state.game.roles, told.goals, strict=False)) if isinstance(told.goals, tuple) else told.goals
    for role, goal in (goals or {}).items():
        if goal != state.goals[state.game.role(role)]:
            yield f"goal of {role}", json.dumps(goal), json.dumps(state.goals[state.game.role(role)])


def _only(one: frozenset[Term], other: frozenset[Term]) -> tuple[str, str]:
    """What each has that the other has not."""
    def show(terms: frozenset[Term]) -> str:
        return f"also {' '.join(sorted(map(str, terms)))}" if terms else "nothing more"

    return show(one - other), show(other - one)


def _step(data: dict[str, Any], term: Callable[[str], Term]) -> TraceStep:
    legal, goals, joint = data.get("legal"), data.get("goals"), data.get("joint")
    return TraceStep(
        fluents=frozenset(map(term, data["true"])),
        is_terminal=bool(data["terminal"]),
        legal=None if legal is None else {str(term(role)): frozenset(map(term, moves))
                                          for role, moves in legal.items()},
        goals=None if goals is None else {str(term(role)): goal for role, goal in goals.items()},
        joint=None if joint is None else tuple(map(term, joint)),
    )
