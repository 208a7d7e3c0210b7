"""What an engine may be able to do beyond the protocol, one narrow protocol an ability.

An absent ability is an absent method: ask with `isinstance`. `generic` answers the same questions for engines
that have none of these, slowly.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ludorum.engines.playouts import Playouts
from ludorum.engines.protocol import Position
from ludorum.gdl.terms import Term

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludorum._core import Simulator
    from ludorum.circuit import Circuit
    from ludorum.engines.batch import Batch


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
class IsCircuit(Protocol):
    """Evaluates a circuit, which can be looked at."""

    @property
    def circuit(self) -> Circuit: ...


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

    def batch(self, n: int, position: Position | None = None, *, max_steps: int = 10_000,
              threads: int = 1) -> Batch: ...


@runtime_checkable
class Simulates(Protocol):
    """Has a part in the core that the core's searches play with; there states are rows of bits and moves numbers."""

    def simulator(self, position: Position | None = None) -> Simulator:
        """The fastest that is right for all that follows from a position, or one that is right for any state."""

    def row(self, position: Position) -> NDArray[np.uint64]:
        """A position as the core's searches take it; its bytes are the position."""

    def move_number(self, seat: int, move: Term) -> int | None:
        """The number of a move of the role in this seat, None if it has no such move."""

    def percept_terms(self, seat: int, row: NDArray[np.uint64]) -> frozenset[Term]:
        """The percepts of the role in this seat that a row of all percepts has."""

    def percept_row(self, seat: int, percepts: Collection[Term]) -> NDArray[np.uint64] | None:
        """What the role in this seat is told as a row of all percepts, None if that cannot be."""

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """For every role its moves in the order of their numbers."""
