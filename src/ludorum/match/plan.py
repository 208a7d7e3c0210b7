"""The plan of a tournament: who plays what, how often and under which clocks. People write it in TOML."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import msgspec

from ludorum.errors import InvalidTournament, LudorumError
from ludorum.game import Game
from ludorum.loading import load
from ludorum.match import tasks
from ludorum.match.duel import Duel
from ludorum.match.player_spec import seat_for
from ludorum.match.referee import contenders
from ludorum.match.tasks import GameSheet, MatchTask
from ludorum.players import Clocks
from ludorum.sequential import Hypotheses


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Is player `a` better than player `b`? Asked of every game on its own; see `Hypotheses`."""

    a: str
    b: str
    elo0: float = 0.0
    elo1: float = 100.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def hypotheses(self) -> Hypotheses:
        return Hypotheses(self.elo0, self.elo1, self.alpha, self.beta)


class TournamentPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament before it is played.

    In every game every choice of as many players as there are roles meets `repetitions` times, and each time once in
    every rotation, so that everybody sits everywhere equally often. Where there are fewer players than roles, they sit
    at several seats. With a `test`, matches between its two players end in a game as soon as they have answered it.
    """

    name: str
    #: By name, how to seat them: names with options, `module:Class`, or addresses.
    players: dict[str, str]
    #: Names of the library or paths.
    games: list[str]
    repetitions: int = 1
    seed: int = 0
    #: Seconds; without them players think as long as their options say.
    start_clock: float | None = None
    play_clock: float | None = None
    grace: float = 0.5
    max_steps: int = 10_000
    #: Whether a player scores 0 in a match in which it did something wrong.
    zero_for_faults: bool = False
    test: Question | None = None

    @classmethod
    def read(cls, path: str | Path) -> TournamentPlan:
        """The plan in a TOML file, whose name is that of the tournament unless it says another.

        Paths of games are meant from the folder of the file. Raises InvalidTournament.
        """
        path = Path(path)
        try:
            data = msgspec.toml.decode(path.read_bytes())
            plan = msgspec.convert({"name": path.stem, **data}, cls)
        except OSError as error:
            raise InvalidTournament(f"{path} cannot be read: {error.strerror or error}") from error
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            raise InvalidTournament(f"{path}: {error}") from error
        games = [str(path.parent / game) if (path.parent / game).is_file() else game for game in plan.games]
        plan = msgspec.structs.replace(plan, games=games)
        plan.check()
        return plan

    @property
    def clocks(self) -> Clocks:
        return Clocks(self.start_clock, self.play_clock, self.grace)

    def check(self) -> None:
        """Raises InvalidTournament for what can be told without loading a game."""
        problem = None
        if not self.players:
            problem = "there are no players"
        elif not self.games:
            problem = "there are no games"
        elif self.repetitions < 1 or self.max_steps < 1:
            problem = "repetitions and max_steps must be 1 or more"
        elif self.test is not None and not {self.test.a, self.test.b} <= set(self.players):
            problem = f"the test is about {self.test.a} and {self.test.b}, who are not both players"
        elif self.test is not None and self.test.a == self.test.b:
            problem = "the test needs two players"
        if problem is not None:
            raise InvalidTournament(f"{self.name}: {problem}")
        try:
            self.clocks  # noqa: B018 - they check themselves, as the hypotheses do
            if self.test is not None:
                self.test.hypotheses  # noqa: B018
            for name, spec in self.players.items():
                if not seat_for(spec, name=name).is_local and None in (self.start_clock, self.play_clock):
                    raise InvalidTournament(f"{name} plays elsewhere, which needs start_clock and play_clock")
        except (LudorumError, ValueError) as error:
            raise InvalidTournament(f"{self.name}: {error}") from error

    def loaded(self) -> list[Game]:
        """The games, loaded."""
        found = [load(game) for game in self.games]
        if len({game.name for game in found}) < len(found):
            raise InvalidTournament(f"{self.name}: two games have the same name")
        return found

    def duel(self, game: Game) -> Duel | None:
        """The matches that the test is about."""
        if self.test is None:
            return None
        a, b = self.test.a, self.test.b
        return Duel(game, self.players[a], self.players[b], self.clocks, self.seed, self.name, (a, b), self.max_steps,
                    self.zero_for_faults)

    def matches(self, game: Game) -> list[list[MatchTask]]:
        """The matches of a game, repetition by repetition, those of the test left out."""
        sheet = GameSheet.of(game)
        roles = contenders(game)
        tested = {self.test.a, self.test.b} if self.test else set()
        lineups = [lineup for lineup in self._lineups(len(roles)) if not set(lineup) <= tested]
        seatings = [[(str(role), player, self.players[player])
                     for role, player in zip(roles, lineup[turn:] + lineup[:turn], strict=True)]
                    for lineup in lineups for turn in range(len(roles))]
        return [[tasks.task(sheet, seated, self.clocks, tournament=self.name, number=number, seed=self.seed,
                            max_steps=self.max_steps) for seated in seatings]
                for number in range(self.repetitions)]

    def _lineups(self, seats: int) -> Iterator[tuple[str, ...]]:
        names = list(self.players)
        if len(names) >= seats:
            yield from combinations(names, seats)
        else:
            # Everybody meets somebody else, if there is anybody else.
            yield from (lineup for lineup in combinations_with_replacement(names, seats)
                        if len(set(lineup)) == len(names))
