"""Which player to take: quick matches before the first move, in which candidates share the time by successive halving.

All candidates play the same openings from all seats against the player that is to be beaten. After a round the worse
half is out, and the next round's time is shared by those who are left; so most of it goes to those that may be best.
Who is best in the end plays, if it has won more than it should have by luck. Who can count its work is given as much
processor time as the others, whatever else the machine does.

In the literature: algorithm selection (Rice 1976); best-arm identification by successive halving (Karnin, Koren and
Somekh 2013).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, log2

from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.joint import goes_on
from ludorum.move import Move, Role
from ludorum.players.pace import Pace
from ludorum.players.player import AnyPlayer, CountsWork, Playing, join_match
from ludorum.state import State

#: Who is taken instead of the one that is to be beaten has played so many matches, and would have won this part of
#: them if so many more had been drawn: few matches, and the best of many candidates, are lucky at times.
SHARE_NEEDED, MATCHES_NEEDED, DRAWN_MATCHES = 0.55, 4, 6
#: More openings than these tell nothing new.
MAX_OPENINGS = 24
# How long a player thinks in them, in seconds: whoever has less is no longer himself, and more is not needed.
_MIN_MOVE_S, _MAX_MOVE_S = 0.005, 0.1
# The part of the time that is for thinking; the rest is for what goes on between.
_THINKING_SHARE = 0.8
# Openings that there should be time for, a round.
_WANTED_OPENINGS = 1
# Random walks say how long matches take. Those that take longer than this are not finished.
_RANDOM_WALKS, _MAX_STEPS = 64, 500
# Before a match that many moves are made at random, at most, so that it is not the same again.
_MAX_OPENING_STEPS = 4


@dataclass
class Candidate:
    """Who may play, and what it has won so far; a match is worth one."""

    name: str
    make: Callable[[], AnyPlayer]
    won: float = 0.0
    matches: int = 0
    #: What it is known to have won in earlier trials, and of how many matches.
    known_won: float = 0.0
    known_matches: float = 0.0
    #: How many times as long as it the other thinks. Quick matches flatter those that know more and see less.
    odds: float = 1.0

    @property
    def share(self) -> float:
        """What it wins of a match, with some drawn ones to begin with."""
        won = self.won + self.known_won + DRAWN_MATCHES / 2
        return won / (self.matches + self.known_matches + DRAWN_MATCHES)

    @property
    def is_convincing(self) -> bool:
        return self.matches + self.known_matches >= MATCHES_NEEDED and self.share >= SHARE_NEEDED

    def __str__(self) -> str:
        before = f" (and {self.known_won:.3g} of {self.known_matches:.3g} before)" if self.known_matches else ""
        matches = agree(self.matches, "match", "matches")
        return f"{self.name} won {self.won:g} of {self.matches} quick {matches}{before}"


@dataclass
class Trial:
    """How a trial goes; may be looked at while it is going on."""

    candidates: Sequence[Candidate]
    #: Those that are still in, the best first; those that there was no time for are not.
    left: list[Candidate] = field(default_factory=list)
    #: Whether somebody was picked; whoever is still playing comes too late.
    is_closed: bool = False

    @property
    def best(self) -> Candidate | None:
        """Who is to play instead of the one that was to be beaten; None if nobody convinced.

        Where there was no time for a single match it is as it was in earlier trials.
        """
        known = [candidate for candidate in self.candidates if candidate.known_matches]
        convincing = [candidate for candidate in self.left or known if candidate.is_convincing]
        return max(convincing, key=lambda candidate: candidate.share, default=None)

    def told(self, champion: str) -> list[str]:
        tried = sorted((candidate for candidate in self.candidates if candidate.matches),
                       key=lambda candidate: candidate.share, reverse=True)
        return [f"{candidate} against {champion}" for candidate in tried]


def try_all(game: Game, champion: Callable[[], AnyPlayer], trial: Trial, deadline: Deadline, *, seed: int = 0,
            move_seconds: float | None = None, openings: int | None = None) -> None:
    """Lets the candidates of a trial play against the champion until the deadline, or until all is clear.

    There must be nothing that players cannot see. Where there is too little time the last of the candidates go without;
    where matches are too long for even one, nobody plays. Without a deadline it must be told how long everybody thinks
    about a move, and how many openings a round has.
    """
    length = max(1.0, float(game.playouts(_RANDOM_WALKS, seed=seed, max_steps=_MAX_STEPS).lengths.mean()))
    turn = length * _at_once(game.initial) * len(game.roles)
    left = list(trial.candidates)
    seconds = move_seconds or 0.0
    while not move_seconds and left and (seconds := _seconds_a_move(len(left), turn, deadline)) < _MIN_MOVE_S:
        left.pop()
    if not left:
        return
    trial.left = left
    matches = _Matches(game, champion, seconds, seed)
    rounds = _rounds(len(left))
    for number in range(rounds):
        end = deadline.part(1 / (rounds - number))
        for _ in range(openings or max(1, MAX_OPENINGS // rounds)):
            if not matches.play_all(trial, end if number + 1 < rounds else deadline):
                break
        trial.left = sorted(trial.left, key=lambda candidate: candidate.share, reverse=True)
        if trial.is_closed or deadline.passed:
            return
        if number + 1 < rounds:
            trial.left = trial.left[: ceil(len(trial.left) / 2)]


def _rounds(candidates: int) -> int:
    return 1 + ceil(log2(candidates))


def _seconds_a_move(candidates: int, turn: float, deadline: Deadline) -> float:
    """How long everybody may think about a move, if every round is to have a few openings for all that are in it."""
    openings, left = 0, candidates
    for _ in range(_rounds(candidates)):
        openings += _WANTED_OPENINGS * left
        left = ceil(left / 2)
    return min(_MAX_MOVE_S, _THINKING_SHARE * deadline.remaining / openings / turn)


def _at_once(state: State) -> int:
    return max(1, len(state.choosers))


class _Matches:
    """The matches of a trial; every opening is played from all seats by all who are in."""

    def __init__(self, game: Game, champion: Callable[[], AnyPlayer], seconds: float, seed: int) -> None:
        self._game = game
        self._champion = champion
        self._seconds = seconds
        self._random = random.Random(seed)
        #: How much those who count their work do in a move, by their name; the champion's by the odds that he gets.
        self._paces: dict[str | float, Pace] = {}

    def play_all(self, trial: Trial, deadline: Deadline) -> bool:
        """One opening for all who are in; False if the time ended it, and then it counts for nobody."""
        opening = self._opening()
        found: list[tuple[Candidate, float]] = []
        for candidate in trial.left:
            for role in self._game.roles:
                share = None if trial.is_closed else self._share(opening, role, candidate, deadline)
                if share is None:
                    return False
                found.append((candidate, share))
        for candidate, share in found:
            candidate.won += share
            candidate.matches += 1
        return True

    def _opening(self) -> State:
        """A state after some moves at random, from which there is something to play."""
        state = self._game.initial
        for _ in range(self._random.randrange(_MAX_OPENING_STEPS + 1)):
            later = state.after({role: self._random.choice(state.legal(role)) for role in self._game.roles})
            if not goes_on(later):
                break
            state = later
        return state

    def _share(self, state: State, mine: Role, candidate: Candidate, deadline: Deadline) -> float | None:
        """What a candidate wins of a match from a seat, from 0 to 1; None if there is no time for it."""
        if deadline.remaining < self._seconds:
            return None
        seated = {role: join_match(candidate.make() if role == mine else self._champion(), self._game, role)
                  for role in self._game.roles}
        try:
            paces = {role: self._pace(candidate, role == mine) for role in seated}
            end = self._play(state, seated, paces, deadline)
        finally:
            for playing in seated.values():
                playing.finish()
        if end is None:
            return None
        goals = {role: goal or 0 for role, goal in end.goals.items()}
        others = [goal for role, goal in goals.items() if role != mine]
        return 0.5 + (goals[mine] - sum(others) / len(others)) / 200

    def _pace(self, candidate: Candidate, is_own: bool) -> Pace:
        """Both together think as long as in any other match."""
        name = candidate.name if is_own else candidate.odds
        part = (1.0 if is_own else candidate.odds) / (1 + candidate.odds)
        return self._paces.setdefault(name, Pace(2 * part * self._seconds))

    def _play(self, state: State, seated: dict[Role, Playing], paces: dict[Role, Pace],
              deadline: Deadline) -> State | None:
        """How a match ends; None if there is no time for it."""
        for _ in range(_MAX_STEPS):
            if not goes_on(state):
                return state
            if deadline.remaining < self._seconds:
                return None
            state = state.after({role: self._move(state, role, playing, paces[role], deadline)
                                 for role, playing in seated.items()})
        return None if goes_on(state) else state

    def _move(self, state: State, role: Role, playing: Playing, pace: Pace, deadline: Deadline) -> Move:
        legal = state.legal(role)
        if len(legal) == 1:
            return legal[0]
        if isinstance(playing, CountsWork):
            return pace.move(playing, state, deadline)
        return playing.move(state, deadline.or_within(self._seconds))
