"""What can be said of rules beyond their syntax; one kind of check a file."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.gdl.check.arity import check_arities
from ludorum.gdl.check.completeness import check_completeness
from ludorum.gdl.check.keywords import check_keywords
from ludorum.gdl.check.possibility import check_possibility
from ludorum.gdl.check.recursion import check_recursion
from ludorum.gdl.check.rule_index import RuleIndex
from ludorum.gdl.check.safety import check_safety
from ludorum.gdl.check.values import check_values
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.rulesheet import Rule

__all__ = ["check_rules"]


def check_rules(rules: Sequence[Rule], findings: Findings) -> None:
    """Adds everything that is wrong or doubtful to the findings.

    Where the text itself had errors, some rules could not be read, so nothing is said about what is absent. What is
    possible in a game is only said of one that can be played.
    """
    whole = not findings.have_errors
    program = RuleIndex(rules, findings)
    check_arities(program)
    check_keywords(program)
    check_safety(program)
    check_recursion(program)
    check_values(program)
    if whole:
        check_completeness(program)
    if not findings.have_errors:
        check_possibility(program)
