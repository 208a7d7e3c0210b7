"""An equation about every state: what the weights of all that holds add up to is always the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Balance:
    """In draughts: what the counter of red says is as much as there are cells with a red piece."""

    #: Fluents by number, of which at least one holds, and what that weighs, which is not 0.
    weights: tuple[tuple[tuple[int, ...], int], ...]
    total: int

    @property
    def digits(self) -> int:
        """How many binary digits there are to add up."""
        return sum(abs(weight).bit_length() for _, weight in self.weights)
