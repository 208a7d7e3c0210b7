"""Every code of what can be wrong or doubtful in a game of Toss."""

from __future__ import annotations

from ludorum.gdl.diagnostics import Level

CODES: dict[str, Level] = {
    # The text.
    "toss-unexpected": "error",
    "toss-unclosed": "error",
    "toss-too-deep": "error",
    "toss-mixed": "error",
    # What the language has and Ludorum does not play.
    "toss-continuous": "error",
    "toss-several-movers": "error",
    "toss-history": "error",
    "toss-unsupported": "error",
    # The names.
    "toss-duplicate": "error",
    "toss-unknown-relation": "error",
    "toss-unknown-element": "error",
    "toss-unknown-player": "error",
    "toss-unknown-rule": "error",
    "toss-unknown-location": "error",
    "toss-unknown-mark": "warning",
    "toss-undeclared-relation": "warning",
    "toss-unused-rule": "warning",
    "toss-arity": "error",
    # The logic.
    "toss-free-variable": "error",
    "toss-defined-relation": "error",
    "toss-negative-recursion": "error",
    # The game as a whole.
    "toss-missing": "error",
    "toss-missing-payoff": "error",
    "toss-too-large": "error",
    "toss-rounded-payoff": "warning",
}
