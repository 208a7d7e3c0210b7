"""Match records: what happened in a match, as JSON that a person can read.

A record is rewritten after every step, under another name first and then put in place, so that whoever reads it at any
moment, also after a kill, finds a whole record of all but the step in progress.
"""

from __future__ import annotations

import hashlib
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from ludorum.clock import Kind
from ludorum.crew.version import VERSION as VERSION
from ludorum.errors import InvalidRecord, InvalidRules
from ludorum.gdl import Rulesheet, parse, to_kif
from ludorum.grammar import agree
from ludorum.players import SearchInfo

#: How a match stands: still on, over, at a dead end of the rules, or at the limit of steps.
MatchOutcome = Literal["playing", "finished", "stuck", "cut"]

#: By key the items of a list that were written, each in a line.
Lines = dict[str, list[str]]


_IN_ONE_LINE = {"roles", "resumed", "state_times"}
# Of the moves a search looked at, so many are kept, the most visited first.
_MAX_MOVES_KEPT = 20


class Error(msgspec.Struct, kw_only=True, frozen=True):
    """What a player did wrong, or failed to do."""

    #: 0 for the start, then the step, counted from 1.
    step: int
    role: str
    during: Literal["start", "play", "stop"]
    #: `late`, `illegal`, `unreadable`, `gone`, `busy` or `failed`.
    kind: str
    message: str
    #: What the player sent, if anything; long texts are cut.
    sent: str | None = None
    #: The move that the referee made instead.
    instead: str | None = None


class RecordedInfo(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """What one of our players says about a move that it chose; see `SearchInfo`."""

    visits: dict[str, int] = {}
    values: dict[str, float] = {}
    proved: list[str] = []
    principal_variation: list[dict[str, str]] = []
    method: str = ""
    playouts: int = 0
    states: int = 0
    depth: int = 0
    seconds: float = 0.0
    origin: str | None = None

    @classmethod
    def of(cls, thoughts: SearchInfo) -> RecordedInfo:
        shown = sorted(thoughts.visits or thoughts.values,
                       key=lambda move: (-thoughts.visits.get(move, 0), -thoughts.values.get(move, 0.0), str(move)))
        kept = shown[:_MAX_MOVES_KEPT]
        return cls(
            visits={str(move): thoughts.visits[move] for move in kept if move in thoughts.visits},
            values={str(move): round(thoughts.values[move], 3) for move in kept if move in thoughts.values},
            proved=sorted(str(move) for move in thoughts.proved),
            principal_variation=[{str(role): str(move) for role, move in joint.items()}
                                 for joint in thoughts.principal_variation],
            method=thoughts.method, playouts=thoughts.playouts, states=thoughts.states, depth=thoughts.depth,
            seconds=round(thoughts.seconds, 4), origin=thoughts.origin)


class Record(msgspec.Struct, kw_only=True):
    """A match so far. The lists go by step: one state more than joint moves."""

    format: Literal["ludorum match 1"] = "ludorum match 1"
    id: str
    game: str
    #: The SHA-256 of the rules as we print them, so that the same rules have the same hash however they are laid out.
    rules_hash: str
    roles: list[str]
    #: By role, what people call them; the referee plays `random`.
    players: dict[str, str]
    #: By role, how to seat them again: names with options, or addresses.
    seats: dict[str, str]
    #: Seconds; none if there was no hurry.
    start_clock: float | None
    play_clock: float | None
    #: What an answer may take beyond the clock, for the way.
    grace: float
    #: What is played for who does not choose in time, and is no fault; any legal move if none. In markets: silence.
    idle: str | None = None
    #: Whether the seconds of clocks and times are those on the wall, or those of the processor.
    clocks_of: Kind = "wall"
    seed: int
    tournament: str | None = None
    started: str
    ended: str | None = None
    outcome: MatchOutcome = "playing"
    #: In the last state, while the match is on too; none where the rules give no value or several.
    goals: dict[str, int | None] = {}
    errors: list[Error] = []
    #: Steps before which the match was taken up again.
    resumed: list[int] = []
    moves: list[dict[str, str]] = []
    #: Seconds that each role took for its move; none for a role that the referee played.
    times: list[dict[str, float | None]] = []
    #: By step and role, for games with secrets only.
    percepts: list[dict[str, list[str]]] | None = None
    #: By step and role, of players that explain themselves.
    thoughts: list[dict[str, RecordedInfo]] = []
    #: The fluents of each state, in one line.
    states: list[str] = []
    #: When each state was reached, in seconds since the start.
    state_times: list[float] = []
    #: What the match took of this machine's processors, where that was measured.
    cpu_seconds: float | None = None
    software: dict[str, str] = {}
    rules: list[str] = []

    @property
    def is_over(self) -> bool:
        return self.outcome != "playing"

    def scores(self, *, zero_for_faults: bool = False) -> dict[str, int | None]:
        """The goals, or 0 for a role whose player did something wrong, if that is how it counts."""
        wrong = {error.role for error in self.errors} if zero_for_faults else set()
        return {role: 0 if role in wrong else goal for role, goal in self.goals.items()}

    @property
    def seconds(self) -> float:
        """From the start to the last state."""
        return self.state_times[-1] if self.state_times else 0.0

    @property
    def text(self) -> str:
        """The rules in KIF."""
        return "\n".join(self.rules) + "\n"

    def __str__(self) -> str:
        goals = ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in self.goals.items())
        steps, errors = len(self.moves), len(self.errors)
        wrong = f"; {errors} {agree(errors, 'error')}" if errors else ""
        return f"{self.game}: {steps} {agree(steps, 'step')}, {self.outcome}; goals: {goals}{wrong}"


def hash_of(rules: Rulesheet) -> str:
    return hashlib.sha256(to_kif(rules).encode()).hexdigest()


def software() -> dict[str, str]:
    """What plays here, with versions."""
    return {"ludorum": VERSION, "python": platform.python_version()}


def now() -> str:
    """The time, to the millisecond, as records write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def encode(record: Record, known: Lines | None = None) -> bytes:
    """A record as JSON: a line for every key, and in the lists that go by step a line for every item.

    `known` are the lines of an earlier stage of the same match, which are taken over and added to: what has happened
    does not change, and a long match is not told from its beginning at every step.
    """
    known = {} if known is None else known
    lines = []
    for key in record.__struct_fields__:
        value = getattr(record, key)
        if isinstance(value, list) and value and key not in _IN_ONE_LINE:
            items = known.setdefault(key, [])
            items += map(_json, value[len(items):])
            joined = ",\n    ".join(items)
            lines.append(f'  "{key}": [\n    {joined}\n  ]')
        else:
            lines.append(f'  "{key}": {_json(value)}')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def decode(content: bytes | str, source: str = "the record") -> Record:
    """The record in a JSON text; raises InvalidRecord."""
    try:
        record = msgspec.json.decode(content, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecord(f"{source} is no match record: {error}") from error
    percepts = record.moves if record.percepts is None else record.percepts
    steps = {len(listed) for listed in (record.moves, record.times, record.thoughts, percepts)}
    if steps | {len(listed) - 1 for listed in (record.states, record.state_times)} != {len(record.moves)}:
        raise InvalidRecord(f"{source} is no match record: its lists do not tell of the same steps")
    for by_role in (record.players, record.goals, *record.moves, *record.times, *(record.percepts or ())):
        if set(by_role) != set(record.roles):
            raise InvalidRecord(f"{source} is no match record: it has the roles {' and '.join(record.roles)}, and "
                                f"elsewhere {' and '.join(by_role) or 'none'}")
    return record


def check_rules(record: Record, source: str = "the record") -> None:
    """Raises InvalidRecord if the rules of a record are not those that its match was played by."""
    try:
        is_same = hash_of(parse(record.text)) == record.rules_hash
    except InvalidRules:
        is_same = False
    if not is_same:
        raise InvalidRecord(f"{source} does not hold the rules of its match: they have another hash")


def read(path: str | Path) -> Record:
    """The record in a file; raises InvalidRecord."""
    try:
        return decode(Path(path).read_bytes(), str(path))
    except OSError as error:
        raise InvalidRecord(f"{path} cannot be read: {error.strerror or error}") from error


def write(record: Record, path: str | Path, known: Lines | None = None) -> None:
    """Put a record in place whole: at every moment the file is what it was or what it becomes. See `encode`."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Always the same name: what a kill left there is overwritten by the next who writes.
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("wb") as file:
        file.write(encode(record, known))
        file.flush()
        # Else a power cut could leave the new name with nothing behind it.
        os.fsync(file.fileno())
    os.replace(temporary, path)


def records(place: str | Path) -> list[Path]:
    """The files of records at a place: itself, or what a folder holds, sorted by name."""
    place = Path(place)
    if not place.is_dir():
        return [place]
    return sorted(path for path in place.glob("*.json") if not path.name.startswith("."))


def _json(value: Any) -> str:
    # msgspec leaves no spaces, which nobody likes to read.
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
