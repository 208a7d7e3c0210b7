"""Players that do in their process what players should not do."""

from __future__ import annotations

import os
import signal
import time

from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players import Clocks, Legal
from ludorum.state import State


class Hangs:
    """Never answers."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        while True:
            time.sleep(1)


class HangsPreparing(Legal):
    def prepare(self, game: Game, role: str, deadline: Deadline) -> None:
        while True:
            time.sleep(1)


class Dies:
    """Its process is killed in the middle of every move."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class DiesOnce(Legal):
    """Its process is killed in the middle of the first move that any process makes in a folder."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        try:
            os.close(os.open(os.environ["DIED_ONCE"], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return Move("(mark 3 3)")
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class Fails:
    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        raise ZeroDivisionError


class Cheats:
    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        return Move("(steal everything)")


class ThinksToTheEnd(Legal):
    """Uses all of its time, and then plays its last legal move."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        time.sleep(max(0.0, deadline.remaining))
        return state.legal(role)[-1]


class TellsAndHangs:
    """Never answers, but says all the time what it would."""

    def join(self, game: Game, role: Role, clocks: Clocks) -> TellsAndHangs:
        self.role = role
        return self

    def prepare(self, deadline: Deadline) -> None: ...

    def finish(self) -> None: ...

    info = None

    def best_so_far(self, state: State) -> Move:
        return state.legal(self.role)[-1]

    def move(self, state: State, deadline: Deadline) -> Move:
        while True:
            time.sleep(1)
