"""What an engine may be able to do beyond the protocol, one narrow protocol an ability.

An absent ability is an absent method: ask with `isinstance`. `generic` answers the same questions for engines
that have none of these, slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ludorum.gdl.terms import Term
from ludorum.reason.playouts import Playouts
from ludorum.reason.protocol import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludorum._core import Simulator
    from ludorum.reason.batch import Batch


@runtime_checkable
class PlaysOut(Protocol):
    """Plays many random matches at once."""

    def playouts(self, n: int, position: Position, *, seed: int = 0, threads: int = 1,
                 max_steps: int = 10_000, lanes: int | None = None) -> Playouts: ...


@runtime_checkable
class RunsInLanes(Protocol):
    """Plays several games in one machine word."""

    def lanes(self, position: Position, *, is_repeatable: bool = False) -> int:
        """How many games a word holds in playouts from a position; the same on every machine if that is asked."""


@runtime_checkable
class Expands(Protocol):
    """Finds all successors of a position in one sweep."""

    def expand(self, position: Position,
               limit: int | None = None) -> list[tuple[tuple[Term, ...], Position]]: ...


@runtime_checkable
class CountsSequences(Protocol):
    """Counts the sequences of joint moves of lengths 1 to `depth`."""

    def perft(self, position: Position, depth: int) -> list[int]: ...


@runtime_checkable
class Batches(Protocol):
    """Steps many games side by side, with fluents and legal moves as arrays."""

    def batch(self, n: int, position: Position | None = None) -> Batch: ...


@runtime_checkable
class Simulates(Protocol):
    """Has a part in the core that the core's searches play with; there states are rows of bits and moves numbers."""

    def simulator(self, position: Position | None = None) -> Simulator:
        """The fastest that is right for all that follows from a position, or one that is right for any state."""

    def row(self, position: Position) -> NDArray[np.uint64]: ...

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """For every role its moves in the order of their numbers."""
