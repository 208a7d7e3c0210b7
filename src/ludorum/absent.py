"""What there is none of, with the reason: a value in place of a result that could not be had."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Absent:
    """Why something was not found or made, in one sentence for people."""

    reason: str

    def __str__(self) -> str:
        return self.reason
