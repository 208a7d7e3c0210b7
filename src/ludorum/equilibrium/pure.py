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

    # ---- moves to leave out ----

    def undominated(self, deadline: Deadline) -> list[list[list[int]]]:
        """By player and information set the moves that are left."""
        allowed = [[list(range(count)) for _, _, count in sets] for sets in self.sets]
        last = [self._last_sets(player) for player in self.players]
        for _ in range(_ROUNDS):
            before = [[list(moves) for moves in of_player] for of_player in allowed]
            for player in self.players:
                rows = self._rows(allowed)
                for number in last[player]:
                    if deadline.passed:
                        return allowed
                    allowed[player][number] = self._kept(player, number, allowed[player][number], rows)
            if allowed == before:
                break
        return allowed

    def _last_sets(self, player: int) -> list[int]:
        """The information sets after which the player decides no more."""
        parents = {parent for parent, _, _ in self.sets[player]}
        return [number for number, (_, first, count) in enumerate(self.sets[player])
                if count <= _MOST_MOVES and not parents & set(range(first, first + count))]

    def _rows(self, allowed: list[list[list[int]]]) -> NDArray[np.int64]:
        """The outcomes that are left."""
        kept = np.ones(len(self.weights), bool)
        for player in self.players:
            may = np.ones(self.sizes[player], bool)
            for (_, first, count), moves in zip(self.sets[player], allowed[player], strict=True):
                may[first:first + count] = False
                may[[first + move for move in moves]] = True
            kept &= may[self.sequences[:, player]]
        return np.flatnonzero(kept)

    def _kept(self, player: int, number: int, moves: list[int], rows: NDArray[np.int64]) -> list[int]:
        if len(moves) == 1:
            return moves
        _, first, _ = self.sets[player][number]
        mine = rows[np.isin(self.sequences[rows, player], [first + move for move in moves])]
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
        order = chance or random.Random(0)
        for _ in range(_CHANGES):
            if deadline.passed:
                return None
            plans = [self._plan(player, chosen[player]) for player in self.players]
            values = [self._values(player, plans, allowed[player]) for player in self.players]
            gaining = [(player, number) for player in self.players for number in range(len(self.sets[player]))
                       if self._gain(player, number, values[player], chosen[player][number]) > TOLERANCE]
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
            return [[next((move for move in moves if name[move] != noop), moves[0])
                     for moves, name in zip(allowed[player], names, strict=True)]
                    for player in self.players for names, noop in (self._names(player),)]
        shares = [chance.random() for _ in range(max(map(len, self.sets)))]
        return [[moves[int(share * len(moves))] for moves, share in zip(of_player, shares, strict=False)]
                for of_player in allowed]

    def _names(self, player: int) -> tuple[list[list[str]], str | None]:
        """The moves of every information set, and what the player does where it has no choice."""
        sets = self.tree.information_sets(self.tree.players[player])
        names = [[str(move) for move in known.moves] for known in sets]
        decided = {(known.history, move) for known in sets for move in known.moves}
        forced = Counter(str(known.history[turn][0]) for known in sets for turn in range(len(known.history))
                         if (known.history[:turn], known.history[turn][0]) not in decided)
        return names, forced.most_common(1)[0][0] if forced else None

    def _plan(self, player: int, chosen: list[int]) -> Plan:
        plan = np.zeros(self.sizes[player])
        plan[0] = 1
        for (parent, first, _), move in zip(self.sets[player], chosen, strict=True):
            plan[first + move] = plan[parent]
        return plan

    def _values(self, player: int, plans: list[Plan], allowed: list[list[int]]) -> Plan:
        """What each sequence of a player is worth against the others, if it goes on as well as it can."""
        weights = self.payoffs[:, player].copy()
        for other in self.players:
            if other != player:
                weights *= plans[other][self.sequences[:, other]]
        values: Plan = np.bincount(self.sequences[:, player], weights, minlength=self.sizes[player]).astype(np.float64)
        for (parent, first, _), moves in zip(reversed(self.sets[player]), reversed(allowed), strict=True):
            values[parent] += max(values[first + move] for move in moves)
        return values

    def _gain(self, player: int, number: int, values: Plan, chosen: int) -> float:
        _, first, count = self.sets[player][number]
        return float(values[first:first + count].max() - values[first + chosen])
