"""Goal values: the numbers from 0 to 100 that rules can give to a role."""

from __future__ import annotations

from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import relation_of
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term, Variable


def is_goal_value(value: Term) -> bool:
    """Whether a term is an integer from 0 to 100."""
    return not value.args and value.name.isascii() and value.name.isdecimal() and int(value.name) <= 100


def goal_values(rulesheet: Rulesheet) -> list[int]:
    """The goal values that the rules may give to somebody, ascending; 0 is always one of them."""
    values = {0}
    for clause in flatten(rulesheet):
        if relation_of(clause.head) == ("goal", 2):
            value = clause.head.args[1]
            if isinstance(value, Variable):
                return list(range(101))
            if is_goal_value(value):
                values.add(int(value.name))
    return sorted(values)
