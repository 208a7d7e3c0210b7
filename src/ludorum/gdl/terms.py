"""Terms of the Game Description Language: symbols, functions and variables.

A `Term` is a symbol applied to arguments; a constant is a term without any. Atoms are terms too, so that
`(true (cell 1 1 x))` and the fluent `(cell 1 1 x)` inside it are made of the same stuff. Terms are values:
frozen, hashable, equal by content wherever they were written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


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

    def __str__(self) -> str:
        return "?" + self.name


@dataclass(frozen=True, slots=True)
class Term:
    """A symbol applied to arguments; `str` is KIF."""

    name: str
    args: tuple[Argument, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

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


def variables(argument: Argument) -> Iterator[Variable]:
    """Every occurrence of a variable in a term, from left to right."""
    stack: list[Argument] = [argument]
    while stack:
        item = stack.pop()
        if isinstance(item, Variable):
            yield item
        else:
            stack.extend(reversed(item.args))
