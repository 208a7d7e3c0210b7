"""What is said of one thing and of many."""

from __future__ import annotations


def agree(count: int, one: str, many: str = "") -> str:
    """The words that agree with a number: `one` with 1 alone, else `many`, which is `one` with an s unless given."""
    return one if count == 1 else many or f"{one}s"
