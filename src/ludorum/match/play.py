"""Play a match and keep its states, moves and goals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludorum.belief import hides
from ludorum.clock import Deadline
from ludorum.engines.playouts import Outcome
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.match.referee import RANDOM, Watch, outcome, seating
from ludorum.move import Move, Role
from ludorum.players import AnyPlayer, Clocks, Playing, Ponders, Random, join_match
from ludorum.players.determinization import determinized_move
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played: one state more than joint moves."""

    game: Game
    states: tuple[State, ...]
    #: One joint move a step, by role.
    moves: tuple[dict[str, Move], ...]
    outcome: Outcome

    @property
    def goals(self) -> dict[str, int | None]:
        return self.states[-1].goals

    def __str__(self) -> str:
        goals = ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in self.goals.items())
        steps = f"{len(self.moves)} {agree(len(self.moves), 'step')}"
        return f"{self.game.name}: {steps}, {self.outcome.name.lower()}; goals: {goals}"


def play(game: Game, players: Mapping[Any, AnyPlayer] | None = None, /, *, seed: int | None = None,
         start_clock: float | None = None, play_clock: float | None = None, max_steps: int = 10_000,
         watch: Watch | None = None, **by_role: AnyPlayer) -> Match:
    """Play a match from the initial state until it is over, stuck, or has gone on for `max_steps`.

    Players come by role, as a mapping or as keywords. The role `random` of GDL-II is played by the referee,
    uniformly from the seed, unless a player is given for it. In a game with secrets players are not shown the state,
    but states that are possible for all that their role can know. The clocks, in seconds, are told to the players and
    it is theirs to keep them: nobody is interrupted (`ludorum.match.conduct` does that). `watch` is shown every state
    with the joint move that led there, none for the first. Raises UnknownRole, MissingPlayer, or IllegalMove if a
    player makes one.
    """
    seated = seating(game, {**(players or {}), **by_role})
    if RANDOM in game.roles:
        seated.setdefault(RANDOM, Random(seed))
    clocks = Clocks(start_clock, play_clock)
    playing = {role: join_match(seated[role], game, role, clocks) for role in game.roles}
    beliefs = _beliefs(game, seed)
    states: list[State] = [game.initial]
    moves: list[dict[str, Move]] = []
    try:
        for player in playing.values():
            player.prepare(Deadline.within(start_clock))
        while True:
            state = states[-1]
            if watch is not None:
                watch(state, moves[-1] if moves else {})
            stands = outcome(state, len(moves), max_steps)
            if stands != "playing":
                break
            moves.append({role: _move(player, role, state, beliefs.get(role), Deadline.within(play_clock))
                          for role, player in playing.items()})
            states.append(state.after(moves[-1]))
            for role, belief in beliefs.items():
                belief.perceived(moves[-1][role], states[-1].percepts[role])
            for player in playing.values():
                if isinstance(player, Ponders):
                    player.ponder()
    finally:
        for player in playing.values():
            player.finish()
    return Match(game, tuple(states), tuple(moves), Outcome[stands.upper()])


def _beliefs(game: Game, seed: int | None) -> dict[Role, Belief]:
    """What the players can know, none where they are told everything."""
    if not hides(game):
        return {}
    # Not before it is needed: importing this must not take as long as importing NumPy.
    from ludorum.belief import Belief

    return {role: Belief(game, role, seed=seed) for role in game.roles if role != RANDOM}


def _move(player: Playing, role: Role, state: State, belief: Belief | None, deadline: Deadline) -> Move:
    return player.move(state, deadline) if belief is None else determinized_move(player, belief, role, deadline)
