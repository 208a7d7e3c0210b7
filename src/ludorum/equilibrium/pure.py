"""Equilibria without dice: whoever gains by another move changes to it, until nobody does.

Moves that are never better than another one and sometimes worse are left out first, again and again. What is found is
an equilibrium of the whole game all the same: against the others, a move that was left out is no better than some that
was not.

In the literature: iterated elimination of weakly dominated strategies; better-response
dynamics (Monderer, Shapley 1996).
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import NEVER, Deadline
from ludorum.equilibrium.tree import GameTree

Plan = NDArray[np.float64]

#: A gain of fewer points than this is none: goals are whole numbers, and chances sums of few products.
TOLERANCE = 1e-9

# So many starts, and from each so many changes; with more rows of outcomes than this it would take too long.
_STARTS, _CHANGES, _MOST_ROWS = 12, 400, 2_000_000
# With more information sets than this whole plans are changed at once, not move by move.
_MOST_SETS = 150
# Looking for moves to leave out ends after so many rounds, and is not begun where a set has more moves.
_ROUNDS, _MOST_MOVES = 20, 100


def equilibrium(tree: GameTree, deadline: Deadline = NEVER, *, seed: int = 0) -> list[Plan] | None:
    """Plans without dice from which nobody gains by leaving; None if none were found."""
    replies = _Replies(tree)
    if len(replies.weights) > _MOST_ROWS:
        return None
    allowed = replies.undominated(deadline)
    for start in range(_STARTS):
        if deadline.passed:
            break
        found = replies.settle(allowed, random.Random(f"{seed}/{start}") if start else None, deadline)
        if found is not None:
            return found
    return None


class _Replies:
    """A game as its outcomes by the sequences of all players."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.players = range(len(tree.players))
        self.sequences, self.weights, self.payoffs = tree.core.outcomes()
        #: Of every information set the parent sequence, the first of its own and their number.
        self.sets = [[(parent, first, count) for parent, first, count, _ in tree.core.sets(player).tolist()]
                     for player in self.players]
        self.sizes = [len(tree.core.moves(player)) for player in self.players]
        self._parents = [np.array([parent for parent, _, _ in sets], np.int64) for sets in self.sets]
        # The sequences of one information set come right after those of the one before.
        self._firsts = [np.array([first for _, first, _ in sets], np.int64) for sets in self.sets]
        self._levels = [_levels(sets) for sets in self.sets]

    # ---- moves to leave out ----

    def undominated(self, deadline: Deadline) -> list[list[list[int]]]:
        """By player and information set the moves that are left."""
        allowed = [[list(range(count)) for _, _, count in sets] for sets in self.sets]
        last = [self._last_sets(player) for player in self.players]
        for _ in range(_ROUNDS):
            before = [[list(moves) for moves in of_player] for of_player in allowed]
            for player in self.players:
                rows = self._rows(allowed)
                # By the own sequences, so that those of an information set stand together.
                rows = rows[np.argsort(self.sequences[rows, player], kind="stable")]
                own = self.sequences[rows, player]
                for number in last[player]:
                    if deadline.passed:
                        return allowed
                    _, first, count = self.sets[player][number]
                    low, high = np.searchsorted(own, (first, first + count))
                    allowed[player][number] = self._kept(player, number, allowed[player][number], rows[low:high])
            if allowed == before:
                break
        return allowed

    def _last_sets(self, player: int) -> list[int]:
        """The information sets after which the player decides no more."""
        leads_on = np.zeros(self.sizes[player], bool)
        leads_on[[parent for parent, _, _ in self.sets[player]]] = True
        return [number for number, (_, first, count) in enumerate(self.sets[player])
                if count <= _MOST_MOVES and not leads_on[first:first + count].any()]

    def _rows(self, allowed: list[list[list[int]]]) -> NDArray[np.int64]:
        """The outcomes that are left."""
        kept = np.ones(len(self.weights), bool)
        for player in self.players:
            kept &= self._may(player, allowed[player])[self.sequences[:, player]]
        return np.flatnonzero(kept)

    def _may(self, player: int, allowed: list[list[int]]) -> NDArray[np.bool_]:
        """The sequences of a player that end with a move that is left."""
        may = np.zeros(self.sizes[player], bool)
        may[0] = True
        may[[first + move for (_, first, _), moves in zip(self.sets[player], allowed, strict=True)
             for move in moves]] = True
        return may

    def _kept(self, player: int, number: int, moves: list[int], mine: NDArray[np.int64]) -> list[int]:
        """The moves of an information set that none of the others beats, in the outcomes that it can lead to."""
        if len(moves) == 1:
            return moves
        _, first, _ = self.sets[player][number]
        others = np.delete(self.sequences[mine], player, axis=1)
        _, place = np.unique(others, axis=0, return_inverse=True)
        gains = np.zeros((int(place.max(initial=-1)) + 1, len(moves)))
        column = np.searchsorted(np.array(moves), self.sequences[mine, player].astype(np.int64) - first)
        np.add.at(gains, (place.reshape(-1), column), self.payoffs[mine, player])
        left = list(range(len(moves)))
        for one in range(len(moves)):
            if any(other != one and (gains[:, other] >= gains[:, one] - TOLERANCE).all()
                   and (gains[:, other] > gains[:, one] + TOLERANCE).any() for other in left):
                left.remove(one)
        return [moves[place] for place in left]

    # ---- replies ----

    def settle(self, allowed: list[list[list[int]]], chance: random.Random | None,
               deadline: Deadline) -> list[Plan] | None:
        """From one start on, until nobody gains by a change."""
        chosen = self._start(allowed, chance)
        may = [self._may(player, allowed[player]) for player in self.players]
        order = chance or random.Random(0)
        for _ in range(_CHANGES):
            if deadline.passed:
                return None
            plans = [self._plan(player, chosen[player]) for player in self.players]
            values = [self._values(player, plans, may[player]) for player in self.players]
            gaining = [(player, number) for player in self.players
                       for number in self._gaining(player, values[player], chosen[player])]
            if not gaining:
                return plans
            if sum(map(len, self.sets)) > _MOST_SETS:
                mover = order.choice(sorted({player for player, _ in gaining}))
                changing = [place for place in gaining if place[0] == mover]
            else:
                # The same information set of all players at once, so that who are alike stay alike.
                number = order.choice(sorted({number for _, number in gaining}))
                changing = [place for place in gaining if place[1] == number]
            for player, number in changing:
                _, first, _ = self.sets[player][number]
                chosen[player][number] = max(allowed[player][number],
                                             key=lambda move: (round(values[player][first + move], 9), -move))
        return None

    def _start(self, allowed: list[list[list[int]]], chance: random.Random | None) -> list[list[int]]:
        if chance is None:
            found = []
            for player in self.players:
                moves, noop = self.tree.core.moves(player).tolist(), self._noop(player)
                found.append([next((move for move in left if moves[first + move] != noop), left[0])
                              for left, (_, first, _) in zip(allowed[player], self.sets[player], strict=True)])
            return found
        shares = [chance.random() for _ in range(max(map(len, self.sets)))]
        return [[moves[int(share * len(moves))] for moves, share in zip(of_player, shares, strict=False)]
                for of_player in allowed]

    def _noop(self, player: int) -> int | None:
        """The move that the player makes most often where it has no choice, by its number; None if it always has."""
        views = self.tree.core.sets(player)[:, 3].tolist()
        # How long what it knew was when it decided, by the sequence that it decided for.
        turns = {0: -1}
        forced: Counter[int] = Counter()
        for (parent, first, count), view in zip(self.sets[player], views, strict=True):
            history = self.tree.core.history(player, view)
            forced.update(move for move, _ in history[turns[parent] + 1:])
            turns.update(dict.fromkeys(range(first, first + count), len(history)))
        return forced.most_common(1)[0][0] if forced else None

    def _plan(self, player: int, chosen: list[int]) -> Plan:
        plan = np.zeros(self.sizes[player])
        plan[0] = 1
        for (parent, first, _), move in zip(self.sets[player], chosen, strict=True):
            plan[first + move] = plan[parent]
        return plan

    def _values(self, player: int, plans: list[Plan], may: NDArray[np.bool_]) -> Plan:
        """What each sequence of a player is worth against the others, if it goes on as well as it can."""
        weights = self.payoffs[:, player].copy()
        for other in self.players:
            if other != player:
                weights *= plans[other][self.sequences[:, other]]
        values: Plan = np.bincount(self.sequences[:, player], weights, minlength=self.sizes[player]).astype(np.float64)
        parents, firsts = self._parents[player], self._firsts[player]
        for level in self._levels[player]:
            best = np.maximum.reduceat(np.where(may, values, -np.inf), firsts)
            np.add.at(values, parents[level], best[level])
        return values

    def _gaining(self, player: int, values: Plan, chosen: list[int]) -> list[int]:
        """The information sets where another move, left or not, would bring more."""
        firsts = self._firsts[player]
        if not len(firsts):
            return []
        more = np.maximum.reduceat(values, firsts) - values[firsts + np.array(chosen)]
        return [int(number) for number in np.flatnonzero(more > TOLERANCE)]


def _levels(sets: list[tuple[int, int, int]]) -> list[NDArray[np.int64]]:
    """Information sets by how many decisions of the own came before, the last first."""
    depth_of = {0: 0}
    depths = []
    for parent, first, count in sets:
        depths.append(depth_of[parent])
        depth_of.update(dict.fromkeys(range(first, first + count), depth_of[parent] + 1))
    return [np.flatnonzero(np.array(depths) == depth) for depth in range(max(depths, default=-1), -1, -1)]
