"""The process in which one match is played: it can be killed at any moment, and the match goes on in another.

The server imports this module once in a process that others are forked from, so that starting one takes milliseconds.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
import traceback
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from ludorum import gdl
from ludorum.belief import Belief
from ludorum.circuit import cache, compile_circuit
from ludorum.clock import ALL_DAY, Deadline
from ludorum.engines.circuit import CircuitReasoner
from ludorum.engines.reference import ReferenceReasoner
from ludorum.errors import GameOver, IllegalMove, InvalidRules, LudorumError, MissingMove
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.ground import ground
from ludorum.move import Move, Role
from ludorum.players import AnyPlayer, Clocks, Ponders, Random, SearchInfo, ThinksAloud, join_match, named
from ludorum.players.determinization import determinized_move
from ludorum.players.search_info import as_search_info, move_origin
from ludorum.protocol.messages import Moves, News
from ludorum.serve.orders import (
    Assignment,
    BestSoFar,
    Chose,
    Knows,
    Learn,
    Loaded,
    Order,
    Prepare,
    Prepared,
    Refused,
    Rejected,
    Report,
    Think,
)
from ludorum.serve.process import leave_with_the_server
from ludorum.state import State

# Imported here so that every process that is forked has them already.
PRELOADED = (cache, compile_circuit, ground, CircuitReasoner, ReferenceReasoner)

# The server comes first, then whoever only wants to know the legal moves, in whichever process; thinking can wait.
_NICENESS = 2
_THINKING_NICENESS = 7
# So often is told which move is best while a player thinks, in seconds.
_TELL_EVERY_S = 0.05
# Where a match is told again after a restart, a turn may take so long to think through.
_REPLAY_TURN_S = 0.25
# A process that only has to know legal moves keeps few states in mind.
_GUARD_STATES = 16
# Where its engine takes longer than so many seconds for a step, it does not think.
_GUARD_MAX_LEARNING_S = 0.05


def work(task: Assignment, connection: Connection) -> None:
    """Load the game, then follow orders until nobody gives any more."""
    # Ctrl-C is the server's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(_NICENESS)
    threading.Thread(target=leave_with_the_server, args=(connection,), daemon=True).start()
    try:
        game = _load(task)
        if task.role is None:
            return
        desk = _Desk(task, game, game.role(task.role))
    except LudorumError as error:
        connection.send(Refused(_reason(error)))
        return
    connection.send(desk.loaded)
    for report in desk.catch_up(task):
        connection.send(report)
    with ThreadPoolExecutor(1, initializer=_step_back) as thinking:
        _Service(connection, desk, thinking).run()


def _step_back() -> None:
    """Let others have the processor first. On Linux a thread has a niceness of its own, as have those it starts."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _THINKING_NICENESS)


class _Service:
    """Follows orders as they come: news are understood at once, also while it thinks, and the best move so far is told.

    What is thought about goes one after the other in a thread of its own.
    """

    def __init__(self, connection: Connection, desk: _Desk, thinking: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._desk = desk
        self._thinking = thinking
        self._waiting: deque[Prepare | Think] = deque()
        self._thought: Future[Report] | None = None
        self._told: BestSoFar | None = None
        # The end of a thought is heard like an order, so that it is told without delay.
        self._bell, self._rope = os.pipe()

    def run(self) -> None:
        while True:
            heard = wait([self._connection, self._bell], None if self._thought is None else _TELL_EVERY_S)
            if self._bell in heard:
                os.read(self._bell, 1)
                self._conclude()
            if self._connection in heard:
                self._take(self._connection.recv())
            if self._thought is None and self._waiting:
                self._begin(self._waiting.popleft())
            elif self._thought is not None:
                self._tell()

    def _take(self, order: Order) -> None:
        if isinstance(order, Learn):
            self._connection.send(self._desk.learn(order.number, order.news, Deadline(order.until)))
        else:
            self._waiting.append(order)

    def _begin(self, order: Prepare | Think) -> None:
        self._told = None
        self._thought = self._thinking.submit(self._desk.think, order)
        self._thought.add_done_callback(lambda _: os.write(self._rope, b"."))

    def _tell(self) -> None:
        best = self._desk.best_so_far()
        if best is not None and best != self._told:
            self._told = best
            self._connection.send(best)

    def _conclude(self) -> None:
        if self._thought is not None and self._thought.done():
            self._connection.send(self._thought.result())
            self._thought = None
            self._thinking.submit(self._desk.ponder)


class _Desk:
    """A game with the player's role, what is known of the state, and the player."""

    def __init__(self, task: Assignment, game: Game, role: Role) -> None:
        self.game = game
        self.role = role
        self.belief = (Belief(self.game, self.role, most=_GUARD_STATES) if task.is_guard else
                       Belief(self.game, self.role))
        self.playing = join_match(_player(task), game, role, Clocks(task.start_clock, task.play_clock))
        self.last_move: Move | None = None
        self._is_guard = task.is_guard
        self._learning_s = 0.0
        #: What it is thinking about: the number of the news, the state if that is known, else what moves seem worth.
        self._thinking_about: tuple[int, State | None, dict[Move, float], tuple[Move, ...]] | None = None

    @property
    def loaded(self) -> Loaded:
        return Loaded(self.game.engine, self.game.why)

    def catch_up(self, task: Assignment) -> list[Report]:
        reports: list[Report] = [self.knows(0)]
        for number, news in task.history:
            reports = [self.learn(number, news, Deadline.within(_REPLAY_TURN_S))]
        return reports

    def think(self, order: Prepare | Think) -> Report:
        deadline = Deadline(order.until)
        return self._prepare(deadline) if isinstance(order, Prepare) else self._choose(order.number, deadline)

    def ponder(self) -> None:
        """Thinking on the others' time begins when the answer is on its way, however long it takes to begin."""
        if isinstance(self.playing, Ponders):
            self.playing.ponder()

    def knows(self, number: int, remark: str = "") -> Knows:
        legal = self.belief.legal
        return Knows(number, len(legal), str(random.choice(legal)) if legal else None, self.belief.is_terminal, remark)

    def learn(self, number: int, news: News, deadline: Deadline) -> Report:
        begin = time.monotonic()
        was_consistent = self.belief.is_consistent
        try:
            if isinstance(news, Moves):
                self.belief.saw(self._known(news), deadline)
            else:
                move = news.move or (self.last_move and self.last_move.term)
                if move is None:
                    return Rejected(number, f"turn {news.turn} does not say which move {self.role} made")
                self.belief.perceived(move, news.percepts, deadline)
        except (GameOver, IllegalMove, MissingMove) as error:
            return Rejected(number, _reason(error))
        self._learning_s = time.monotonic() - begin
        odd = was_consistent and not self.belief.is_consistent
        return self.knows(number, "no possible state explains these percepts; they are ignored" if odd else "")

    def _known(self, news: Moves) -> list[Term | None]:
        """The moves that were told; `nil` is no move but the lack of one, unless the game has a move of that name."""
        moves: list[Term | None] = list(news.moves)
        for seat, role in enumerate(self.game.roles[:len(moves)]):
            told = news.moves[seat]
            if told == Term("nil") and not any(told in state.legal(role) for state in self.belief.states):
                moves[seat] = None
        return moves

    def _prepare(self, deadline: Deadline) -> Prepared:
        try:
            self.playing.prepare(deadline)
        except Exception as error:
            return Prepared(_reason(error))
        return Prepared()

    def _choose(self, number: int, deadline: Deadline) -> Chose:
        if self._is_guard and self._learning_s > _GUARD_MAX_LEARNING_S:
            # Thinking would take the processor from what the guard is there for, and come to nothing.
            return Chose(number, None, "the engine is too slow to think with")
        # News may come while it thinks; it is asked about the state as it is now.
        states, legal = self.belief.states, self.belief.legal
        worth: dict[Move, float] = {}
        self._thinking_about = number, states[0] if len(states) == 1 else None, worth, legal
        try:
            move = determinized_move(self.playing, self.belief, self.role, deadline, worth)
        except Exception as error:
            return Chose(number, None, f"the player failed: {_reason(error)}")
        finally:
            self._thinking_about = None
        if move not in legal:
            return Chose(number, None, f"the player chose {move}, which is not legal")
        self.last_move = move
        return Chose(number, str(move), origin=move_origin(move, len(legal), self._info()))

    def best_so_far(self) -> BestSoFar | None:
        """What the player would choose now, if it says so; asked while it thinks in another thread."""
        thinking = self._thinking_about
        if thinking is None:
            return None
        number, state, worth, legal = thinking
        try:
            if state is not None and isinstance(self.playing, ThinksAloud):
                best = self.playing.best_so_far(state)
            else:
                best = max(worth, key=worth.__getitem__) if any(worth.values()) else None
        except Exception:
            # It may say what it likes of its thinking; nothing depends on it.
            return None
        return None if best is None or best not in legal else BestSoFar(number, str(best))

    def _info(self) -> SearchInfo | None:
        try:
            return as_search_info(self.playing.info)
        except Exception:
            return None


def _load(task: Assignment) -> Game:
    rules = gdl.parse(task.rules, task.match, syntax="kif")
    try:
        return Game(rules, name=task.match, engine=task.engine, seconds=task.load_seconds, memory_mb=task.memory_mb)
    except LudorumError:
        raise
    except Exception:
        # A mistake of ours in an engine must not cost the match.
        if task.engine is not None:
            raise
        traceback.print_exc()
        return Game(rules, name=task.match, engine="reference", seconds=task.load_seconds, memory_mb=task.memory_mb)


def _player(task: Assignment) -> AnyPlayer:
    if task.player is None:
        return Random()
    if isinstance(task.player, str):
        # The clock says how long to think, unless the options of a player do.
        return named(task.player, threads=task.threads, ponder=task.ponders, seconds=ALL_DAY)
    return task.player()


def _reason(error: Exception) -> str:
    if isinstance(error, InvalidRules):
        wrong = [diagnostic for diagnostic in error.diagnostics if diagnostic.level == "error"]
        first = wrong[0]
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        return f"line {first.line}, column {first.column} of the rules: {first.message}{more}"
    if isinstance(error, LudorumError):
        return str(error)[:1000]
    return "".join(traceback.format_exception(error))[-1000:]
