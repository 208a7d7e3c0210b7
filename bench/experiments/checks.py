"""The games of cashing checks, solved: which moves are optimal.

What is at stake is the difference of what the players cash, and each wants it to be as large as it can be for
itself, so that the best difference that can still be reached is a minimax value. A move is optimal if it gives away
nothing of the result: a win stays a win, and a draw a draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class CashingChecks:
    """Checks for 1 to `checks`, taken in turn for so many `turns`; the second player gets `compensation`."""

    checks: int
    turns: int
    compensation: int
    #: Whether the largest is worth nothing after the first turn, the next after the second, and so on.
    is_dated: bool

    def worth(self, check: int, turn: int) -> int:
        """What a check is worth in a turn, counted from 1."""
        return 0 if self.is_dated and turn > self.checks - check + 1 else check

    def best_difference(self, left: frozenset[int], turn: int) -> int:
        """What the player who moves will cash more than the other from now on, if both do their best.

        Without dates nothing is better than to take the largest: whatever else is taken, the other can take it.
        """
        if self.is_dated:
            return _best_difference(self, left, turn)
        largest = sorted(left, reverse=True)[:self.turns - turn + 1]
        return sum(largest[::2]) - sum(largest[1::2])

    def is_optimal(self, moves: list[int]) -> bool:
        """Whether nobody gave anything away: after every move the result is still what it was at the start."""
        left, lead = frozenset(range(1, self.checks + 1)), -self.compensation
        start = _sign(lead + self.best_difference(left, 1))
        for turn, check in enumerate(moves, start=1):
            side = 1 if turn % 2 else -1
            lead += side * self.worth(check, turn)
            left -= {check}
            if _sign(lead - side * self.best_difference(left, turn + 1)) != start:
                return False
        return True

    def takes_the_largest(self, moves: list[int]) -> bool:
        """Whether always the largest check was taken that is worth something."""
        return moves == list(range(self.checks, self.checks - self.turns, -1))


#: As the paper plays them.
BLIND = CashingChecks(checks=20, turns=10, compensation=5, is_dated=False)
STALE_DATED = CashingChecks(checks=12, turns=10, compensation=5, is_dated=True)


@cache
def _best_difference(game: CashingChecks, left: frozenset[int], turn: int) -> int:
    if turn > game.turns:
        return 0
    return max(game.worth(check, turn) - _best_difference(game, left - {check}, turn + 1) for check in left)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
