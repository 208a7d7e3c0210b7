"""Roles that exist, goals that are numbers, and nothing said twice."""

from __future__ import annotations

import re

from ludorum.gdl.check.rule_index import RuleIndex
from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM

_GOAL_VALUE = re.compile(r"[0-9]{1,2}|100", re.ASCII)


def check_values(program: RuleIndex) -> None:
    _check_roles(program)
    _check_goals(program)
    _check_duplicates(program)


def _check_roles(program: RuleIndex) -> None:
    roles = {rule.head.args[0] for rule in program.definitions.get(("role", 1), [])}
    if not all(isinstance(role, Term) for role in roles) or not roles:
        return
    reported: set[Term] = set()
    atoms = [rule.head for rule in program.rules] + [occurrence.atom for occurrence in program.occurrences]
    for atom in atoms:
        if atom.name not in ("legal", "does", "goal", "sees") or len(atom.args) != 2:
            continue
        role = atom.args[0]
        if isinstance(role, Term) and role not in roles and role not in reported:
            reported.add(role)
            help = f"add {program.show(Term('role', (role,)))}" if role.name == RANDOM else ""
            program.findings.add("unknown-role", f"there is no role {program.show(role)}", role.span,
                                 "what is said of it has no effect", help)


def _check_goals(program: RuleIndex) -> None:
    for rule in program.definitions.get(("goal", 2), []):
        value = rule.head.args[1]
        if isinstance(value, Term) and (value.args or not _GOAL_VALUE.fullmatch(value.name)):
            program.findings.add(
                "goal-value", f"the goal value {program.show(value)} is no integer from 0 to 100", value.span)


def _check_duplicates(program: RuleIndex) -> None:
    first: dict[Rule, Rule] = {}
    for rule in program.rules:
        earlier = first.setdefault(rule, rule)
        if earlier is not rule and earlier.span and rule.span:
            line = program.findings.source.position(earlier.span.start)[0]
            program.findings.add("duplicate-rule", "this rule was already stated", rule.span,
                                 f"first in line {line}")
