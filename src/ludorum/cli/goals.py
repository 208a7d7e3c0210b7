"""What is said of ends where the rules give a role no goal, or several: never that it is 0."""

from __future__ import annotations

from collections.abc import Mapping

from ludorum.gdl.words import RANDOM

Goals = Mapping[str, int | None]


def without_goals(goals: Goals) -> list[str]:
    """The roles for which the rules give no goal value, or several; `random` wants none."""
    return [role for role, goal in goals.items() if goal is None and role != RANDOM]


def say_without_goals(goals: Goals) -> str:
    """A sentence about those roles, empty if there are none."""
    roles = without_goals(goals)
    return f"The rules give {' and '.join(roles)} no goal there, or several." if roles else ""
