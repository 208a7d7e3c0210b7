"""Tournaments: a plan played on all cores, kept in an archive as it goes, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludorum.game import Game
from ludorum.match import tasks
from ludorum.match.archive import Archive
from ludorum.match.duel import Comparison, Tally
from ludorum.match.plan import TournamentPlan
from ludorum.match.rating import PairResult, Rating, rate, shares
from ludorum.match.record import Record
from ludorum.match.referee import RANDOM, contenders
from ludorum.match.tasks import Failed, MatchTask


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is. With a test, what is planned may turn out to be more than is needed."""

    played: int
    planned: int
    last: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player made of a tournament."""

    player: str
    #: On the scale of Elo, around 0, with the ends of a 95 % interval from the likelihood.
    elo: float
    low: float
    high: float
    matches: int
    #: Over all its seats where the rules give it a goal; None if they never do.
    mean_goal: float | None
    #: How often they give it none, or several, which counts as 0 in ratings.
    undefined_goals: int
    #: By game.
    goals: dict[str, float]
    errors: int
    #: What it took for a move on average.
    seconds_a_move: float


@dataclass(frozen=True, slots=True)
class Standings:
    """A tournament that was played, as far as it was."""

    plan: TournamentPlan
    standings: tuple[Standing, ...]
    tests: tuple[Comparison, ...]
    records: tuple[Record, ...]
    #: Matches that could not be played, with the reason.
    failures: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "name": self.plan.name,
            "standings": [asdict(standing) for standing in self.standings],
            "results": [{"id": record.id, "game": record.game, "players": record.players, "goals": record.goals,
                         "outcome": record.outcome, "steps": len(record.moves), "errors": len(record.errors),
                         "seconds": record.seconds} for record in self.records],
            "tests": [test.as_dict() for test in self.tests],
            "failures": list(self.failures),
        }


def run(plan: TournamentPlan, archive: Archive, *, workers: int | None = None, crew: str = "pool",
        progress: Callable[[Progress], None] | None = None) -> Standings:
    """Play what the archive does not have yet, on so many processes of a crew (`select_crew`), and say how all stand.

    Stopped at any moment, it goes on from the archive when it is called again. Raises InvalidTournament, or what
    stands in the way of loading a game.
    """
    plan.check()
    games = plan.loaded()
    schedule = _Schedule(plan, games)
    known: dict[str, Record] = {}
    for task in schedule.tasks:
        record = archive.get(task.id)
        if record is not None and record.is_over:
            known[task.id] = record
            schedule.add(task, record)
    failures: dict[str, str] = {}
    missing = [task for task in schedule.tasks if task.id not in known]
    for task, result in tasks.run(missing, workers=workers, crew=crew, is_wanted=schedule.wants):
        schedule.add(task, result)
        if isinstance(result, Record):
            archive.add(result)
            known[task.id] = result
        else:
            failures[task.id] = f"{task.id}: {result.why}"
        if progress is not None:
            settled = known.keys() | failures.keys()
            left = sum(schedule.wants(task) and task.id not in settled for task in missing)
            told = result.why if isinstance(result, Failed) else str(result)
            progress(Progress(len(known), len(known) + left, told))
    return _stand(plan, games, list(known.values()), schedule.comparisons(), list(failures.values()))


class _Schedule:
    """The matches of a plan in the order in which they are played, and which of them are still wanted."""

    def __init__(self, plan: TournamentPlan, games: Sequence[Game]) -> None:
        self._tallies: list[Tally] = []
        # Whose match is it, if it is one of a test?
        self._tested: dict[str, Tally] = {}
        rounds: list[list[MatchTask]] = [[] for _ in range(plan.repetitions)]
        for game in games:
            duel = plan.duel(game)
            if duel is not None and plan.test is not None:
                tally = Tally(duel, plan.test.hypotheses, plan.repetitions)
                self._tallies.append(tally)
                for number in range(plan.repetitions):
                    pair = duel.pair(number)
                    self._tested |= {task.id: tally for task in pair}
                    rounds[number] += pair
            for matches, more in zip(rounds, plan.matches(game), strict=True):
                matches += more
        #: One repetition after the other, so that a table in the middle is fair to everybody.
        self.tasks = [task for matches in rounds for task in matches]

    def wants(self, task: MatchTask) -> bool:
        return task.id not in self._tested or not self._tested[task.id].is_over

    def add(self, task: MatchTask, result: Record | Failed) -> None:
        if task.id in self._tested:
            self._tested[task.id].add(task, result)

    def comparisons(self) -> list[Comparison]:
        return [tally.comparison() for tally in self._tallies]


def _stand(plan: TournamentPlan, games: Sequence[Game], records: Sequence[Record], tests: Sequence[Comparison],
           failures: Sequence[str]) -> Standings:
    scores = {record.id: record.scores(zero_for_faults=plan.zero_for_faults) for record in records}
    ratings = rate(_shared(games, scores, records), plan.players)
    standings = [_standing(rating, games, scores, records) for rating in ratings]
    ordered = sorted(records, key=lambda record: (record.started, record.id))
    return Standings(plan, tuple(standings), tuple(tests), tuple(ordered), tuple(failures))


def _standing(rating: Rating, games: Sequence[Game], scores: dict[str, dict[str, int | None]],
              records: Sequence[Record]) -> Standing:
    """What a player made of all its seats."""
    seats = [(record, role) for record in records for role, who in record.players.items() if who == rating.player]
    goals = {game.name: [goal for record, role in seats
                         if record.game == game.name and (goal := scores[record.id].get(role)) is not None]
             for game in games}
    everywhere = [goal for its_goals in goals.values() for goal in its_goals]
    took = [seconds for record, role in seats for times in record.times if (seconds := times.get(role)) is not None]
    return Standing(
        rating.player, rating.elo, rating.low, rating.high, len({record.id for record, _ in seats}),
        _mean(everywhere) if everywhere else None, len(seats) - len(everywhere),
        {game: _mean(its_goals) for game, its_goals in goals.items() if its_goals},
        sum(error.role == role for record, role in seats for error in record.errors), round(_mean(took, 4), 4))


def _shared(games: Sequence[Game], scores: dict[str, dict[str, int | None]],
            records: Sequence[Record]) -> Iterator[PairResult]:
    """What players made of each other: in a match, or of a puzzle that each had alone."""
    puzzles = {game.name for game in games if len(contenders(game)) == 1}
    alone: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for record in records:
        goals = [(player, float(scores[record.id].get(role) or 0)) for role, player in record.players.items()
                 if role != RANDOM]
        if record.game in puzzles:
            # Of the same repetition, which has the same seed.
            alone.setdefault((record.game, record.seed), []).extend(goals)
        else:
            yield from shares(goals)
    for goals in alone.values():
        yield from shares(goals)


def _mean(values: Iterable[float], digits: int = 2) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), digits) if listed else 0.0
