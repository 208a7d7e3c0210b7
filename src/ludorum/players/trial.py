"""Quick matches before the first move, which show whether a challenger plays this game better than the champion."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.joint import choosers, goes_on
from ludorum.move import Move, Role
from ludorum.players.player import Finishes, Player
from ludorum.state import State

# A challenger has to win so much of so many matches, or the first few of them. One that is as good as the champion does
# in one case of eleven, which costs nothing; one that would win two of five real matches does in one of 44, and one
# that would win four of five in four of five.
MATCHES, NEEDED, FIRST = 12, 9.0, 5
# How long a player thinks in them, in seconds: whoever has less is no longer himself, and more is not needed.
_LEAST, _MOST = 0.005, 0.1
# The part of the time that is for thinking; the rest is for what goes on between.
_THINKING = 0.8
# Random walks say how long matches take. Those that take longer than this are not finished.
_WALKS, _LONGEST = 64, 500
# Before a match that many moves are made at random, at most, so that it is not the same again.
_RANDOM_STEPS = 4


@dataclass(frozen=True, slots=True)
class Score:
    """What a challenger has won of its matches; each is worth one."""

    won: float = 0.0
    matches: int = 0

    @property
    def is_convincing(self) -> bool:
        return self.won >= NEEDED or self.won == self.matches >= FIRST

    @property
    def is_over(self) -> bool:
        return self.is_convincing or self.matches == MATCHES or self.won + MATCHES - self.matches < NEEDED

    def __str__(self) -> str:
        return f"{self.won:g} of {self.matches}"


def try_out(game: Game, champion: Player, challenger: Player, deadline: Deadline, *, seed: int = 0) -> Score | None:
    """The score of a challenger in one seat against the champion in all others, as far as there is time.

    It ends when the challenger is convincing or cannot be so any more. There must be a deadline, and nothing that
    players cannot see. None where matches are too long for the time.
    """
    length = max(1.0, float(game.playouts(_WALKS, seed=seed, max_steps=_LONGEST).lengths.mean()))
    seconds = min(_MOST, _THINKING * deadline.remaining / MATCHES / length / _at_once(game.initial))
    return _Series(game, champion, challenger, seconds, seed).score(deadline) if seconds >= _LEAST else None


def _at_once(state: State) -> int:
    return max(1, len(choosers(state)))


class _Series:
    """The matches of one challenger; every opening is played from all seats."""

    def __init__(self, game: Game, champion: Player, challenger: Player, seconds: float, seed: int) -> None:
        self._game = game
        self._champion = champion
        self._challenger = challenger
        self._seconds = seconds
        self._random = random.Random(seed)

    def score(self, deadline: Deadline) -> Score:
        score = Score()
        while not score.is_over:
            opening = self._opening()
            for role in self._game.roles:
                share = self._share(opening, role, deadline)
                if share is None:
                    return score
                score = Score(score.won + share, score.matches + 1)
                if score.is_over:
                    break
        return score

    def _opening(self) -> State:
        """A state after some moves at random, from which there is something to play."""
        state = self._game.initial
        for _ in range(self._random.randrange(_RANDOM_STEPS + 1)):
            later = state.after({role: self._random.choice(state.legal(role)) for role in self._game.roles})
            if not goes_on(later):
                break
            state = later
        return state

    def _share(self, state: State, mine: Role, deadline: Deadline) -> float | None:
        """What the challenger wins of a match from a seat, from 0 to 1; None if there is no time for it."""
        for player in (self._champion, self._challenger):
            if isinstance(player, Finishes):
                player.finish()
        steps = 0
        while goes_on(state):
            if deadline.remaining < self._seconds or steps == _LONGEST:
                return None
            state = state.after({role: self._move(state, role, mine, deadline) for role in self._game.roles})
            steps += 1
        goals = {role: goal or 0 for role, goal in state.goals.items()}
        others = [goal for role, goal in goals.items() if role != mine]
        return 0.5 + (goals[mine] - sum(others) / len(others)) / 200

    def _move(self, state: State, role: Role, mine: Role, deadline: Deadline) -> Move:
        legal = state.legal(role)
        if len(legal) == 1:
            return legal[0]
        player = self._challenger if role == mine else self._champion
        return player.move(state, role, deadline.or_within(self._seconds))
