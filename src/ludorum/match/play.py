"""Play a match and keep its states, moves and goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ludorum.clock import NEVER
from ludorum.errors import MissingPlayer
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players import Player, Random
from ludorum.reason.playouts import Outcome
from ludorum.state import State


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played: one state more than joint moves."""

    game: Game
    states: tuple[State, ...]
    #: One joint move a step, by role.
    moves: tuple[dict[Role, Move], ...]
    outcome: Outcome

    @property
    def goals(self) -> dict[Role, int | None]:
        return self.states[-1].goals

    def __str__(self) -> str:
        goals = ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in self.goals.items())
        return f"{self.game.name}: {len(self.moves)} steps, {self.outcome.name.lower()}; goals: {goals}"


def play(game: Game, players: Mapping[str, Player] | None = None, /, *, seed: int | None = None,
         max_steps: int = 10_000, watch: Callable[[State, dict[Role, Move]], None] | None = None,
         **by_role: Player) -> Match:
    """Play a match from the initial state until it is over, stuck, or has gone on for `max_steps`.

    Players come by role, as a mapping or as keywords. The role `random` of GDL-II is played by the referee,
    uniformly from the seed, unless a player is given for it. `watch` is shown every state with the joint move
    that led there, none for the first. Raises UnknownRole, MissingPlayer, or IllegalMove if a player makes
    one.
    """
    seated = {game.role(role): player for role, player in {**(players or {}), **by_role}.items()}
    if "random" in game.roles:
        seated.setdefault(Role("random"), Random(seed))
    if absent := [role for role in game.roles if role not in seated]:
        raise MissingPlayer(f"{game.name} needs a player for {' and '.join(absent)}")

    states: list[State] = [game.initial]
    moves: list[dict[Role, Move]] = []
    while True:
        state = states[-1]
        if watch is not None:
            watch(state, moves[-1] if moves else {})
        outcome = _outcome(state, len(moves), max_steps)
        if outcome is not None:
            break
        moves.append({role: seated[role].move(state, role, NEVER) for role in game.roles})
        states.append(state.after(moves[-1]))
    return Match(game, tuple(states), tuple(moves), outcome)


def _outcome(state: State, steps: int, max_steps: int) -> Outcome | None:
    if state.is_terminal:
        return Outcome.FINISHED
    if not all(state.legal(role) for role in state.game.roles):
        return Outcome.STUCK
    return Outcome.CUT if steps >= max_steps else None
