"""The player that looks at the game and picks how to play it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ludorum.absent import Absent
from ludorum.belief import has_secrets, hides
from ludorum.clock import ALL_DAY, NEVER, Budget, Deadline
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.move import Move, Role
from ludorum.players.background import Background, by_deadline
from ludorum.players.candidates import DECISIVE, candidate_named, candidates
from ludorum.players.choices import Choice, find_choice, keep_choice
from ludorum.players.clocks import Clocks
from ludorum.players.determinization import determinized_move
from ludorum.players.equilibrium import Equilibrium, EquilibriumPlaying
from ludorum.players.flux import Flux, FluxPlaying
from ludorum.players.ismcts import ISMCTS, ISMCTSPlaying
from ludorum.players.mcts import MCTS
from ludorum.players.mcts_playing import MCTSPlaying
from ludorum.players.montecarlo import MonteCarloPlaying
from ludorum.players.player import AnyPlayer, MovesOnce, Ponders
from ludorum.players.player_selection import Trial, try_all
from ludorum.players.pregame import parts_in_time, sees_ends
from ludorum.players.search_info import SearchInfo
from ludorum.players.solver import Solver, SolverPlaying
from ludorum.players.strategy import Strategy, dominant_strategy
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief
    from ludorum.belief.planning import Planner
    from ludorum.evaluate import StateEvaluation

# A start clock of so many seconds has time for a trial: this part of it, and no more than so many.
_TRIAL_MIN_CLOCK_S, _TRIAL_SHARE, _TRIAL_MAX_S = 5.0, 0.75, 60.0
# A trial that is not over when this part of the start clock is ends with who stands at the top.
_TRIAL_OVERRUN_SHARE = 0.9
# As many visits as an evaluation counts for in a tree search.
_PRIOR_VISITS = 64
# Who was best in an earlier trial is made in a start clock of so many seconds if it needs an evaluation.
_CHOICE_MIN_CLOCK_S = 3.0
# How long it thinks about a move where nobody says how long it may, in seconds.
_NO_CLOCK_S = 1.0
# The part of the time for a move that planning takes.
_PLANNING_SHARE = 0.8
# The part of the start clock in which it is looked whether there are secrets at all.
_LOOKING_SHARE = 0.2
# The part of the start clock for moves that are never worse than others, whatever these do.
_DOMINATING_SHARE = 0.2
# The part of the start clock for an equilibrium, and what others may gain on average against one that is played.
_SOLVING_SHARE, _MAX_EXPLOITABILITY = 0.5, 1.0


class Ludorum(MovesOnce):
    """Plays puzzles as `Solver`, and everything else as `MCTS`, unless another player is better at it in a trial.

    In a game with secrets and one player it plans through what it may be told. With others, where everybody decides
    once, it makes moves that are never worse than others if there are such; else it plays an equilibrium if the game
    can be solved in half of the start clock; else it searches by what everybody knows, as `ISMCTS`. A game of
    chance in which everybody is told everything is played as if it had no secrets.

    In a start clock of five seconds or more `MCTS` has to stand up to candidates in quick matches: a tree search whose
    playouts are decisive; one whose first opinion of a state is what its fluents are worth, or what a net says; one
    with adaptive RAVE; `Cadia`; and `Flux` by what fluents are worth, by a net, and as it is. They share the time by
    successive halving, in equal processor time, and the best of them plays if it won clearly more than half. A net is a
    candidate if one was learned before, or learns in a start clock of 20 seconds or more. What a game chose is kept
    with the hash of its rules, and what each candidate won counts in the next trial; it decides where there is no time
    for one; where nobody knows, playouts are decisive if they can be. A game that is really several games `MCTS` plays
    by parts. `why`, at a match, tells what was picked and why. It thinks for `seconds`, but never past the deadline;
    `seconds=none` means up to the deadline. With `ponder` a tree search goes on while the others think.
    """

    def __init__(self, seconds: float | None = 1.0, *, threads: int = 1, ponder: bool = False, memory_mb: int = 1024,
                 seed: int | None = None) -> None:
        self.seconds = seconds
        self.threads = threads
        self.ponder = ponder
        self.memory_mb = memory_mb
        self.seed = seed
        # What it cannot think with should be told now, not in the middle of a match.
        self.mcts()

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> LudorumPlaying:
        return LudorumPlaying(self, game, game.role(role))

    def mcts(self, kind: type[MCTS] = MCTS) -> MCTS:
        return kind(self.seconds, threads=self.threads, ponder=self.ponder, memory_mb=self.memory_mb,
                    seed=self.seed, factors=True)

    def with_prior(self, player: MCTS, evaluation: StateEvaluation, cutoff: int | None = None) -> MCTS:
        player = player.but(prior_visits=_PRIOR_VISITS, cutoff=cutoff)
        player.evaluate_by(evaluation.core)
        return player

    def flux(self, evaluation: StateEvaluation) -> Flux:
        player = Flux(ALL_DAY if self.seconds is None else max(self.seconds, 1e-3), seed=self.seed or 0)
        player.evaluate_by(evaluation)
        return player

    def __repr__(self) -> str:
        return f"Ludorum(seconds={self.seconds}, seed={self.seed})"


class LudorumPlaying:
    """A match of `Ludorum`: who was picked to play it, and why."""

    def __init__(self, player: Ludorum, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._playing: MCTSPlaying | SolverPlaying | MonteCarloPlaying | FluxPlaying | None = None
        self._planner: Planner | None = None
        self._dominant: Strategy | None = None
        self._equilibrium: EquilibriumPlaying | None = None
        self._by_knowledge: ISMCTSPlaying | None = None
        self._has_secrets: bool | None = None
        self._planned: SearchInfo | None = None
        #: What was picked, and why, in one sentence; empty before that.
        self.why = ""

    @property
    def info(self) -> SearchInfo | None:
        if self._planned is not None:
            return self._planned
        info = None if self._playing is None else self._playing.info
        return None if info is None else replace(info, method=f"{info.method}; {self.why}")

    def policy(self, belief: Belief) -> dict[Move, float] | None:
        """How likely each move is where a dominant one or an equilibrium is known; None where it is not."""
        if self._dominant is not None:
            return self._dominant.policy(belief)
        return None if self._equilibrium is None else self._equilibrium.policy(belief)

    def prepare(self, deadline: Deadline) -> None:
        if hides(self._game) and deadline.at is not None:
            self._has_secrets = by_deadline(lambda: has_secrets(self._game), deadline.part(_LOOKING_SHARE))
        if self._has_secrets is not False and hides(self._game) and not self._is_alone and deadline.at is not None:
            dominating = deadline.part(_DOMINATING_SHARE)
            self._dominant = by_deadline(lambda: dominant_strategy(
                self._game, self._role, Budget(deadline=dominating)), dominating)
        if self._dominant is None and self._has_secrets is not False and hides(self._game) and not self._is_alone \
                and deadline.at is not None:
            equilibrium = Equilibrium(self._player.seconds, seed=self._player.seed).join(self._game, self._role)
            equilibrium.solve(deadline.part(_SOLVING_SHARE))
            if equilibrium.exploitability <= _MAX_EXPLOITABILITY:
                self._equilibrium = equilibrium
        self._picked(deadline).prepare(deadline)

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        if deadline.at is None and self._player.seconds is None:
            deadline = Deadline.within(_NO_CLOCK_S)
        self._planned = None
        return self._picked(NEVER).move(state, deadline)

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        """Plays an equilibrium where one is known, and plans by what it will be told where there is no other player.

        Else it searches by what everybody knows, or is shown states that are possible.
        """
        self._planned = None
        if self._dominant is not None and (best := self._dominant.policy(belief)) is not None:
            self._planned = SearchInfo(method="dominant: never worse than another move, whatever the others do")
            return next(iter(best))
        if self._equilibrium is not None and self._equilibrium.policy(belief) is not None:
            self._planned = SearchInfo(method=self._equilibrium.why)
            return self._equilibrium.move_in_doubt(belief, deadline)
        if len(belief) == 1 and (self._is_alone or self._has_secrets is not True):
            return self.move(belief.states[0], deadline)
        if not self._is_alone:
            return self._move_by_knowledge(belief, deadline)
        if belief.is_in_core:
            from ludorum.belief.planning import Planner

            self._planner = self._planner or Planner(self._game, self._role)
            limit = deadline.or_within(self._player.seconds or _NO_CLOCK_S).part(_PLANNING_SHARE)
            values, is_exact = self._planner.values(belief, limit)
            if values:
                self._planned = SearchInfo(values=values, proved=frozenset(values) if is_exact else frozenset(),
                                           method="belief tree, since the game has secrets and one player")
                return next(iter(values))
        return determinized_move(self._picked(NEVER), belief, self._role, deadline)

    def _move_by_knowledge(self, belief: Belief, deadline: Deadline) -> Move:
        """As who searches by what everybody knows, who is also the one to fall back where that cannot be done."""
        if self._by_knowledge is None:
            from ludorum.analysis.idle import without_idle_moves

            # What changes and tells nothing is not worth a branch.
            self._by_knowledge = ISMCTS(self._player.seconds, seed=self._player.seed).join(
                without_idle_moves(self._game), self._role)
        move = self._by_knowledge.move_in_doubt(belief, deadline)
        self._planned = self._by_knowledge.info
        return move

    @property
    def _is_alone(self) -> bool:
        return sum(role != RANDOM for role in self._game.roles) == 1

    def best_so_far(self, state: State) -> Move | None:
        return None if self._playing is None else self._playing.best_so_far(state)

    def ponder(self) -> None:
        if isinstance(self._playing, Ponders):
            self._playing.ponder()

    def finish(self) -> None:
        for playing in (self._playing, self._by_knowledge):
            if playing is not None:
                playing.finish()

    def _picked(self, start: Deadline) -> MCTSPlaying | SolverPlaying | MonteCarloPlaying | FluxPlaying:
        if self._playing is None:
            player, self.why = self._pick(start)
            self._playing = player.join(self._game, self._role)
        return self._playing

    def _pick(self, start: Deadline) -> tuple[MCTS | Solver | Flux, str]:
        """Who is to play, and why, in one sentence."""
        game, player = self._game, self._player
        if len(game.roles) == 1:
            return Solver(player.seconds, seed=player.seed or 0), "solver, since the game has one role"
        if hides(game):
            return player.mcts(), "mcts, since the game has chance or secrets"
        if start.at is None or start.remaining < _TRIAL_MIN_CLOCK_S:
            known = None if start.at is None else self._chosen_before(start) or self._decisive(start)
            return known or (player.mcts(), "mcts, since there was no time for a trial")
        parts = parts_in_time(game, start)
        if not isinstance(parts, Absent):
            return player.mcts(), f"mcts, since the game is really {len(parts.games)} games"
        try:
            return self._best(start.or_within(min(_TRIAL_MAX_S, _TRIAL_SHARE * start.remaining)), start)
        except Exception as error:
            # Whatever goes wrong with what is only to help, there is a match to be played.
            return player.mcts(), f"mcts, since the trial failed: {error}"

    def _best(self, deadline: Deadline, start: Deadline) -> tuple[MCTS | Flux, str]:
        """Who is best when the time is over, whatever is still going on then."""
        trial, why_not = Trial([]), list[str]()
        is_done = Background(lambda: self._try(trial, why_not, deadline)).wait(start.part(_TRIAL_OVERRUN_SHARE))
        trial.is_closed = True
        best, told = trial.best, [*trial.told("mcts"), *why_not] + ([] if is_done else ["the trial took too long"])
        name = "mcts" if best is None else best.name
        if is_done and trial.left:
            tried = {candidate.name: (candidate.won + candidate.known_won, candidate.matches + candidate.known_matches)
                     for candidate in trial.candidates if candidate.matches}
            keep_choice(self._game, Choice(name, {**find_choice(self._game).tried, **tried}))
        chosen = self._player.mcts() if best is None else best.make()
        assert isinstance(chosen, MCTS | Flux)
        if isinstance(chosen, MCTS):
            chosen.ponder = self._player.ponder
        return chosen, f"{name}, since {'; '.join(told) or 'matches are too long for a trial'}"

    def _try(self, trial: Trial, why_not: list[str], deadline: Deadline) -> None:
        """All that there is time for, by successive halving."""
        made, told = candidates(self._player, self._game, deadline, find_choice(self._game))
        trial.candidates = [replace(one, make=_alone(one.make)) for one in made]
        why_not += told
        try_all(self._game, _alone(self._player.mcts), trial, deadline, seed=self._player.seed or 0)

    def _chosen_before(self, start: Deadline) -> tuple[MCTS | Flux, str] | None:
        """Who was best in an earlier trial, where there is no time for one; None if that cannot be made in time."""
        name = find_choice(self._game).name
        if name is None:
            return None
        is_short = start.remaining < _CHOICE_MIN_CLOCK_S
        chosen = candidate_named(name, self._player, self._game, NEVER if is_short else start.part(_TRIAL_SHARE))
        return None if chosen is None else (chosen, f"{name}, since it was best in an earlier trial")

    def _decisive(self, start: Deadline) -> tuple[MCTS | Flux, str] | None:
        """A tree search whose playouts see what ends the game, if there is something to see."""
        chosen = candidate_named(DECISIVE, self._player, self._game, start) if sees_ends(self._game, start) else None
        return None if chosen is None else (chosen, f"{DECISIVE}, since there was no time for a trial")


def _alone(make: Callable[[], AnyPlayer]) -> Callable[[], AnyPlayer]:
    """The same; but nobody is to think on in the middle of somebody else's move."""
    def made() -> AnyPlayer:
        player = make()
        if isinstance(player, MCTS):
            player.ponder = False
        return player

    return made
