"""The referee: seats players, keeps the clocks, checks every move, informs everyone, and keeps a record.

Whatever a player does, the match goes on: for one that is late, wrong or gone the referee plays a random legal move
and writes down why. Such a player is asked again at every step.

Players on other machines are asked all at once. Those in this process think one after the other, each within a clock
of its own, so that none takes the machine from another.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from ludorum.belief import hides
from ludorum.clock import Deadline, counting
from ludorum.errors import Fault, InvalidRecord, LudorumError, MissingPlayer
from ludorum.game import Game
from ludorum.gdl import words
from ludorum.gdl.printing import kif_rule
from ludorum.grammar import agree
from ludorum.joint import goes_on
from ludorum.match import record as records
from ludorum.match.record import Error, MatchOutcome, Record, RecordedInfo
from ludorum.match.seat import History, Seat, Terms
from ludorum.match.timed_call import Caller, TimedAnswer, TimedCall
from ludorum.move import Move, Role
from ludorum.players import Clocks, Ponders
from ludorum.state import State

#: The role of GDL-II that nobody plays but the referee.
RANDOM = Role(words.RANDOM)

# What a player sent is kept up to this length, so that nobody fills our disk.
_MAX_SENT_CHARS = 1000

# A client whose time is up needs a moment to say so.
_HANG_UP_S = 0.25

T = TypeVar("T")
#: Shown every state with the joint move that led there, none for the first.
Watch = Callable[[State, dict[str, Move]], None]


def conduct(game: Game, seats: Mapping[Any, Seat], *, clocks: Clocks | None = None, seed: int = 0,
            match: str | None = None, path: str | Path | None = None, max_steps: int = 10_000,
            tournament: str | None = None, watch: Watch | None = None) -> Record:
    """Conduct a match to its end and return its record.

    The seats come by role; the role `random` is played by the referee, from the seed, unless somebody sits there. With
    a `path` the record is kept there after every step. Raises UnknownRole or MissingPlayer; what players do raises
    nothing.
    """
    seated = seating(game, seats)
    clocks = clocks or Clocks()
    if None in (clocks.start, clocks.play) and not all(seat.is_local for seat in seated.values()):
        raise ValueError("players on other machines need clocks")
    if clocks.of == "processor" and not all(seat.is_local for seat in seated.values()):
        raise ValueError("of players on other machines nobody knows how long a processor worked")
    record = Record(
        id=match or new_id(game), game=game.name, rules_hash=records.hash_of(game.rules),
        roles=[str(role) for role in game.roles],
        players={str(role): seated[role].name if role in seated else "the referee" for role in game.roles},
        seats={str(role): seat.spec for role, seat in seated.items()},
        start_clock=clocks.start, play_clock=clocks.play, grace=clocks.grace, clocks_of=clocks.of, seed=seed,
        tournament=tournament, started=records.now(), percepts=[] if hides(game) else None, software=records.software(),
        rules=[" ".join(kif_rule(rule).split()) for rule in game.rules.rules])
    return _Session(game, seated, clocks, record, None if path is None else Path(path), max_steps, watch).run()


def resume(game: Game, seats: Mapping[Any, Seat], record: Record, *, path: str | Path | None = None,
           max_steps: int = 10_000, watch: Watch | None = None) -> Record:
    """Go on with a match that was interrupted, to its end; one that is over is left as it is.

    Its players are told so: those elsewhere get a START under a new name and are led through the steps that were made.
    Raises InvalidRecord if the record tells of another game, or of a match that cannot have been.
    """
    if record.is_over:
        return record
    if records.hash_of(game.rules) != record.rules_hash:
        raise InvalidRecord(f"{record.id} is a match by other rules than those of {game.name}")
    try:
        clocks = Clocks(record.start_clock, record.play_clock, record.grace, of=record.clocks_of)
    except ValueError as error:
        raise InvalidRecord(f"{record.id}: {error}") from error
    session = _Session(game, seating(game, seats), clocks, record, None if path is None else Path(path), max_steps,
                       watch)
    return session.run()


def contenders(game: Game) -> list[Role]:
    """The roles that need players: all but `random`."""
    return [role for role in game.roles if role != RANDOM]


def seating(game: Game, seats: Mapping[Any, T]) -> dict[Role, T]:
    """Who sits where, by role in the game's order; raises UnknownRole, or MissingPlayer if a seat is empty."""
    given = {game.role(role): seat for role, seat in seats.items()}
    if absent := [role for role in contenders(game) if role not in given]:
        raise MissingPlayer(f"{game.name} needs a player for {' and '.join(absent)}")
    return {role: given[role] for role in game.roles if role in given}


def seed_for(*parts: object) -> int:
    """A seed that depends on everything it is for and on nothing else."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:4])


def new_id(game: Game) -> str:
    """A name for a match that no other has; the messages of the protocol take it for a symbol."""
    name = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in game.name.lower())
    return f"{name}.{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.{random.SystemRandom().getrandbits(32):08x}"


class _Session:
    """A match while it is on."""

    def __init__(self, game: Game, seats: dict[Role, Seat], clocks: Clocks, record: Record, path: Path | None,
                 max_steps: int, watch: Watch | None) -> None:
        self._game = game
        self._seats = seats
        self._clocks = clocks
        self._record = record
        self._path = path
        self._max_steps = max_steps
        self._watch = watch
        self._states, self._joints = _follow(game, record)
        self._began = time.monotonic() - (record.state_times[-1] if record.state_times else 0.0)
        self._lines: records.Lines = {}
        self._callers = {role: Caller(role) for role in seats}

    def run(self) -> Record:
        with counting(self._clocks.of):
            return self._run()

    def _run(self) -> Record:
        try:
            if self._record.states:
                self._record.resumed.append(len(self._joints) + 1)
                self._keep()
            else:
                self._arrive()
            self._start()
            while not self._record.is_over:
                self._step()
            self._tell(lambda seat, deadline: seat.stop(self._news(), deadline), blame=True)
        except BaseException:
            # An interruption, or a mistake of ours: the players may go, and the record waits to be taken up again.
            self._tell(lambda seat, deadline: seat.abort(deadline), blame=False)
            raise
        finally:
            for caller in self._callers.values():
                caller.dismiss()
        self._keep()
        return self._record

    def _start(self) -> None:
        resumed = len(self._record.resumed)
        names = [self._record.id, *(f"{self._record.id}.{number}" for number in range(2, resumed + 2))]

        def start(role: Role) -> Callable[[Seat, Deadline], None]:
            # After an interruption under another name: players may still remember the first half.
            mine = [f"{name}{self._own_name(role)}" for name in names]
            terms = Terms(mine[-1], self._game, role, self._clocks.start, self._clocks.play,
                          hides(self._game), seed_for(self._record.seed, role, resumed),
                          resumes=mine[-2] if resumed else None)
            return lambda seat, deadline: seat.start(terms, deadline)

        for role, timed in self._ask_all(start, self._clocks.start).items():
            if timed.fault:
                self._blame(role, "start", timed.fault)
        for step in range(len(self._joints)):
            self._catch_up(self._news(step))
        self._keep()

    def _own_name(self, role: Role) -> str:
        """What is added to the name of the match for a player who sits at several seats, and knows matches by name."""
        shared = [other for other, seat in self._seats.items() if seat.spec == self._seats[role].spec]
        return f".seat{self._game.roles.index(role) + 1}" if len(shared) > 1 else ""

    def _catch_up(self, news: History) -> None:
        self._ask_all(lambda role: lambda seat, deadline: seat.catch_up(news, deadline), self._clocks.play)

    def _step(self) -> None:
        state, news = self._states[-1], self._news()
        answers = self._ask_all(lambda role: lambda seat, deadline: seat.play(news, deadline), self._clocks.play)
        joint: dict[str, Move] = {}
        for role in self._game.roles:
            if role not in answers:
                joint[role] = self._choose(role, state)
                continue
            answer, fault = answers[role].value, answers[role].fault
            if fault is None and answer is not None and answer.move not in state.legal(role):
                fault = Fault("illegal", f"{role} cannot play {_cut(str(answer.move), 100)}; "
                                         f"legal: {state.legal(role)}")
            if fault is not None or answer is None:
                joint[role] = self._choose(role, state)
                self._blame(role, "play", fault or Fault("gone", "no answer"),
                            sent=answer.sent if answer else None, instead=joint[role])
            else:
                joint[role] = answer.move
        self._record.moves.append({str(role): str(move) for role, move in joint.items()})
        self._record.times.append({str(role): round(answers[role].seconds, 4) if role in answers else None
                                   for role in self._game.roles})
        self._record.thoughts.append({
            str(role): RecordedInfo.of(timed.value.info) for role, timed in answers.items()
            if timed.value is not None and timed.value.info is not None})
        self._joints.append(joint)
        self._states.append(state.after(joint))
        self._arrive()
        for role, seat in self._seats.items():
            if isinstance(seat, Ponders) and not self._record.is_over:
                # Nobody waits for it; what is asked next comes after it.
                self._callers[role].ask(_pondering(seat), None, None)

    def _arrive(self) -> None:
        """Write down a new state, and whether it is the last."""
        state, record = self._states[-1], self._record
        record.states.append(written(state))
        record.state_times.append(round(time.monotonic() - self._began, 3))
        if record.percepts is not None and self._joints:
            record.percepts.append({str(role): sorted(map(str, told)) for role, told in state.percepts.items()})
        record.goals = {str(role): goal for role, goal in state.goals.items()}
        record.outcome = outcome(state, len(self._joints), self._max_steps)
        if record.is_over:
            record.ended = records.now()
        self._keep()
        if self._watch is not None:
            self._watch(state, self._joints[-1] if self._joints else {})

    def _news(self, step: int | None = None) -> History:
        step = len(self._joints) if step is None else step
        return History(step, self._states, self._joints)

    def _choose(self, role: Role, state: State) -> Move:
        """Any legal move, each as likely, and after an interruption the same as without it."""
        return random.Random(f"{self._record.seed}/{len(self._joints)}/{role}").choice(state.legal(role))

    def _ask_all(self, question: Callable[[Role], Callable[[Seat, Deadline], T]], clock: float | None) \
            -> dict[Role, TimedAnswer[T]]:
        """Everyone's answers: those elsewhere think at once, those in this process meanwhile and in turn."""
        def ask(role: Role) -> TimedCall[T]:
            seat, put = self._seats[role], question(role)
            if clock is None:
                return self._callers[role].ask(lambda deadline: put(seat, deadline), None, None)
            # One of ours hears when its clock ends. For one elsewhere we wait as long as it takes to be late.
            whole = clock + self._clocks.grace
            hurry, allowed = (clock, whole) if seat.is_local else (whole, whole + _HANG_UP_S)
            return self._callers[role].ask(lambda deadline: put(seat, deadline), hurry, allowed)

        away = {role: ask(role) for role, seat in self._seats.items() if not seat.is_local}
        here = {role: ask(role).wait() for role, seat in self._seats.items() if seat.is_local}
        return {role: here[role] if role in here else away[role].wait() for role in self._seats}

    def _tell(self, message: Callable[[Seat, Deadline], None], *, blame: bool) -> None:
        """Tell everyone that it is over; who does not hear it is blamed."""
        for role, timed in self._ask_all(lambda role: message, self._clocks.stop).items():
            if timed.fault and blame:
                self._blame(role, "stop", timed.fault)

    def _blame(self, role: Role, during: Literal["start", "play", "stop"], fault: Fault, *, sent: str | None = None,
               instead: Move | None = None) -> None:
        step = {"start": 0, "play": len(self._joints) + 1, "stop": len(self._joints)}[during]
        sent = fault.sent if sent is None else sent
        self._record.errors.append(Error(
            step=step, role=str(role), during=during, kind=fault.kind, message=_cut(fault.message, _MAX_SENT_CHARS),
            sent=None if sent is None else _cut(sent, _MAX_SENT_CHARS),
            instead=None if instead is None else str(instead)))

    def _keep(self) -> None:
        if self._path is not None:
            records.write(self._record, self._path, self._lines)


def outcome(state: State, steps: int, max_steps: int) -> MatchOutcome:
    """How a match stands that came to this state."""
    if state.is_terminal:
        return "finished"
    if not goes_on(state):
        return "stuck"
    return "cut" if steps >= max_steps else "playing"


def _follow(game: Game, record: Record) -> tuple[list[State], list[dict[str, Move]]]:
    """The states and joint moves of a record, by the rules; raises InvalidRecord where they do not lead there."""
    if record.roles != list(game.roles):
        raise InvalidRecord(f"{record.id} is a match of {' and '.join(record.roles)}, not of {game.name}")
    states = [game.initial]
    joints: list[dict[str, Move]] = []
    for step, told in enumerate(record.moves):
        try:
            joint: dict[str, Move] = {game.role(role): Move(move) for role, move in told.items()}
            states.append(states[-1].after(joint))
        except LudorumError as error:
            raise InvalidRecord(f"{record.id} cannot be followed at step {step + 1}: {error}") from error
        joints.append(joint)
    for step, (state, kept) in enumerate(zip(states, record.states, strict=False)):
        if written(state) != kept:
            raise InvalidRecord(f"{record.id} tells of another state after step {step}")
    if record.states and not goes_on(states[-1]):
        raise InvalidRecord(f"{record.id} was over after step {len(joints)}")
    return states, joints


def _pondering(seat: Ponders) -> Callable[[Deadline], None]:
    return lambda deadline: seat.ponder()


def written(state: State) -> str:
    """A state as records write it."""
    return " ".join(sorted(map(str, state.fluents)))


def _cut(text: str, length: int) -> str:
    more = len(text) - length
    return text if more <= 0 else f"{text[:length]} … {more} more {agree(more, 'character')}"
