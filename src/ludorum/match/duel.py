"""A against B: pairs of matches with changed seats, until a sequential test has an answer.

    from ludorum.match import compare

    found = compare("connectfour", "cadia", "mcts", play_clock=0.1, archive="matches.db")
    print(found)

Results are kept in the archive as they come; asked again, the same question goes on where it was, and one that was
answered is answered at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from ludorum.clock import Kind
from ludorum.errors import LudorumError, MissingPlayer
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.loading import load
from ludorum.match import tasks
from ludorum.match.archive import Archive
from ludorum.match.player_spec import seat_for
from ludorum.match.record import Record
from ludorum.match.referee import contenders
from ludorum.match.tasks import Failed, GameSheet, MatchTask
from ludorum.players import Clocks
from ludorum.sequential import Hypotheses, Verdict, elo_of, interval


@dataclass(frozen=True)
class Duel:
    """What is asked: two players, a game, and the conditions under which they meet."""

    game: Game
    a: str
    b: str
    clocks: Clocks
    seed: int = 0
    tournament: str = "compare"
    #: What people call the two, if not what they are made of.
    names: tuple[str, str] | None = None
    max_steps: int = 10_000
    #: Whether a player scores 0 in a match in which it did something wrong.
    zero_for_faults: bool = False

    def __post_init__(self) -> None:
        if not contenders(self.game):
            raise MissingPlayer(f"nobody can play {self.game.name}: chance makes all moves")

    @cached_property
    def _sheet(self) -> GameSheet:
        return GameSheet.of(self.game)

    @property
    def labels(self) -> tuple[str, str]:
        # Somebody may want to see how much luck there is: a player against itself.
        one, other = self.names or (self.a, self.b)
        return (one, other) if one != other else (f"{one} (A)", f"{other} (B)")

    def pair(self, number: int) -> tuple[MatchTask, MatchTask]:
        """Two matches with changed seats.

        In a game of more than two roles, A has one seat and B the others, then the other way round, and the next
        pair is about the next seat. In a game of one role each plays alone.
        """
        roles = contenders(self.game)
        mine = roles[number % len(roles)] if len(roles) != 2 else roles[0]
        return self._task(number, {role: int(role != mine) for role in roles}), \
            self._task(number, {role: int(role == mine) for role in roles})

    def _task(self, number: int, seats: dict[str, int]) -> MatchTask:
        specs = (self.a, self.b)
        players = [(str(role), self.labels[who], specs[who]) for role, who in seats.items()]
        return tasks.task(self._sheet, players, self.clocks, tournament=self.tournament, number=number, seed=self.seed,
                          max_steps=self.max_steps)

    def score(self, one: Record, other: Record) -> float:
        """A's share of a pair: a half more than half the difference of the mean goals, from 0 to 1."""
        a, b = self.labels
        if len(contenders(self.game)) == 1:
            differences = [self._mean(one, a) - self._mean(other, b)]
        else:
            differences = [self._mean(record, a) - self._mean(record, b) for record in (one, other)]
        return 0.5 + sum(differences) / len(differences) / 200

    def _mean(self, record: Record, player: str) -> float:
        """The mean goal of a player's seats; none counts as 0."""
        scores = record.scores(zero_for_faults=self.zero_for_faults)
        goals = [scores.get(role) or 0 for role, who in record.players.items() if who == player]
        if not goals:
            raise LudorumError(f"{player} has no seat in {record.id}")
        return sum(goals) / len(goals)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What A against B came to."""

    game: str
    a: str
    b: str
    #: `better` if A is by the test, `not better`, or `open` if the matches were too few to tell.
    verdict: Verdict
    hypotheses: Hypotheses
    #: A's share of every pair of matches, from 0 to 1, in order.
    scores: tuple[float, ...]
    matches: int
    #: Matches of A, and of B, in which it did something wrong.
    errors: tuple[int, int]
    #: The seconds that A, and B, took for the longest of its moves.
    slowest: tuple[float, float]
    #: What all matches together took, on the clock and of processors.
    seconds: float
    cpu_seconds: float
    failures: tuple[str, ...] = field(default=())

    @property
    def score(self) -> float:
        """A's mean share, 0.5 if nothing was played."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the expected score."""
        return interval(self.scores) if self.scores else (0.0, 1.0)

    @property
    def elo(self) -> float:
        """How much stronger A is, by its score."""
        return elo_of(self.score)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        low, high = self.interval
        return {"game": self.game, "a": self.a, "b": self.b, "verdict": self.verdict,
                "score": round(self.score, 4), "interval": [round(low, 4), round(high, 4)],
                "matches": self.matches, "scores": [round(score, 4) for score in self.scores],
                "hypotheses": asdict(self.hypotheses), "errors": list(self.errors), "slowest": list(self.slowest),
                "seconds": round(self.seconds, 1), "cpu_seconds": round(self.cpu_seconds, 1),
                "failures": list(self.failures)}

    def __str__(self) -> str:
        low, high = self.interval
        told = {"better": f"{self.a} is better", "not better": f"{self.a} is not better", "open": "no answer yet"}
        return (f"{self.game}: {self.a} scores {100 * self.score:.1f} % ({100 * low:.1f} to {100 * high:.1f}) against "
                f"{self.b} in {self.matches} {agree(self.matches, 'match', 'matches')}; {told[self.verdict]}")


def compare(game: Game | str | Path, a: str, b: str, *, play_clock: float | None = None,
            start_clock: float | None = None, grace: float = 0.5, max_matches: int = 60,
            hypotheses: Hypotheses | None = None, seed: int = 0, archive: Archive | str | Path | None = None,
            workers: int | None = None, crew: str = "pool", tournament: str = "compare",
            names: tuple[str, str] | None = None, max_steps: int = 10_000, zero_for_faults: bool = False,
            clocks_of: Kind = "wall", progress: Callable[[Comparison], None] | None = None) -> Comparison:
    """Play pairs of matches until the test has an answer or there were `max_matches`.

    Players are texts such as `mcts:playouts=1000`. They think as long as their own options say, and with a play
    clock no longer than that. Without one, fixed numbers of playouts give the same matches for the same seed,
    however many workers play them. With `zero_for_faults` a player scores 0 in a match in which it did something
    wrong. With clocks_of="processor" the clocks count the time of the processor: matches on a busy machine are then as
    on a quiet one. `progress` is told after every pair. Raises UnknownGame, UnknownPlayer and what else stands in the
    way of the first match.
    """
    game = game if isinstance(game, Game) else load(game)
    hypotheses = hypotheses or Hypotheses()
    for text in (a, b):
        seat_for(text)  # a wrong name should not wait for a worker to complain
    duel = Duel(game, a, b, Clocks(start_clock, play_clock, grace, of=clocks_of), seed, tournament, names, max_steps,
                zero_for_faults)
    if isinstance(archive, Archive):
        return _meet(duel, max_matches // 2, hypotheses, archive, workers, crew, progress)
    with Archive(archive) as opened:
        return _meet(duel, max_matches // 2, hypotheses, opened, workers, crew, progress)


def _meet(duel: Duel, most_pairs: int, hypotheses: Hypotheses, archive: Archive, workers: int | None,
          crew: str, progress: Callable[[Comparison], None] | None) -> Comparison:
    tally = Tally(duel, hypotheses, most_pairs)

    def missing() -> Iterator[MatchTask]:
        for number in count():
            for task in duel.pair(number):
                known = archive.get(task.id)
                if known is not None and known.is_over:
                    tally.add(task, known)
                if tally.is_over or number >= most_pairs:
                    return
                if known is None or not known.is_over:
                    yield task

    pairs = 0
    for task, result in tasks.run(missing(), workers=workers, crew=crew, is_wanted=lambda task: not tally.is_over):
        if isinstance(result, Record):
            archive.add(result)
        tally.add(task, result)
        if progress is not None and len(tally.scores) > pairs:
            pairs = len(tally.scores)
            progress(tally.comparison())
    return tally.comparison()


class Tally:
    """The pairs of a duel as they come in, in any order, and the verdict on them.

    Pairs count in their order, not in that of their ends: else short matches would count for more. So what comes after
    the pair that decided is left out, however soon it came.
    """

    def __init__(self, duel: Duel, hypotheses: Hypotheses, most_pairs: int) -> None:
        self._duel = duel
        self._hypotheses = hypotheses
        self._most = most_pairs
        self._results: dict[str, Record | Failed] = {}
        self._counted: list[Record] = []
        self._number = 0
        self.failures: list[str] = []
        self.scores: list[float] = []
        self.verdict: Verdict = "open"

    @property
    def is_over(self) -> bool:
        return self.verdict != "open" or self._number >= self._most

    def add(self, task: MatchTask, result: Record | Failed) -> None:
        self._results[task.id] = result
        while not self.is_over:
            pair = [self._results.get(task.id) for task in self._duel.pair(self._number)]
            one, other = pair
            if one is None or other is None:
                return
            self._number += 1
            if isinstance(one, Failed) or isinstance(other, Failed):
                self.failures += [result.why for result in pair if isinstance(result, Failed)]
                continue
            self._counted += [one, other]
            self.scores.append(self._duel.score(one, other))
            self.verdict = self._hypotheses.verdict(self.scores)

    def comparison(self) -> Comparison:
        a, b = self._duel.labels
        return Comparison(
            self._duel.game.name, a, b, self.verdict, self._hypotheses, tuple(self.scores), len(self._counted),
            errors=(self._wrong(a), self._wrong(b)), slowest=(self._slowest(a), self._slowest(b)),
            seconds=sum(record.seconds for record in self._counted),
            cpu_seconds=sum(record.cpu_seconds or 0 for record in self._counted), failures=tuple(self.failures))

    def _wrong(self, player: str) -> int:
        return sum(any(record.players[error.role] == player for error in record.errors) for record in self._counted)

    def _slowest(self, player: str) -> float:
        return max((seconds or 0.0 for record in self._counted for times in record.times
                    for role, seconds in times.items() if record.players[role] == player), default=0.0)
