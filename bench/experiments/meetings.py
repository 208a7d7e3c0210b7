"""A against B in a game: played as far as is wanted, kept, and counted as the papers count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from experiments.games import Source
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents
from ludorum.clock import Kind
from ludorum.match.archive import Archive
from ludorum.match.duel import Comparison, Duel, Tally, compare
from ludorum.match.record import Record
from ludorum.players import Clocks
from ludorum.sequential import Hypotheses, interval

#: A test that no number of matches would end.
NO_TEST = Hypotheses(alpha=1e-12, beta=1e-12)


@dataclass(frozen=True)
class Meeting:
    """Who meets whom, in which game, on which terms."""

    experiment: str
    source: Source
    #: Name and player, such as ("nst", "mcts:policy=nst").
    a: tuple[str, str]
    b: tuple[str, str]
    most: int
    play_clock: float | None = None
    hypotheses: Hypotheses = NO_TEST
    max_steps: int = 10_000
    start_clock: float | None = None
    #: By the processor, matches on a busy machine are as on a quiet one.
    clocks_of: Kind = "wall"

    def play(self, archive: Archive, *, workers: int | None = 0, crew: str = "pool") -> Comparison:
        """Play what is missing."""
        return compare(self._duel.game, self.a[1], self.b[1], start_clock=self.start_clock,
                       play_clock=self.play_clock, max_matches=self.most, hypotheses=self.hypotheses, archive=archive,
                       workers=workers, crew=crew, tournament=self._duel.tournament, names=self._duel.names,
                       max_steps=self.max_steps, clocks_of=self.clocks_of)

    def result(self, archive: Archive) -> Result:
        """What was played so far, as far as it counts."""
        tally = Tally(self._duel, self.hypotheses, self.most // 2)
        pairs: list[tuple[Record, Record]] = []
        for number in count():
            tasks = self._duel.pair(number)
            one, other = (archive.get(task.id) for task in tasks)
            if tally.is_over or one is None or other is None or not (one.is_over and other.is_over):
                return Result(self.a[0], self.b[0], tally.comparison(), pairs)
            for task, record in zip(tasks, (one, other), strict=True):
                tally.add(task, record)
            pairs.append((one, other))
        raise AssertionError("there is no last number")

    @cached_property
    def _duel(self) -> Duel:
        clocks = Clocks(self.start_clock, self.play_clock, of=self.clocks_of)
        return Duel(self.source.load(), self.a[1], self.b[1], clocks, 0, self.experiment,
                    (self.a[0], self.b[0]), self.max_steps)


@dataclass(frozen=True)
class Result:
    """What came of a meeting."""

    a: str
    b: str
    comparison: Comparison
    #: The matches that count, by pairs with changed seats.
    pairs: list[tuple[Record, Record]]

    @property
    def records(self) -> Iterator[Record]:
        for pair in self.pairs:
            yield from pair

    @cached_property
    def shares(self) -> list[float]:
        """A's share of every match."""
        return [share(record, self.a) for record in self.records]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Matches won, drawn and lost by A."""
        won, lost = self.shares.count(1.0), self.shares.count(0.0)
        return won, len(self.shares) - won - lost, lost

    @property
    def win_rate(self) -> float:
        return sum(self.shares) / len(self.shares) if self.shares else 0.5

    @property
    def win_interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate, by pairs, since the luck of seats is not A's."""
        pairs = [(one + other) / 2 for one, other in zip(self.shares[::2], self.shares[1::2], strict=True)]
        return interval(pairs) if pairs else (0.0, 1.0)

    @property
    def score(self) -> str:
        """The win rate with its interval, for a table."""
        if not self.pairs:
            return "–"
        return f"{percent(self.win_rate)} ({percents(*self.win_interval)}), {len(self.shares)} matches"

    def rate(self, player: str) -> float:
        """Playouts a second of a player's thinking."""
        playouts = seconds = 0.0
        for record in self.records:
            for thoughts in record.thoughts:
                for role, thought in thoughts.items():
                    if record.players[role] == player and thought.playouts:
                        playouts += thought.playouts
                        seconds += thought.seconds
        return playouts / seconds if seconds else 0.0


def play_all(plan: Plan, experiment: str, meetings: Iterable[Meeting]) -> None:
    """Plays what is wanted and not there yet; a game that is not at hand is skipped with a message."""
    with plan.archive(experiment) as archive:
        for meeting in meetings:
            if meeting.source.is_here:
                plan.tell(str(meeting.play(archive, workers=plan.workers, crew=plan.crew)))
            else:
                plan.tell(f"{meeting.source.title} is skipped: there is no {meeting.source.path}")


def played(plan: Plan, experiment: str, meetings: Iterable[Meeting]) -> Iterator[tuple[Meeting, Result]]:
    """The meetings of which there is any pair of matches, with what came of them so far."""
    with plan.archive(experiment) as archive:
        for meeting in meetings:
            if meeting.source.is_here and (result := meeting.result(archive)).pairs:
                yield meeting, result


def by_game(plan: Plan, experiment: str, meetings: Iterable[Meeting]) -> dict[str, list[Result]]:
    """What was played so far, of the games with any match."""
    found: dict[str, list[Result]] = {}
    with plan.archive(experiment) as archive:
        for meeting in meetings:
            if meeting.source.is_here:
                found.setdefault(meeting.source.title, []).append(meeting.result(archive))
    return {title: results for title, results in found.items() if any(result.pairs for result in results)}


def scores(found: dict[str, list[Result]], heads: list[str],
           more: Callable[[str], list[str]] = lambda title: []) -> str:
    """A row a game, with A's score in every meeting and `more` at its end; below it the time that it took."""
    rows = [[title, *(result.score for result in results), *more(title)] for title, results in found.items()]
    spent = sum(result.comparison.cpu_seconds for results in found.values() for result in results)
    return f"{markdown(['game', *heads], rows)}\nCPU time spent: {spent / 60:,.0f} minutes.\n"


def share(record: Record, player: str) -> float:
    """A player's part of a match: a point goes to the highest goal, divided among those who have it.

    So it is counted in the paper on decay, for two players and for three.
    """
    goals = {role: record.goals.get(role) or 0 for role in record.players if record.players[role] != "the referee"}
    best = [role for role, goal in goals.items() if goal == max(goals.values())]
    return sum(record.players[role] == player for role in best) / len(best)
