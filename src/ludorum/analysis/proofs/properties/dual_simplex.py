"""Weights that make something fall: the least ones by which every one of many changes is worth at least 1.

A linear program, solved by the dual simplex method: it starts from weights of 0, which cost nothing, and takes up one
change after the other that the weights so far do not suffice for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Budget

# What is smaller than this is 0.
_NOTHING = 1e-9
# Taken up at once; more pivots than this for one of them are a cycle.
_AT_ONCE = 64
_MOST_PIVOTS = 20_000
# The work of a pivot, for every entry of the table.
_AN_ENTRY = 2e-9


class DualSimplex:
    """The least weights, at least 0 each, by what they cost; better known with every change that is demanded."""

    def __init__(self, costs: NDArray[np.float64]) -> None:
        #: float [variables]: what a unit of each weight costs; none may be negative.
        variables = len(costs)
        # Rows: first the costs, then one a change. Columns: weights, then one slack a row, then the value.
        self._table = np.concatenate([costs, np.zeros(1)])[None, :]
        self._variables = variables
        self._basis: list[int] = []
        self._pivots = 0

    @property
    def weights(self) -> NDArray[np.float64]:
        found = np.zeros(self._variables)
        for row, column in enumerate(self._basis, 1):
            if column < self._variables:
                found[column] = self._table[row, -1]
        return found

    def demand(self, changes: NDArray[np.float64], budget: Budget) -> bool:
        """From now on each of these, a row of factors of the weights, is worth at least 1; False if that cannot be.

        Raises BudgetExceeded.
        """
        for start in range(0, len(changes), _AT_ONCE):
            self._take_up(changes[start : start + _AT_ONCE])
            if not self._solve(budget):
                return False
        return True

    def _take_up(self, changes: NDArray[np.float64]) -> None:
        """Adds rows, written in terms of what is not in the basis."""
        rows, columns = self._table.shape
        new = np.zeros((rows + len(changes), columns + len(changes)))
        new[:rows, : columns - 1] = self._table[:, :-1]
        new[:rows, -1] = self._table[:, -1]
        added = new[rows:]
        added[:, : self._variables] = -changes
        added[:, -1] = -1.0
        for row, column in enumerate(self._basis, 1):
            if column < self._variables:
                added -= added[:, column : column + 1] * new[row]
        for i in range(len(changes)):
            added[i, columns - 1 + i] = 1.0
            self._basis.append(columns - 1 + i)
        self._table = new

    def _solve(self, budget: Budget) -> bool:
        table = self._table
        while True:
            values = table[1:, -1]
            row = 1 + int(np.argmin(values))
            if table[row, -1] >= -_NOTHING:
                return True
            factors = table[row, :-1]
            usable = np.flatnonzero(factors < -_NOTHING)
            if not len(usable):
                return False
            column = int(usable[np.argmin(table[0, usable] / -factors[usable])])
            self._pivots += 1
            if self._pivots % 16 == 0:
                budget.check(16 * _AN_ENTRY * table.size)
            if self._pivots > _MOST_PIVOTS:
                return False
            table[row] /= table[row, column]
            others = table[:, column].copy()
            others[row] = 0.0
            table -= np.outer(others, table[row])
            self._basis[row - 1] = column
