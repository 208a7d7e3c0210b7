"""The matches that searches follow: random ones, the same for every engine."""

from __future__ import annotations

from random import Random

from ludorum.game import Game

#: A match is a list of joint moves, each with a text a role in the order of the roles.
Match = list[list[str]]


def record_matches(game: Game, n: int, *, seed: int = 0, max_steps: int = 500) -> list[Match]:
    """Plays n random matches; longer ones are cut."""
    return [_match(game, Random(f"{seed} {number}"), max_steps) for number in range(n)]


def _match(game: Game, random: Random, max_steps: int) -> Match:
    state, moves = game.initial, list[list[str]]()
    while not state.is_terminal and len(moves) < max_steps:
        legal = [sorted(map(str, state.legal(role))) for role in game.roles]
        if not all(legal):
            break
        moves.append([random.choice(of_role) for of_role in legal])
        state = state.after(moves[-1])
    return moves


def spread(matches: list[Match], most: int) -> list[Match]:
    """The beginnings of matches at whose ends to search: all of them, or at most so many, evenly spaced."""
    beginnings = [match[:length] for match in matches for length in range(max(1, len(match)))]
    if len(beginnings) <= most:
        return beginnings
    return [beginnings[number * len(beginnings) // most] for number in range(most)]
