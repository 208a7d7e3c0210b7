"""Matches to be played by worker processes, and the processes that play them."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing.synchronize import Event

from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.loading import load
from ludorum.match import record as records
from ludorum.match.invitation import invite
from ludorum.match.record import Record
from ludorum.match.referee import Clocks, conduct, seed_for
from ludorum.protocol.client import is_address

# A match whose process died is tried once more: it may have been another match's fault.
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Task:
    """A match to be played. Everything in it is plain, so that it can be sent to another process."""

    id: str
    game: str
    #: The rules in KIF.
    rules: str
    #: For every role but `random`, the player's name and how to seat it.
    players: tuple[tuple[str, str, str], ...]
    clocks: Clocks
    seed: int
    tournament: str
    max_steps: int = 10_000

    @property
    def addresses(self) -> frozenset[str]:
        """The players elsewhere, who play one match at a time."""
        return frozenset(spec for _, _, spec in self.players if is_address(spec))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game as it is sent to another process."""

    name: str
    rules: str
    hash: str

    @classmethod
    def of(cls, game: Game) -> Sheet:
        return cls(game.name, to_kif(game.rules), records.hash_of(game.rules))


def task(game: Sheet, players: Iterable[tuple[str, str, str]], clocks: Clocks, *, tournament: str, number: int,
         seed: int, max_steps: int = 10_000) -> Task:
    """The match of this number between these players, by role, name and how to seat them.

    The same match has the same name and the same seed in every run: whatever matters is in it. Matches of the same
    number differ only in who sits where.
    """
    seated = tuple(players)
    key = seed_for(game.hash, seated, clocks, seed, number, max_steps)
    name = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in f"{tournament}.{game.name}")
    return Task(f"{name}.{number}.{key:08x}", game.name, game.rules, seated, clocks,
                seed_for(seed, game.name, number), tournament, max_steps)


@dataclass(frozen=True, slots=True)
class Failed:
    """A match that could not be played."""

    why: str


def play_task(task: Task) -> bytes | str:
    """Play a match; its record in JSON, or in one line why it could not be played."""
    start = time.process_time()
    try:
        game = _load(task.rules, task.game)
        seats = {role: invite(spec, seed=seed_for(task.seed, role), name=name) for role, name, spec in task.players}
        record = conduct(game, seats, clocks=task.clocks, seed=task.seed, match=task.id, tournament=task.tournament,
                         max_steps=task.max_steps)
    except LudorumError as error:
        return str(error)
    record.cpu_seconds = round(time.process_time() - start, 3)
    return records.encode(record)


# A tournament plays the same games again and again.
@lru_cache(maxsize=16)
def _load(rules: str, name: str) -> Game:
    return load(rules, name=name)


def run(tasks: Iterable[Task], *, workers: int | None = None,
        is_wanted: Callable[[Task], bool] = lambda task: True) -> Iterator[tuple[Task, Record | Failed]]:
    """Play matches on so many processes (one a core if none are given), and yield each as it ends.

    With 0 workers they are played here, one after the other. Tasks are taken when there is somebody to play them, and
    only if they are still wanted. A process that dies takes its match with it, which is played once more.
    """
    workers = os.cpu_count() or 1 if workers is None else workers
    if workers == 0:
        try:
            for task in tasks:
                if is_wanted(task):
                    yield task, _result(play_task(task))
        finally:
            _load.cache_clear()
        return
    with _Crew(workers) as crew:
        yield from crew.run(iter(tasks), is_wanted)


@dataclass
class _Crew:
    """Processes that play matches."""

    workers: int
    _pool: Executor | None = None
    _stop: Event | None = None
    _playing: dict[Future[bytes | str], Task] = field(default_factory=dict)
    _waiting: list[Task] = field(default_factory=list)
    _deaths: dict[str, int] = field(default_factory=dict)

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is not None and self._stop is not None:
            # Nobody will hear of the matches that are on: they need not be played to their ends.
            self._stop.set()
        self._end()

    def run(self, tasks: Iterator[Task], is_wanted: Callable[[Task], bool]) -> Iterator[tuple[Task, Record | Failed]]:
        while True:
            while len(self._playing) < self.workers and (task := self._next(tasks, is_wanted)) is not None:
                self._submit(task)
            if not self._playing:
                return
            done, _ = wait(self._playing, return_when=FIRST_COMPLETED)
            for future in done:
                task = self._playing.pop(future)
                try:
                    yield task, _result(future.result())
                except BrokenProcessPool:
                    yield from self._bury(task)

    def _next(self, tasks: Iterator[Task], is_wanted: Callable[[Task], bool]) -> Task | None:
        """A task that can be played now: those of players who sit at another match are kept for later."""
        taken = {address for task in self._playing.values() for address in task.addresses}
        self._waiting = list(filter(is_wanted, self._waiting))
        for place, task in enumerate(self._waiting):
            if not taken & task.addresses:
                del self._waiting[place]
                return task
        for task in tasks:
            if is_wanted(task):
                if not taken & task.addresses:
                    return task
                self._waiting.append(task)
        return None

    def _submit(self, task: Task) -> None:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._stop = context.Event()
            self._pool = ProcessPoolExecutor(self.workers, context, _settle_in, (self._stop,))
        self._playing[self._pool.submit(play_task, task)] = task

    def _bury(self, task: Task) -> Iterator[tuple[Task, Record | Failed]]:
        """A process died, and with it the pool: whoever was playing starts anew, one that died twice does not."""
        tasks = [task, *self._playing.values()]
        self._playing.clear()
        self._end()
        for task in tasks:
            self._deaths[task.id] = self._deaths.get(task.id, 0) + 1
            if self._deaths[task.id] < _TRIES:
                self._waiting.append(task)
            else:
                yield task, Failed("the process that played it died")

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _settle_in(stop: Event) -> None:
    """A worker leaves when it is told to, or when its parent was killed; and takes its games with it when it ends."""
    atexit.register(_load.cache_clear)
    # Ctrl-C reaches all processes of a terminal; the parent decides what comes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def leave_after(moment: Callable[[], object]) -> None:
        def wait_and_leave() -> None:
            moment()
            os._exit(1)

        threading.Thread(target=wait_and_leave, daemon=True).start()

    leave_after(stop.wait)
    if parent is not None:
        leave_after(parent.join)


def _result(played: bytes | str) -> Record | Failed:
    return Failed(played) if isinstance(played, str) else records.decode(played)
