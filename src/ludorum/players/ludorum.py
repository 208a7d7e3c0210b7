"""The player that looks at the game and picks how to play it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ludorum.clock import ALL_DAY, NEVER, Deadline
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.move import Move, Role
from ludorum.players.flux import Flux
from ludorum.players.knowing import evaluation_in_time, invariants_in_time, parts_in_time, worths_in_time
from ludorum.players.mcts import MCTS, Cadia
from ludorum.players.player import Finishes
from ludorum.players.solver import Solver
from ludorum.players.thoughts import Thoughts
from ludorum.players.trial import try_out
from ludorum.search.belief import hides
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.evaluate import StateEvaluation

# A start clock of so many seconds has time for a trial: this part of it, and no more than so many.
_LONG_CLOCK, _SHARE, _MOST_SECONDS = 5.0, 0.75, 60.0
# As many visits as the worths of fluents are worth to a tree search that is told of them, and the part of the time left
# that a challenger has where others come after it.
_PRIOR_VISITS, _SHARE_EACH = 64, 0.35
# How long it thinks about a move where nobody says how long it may, in seconds.
_UNHURRIED = 1.0


class Ludorum:
    """Plays puzzles as `Solver`, and everything else as `MCTS`, unless another player is better at it in a trial.

    In a start clock of five seconds or more `MCTS` has to stand up to challengers in quick matches: a tree search whose
    first opinion of a state is what its fluents are worth; `Cadia`, with that opinion if it has proved good; `Flux` by
    what fluents are worth, and as it is. One that wins nine of twelve, or the first five, is to be beaten from then on,
    and who is left plays the game. A game that is really several games `MCTS` plays by parts. `why` tells what was
    picked and why. It thinks for `seconds`, but never past the deadline; `seconds=none` means up to the deadline. With
    `ponder` a tree search goes on while the others think.
    """

    def __init__(self, seconds: float | None = 1.0, *, threads: int = 1, ponder: bool = False, memory_mb: int = 1024,
                 seed: int | None = None) -> None:
        self._seconds = seconds
        self._threads = threads
        self._ponder = ponder
        self._memory_mb = memory_mb
        self._seed = seed
        self._game: Game | None = None
        self._player: MCTS | Solver | Flux | None = None
        #: What was picked for the game that is played, and why; empty before the first.
        self.why = ""
        # What it cannot think with should be told now, not in the middle of a match.
        self._mcts()

    @property
    def thoughts(self) -> Thoughts | None:
        thoughts = None if self._player is None else self._player.thoughts
        return None if thoughts is None else replace(thoughts, method=f"{thoughts.method}; {self.why}")

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        self._playing(game, deadline).prepare(game, role, deadline)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        if deadline.at is None and self._seconds is None:
            deadline = Deadline.within(_UNHURRIED)
        return self._playing(state.game, NEVER).move(state, role, deadline)

    def finish(self) -> None:
        if isinstance(self._player, Finishes):
            self._player.finish()

    def _playing(self, game: Game, start: Deadline) -> MCTS | Solver | Flux:
        if self._player is None or self._game is not game:
            self.finish()
            self._game, (self._player, self.why) = game, self._pick(game, start)
        return self._player

    def _pick(self, game: Game, start: Deadline) -> tuple[MCTS | Solver | Flux, str]:
        """Who is to play, and why, in one sentence."""
        if len(game.roles) == 1:
            return Solver(self._seconds, seed=self._seed or 0), "solver, since the game has one role"
        if hides(game):
            return self._mcts(), "mcts, since the game has chance or secrets"
        if start.at is None or start.remaining < _LONG_CLOCK:
            return self._mcts(), "mcts, since there was no time for a trial"
        parts = parts_in_time(game, start)
        if not isinstance(parts, str):
            return self._mcts(), f"mcts, since the game is really {len(parts.games)} games"
        try:
            return self._best(game, start.or_within(min(_MOST_SECONDS, _SHARE * start.remaining)))
        except Exception as error:
            # Whatever goes wrong with what is only to help, there is a match to be played.
            return self._mcts(), f"mcts, since the trial failed: {error}"

    def _best(self, game: Game, deadline: Deadline) -> tuple[MCTS | Flux, str]:
        ladder = _Ladder(game, "mcts", self._mcts, self._seed or 0)
        worths = worths_in_time(game, deadline.or_within(deadline.remaining / 2))
        if isinstance(worths, str):
            ladder.told.append(worths)
            ladder.challenge("cadia", lambda: self._mcts(Cadia), deadline.or_within(deadline.remaining / 2))
        else:
            self._try_worths(ladder, worths, deadline)
        evaluation = evaluation_in_time(game, deadline, invariants=invariants_in_time(game, deadline))
        if isinstance(evaluation, str):
            ladder.told.append(evaluation)
        else:
            ladder.challenge("flux", lambda: self._flux(evaluation), deadline)
        told = "; ".join(dict.fromkeys(ladder.told)) or "matches are too long for a trial"
        return ladder.make(), f"{ladder.champion}, since {told}"

    def _try_worths(self, ladder: _Ladder, worths: StateEvaluation, deadline: Deadline) -> None:
        """Those who go by what fluents are worth, and Cadia, who need not."""
        ladder.challenge("mcts with a prior", lambda: self._with_prior(self._mcts(), worths),
                         deadline.or_within(_SHARE_EACH * deadline.remaining))
        if ladder.champion == "mcts":
            ladder.challenge("cadia", lambda: self._mcts(Cadia), deadline.or_within(_SHARE_EACH * deadline.remaining))
        else:
            ladder.challenge("cadia with a prior", lambda: self._with_prior(self._mcts(Cadia), worths),
                             deadline.or_within(_SHARE_EACH * deadline.remaining))
        ladder.challenge("flux by fluents", lambda: self._flux(worths), deadline.or_within(deadline.remaining / 2))

    def _mcts(self, kind: type[MCTS] = MCTS) -> MCTS:
        return kind(self._seconds, threads=self._threads, ponder=self._ponder, memory_mb=self._memory_mb,
                    seed=self._seed, factors=True)

    def _with_prior(self, player: MCTS, evaluation: StateEvaluation) -> MCTS:
        player = replace(player, prior_visits=_PRIOR_VISITS)
        player.evaluate_by(evaluation.core)
        return player

    def _flux(self, evaluation: StateEvaluation) -> Flux:
        player = Flux(ALL_DAY if self._seconds is None else max(self._seconds, 1e-3), seed=self._seed or 0)
        player.evaluate_by(evaluation)
        return player

    def __repr__(self) -> str:
        return f"Ludorum(seconds={self._seconds}, seed={self._seed})"


@dataclass
class _Ladder:
    """Who stands at the top of those who want to play a game, and how that came about."""

    game: Game
    champion: str
    make: Callable[[], MCTS | Flux]
    seed: int
    told: list[str] = field(default_factory=list)

    def challenge(self, name: str, make: Callable[[], MCTS | Flux], deadline: Deadline) -> None:
        """Lets somebody play against the champion, and take its place if that goes well."""
        score = try_out(self.game, _alone(self.make()), _alone(make()), deadline, seed=self.seed)
        if score is None:
            return
        self.told.append(f"{name} won {score} quick {agree(score.matches, 'match', 'matches')} against {self.champion}")
        if score.is_convincing:
            self.champion, self.make = name, make


def _alone(player: MCTS | Flux) -> MCTS | Flux:
    """The same; but nobody is to think on in the middle of somebody else's move."""
    if isinstance(player, MCTS):
        player.ponder = False
    return player
