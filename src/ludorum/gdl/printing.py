"""Rules as text, in both syntaxes; what is printed reads back as the same rules."""

from __future__ import annotations

import re
from collections.abc import Callable

from ludorum.gdl.rulesheet import And, Formula, Not, Rule, Rulesheet
from ludorum.gdl.source import Syntax
from ludorum.gdl.terms import Argument, Term, Variable

# A rule with one condition is printed in one line where it fits.
_WIDTH = 100

_PLAIN_SYMBOL = re.compile(r"-?[0-9][a-z0-9_]*|[a-z][a-z0-9_]*(-[a-z0-9_]+)*")
_PLAIN_VARIABLE = re.compile(r"[a-z][a-z0-9_]*")
_UNDERSCORED_VARIABLE = re.compile(r"_[a-z0-9_]+")
_OPERATORS = frozenset({"not", "and", "or"})


def to_kif(rulesheet: Rulesheet) -> str:
    """The rules in KIF, one block a rule."""
    return _in_blocks(rulesheet, [kif_rule(rule) for rule in rulesheet.rules])


def to_infix(rulesheet: Rulesheet) -> str:
    """The rules in the infix syntax of the papers, one block a rule."""
    return _in_blocks(rulesheet, [infix_rule(rule) for rule in rulesheet.rules])


def show(argument: Argument, syntax: Syntax) -> str:
    """A term as the author of a text in this syntax would write it."""
    return str(argument) if syntax == "kif" else infix_term(argument)


def _in_blocks(rulesheet: Rulesheet, blocks: list[str]) -> str:
    """Facts about the same relation stand together; an empty line separates everything else."""
    lines: list[str] = []
    previous: Rule | None = None
    for rule, block in zip(rulesheet.rules, blocks, strict=True):
        if previous and (rule.body or previous.body or rule.head.name != previous.head.name):
            lines.append("")
        lines.append(block)
        previous = rule
    return "\n".join(lines) + "\n" if lines else ""


def show_rule(rule: Rule, syntax: Syntax) -> str:
    """A rule as the author of a text in this syntax would write it."""
    return kif_rule(rule) if syntax == "kif" else infix_rule(rule)


def show_formula(formula: Formula, syntax: Syntax) -> str:
    """A condition as the author of a text in this syntax would write it."""
    return kif_formula(formula) if syntax == "kif" else infix_formula(formula)


# KIF


def kif_rule(rule: Rule) -> str:
    if not rule.body:
        # In parentheses, since a lone symbol could be a slip.
        return str(rule.head) if rule.head.args else f"({rule.head.name})"
    parts = [str(rule.head), *map(kif_formula, rule.body)]
    line = f"(<= {parts[0]} {parts[1]})"
    if len(parts) == 2 and len(line) <= _WIDTH:
        return line
    return "(<= " + "\n    ".join(parts) + ")"


def kif_formula(formula: Formula) -> str:
    if isinstance(formula, Term):
        return str(formula)
    if isinstance(formula, Not):
        return f"(not {kif_formula(formula.formula)})"
    word = "and" if isinstance(formula, And) else "or"
    return f"({' '.join([word, *map(kif_formula, formula.formulas)])})"


# Infix


def infix_rule(rule: Rule) -> str:
    head = infix_term(rule.head)
    if not rule.body:
        return f"{head}."
    parts = [infix_formula(formula) for formula in rule.body]
    line = f"{head} :- {parts[0]}."
    if len(parts) == 1 and len(line) <= _WIDTH:
        return line
    return f"{head} :-\n    " + ",\n    ".join(parts) + "."


def infix_formula(formula: Formula) -> str:
    if isinstance(formula, Term):
        return infix_term(formula)
    if isinstance(formula, Not):
        return f"not {infix_formula(formula.formula)}"
    word, operator = ("and", ", ") if isinstance(formula, And) else ("or", " ; ")
    parts = list(map(infix_formula, formula.formulas))
    return f"({operator.join(parts)})" if len(parts) > 1 else f"{word}({''.join(parts)})"


def infix_term(argument: Argument) -> str:
    return functional(argument, symbol=_infix_symbol, functor=_infix_symbol, variable=_infix_variable)


def functional(argument: Argument, *, symbol: Callable[[str], str], functor: Callable[[str], str],
               variable: Callable[[str], str]) -> str:
    """A term as `f(a, b)`, with the names as they are written in a language."""
    # Without recursion: rules come from strangers, and terms may nest a thousand deep.
    out: list[str] = []
    stack: list[Argument | str] = [argument]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        elif isinstance(item, Variable):
            out.append(variable(item.name))
        elif not item.args:
            out.append(symbol(item.name))
        else:
            out.append(functor(item.name) + "(")
            stack.append(")")
            for number, inner in enumerate(reversed(item.args)):
                if number:
                    stack.append(", ")
                stack.append(inner)
    return "".join(out)


def _infix_symbol(name: str) -> str:
    return name if _PLAIN_SYMBOL.fullmatch(name) and name not in _OPERATORS else _quoted(name)


def _infix_variable(name: str) -> str:
    if _PLAIN_VARIABLE.fullmatch(name):
        return name[0].upper() + name[1:]
    return name if _UNDERSCORED_VARIABLE.fullmatch(name) else "?" + _quoted(name)


def _quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
