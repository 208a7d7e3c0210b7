"""The lines to the traders of a live market: what each was told, and the messages that wait for their tick.

A line never keeps the market waiting. What a trader sends comes into its tray; at the end of a tick the market takes
the first message there that is legal. What comes late waits for the next tick, and so does the second of two. Who sends
nothing, or has vanished, is silent.
"""

from __future__ import annotations

import queue
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from ludorum.clock import Deadline
from ludorum.errors import Fault, LudorumError
from ludorum.match.seat import Answer, History, Seat, Terms
from ludorum.move import Move
from ludorum.protocol.messages import Percepts, Play, Stop

# A trader that does not answer for so many ticks, or seconds where ticks are short, has not heard the question.
_PATIENCE_TICKS, _PATIENCE_S = 20.0, 10.0
# More messages than this do not wait.
_MOST_WAITING = 100


class Tray:
    """Messages of one trader that wait; threads may share it."""

    def __init__(self) -> None:
        self._messages: deque[Move] = deque(maxlen=_MOST_WAITING)
        self._lock = threading.Lock()

    def put(self, message: Move) -> None:
        with self._lock:
            self._messages.append(message)

    def take(self, legal: Sequence[Move]) -> Move | None:
        """The first message that is legal now; those before it are gone."""
        with self._lock:
            while self._messages:
                message = self._messages.popleft()
                if message in legal:
                    return message
        return None

    def __len__(self) -> int:
        return len(self._messages)


class Line(Protocol):
    """Where a trader is reached."""

    @property
    def name(self) -> str:
        """What people call the trader."""

    @property
    def spec(self) -> str:
        """How to reach it again."""

    @property
    def tray(self) -> Tray: ...

    def start(self, terms: Terms, silent: Move, deadline: Deadline) -> None:
        """The market opens; returns when the trader is ready, or by the deadline."""

    def tell(self, news: History, *, wants_answer: bool) -> threading.Event | None:
        """What the trader may know of the last step; it may answer with a message, at any time.

        Set when it has answered, or will not; None where nobody knows.
        """

    def stop(self, news: History, deadline: Deadline) -> None:
        """The market is closed."""

    def abort(self, deadline: Deadline) -> None: ...


class SeatLine:
    """A line to a player as the referee seats them, on another machine or in this process.

    It is asked in a thread of its own, one thing after the other.
    """

    def __init__(self, seat: Seat, tick: float) -> None:
        self._seat = seat
        # One of ours has to be done within the tick; who is elsewhere may be late.
        self._patience = tick if seat.is_local else max(_PATIENCE_S, _PATIENCE_TICKS * tick)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._silent: Move | None = None
        self.tray = Tray()
        threading.Thread(target=self._work, name=f"line to {seat.name}", daemon=True).start()

    @property
    def name(self) -> str:
        return self._seat.name

    @property
    def spec(self) -> str:
        return self._seat.spec

    def start(self, terms: Terms, silent: Move, deadline: Deadline) -> None:
        self._silent = silent
        self._seat.start(terms, deadline)

    def tell(self, news: History, *, wants_answer: bool) -> threading.Event | None:
        answered = threading.Event()

        def job() -> None:
            try:
                answer = self._seat.play(news, Deadline.within(self._patience))
                if wants_answer and answer.move != self._silent:
                    self.tray.put(answer.move)
            finally:
                answered.set()

        self._jobs.put(job)
        return answered

    def stop(self, news: History, deadline: Deadline) -> None:
        done = threading.Event()

        def job() -> None:
            try:
                self._seat.stop(news, Deadline.within(self._patience))
            finally:
                done.set()

        self._jobs.put(job)
        self._jobs.put(None)
        done.wait(None if deadline.at is None else max(0.0, deadline.remaining))

    def abort(self, deadline: Deadline) -> None:
        self._jobs.put(None)
        self._seat.abort(deadline)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except LudorumError:
                # Late beyond patience, gone or garbled: it was silent, and is asked again at the next tick.
                continue


class DoorLine:
    """A line that the trader opens itself, by HTTP: it asks for news, and sends messages, whenever it likes.

    Whoever comes first gets the seat, and a name of the match that nobody else knows.
    """

    def __init__(self, secret: str | None = None) -> None:
        self.secret = secret or secrets.token_hex(8)
        self.tray = Tray()
        self._changed = threading.Condition()
        self._news: list[str] = []
        self._terms: Terms | None = None
        self._joined = threading.Event()
        self._is_over = False
        self.heard_the_end = threading.Event()

    @property
    def name(self) -> str:
        return "a trader at the door"

    @property
    def spec(self) -> str:
        return f"door:{self.secret}"

    @property
    def terms(self) -> Terms | None:
        return self._terms

    @property
    def is_taken(self) -> bool:
        return self._joined.is_set()

    @property
    def match(self) -> str:
        """What the match is called on this line."""
        assert self._terms is not None, "a line is told the terms first"
        return f"{self._terms.match}.{self.secret}"

    def join(self) -> bool:
        """Take the seat; whether it was free."""
        with self._changed:
            was_free = not self._joined.is_set() and self._terms is not None
            if was_free:
                self._joined.set()
            return was_free

    def start(self, terms: Terms, silent: Move, deadline: Deadline) -> None:
        with self._changed:
            self._terms = terms
            if terms.resumes is not None:
                # Who has the secret goes on where it was.
                self._joined.set()
        self._joined.wait(None if deadline.at is None else max(0.0, deadline.remaining))

    def tell(self, news: History, *, wants_answer: bool) -> threading.Event | None:
        self._add(str(Play(self.match, self._told(news))), news.step)
        return None

    def stop(self, news: History, deadline: Deadline) -> None:
        self._add(str(Stop(self.match, self._told(news))), news.step)
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        if self.is_taken:
            self.heard_the_end.wait(None if deadline.at is None else max(0.0, deadline.remaining))

    def abort(self, deadline: Deadline) -> None:
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def news(self, turn: int, deadline: Deadline) -> str | None:
        """The message of the protocol for a turn, when it comes; None if it does not by the deadline."""
        with self._changed:
            self._changed.wait_for(lambda: turn < len(self._news) or self._is_over,
                                   None if deadline.at is None else max(0.0, deadline.remaining))
            if turn >= len(self._news):
                return None
            if self._is_over and turn == len(self._news) - 1:
                self.heard_the_end.set()
            return self._news[turn]

    def _told(self, news: History) -> Percepts:
        assert self._terms is not None, "a line is told the terms first"
        role = self._terms.role
        if news.joint is None:
            return Percepts(news.step)
        return Percepts(news.step, news.joint[role].term, news.state.percepts[role])

    def _add(self, text: str, step: int) -> None:
        with self._changed:
            # A step that is told again, after an interruption, says the same.
            self._news[step:] = [text]
            self._changed.notify_all()


class TickingSeat:
    """A seat of the referee that answers when the tick ends, with what waits in the tray of a line, or silence."""

    is_local = False

    def __init__(self, line: Line, silent: Move, ticks: Ticks) -> None:
        self._line, self._silent, self._ticks = line, silent, ticks
        self._terms: Terms | None = None

    @property
    def name(self) -> str:
        return self._line.name

    @property
    def spec(self) -> str:
        return self._line.spec

    def start(self, terms: Terms, deadline: Deadline) -> None:
        self._terms = terms
        self._line.start(terms, self._silent, deadline.or_within(self._ticks.opening))

    def catch_up(self, news: History, deadline: Deadline) -> None:
        self._line.tell(news, wants_answer=False)

    def play(self, news: History, deadline: Deadline) -> Answer:
        if self._terms is None:
            raise Fault("failed", "the market has not opened")
        legal = news.state.legal(self._terms.role)
        is_asked = len(legal) > 1
        answered = self._line.tell(news, wants_answer=is_asked)
        if any(len(news.state.legal(role)) > 1 for role in self._ticks.traders):
            self._ticks.wait(news.step)
        elif answered is not None:
            # A step at which nobody has anything to say takes no longer than to tell of it.
            answered.wait(self._ticks.seconds)
        message = self._line.tray.take(legal) if is_asked else None
        chosen = message or (self._silent if self._silent in legal else legal[0])
        return Answer(chosen, str(chosen))

    def stop(self, news: History, deadline: Deadline) -> None:
        self._line.stop(news, deadline)

    def abort(self, deadline: Deadline) -> None:
        self._line.abort(deadline)


class Ticks:
    """When the ticks of a market end: a tick after its first trader was told of it, the same for all."""

    def __init__(self, seconds: float, traders: Sequence[str], opening: float | None = None) -> None:
        self.seconds = seconds
        #: How many seconds traders have to come; none if as many as the referee says.
        self.opening = opening
        self.traders = tuple(traders)
        self._ends: dict[int, Deadline] = {}
        self._lock = threading.Lock()
        self._rest = threading.Event()

    def wait(self, step: int) -> None:
        """Returns when the tick of a step is over."""
        with self._lock:
            end = self._ends.setdefault(step, Deadline.within(self.seconds))
        self._rest.wait(max(0.0, end.remaining))
