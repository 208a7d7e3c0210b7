"""Whether there is anything in a game that a role is not told."""

from __future__ import annotations

import random

from ludorum.game import Game
from ludorum.gdl.words import RANDOM


def hides(game: Game) -> bool:
    """Whether players are told percepts instead of each other's moves: the rules have `sees` or the role random."""
    return RANDOM in game.roles or any(rule.head.name == "sees" for rule in game.rules.rules)


def has_secrets(game: Game, *, matches: int = 8, steps: int = 40, seed: int = 0) -> bool:
    """Whether some role was ever in doubt about the state, in random matches as far as so many steps.

    In a game of pure chance everybody is told everything, and nobody ever is.
    """
    from ludorum.belief.belief import Belief

    if not hides(game):
        return False
    chance = random.Random(seed)
    for _ in range(matches):
        state = game.initial
        beliefs = {role: Belief(game, role, most=100, seed=seed) for role in game.roles if role != RANDOM}
        for _ in range(steps):
            if state.is_terminal or not all(state.legal(role) for role in game.roles):
                break
            joint = {role: chance.choice(state.legal(role)) for role in game.roles}
            state = state.after(joint)
            for role, belief in beliefs.items():
                belief.perceived(joint[role], state.percepts[role])
                if len(belief) > 1:
                    return True
    return False
