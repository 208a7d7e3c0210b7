"""Making terms equal: substitutions and most general unifiers."""

from __future__ import annotations

from collections.abc import Mapping

from ludorum.gdl.terms import Argument, Term, Variable, variables

Substitution = Mapping[str, Argument]


def substitute(argument: Argument, values: Substitution) -> Argument:
    """The term with variables replaced; replacements may hold variables that are replaced in turn."""
    while isinstance(argument, Variable):
        if argument.name not in values:
            return argument
        argument = values[argument.name]
    if not argument.args:
        return argument
    return Term(argument.name, tuple(substitute(arg, values) for arg in argument.args), argument.span)


def substitute_atom(atom: Term, values: Substitution) -> Term:
    result = substitute(atom, values)
    assert isinstance(result, Term)
    return result


def unify(left: Argument, right: Argument, values: Substitution | None = None) -> dict[str, Argument] | None:
    """The most general substitution, extending `values`, that makes two terms equal; None if nothing does."""
    result = dict(values or {})
    pairs = [(left, right)]
    while pairs:
        one, other = (_value(side, result) for side in pairs.pop())
        if isinstance(one, Variable):
            if one == other:
                continue
            if any(v.name == one.name for v in variables(substitute(other, result))):
                return None
            result[one.name] = other
        elif isinstance(other, Variable):
            pairs.append((other, one))
        elif one.name != other.name or len(one.args) != len(other.args):
            return None
        else:
            pairs.extend(zip(one.args, other.args, strict=True))
    return result


def _value(argument: Argument, values: Substitution) -> Argument:
    while isinstance(argument, Variable) and argument.name in values:
        argument = values[argument.name]
    return argument
