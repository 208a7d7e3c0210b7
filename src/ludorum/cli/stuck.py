"""What is said where a match cannot go on: who is stuck, and by which rules."""

from __future__ import annotations

from ludorum.analysis.trial import rules_for, stuck_roles
from ludorum.game import Role, State
from ludorum.grammar import agree

# The lines of more rules help nobody.
_SHOWN = 5


def say_stuck(state: State) -> str:
    """Which roles have no legal move in a state that is not terminal, and which rules would have to give them one."""
    return "; ".join(f"{role} has no legal move in {state.describe()}, and the game is not over: {_why(state, role)}"
                     for role in stuck_roles(state))


def _why(state: State, role: Role) -> str:
    source = state.game.rules.source
    rules = rules_for(state.game, "legal", role)
    if not rules:
        return f"no rule for legal speaks of {role}"
    lines = list(dict.fromkeys(str(source.position(rule.span.start)[0]) for rule in rules if rule.span is not None))
    where = ""
    if lines:
        named = ", ".join(lines[:_SHOWN]) + (" …" if len(lines) > _SHOWN else "")
        where = f" ({source.name}, {agree(len(lines), 'line')} {named})"
    count = len(rules)
    return f"its only rule for legal does not hold{where}" if count == 1 else (
        f"none of its {count} rules for legal holds{where}")
