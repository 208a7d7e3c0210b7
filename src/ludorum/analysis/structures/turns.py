"""Fluents that tell whose turn it is and how many steps were made, by what they do in play."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples
from ludorum.analysis.structures.tables import Table
from ludorum.gdl.terms import Term

# A clock tells whose turn it is too; a fluent of more values than this many a role is one.
_MOST_VALUES = 2
# Fewer steps than that may go by without a clock that shows it.
_FEWEST_STEPS = 3


def control(table: Table, column: int, samples: Samples, roles: Sequence[str]) -> tuple[tuple[Term, str], ...] | None:
    """For every value of a column the role whose turn it tells, if that is what the column does.

    Then wherever the game goes on, one value holds, and only the role it stands for has more than one legal move.
    """
    # The last state of all may not have been looked at.
    going = ~samples.terminal & (np.arange(len(samples)) < len(samples) - 1)
    value, names = _values(table, column, samples)
    if len(roles) < 2 or len(names) > _MOST_VALUES * len(roles) or not going.any() or (value[going] < 0).any():
        return None
    has_choice = samples.choices > 1
    turns: list[tuple[Term, str]] = []
    for number, name in enumerate(names):
        able = has_choice[going & (value == number)].any(axis=0)
        if able.sum() > 1:
            return None
        if able.any():
            turns.append((name, roles[int(np.argmax(able))]))
    return tuple(turns) if len({role for _, role in turns}) > 1 else None


def clock(table: Table, column: int, samples: Samples) -> tuple[Term, ...] | None:
    """The values of a column in the order of the steps at which they hold, if they count the steps.

    Then one value holds at each step, the same in all games, and none holds at two.
    """
    value, names = _values(table, column, samples)
    holding = value >= 0
    if (~holding & ~samples.terminal).any():
        return None
    steps, values = samples.steps[holding], value[holding]
    at, shown = np.divmod(np.unique(steps.astype(np.int64) * len(names) + values), len(names))
    if len(np.unique(at)) != len(at) or len(np.unique(shown)) != len(shown):
        return None
    return tuple(names[number] for number in shown) if len(shown) >= _FEWEST_STEPS else None


def _values(table: Table, column: int, samples: Samples) -> tuple[NDArray[np.int64], list[Term]]:
    """Which value of a column holds in each state, −1 if none does; requires that at most one does."""
    bits = samples.bits[:, table.fluents]
    names = list(dict.fromkeys(row[column] for row in table.rows))
    number = {name: index for index, name in enumerate(names)}
    numbers = np.array([number[row[column]] for row in table.rows], dtype=np.int64)
    return np.where(bits.any(axis=1), numbers[np.argmax(bits, axis=1)], -1), names
