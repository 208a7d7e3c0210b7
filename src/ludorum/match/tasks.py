"""Matches to be played by worker processes, and the processes that play them."""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import lru_cache

from ludorum.crew import Crew, select_crew
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.loading import load
from ludorum.match import record as records
from ludorum.match.player_spec import seat_for
from ludorum.match.record import Record
from ludorum.match.referee import conduct, seed_for
from ludorum.players import Clocks
from ludorum.protocol.client import is_address

# A match whose process died is tried once more: it may have been another match's fault.
_MAX_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class MatchTask:
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
    #: The SHA-256 of the rules, and our version, where the match was planned: a worker that differs refuses.
    rules_hash: str = ""
    version: str = records.VERSION

    @property
    def addresses(self) -> frozenset[str]:
        """The players elsewhere, who play one match at a time."""
        return frozenset(spec for _, _, spec in self.players if is_address(spec))


@dataclass(frozen=True, slots=True)
class GameSheet:
    """A game as it is sent to another process."""

    name: str
    rules: str
    hash: str

    @classmethod
    def of(cls, game: Game) -> GameSheet:
        return cls(game.name, to_kif(game.rules), records.hash_of(game.rules))


def task(game: GameSheet, players: Iterable[tuple[str, str, str]], clocks: Clocks, *, tournament: str, number: int,
         seed: int, max_steps: int = 10_000) -> MatchTask:
    """The match of this number between these players, by role, name and how to seat them.

    The same match has the same name and the same seed in every run: whatever matters is in it. Matches of the same
    number differ only in who sits where.
    """
    seated = tuple(players)
    # What clocks count is not in their repr.
    counted = () if clocks.of == "wall" else (clocks.of,)
    key = seed_for(game.hash, seated, clocks, seed, number, max_steps, *counted)
    name = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in f"{tournament}.{game.name}")
    return MatchTask(f"{name}.{number}.{key:08x}", game.name, game.rules, seated, clocks,
                seed_for(seed, game.name, number), tournament, max_steps, game.hash)


@dataclass(frozen=True, slots=True)
class Failed:
    """A match that could not be played."""

    why: str


def play_task(task: MatchTask) -> bytes | Failed:
    """Play a match; its record in JSON, or in one line why it could not be played."""
    start = time.process_time()
    if task.version != records.VERSION:
        return Failed(f"the worker has version {records.VERSION}, and the match was planned by {task.version}")
    try:
        game = _load(task.rules, task.game)
        if task.rules_hash not in ("", records.hash_of(game.rules)):
            return Failed(f"the worker reads other rules of {task.game} than those the match was planned with")
        seats = {role: seat_for(spec, seed=seed_for(task.seed, role), name=name) for role, name, spec in task.players}
        record = conduct(game, seats, clocks=task.clocks, seed=task.seed, match=task.id, tournament=task.tournament,
                         max_steps=task.max_steps)
    except LudorumError as error:
        return Failed(str(error))
    record.cpu_seconds = round(time.process_time() - start, 3)
    return records.encode(record)


# A tournament plays the same games again and again.
@lru_cache(maxsize=16)
def _load(rules: str, name: str) -> Game:
    return load(rules, name=name)


def run(tasks: Iterable[MatchTask], *, workers: int | None = None, crew: str = "pool",
        is_wanted: Callable[[MatchTask], bool] = lambda task: True) -> Iterator[tuple[MatchTask, Record | Failed]]:
    """Play matches on so many processes (one a core if none are given), and yield each as it ends.

    With 0 workers, or the crew `local`, they are played here, one after the other; see `select_crew` for the others.
    Tasks are taken when there is somebody to play them, and only if they are still wanted. A process that dies takes
    its match with it, which is played once more. Raises UnknownCrew.
    """
    hands = select_crew(crew, workers=workers, settle_in=_settle_in)
    at_once = True
    try:
        yield from _Round(hands).run(iter(tasks), is_wanted)
        at_once = False
    finally:
        # Nobody will hear of the matches that are on: they need not be played to their ends.
        hands.close(at_once=at_once)
        _load.cache_clear()


@dataclass
class _Round:
    """Matches that a crew plays."""

    crew: Crew
    _playing: dict[Future[bytes | Failed], MatchTask] = field(default_factory=dict)
    _waiting: list[MatchTask] = field(default_factory=list)
    _deaths: dict[str, int] = field(default_factory=dict)

    def run(self, tasks: Iterator[MatchTask],
            is_wanted: Callable[[MatchTask], bool]) -> Iterator[tuple[MatchTask, Record | Failed]]:
        while True:
            while len(self._playing) < self.crew.workers and (task := self._next(tasks, is_wanted)) is not None:
                self._playing[self.crew.submit(play_task, task)] = task
            if not self._playing:
                return
            done, _ = wait(self._playing, return_when=FIRST_COMPLETED)
            for future in done:
                task = self._playing.pop(future)
                error = future.exception()
                if error is None:
                    yield task, _result(future.result())
                elif self.crew.is_loss(error):
                    yield from self._bury(task)
                else:
                    raise error

    def _next(self, tasks: Iterator[MatchTask], is_wanted: Callable[[MatchTask], bool]) -> MatchTask | None:
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

    def _bury(self, task: MatchTask) -> Iterator[tuple[MatchTask, Record | Failed]]:
        """Its process died: it starts anew, unless that was the second time."""
        self._deaths[task.id] = self._deaths.get(task.id, 0) + 1
        if self._deaths[task.id] < _MAX_ATTEMPTS:
            self._waiting.append(task)
        else:
            yield task, Failed("the process that played it died")


def _settle_in() -> None:
    """A worker takes its games with it when it ends."""
    atexit.register(_load.cache_clear)


def _result(played: bytes | Failed) -> Record | Failed:
    return played if isinstance(played, Failed) else records.decode(played)
