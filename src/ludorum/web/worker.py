"""The process of one match: it knows the rules, and may be ended at any moment, for the record is elsewhere.

The server imports this module once in a process that others are forked from, so that starting one takes milliseconds.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from ludorum import market
from ludorum.clock import Deadline
from ludorum.errors import Fault, InvalidRules, LudorumError
from ludorum.game import Game
from ludorum.gdl import Source
from ludorum.gdl.printing import kif_rule
from ludorum.loading import load_source
from ludorum.match import record as records
from ludorum.match.player_spec import seat_for
from ludorum.match.record import RecordedInfo
from ludorum.match.referee import outcome, seed_for, written
from ludorum.match.seat import History, Seat, Terms
from ludorum.move import Move
from ludorum.serve.process import leave_with_the_server
from ludorum.state import State
from ludorum.web.diagnosing import described
from ludorum.web.orders import Answer, Ask, Failed, MatchTask, Ready, Refused, Report, Told
from ludorum.web.review import Review
from ludorum.web.searching import LiveSearch
from ludorum.web.views import Views

# The server comes first, then what people wait for.
_NICENESS = 3
# So often a search that goes on is told about, in seconds.
_TICK_S = 0.2
_MAX_STEPS = 10_000
# Players on other machines get so much longer than their clock, for the way.
_GRACE_S = 1.0
_HINT_S = 1.0
_PREPARE_S = 0.5


def work(task: MatchTask, connection: Connection) -> None:
    """Load the game, tell what it is, and answer until nobody asks any more."""
    # Ctrl-C is the server's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(_NICENESS)
    threading.Thread(target=leave_with_the_server, args=(connection,), daemon=True).start()
    try:
        source = Source(task.rules, task.game)
        game = load_source(source, name=task.game, seconds=task.load_seconds,
                           memory_mb=task.memory_mb)
        desk = Desk(task, game, silence(source))
    except InvalidRules as error:
        wrong = [diagnostic for diagnostic in error.diagnostics if diagnostic.level == "error"]
        connection.send(Refused(f"line {wrong[0].line}: {wrong[0].message}", tuple(map(described, error.diagnostics))))
        return
    except LudorumError as error:
        connection.send(Refused(str(error)[:1000]))
        return
    except RecursionError:
        connection.send(Refused("the rules are nested too deeply"))
        return
    except MemoryError:
        connection.send(Refused("the rules need more memory than a game may have here"))
        return
    Service(connection, desk).run()


def silence(source: Source) -> str | None:
    """What a trader sends who sends nothing; none where the rules are not those of a market."""
    return str(market.translate(market.parse(source)).silent) if market.is_market(source) else None


class Service:
    """Answers questions one after the other; thinking goes on in threads, and is told about as it goes."""

    def __init__(self, connection: Connection, desk: Desk) -> None:
        self._connection = connection
        self._desk = desk
        self._sending = threading.Lock()

    def run(self) -> None:
        self._send(Ready(self._desk.loaded()))
        while True:
            is_searching = self._desk.search.is_on
            if wait([self._connection], _TICK_S if is_searching else None):
                try:
                    ask = self._connection.recv()
                except (EOFError, OSError):
                    # The server is gone.
                    return
                self._take(ask)
            if is_searching and (told := self._desk.search.findings()) is not None:
                self._send(Told("search", told))

    def _take(self, ask: Ask) -> None:
        if ask.verb in Desk.SLOW:
            threading.Thread(target=self._answer, args=(ask,), daemon=True).start()
        else:
            self._answer(ask)

    def _answer(self, ask: Ask) -> None:
        try:
            verb: Callable[..., Any] = getattr(self._desk, f"do_{ask.verb}")
            arguments = dict(ask.arguments)
            if ask.verb == "review":
                arguments["tell"] = lambda told: self._send(Told("review", told))
            report: Report = Answer(ask.number, verb(**arguments))
        except LudorumError as error:
            report = Failed(ask.number, type(error).__name__, str(error)[:1000])
        except Exception:
            # A mistake of ours should not end the match.
            report = Failed(ask.number, "internal", traceback.format_exc()[-1000:])
        if ask.number:
            self._send(report)

    def _send(self, report: Report) -> None:
        with self._sending, suppress(OSError):
            self._connection.send(report)


class Desk:
    """The states of a match, and whoever thinks about them. A method `do_…` for every question."""

    #: What takes so long that others are answered meanwhile.
    SLOW = frozenset({"think", "hint", "review"})

    def __init__(self, task: MatchTask, game: Game, idle: str | None) -> None:
        self.game = game
        self._task = task
        self._idle = idle
        self.states: list[State] = [game.initial]
        self.joints: list[dict[str, Move]] = []
        self.views = Views(game)
        self.search = LiveSearch(game, task.search_seconds)
        self._review = Review(game)
        self._seats: dict[tuple[str, str], Seat] = {}
        for joint in task.moves:
            self._make(joint)

    def loaded(self) -> dict[str, Any]:
        game = self.game
        return {"roles": list(map(str, game.roles)), "engine": game.engine, "why": game.why,
                "hides": self.views.hides, "rules_hash": records.hash_of(game.rules), "idle": self._idle,
                "rules": [" ".join(kif_rule(rule).split()) for rule in game.rules.rules], **self.do_position()}

    # ---- what happens ----

    def do_position(self) -> dict[str, Any]:
        """How the match stands: enough to write the record, and what everyone may see."""
        state = self.states[-1]
        legal = {str(role): state.legal(role) for role in self.game.roles}
        return {
            "step": len(self.joints), "state": written(state),
            "goals": {str(role): goal for role, goal in state.goals.items()},
            "percepts": {str(role): sorted(map(str, told)) for role, told in state.percepts.items()}
            if self.views.hides else None,
            "outcome": outcome(state, len(self.joints), _MAX_STEPS),
            "choosers": [] if state.is_terminal else [role for role, moves in legal.items() if len(moves) > 1],
            "joint": {str(role): str(move) for role, move in self.joints[-1].items()} if self.joints else None,
            "views": self.views.latest(self.states),
        }

    def do_advance(self, joint: dict[str, str]) -> dict[str, Any]:
        self._make(joint)
        return self.do_position()

    def do_rewind(self, step: int) -> dict[str, Any]:
        del self.states[step + 1:], self.joints[step:]
        self.views.rewind(self.states, self.joints)
        # What engines know of the match is of one that was not.
        self._seats.clear()
        return self.do_position()

    def do_choosers(self) -> list[list[str]]:
        """For every state so far who had a choice."""
        return [[str(role) for role in state.choosers] for state in self.states]

    def do_legal(self, role: str, move: str) -> str:
        """The move as the rules write it; raises IllegalMove."""
        state = self.states[-1]
        meant = Move(move)
        if meant not in state.legal(role):
            from ludorum.errors import IllegalMove

            raise IllegalMove(f"{role} cannot play {str(meant)[:100]} now")
        return str(meant)

    def do_look(self, step: int, line: list[dict[str, str]], role: str | None) -> list[dict[str, Any]]:
        """The states along a line of joint moves that begins at a step, as they are drawn: for a role, or for all."""
        if role is not None:
            return [self.views.of_role(role, step)]
        seen = [self.states[step]]
        for joint in line:
            seen.append(seen[-1].after(joint))
        before = self.states[step - 1] if step else None
        return [self.views.of_state(state, last) for state, last in zip(seen, [before, *seen[:-1]], strict=True)]

    # ---- who thinks ----

    def do_think(self, role: str, spec: str, seconds: float | None) -> dict[str, Any]:
        """A move of an engine, of an HTTP player, or of chance; the referee's where they fail."""
        state, step = self.states[-1], len(self.joints)
        history = History(step, list(self.states), list(self.joints))
        legal = state.legal(role)
        deadline = Deadline.within(seconds or self._task.think_seconds)
        fault: Fault | None = None
        thoughts = None
        if spec == "chance":
            return {"move": str(self._any(role)), "thoughts": None, "fault": None}
        try:
            answer = self._seat(role, spec, deadline).play(history, deadline)
            move = answer.move
            if move not in legal:
                raise Fault("illegal", f"{role} cannot play {str(move)[:100]}", answer.sent)
            thoughts = None if answer.info is None else RecordedInfo.of(answer.info)
        except Fault as error:
            fault, move = error, self._any(role)
        return {"move": str(move), "thoughts": thoughts,
                "fault": None if fault is None else {"kind": fault.kind, "message": str(fault)[:500]}}

    def do_late(self, role: str, idle: str | None) -> dict[str, Any]:
        """What is played for who did not choose, and whether that is a fault."""
        may_wait = idle is not None and idle in self.states[-1].legal(role)
        return {"move": idle if may_wait else str(self._any(role)), "is_fault": not may_wait}

    def _any(self, role: str) -> Move:
        return random.Random(f"{self._task.seed}/{len(self.joints)}/{role}").choice(self.states[-1].legal(role))

    def do_hint(self, role: str) -> dict[str, Any]:
        """What an engine would play that knows what the role knows."""
        return self.do_think(role, "ludorum:seconds=0.7", _HINT_S)

    def do_search(self, step: int, line: list[dict[str, str]]) -> None:
        """Begin to search at a state; findings are told as they come."""
        state = self.states[step]
        for joint in line:
            state = state.after(joint)
        self.search.begin(state, {"step": step, "line_from": line})

    def do_halt(self) -> None:
        self.search.halt()

    def do_review(self, playouts: int, tell: Callable[[Any], None]) -> dict[str, Any]:
        return self._review.run(list(self.states), list(self.joints), playouts, tell)

    def do_finish(self) -> None:
        """The match is over: those elsewhere are told."""
        history = History(len(self.joints), list(self.states), list(self.joints))
        for seat in self._seats.values():
            with suppress(Fault):
                seat.stop(history, Deadline.within(_GRACE_S))
        self._seats.clear()

    def _seat(self, role: str, spec: str, deadline: Deadline) -> Seat:
        known = self._seats.get((role, spec))
        if known is None:
            known = seat_for(spec, seed=None if spec.startswith("http") else
                             seed_for(self._task.seed, role, len(self.joints)))
            clock = self._task.play_clock or 10.0
            terms = Terms(f"{self._task.match}.{role}.{len(self.joints)}.{random.getrandbits(24):06x}", self.game,
                          self.game.role(role), clock if not known.is_local else None,
                          clock if not known.is_local else None, self.views.hides, seed_for(self._task.seed, role))
            # Who sits here should not use a long clock before the first move: somebody waits.
            known.start(terms, Deadline.within(_PREPARE_S if known.is_local else clock + _GRACE_S))
            if not known.is_local:
                # Somebody elsewhere has to be led through what happened so far.
                for step in range(len(self.joints)):
                    known.catch_up(History(step, self.states, self.joints), deadline)
            self._seats[role, spec] = known
        return known

    def _make(self, joint: dict[str, str]) -> None:
        state = self.states[-1]
        after = state.after({role: Move(move) for role, move in joint.items()})
        # As it was completed: roles with one legal move may have been left out.
        whole: dict[str, Move] = {role: Move(joint[role]) if role in joint else state.legal(role)[0]
                                  for role in self.game.roles}
        self.states.append(after)
        self.joints.append(whole)
        self.views.step(self.states, self.joints)
