"""A match at the terminal, which can be taken back, kept in a file and taken up again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from ludorum.belief import hides
from ludorum.clock import NEVER, Deadline
from ludorum.engines.playouts import Outcome
from ludorum.errors import InvalidRecord, LudorumError
from ludorum.game import Game, Move, Role, State
from ludorum.gdl.printing import kif_rule
from ludorum.match import Match, Record
from ludorum.match import record as records
from ludorum.match.referee import RANDOM, new_id, outcome, written
from ludorum.players import Random

#: What the seat of a person is called in a record.
PERSON = "person"
_MAX_STEPS = 10_000


class Chooser(Protocol):
    """Whoever chooses moves here: a person, the engine or chance."""

    def move(self, state: State, role: Role, deadline: Deadline) -> Move: ...


class TakenBack(Exception):
    """The last choice was taken back."""


class Session:
    """The states and moves so far; `run` goes on with them until the game is over."""

    def __init__(self, game: Game, players: Mapping[Role, Chooser], *, seed: int,
                 watch: Callable[[State, dict[str, Move]], None] | None) -> None:
        self.game = game
        self.states: list[State] = [game.initial]
        self.moves: list[dict[str, Move]] = []
        self._players: dict[str, Chooser] = {str(role): player for role, player in players.items()}
        if RANDOM in game.roles:
            self._players.setdefault(game.role(RANDOM), Random(seed))
        self._seed = seed
        self._watch = watch
        self._started = records.now()
        self._began = time.monotonic()
        self._times = [0.0]

    def seat(self, role: Role, player: Chooser) -> None:
        """Let somebody else choose for a role."""
        self._players[role] = player

    def run(self) -> Match:
        """Play to the end."""
        self._show({})
        while (stands := outcome(self.states[-1], len(self.moves), _MAX_STEPS)) == "playing":
            state = self.states[-1]
            try:
                joint: dict[str, Move] = {role: self._players[role].move(state, role, NEVER)
                                          for role in self.game.roles}
            except TakenBack:
                self._show({})
                continue
            self._make(joint)
            self._show(joint)
        return Match(self.game, tuple(self.states), tuple(self.moves), Outcome[stands.upper()])

    def take_back(self, role: Role) -> None:
        """Go back to the last state where this role had a choice; raises TakenBack, or LudorumError without one."""
        for number in range(len(self.moves) - 1, -1, -1):
            if role in self.states[number].choosers:
                del self.states[number + 1:], self.moves[number:], self._times[number + 1:]
                raise TakenBack
        raise LudorumError("there is nothing to take back")

    def save(self, path: Path, people: Mapping[Role, str]) -> None:
        """Keep the match so far as a record; `people` says who plays each role."""
        game, last = self.game, self.states[-1]
        records.write(Record(
            id=new_id(game), game=game.name, rules_hash=records.hash_of(game.rules), roles=list(map(str, game.roles)),
            players={str(role): people.get(role, "the referee") for role in game.roles},
            seats={str(role): who for role, who in people.items()}, start_clock=None, play_clock=None, grace=0.0,
            seed=self._seed, started=self._started, outcome="playing",
            goals={str(role): goal for role, goal in last.goals.items()},
            moves=[{str(role): str(move) for role, move in joint.items()} for joint in self.moves],
            times=[dict.fromkeys(map(str, game.roles)) for _ in self.moves], thoughts=[{} for _ in self.moves],
            percepts=[{str(role): sorted(map(str, told)) for role, told in state.percepts.items()}
                      for state in self.states[1:]] if hides(game) else None,
            states=list(map(written, self.states)), state_times=self._times, software=records.software(),
            rules=[" ".join(kif_rule(rule).split()) for rule in game.rules.rules]), path)

    def follow(self, record: Record) -> None:
        """Make the moves of a record; raises InvalidRecord."""
        for told in record.moves:
            try:
                self._make({self.game.role(role): Move(move) for role, move in told.items()})
            except LudorumError as error:
                raise InvalidRecord(f"{record.id} cannot be followed at step {len(self.moves) + 1}: {error}") from error

    def _make(self, joint: dict[str, Move]) -> None:
        self.states.append(self.states[-1].after(joint))
        self.moves.append(joint)
        self._times.append(round(time.monotonic() - self._began, 3))

    def _show(self, joint: dict[str, Move]) -> None:
        if self._watch is not None:
            self._watch(self.states[-1], joint)
