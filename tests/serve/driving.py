"""A small referee: it plays matches over HTTP where every seat, or all but some, is taken by one player."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from itertools import count

from ludorum.belief import hides
from ludorum.clock import Deadline
from ludorum.errors import PlayerFailed
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.move import Move, Role
from ludorum.protocol import RemotePlayer

NUMBERS = count(1)


@dataclass
class Driven:
    """What came of a match."""

    steps: int = 0
    goals: dict[str, int | None] = field(default_factory=dict)
    #: One line for every reply that was late, wrong or missing.
    faults: list[str] = field(default_factory=list)
    #: Seconds that replies to PLAY took.
    times: list[float] = field(default_factory=list)


def drive(game: Game, address: str, *, start_clock: float, play_clock: float, seed: int = 0,
          roles: set[str] | None = None, max_steps: int = 200, name: str | None = None) -> Driven:
    """Play one match; roles that are not the player's move at random."""
    chance = random.Random(seed)
    seats = {role: RemotePlayer(address) for role in game.roles
             if role != "random" and (roles is None or role in roles)}
    match = name or f"driven.{next(NUMBERS)}.{seed}"
    driven = Driven()
    rules = to_kif(game.rules)
    for role, player in seats.items():
        try:
            player.start(f"{match}.{role}", role, rules, start_clock, play_clock, Deadline.within(start_clock))
        except PlayerFailed as error:
            driven.faults.append(f"{match}: START: {error}")
    state = game.initial
    joint: dict[Role, Move] = {}
    while not state.is_terminal and driven.steps < max_steps:
        made = {role: chance.choice(state.legal(role)) for role in game.roles}
        for role, player in seats.items():
            before = time.monotonic()
            deadline = Deadline.within(play_clock)
            try:
                if hides(game):
                    move = player.play_percepts(f"{match}.{role}", driven.steps, joint.get(role),
                                                state.percepts[role], deadline)
                else:
                    move = player.play(f"{match}.{role}", [joint[each] for each in game.roles] if joint else None,
                                       deadline)
            except PlayerFailed as error:
                driven.faults.append(f"{match} step {driven.steps}: {error}")
                continue
            driven.times.append(time.monotonic() - before)
            if move in state.legal(role):
                made[role] = move
            else:
                driven.faults.append(f"{match} step {driven.steps}: {move} is not legal for {role}")
        state, joint = state.after(made), made
        driven.steps += 1
    for role, player in seats.items():
        try:
            if hides(game):
                player.stop_percepts(f"{match}.{role}", driven.steps, joint.get(role), state.percepts[role],
                                     Deadline.within(10))
            else:
                player.stop(f"{match}.{role}", [joint[each] for each in game.roles], Deadline.within(10))
        except PlayerFailed as error:
            driven.faults.append(f"{match}: STOP: {error}")
    driven.goals = state.goals
    return driven
