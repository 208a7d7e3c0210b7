"""The process in which one match is played: it can be killed at any moment, and the match goes on in another.

The server imports this module once in a process that others are forked from, so that starting one takes milliseconds.
"""

from __future__ import annotations

import os
import random
import select
import signal
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection

from ludorum import gdl
from ludorum.circuit import cache, compile_circuit
from ludorum.clock import ALL_DAY, Deadline
from ludorum.errors import GameOver, IllegalMove, InvalidRules, LudorumError, MissingMove
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.ground import ground
from ludorum.move import Move, Role
from ludorum.players import Player, Prepares, Random, named
from ludorum.players.uncertain import move_in_doubt
from ludorum.protocol.messages import Moves, News
from ludorum.reason.circuit import CircuitReasoner
from ludorum.reason.reference import ReferenceReasoner
from ludorum.search.belief import Belief
from ludorum.serve.orders import (
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
    Task,
    Think,
)

# Imported here so that every process that is forked has them already.
PRELOADED = (cache, compile_circuit, ground, CircuitReasoner, ReferenceReasoner)

# The server comes first, then whoever only wants to know the legal moves, in whichever process; thinking can wait.
_NICENESS = 2
_NICENESS_OF_THINKING = 7
# Where a match is told again after a restart, a turn may take so long to think through.
_REPLAY_SECONDS = 0.25
# A process that only has to know legal moves keeps few states in mind.
_FEW_STATES = 16


def work(task: Task, connection: Connection) -> None:
    """Load the game, then follow orders until nobody gives any more."""
    # Ctrl-C is the server's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(_NICENESS)
    threading.Thread(target=_leave_with_the_server, args=(connection,), daemon=True).start()
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
        while True:
            order: Order = connection.recv()
            if isinstance(order, Learn):
                connection.send(desk.learn(order.number, order.news, Deadline(order.until)))
            else:
                connection.send(thinking.submit(desk.think, order).result())


def _step_back() -> None:
    """Let others have the processor first. On Linux a thread has a niceness of its own, as have those it starts."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS_OF_THINKING)


def _leave_with_the_server(connection: Connection) -> None:
    """End when the other side is gone, also in the middle of thinking."""
    watching = select.poll()
    watching.register(connection.fileno(), getattr(select, "POLLRDHUP", select.POLLHUP))
    watching.poll()
    os._exit(0)


class _Desk:
    """A game with the player's role, what is known of the state, and the player."""

    def __init__(self, task: Task, game: Game, role: Role) -> None:
        self.game = game
        self.role = role
        self.belief = (Belief(self.game, self.role) if task.player is not None else
                       Belief(self.game, self.role, most=_FEW_STATES))
        self.player = _player(task)
        self.number = 0
        self.last_move: Move | None = None

    @property
    def loaded(self) -> Loaded:
        return Loaded(self.game.engine, self.game.why, isinstance(self.player, Prepares))

    def catch_up(self, task: Task) -> list[Report]:
        reports: list[Report] = [self.knows(0)]
        for number, news in task.history:
            reports = [self.learn(number, news, Deadline.within(_REPLAY_SECONDS))]
        return reports

    def think(self, order: Prepare | Think) -> Report:
        deadline = Deadline(order.until)
        return self._prepare(deadline) if isinstance(order, Prepare) else self._choose(order.number, deadline)

    def knows(self, number: int, remark: str = "") -> Knows:
        legal = self.belief.legal
        self.number = number
        return Knows(number, len(legal), str(random.choice(legal)) if legal else None, self.belief.is_terminal, remark)

    def learn(self, number: int, news: News, deadline: Deadline) -> Report:
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
        assert isinstance(self.player, Prepares)
        try:
            self.player.prepare(self.game, self.role, deadline)
        except Exception as error:
            return Prepared(_reason(error))
        return Prepared()

    def _choose(self, number: int, deadline: Deadline) -> Chose:
        try:
            move = move_in_doubt(self.player, self.belief, self.role, deadline)
        except Exception as error:
            return Chose(number, None, f"the player failed: {_reason(error)}")
        if move not in self.belief.legal:
            return Chose(number, None, f"the player chose {move}, which is not legal")
        self.last_move = move
        return Chose(number, str(move))


def _load(task: Task) -> Game:
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


def _player(task: Task) -> Player:
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
