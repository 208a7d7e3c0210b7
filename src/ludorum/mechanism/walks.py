"""The ends of all matches in which some do what they are bound to, and the others what they like."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Budget
from ludorum.errors import TooLarge
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.mechanism.layers import Layers, cone
from ludorum.mechanism.mechanism import Mechanism, truth
from ludorum.move import Move, Role

#: Takes the legal moves of all roles, bool [states, moves] a role, and leaves those that are to be followed.
Bound = Callable[[list[NDArray[np.bool_]]], list[NDArray[np.bool_]]]

# Whoever goes on for longer is not followed.
_MOST_TURNS = 1_000


def ends(game: Game, seats: list[int], budget: Budget, bound: Bound | None = None) -> Iterator[
        tuple[NDArray[np.int16], Callable[[int], tuple[tuple[Move, ...], ...]]]]:
    """Turn by turn the goals of those who are asked about where matches end, and the match that leads to each.

    States that differ only in what has no bearing on these goals are one. Raises TooLarge or BudgetExceeded.
    """
    layers = Layers(game, budget)
    mask = cone(game.circuit, [literal for seat in seats for _, literal in game.circuit.goals[seat]])
    for _ in range(_MOST_TURNS):
        terminal, legal = layers.looked()
        over = terminal | np.any([~may.any(axis=1) for may in legal], axis=0)
        if over.any():
            lanes, depth = np.flatnonzero(over), len(layers.history) - 1
            goals = layers.simulator.goals(np.ascontiguousarray(layers.last.rows[over]))[:, seats]
            yield goals, _matches(layers, lanes, depth)
        if over.all():
            return
        layers.go_on(layers.expand(~over, legal if bound is None else bound(legal)), mask)
    raise TooLarge(f"matches of {game.name} go on for more than {_MOST_TURNS} turns")


def _matches(layers: Layers, lanes: NDArray[np.int64], depth: int) -> Callable[[int], tuple[tuple[Move, ...], ...]]:
    return lambda place: layers.match(int(lanes[place]), depth)


def of_type(mechanism: Mechanism, game: Game, role: Role, kind: Term | None) -> tuple[Bound, Move | None]:
    """A trader of this type that sends the truth wherever it can and nothing elsewhere; and what the truth is."""
    seat = game.roles.index(role)
    moves = game.moves or {}
    mine = moves[role]
    # Whoever has no type has nothing to tell.
    told = None if kind is None else truth([kind], mine)
    silent = [number for number, move in enumerate(mine) if move.term == mechanism.translation.silent]
    spoken = [number for number, move in enumerate(mine) if move == told]
    chance = None if kind is None else game.roles.index("random")
    dealt = np.array([] if chance is None else [
        move.term.name != mechanism.translation.deal or str(move.term.args[0]) != role or move.term.args[1] == kind
        for move in moves[Role("random")]], bool)

    def bound(legal: list[NDArray[np.bool_]]) -> list[NDArray[np.bool_]]:
        left = list(legal)
        if chance is not None:
            left[chance] = legal[chance] & dealt
        only = np.zeros_like(legal[seat])
        only[:, silent] = legal[seat][:, silent]
        if spoken:
            speaks = legal[seat][:, spoken[0]]
            only[speaks] = False
            only[speaks, spoken[0]] = True
        left[seat] = only
        return left

    return bound, told
