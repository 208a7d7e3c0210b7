"""What a role can know: every state that agrees with its own moves and with what it was told.

In GDL-I a role is told every move, and there is one such state. In GDL-II it is told percepts, and there may be many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludorum.belief.hiding import has_secrets, hides

if TYPE_CHECKING:
    from ludorum.belief.belief import Belief

__all__ = ["Belief", "has_secrets", "hides"]


def __getattr__(name: str) -> Any:
    # Not before it is needed: who only asks whether a game hides anything must not wait for NumPy.
    if name == "Belief":
        from ludorum.belief.belief import Belief

        return Belief
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
