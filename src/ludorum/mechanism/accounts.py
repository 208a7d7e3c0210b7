"""What a market brings to everybody, on average: any plans of the traders, over all types and all that chance does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.idle import without_idle_moves
from ludorum.equilibrium import GameTree, InformationSet
from ludorum.equilibrium.tree import MOST_NODES
from ludorum.errors import LudorumError
from ludorum.gdl.terms import Term
from ludorum.mechanism.mechanism import Mechanism
from ludorum.move import Move, Role

#: How likely a trader sends each message, by what it has done and been told.
Strategy = Mapping[tuple[tuple[Move, frozenset[Term]], ...], Mapping[Move, float]]
# Sums of chances are as exact as this.
_TOLERANCE = 1e-7


@dataclass(frozen=True)
class Accounts:
    """Averages, in the units of the market."""

    surplus: dict[Role, float]
    #: What all traders together pay; None where the rules do not say who pays what.
    revenue: float | None
    #: What all gain together, the market maker's revenue included, and the most that could be gained by any messages.
    welfare: float | None
    best: float | None

    @property
    def efficiency(self) -> float | None:
        """The part of what could be gained that is gained; 1 where there is nothing to gain."""
        if self.welfare is None or self.best is None:
            return None
        return 1.0 if abs(self.best) < _TOLERANCE else self.welfare / self.best

    @property
    def is_efficient(self) -> bool | None:
        return None if self.welfare is None or self.best is None else self.welfare > self.best - _TOLERANCE


class Ledger:
    """All outcomes of a small market; raises what `GameTree.grow` raises."""

    def __init__(self, mechanism: Mechanism, *, nodes: int = MOST_NODES) -> None:
        self.mechanism = mechanism
        self.tree = GameTree.grow(without_idle_moves(mechanism.game), nodes=nodes)
        self.sequences, self.weights, payoffs = self.tree.core.outcomes()
        self.gains = (payoffs / self.weights[:, None] - 50) / mechanism.translation.scale

    @cached_property
    def paid(self) -> NDArray[np.float64] | None:
        """What each trader pays in every outcome; None where the rules do not say."""
        game = self.mechanism.payments
        if game is None:
            return None
        tree = GameTree.grow(without_idle_moves(game))
        sequences, weights, payoffs = tree.core.outcomes()
        amounts = (payoffs / weights[:, None] - 50) / self.mechanism.paying.scale
        if tree.players != self.tree.players or len(weights) != len(self.weights):
            raise LudorumError(f"what traders of {self.mechanism.name} pay changes what they can know")
        # The same sequences may have other numbers there.
        for player in range(len(tree.players)):
            ours = {name: number for number, name in enumerate(_named(self.tree, player))}
            sequences[:, player] = np.array([ours[name] for name in _named(tree, player)])[sequences[:, player]]
        found = np.empty_like(amounts)
        found[np.lexsort(self.sequences.T)] = amounts[np.lexsort(sequences.T)]
        return found

    @cached_property
    def profiles(self) -> NDArray[np.int64] | None:
        """For every outcome a number for the types of all traders; None if they cannot be told from outcomes."""
        labels = np.zeros(len(self.weights), np.int64)
        for player, role in enumerate(self.tree.players):
            kinds = [None, *(self._type(known) for known in self.tree.information_sets(role) for _ in known.moves)]
            numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds[1:]))}
            if (self.sequences[:, player] == 0).any() and len(numbers) > 1:
                return None
            table = np.array([numbers.get(kind, 0) for kind in kinds])
            labels = labels * max(1, len(numbers)) + table[self.sequences[:, player]]
        return labels

    def _type(self, known: InformationSet) -> Term | None:
        told = {term for _, percepts in known.history for term in percepts}
        return next((kind for kind in self.mechanism.types.get(known.role, ()) if kind in told), None)

    @cached_property
    def welfare(self) -> NDArray[np.float64] | None:
        """What all gain together in every outcome."""
        return None if self.paid is None else self.gains.sum(axis=1) + self.paid.sum(axis=1)

    @cached_property
    def best(self) -> NDArray[np.float64] | None:
        """The most that all could gain together with the types of every outcome."""
        if self.welfare is None or self.profiles is None:
            return None
        most = np.full(int(self.profiles.max(initial=0)) + 1, -np.inf)
        np.maximum.at(most, self.profiles, self.welfare)
        return np.asarray(most[self.profiles], dtype=np.float64)

    def chances(self, plans: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        """How likely every outcome is."""
        likely = self.weights.copy()
        for player, plan in enumerate(plans):
            likely *= plan[self.sequences[:, player]]
        return likely

    def accounts(self, plans: list[NDArray[np.float64]]) -> Accounts:
        likely = self.chances(plans)
        gains = likely @ self.gains
        return Accounts(
            dict(zip(self.tree.players, gains.tolist(), strict=True)),
            None if self.paid is None else float((likely @ self.paid).sum()),
            None if self.welfare is None else float(likely @ self.welfare),
            None if self.best is None else float(likely @ self.best))

    def epsilon(self, plans: list[NDArray[np.float64]]) -> float:
        """The most that any trader gains by another plan, in units of the market: exact, by its best reply."""
        values, best = self.tree.values(plans), self.tree.best_replies(plans)
        most = max(best[role] - values[role] for role in self.tree.players)
        return max(0.0, most) / self.mechanism.translation.scale


def _named(tree: GameTree, player: int) -> list[object]:
    """The sequences of a player by what it has done and been told, and its move then."""
    sets = tree.information_sets(tree.players[player])
    return [None, *((known.history, move) for known in sets for move in known.moves)]
