"""Terms of the Game Description Language: symbols, functions and variables.

A `Term` is a symbol applied to arguments; a constant is a term without any. Atoms are terms too, so that
`(true (cell 1 1 x))` and the fluent `(cell 1 1 x)` inside it are made of the same stuff. Terms are values:
frozen, hashable, equal by content wherever they were written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

# No longer than Python converts; no game counts further.
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands in its source: a half-open range of character offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; its name is without the question mark of KIF."""

    name: str
    span: Span | None = field(default=None, compare=False, repr=False)

    def __int__(self) -> int:
        # Here too, so that the arguments of a term can be asked without looking what they are.
        raise ValueError(f"{self} is no number")

    def __str__(self) -> str:
        return "?" + self.name


@dataclass(frozen=True, slots=True, repr=False)
class Term:
    """A symbol applied to arguments; `str` is KIF, `repr` pastes back, and `int` is the number that it is.

    >>> Term("cell", (Term("1"), Term("x")))
    parse_term('(cell 1 x)')
    >>> int(Term("7"))
    7
    """

    name: str
    args: tuple[Argument, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Term):
            return NotImplemented
        try:
            return self.name == other.name and self.args == other.args
        except RecursionError:
            # Terms of games that count nest as deep as their matches are long.
            return _is_equal(self, other)

    def __hash__(self) -> int:
        try:
            return hash((self.name, tuple(map(hash, self.args))))
        except RecursionError:
            return _hash(self)

    def __int__(self) -> int:
        if self.args or not _INTEGER.fullmatch(self.name):
            raise ValueError(f"{self} is no number")
        return int(self.name)

    def __repr__(self) -> str:
        # No text stands for a term with variables alone.
        return f"<Term {self}>" if any(variables(self)) else f"parse_term({str(self)!r})"

    def __reduce__(self) -> tuple[Callable[[tuple[tuple[str, int], ...]], Argument], tuple[object]]:
        # Flat, because terms nest deeper than Python's pickle can follow. Where they stand in a source is left out.
        return _unflattened, (_flattened(self),)

    def __str__(self) -> str:
        # Without recursion: rules come from strangers, who may nest a thousand deep.
        if not self.args:
            return self.name
        out: list[str] = []
        stack: list[Argument | str] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                out.append(item)
            elif isinstance(item, Variable) or not item.args:
                out.append(str(item))
            else:
                out.append("(" + item.name)
                stack.append(")")
                for argument in reversed(item.args):
                    stack.append(argument)
                    stack.append(" ")
        return "".join(out)


Argument = Term | Variable


def _is_equal(left: Argument, right: Argument) -> bool:
    """Whether two terms are equal, without recursion."""
    stack = [(left, right)]
    while stack:
        one, other = stack.pop()
        if one is other:
            continue
        if isinstance(one, Variable) or isinstance(other, Variable):
            if one != other:
                return False
        elif one.name != other.name or len(one.args) != len(other.args):
            return False
        else:
            stack.extend(zip(one.args, other.args, strict=True))
    return True


def _hash(term: Term) -> int:
    """What `hash` gives, without recursion."""
    done: list[int] = []
    stack: list[tuple[Argument, bool]] = [(term, False)]
    while stack:
        item, is_ready = stack.pop()
        if isinstance(item, Variable):
            done.append(hash(item))
        elif is_ready:
            first = len(done) - len(item.args)
            done[first:] = [hash((item.name, tuple(done[first:])))]
        else:
            stack.append((item, True))
            stack.extend((argument, False) for argument in reversed(item.args))
    return done[0]


# The arity that stands for a variable in a flat term.
_VARIABLE = -1


def _flattened(term: Term) -> tuple[tuple[str, int], ...]:
    """The symbols of a term with their numbers of arguments, arguments first."""
    flat: list[tuple[str, int]] = []
    stack: list[Argument] = [term]
    while stack:
        item = stack.pop()
        if isinstance(item, Variable):
            flat.append((item.name, _VARIABLE))
        else:
            flat.append((item.name, len(item.args)))
            stack.extend(item.args)
    flat.reverse()
    return tuple(flat)


def _unflattened(flat: Iterable[tuple[str, int]]) -> Argument:
    """The term that was flattened."""
    done: list[Argument] = []
    for name, arity in flat:
        if arity == _VARIABLE:
            done.append(Variable(name))
        else:
            first = len(done) - arity
            done[first:] = [Term(name, tuple(done[first:]))]
    return done[0]


def variables(argument: Argument) -> Iterator[Variable]:
    """Every occurrence of a variable in a term, from left to right."""
    stack: list[Argument] = [argument]
    while stack:
        item = stack.pop()
        if isinstance(item, Variable):
            yield item
        else:
            stack.extend(reversed(item.args))
