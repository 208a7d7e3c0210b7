"""Thinking by processor time that is turned into work, so that it does not matter how busy the machine is."""

from __future__ import annotations

import time

from ludorum.clock import Deadline
from ludorum.move import Move
from ludorum.players.player import CountsWork
from ludorum.state import State

# So much work is done where it is not known yet how long it takes, and no less than so much ever.
_FIRST_WORK, _LEAST_WORK = 256, 32
# What is kept of what was measured before, from move to move.
_KEPT = 0.8


class Pace:
    """How much a player may do in a move if all its moves are to take so much processor time.

    The search has threads of its own, so the time of the process is measured: what else goes on in it slows down all
    players alike.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._done = self._spent = 0.0
        #: Who moved last: a first move also takes what is found out once a match.
        self._known: CountsWork | None = None

    @property
    def work(self) -> int:
        """Playouts or states of a move."""
        if not self._spent:
            return _FIRST_WORK
        return max(_LEAST_WORK, round(self._seconds * self._done / self._spent))

    def move(self, playing: CountsWork, state: State, deadline: Deadline) -> Move:
        """The player's move with that much work; how long it took is learned."""
        work, begin = self.work, time.process_time()
        move = playing.move_within(state, deadline, work)
        spent, info = time.process_time() - begin, playing.info
        done = 0 if info is None else info.playouts or info.states or 0
        # A search that ends early, since all is proved, does not tell how long others take.
        if 2 * done >= work and playing is self._known:
            self._done, self._spent = _KEPT * self._done + done, _KEPT * self._spent + spent
        self._known = playing
        return move
