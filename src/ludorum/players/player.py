"""What it takes to be a player, and what some can do beyond that.

An absent ability is an absent method: ask with `isinstance`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ludorum.clock import Deadline
from ludorum.move import Move, Role
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.game import Game
    from ludorum.players.thoughts import Thoughts


class Player(Protocol):
    def move(self, state: State, role: Role, deadline: Deadline) -> Move:
        """A legal move for the role, before the deadline; the state is not terminal and the role has a legal move."""


@runtime_checkable
class Prepares(Protocol):
    """Uses the time before the first move."""

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None: ...


@runtime_checkable
class Finishes(Protocol):
    """Has something to end when the match is over, such as thinking on the opponents' time."""

    def finish(self) -> None: ...


@runtime_checkable
class Explains(Protocol):
    """Can say why it chose its last move; None before the first."""

    @property
    def thoughts(self) -> Thoughts | None: ...
