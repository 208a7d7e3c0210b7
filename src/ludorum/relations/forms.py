"""Forms: the function symbols of an atom's arguments, apart from what stands at their leaves.

`(legal ?r (move ?x 3))` has the form `(_ (move _ _))` and the leaves ?r, ?x and 3. A relation is asked form by form,
so that what is bound inside a term is as good as a bound argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludorum.gdl.terms import Argument, Term, Variable

#: None is a leaf; a term is its name and the forms of its arguments.
Form = tuple[str, tuple["Form", ...]] | None

# Deeper than this, terms are left whole: recursive rules can nest them without end.
_DEEPEST = 3


def split(arguments: Sequence[Argument], deepest: int = _DEEPEST) -> tuple[tuple[Form, ...], tuple[Argument, ...]]:
    """The forms of arguments, and their leaves from left to right."""
    leaves: list[Argument] = []

    def form(argument: Argument, depth: int) -> Form:
        if isinstance(argument, Variable) or not argument.args or depth == 0:
            leaves.append(argument)
            return None
        return argument.name, tuple(form(inner, depth - 1) for inner in argument.args)

    return tuple(form(argument, deepest) for argument in arguments), tuple(leaves)


def plain(arity: int) -> tuple[Form, ...]:
    """The form that every atom has."""
    return (None,) * arity


def leaves_of(form: Sequence[Form]) -> int:
    return sum(1 if part is None else leaves_of(part[1]) for part in form)


def with_leaves(form: Sequence[Form], leaves: Iterator[Argument]) -> tuple[Argument, ...]:
    """The arguments of this form that have these leaves."""
    return tuple(next(leaves) if part is None else Term(part[0], with_leaves(part[1], leaves)) for part in form)


def preorder(form: Sequence[Form]) -> Iterator[tuple[str, int] | None]:
    for part in form:
        if part is None:
            yield None
        else:
            yield part[0], len(part[1])
            yield from preorder(part[1])
