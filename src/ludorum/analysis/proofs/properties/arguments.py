"""Input arguments (Definition 5.4 of Schiffel's thesis): which arguments of a fluent determine the others.

`(cell + + -)` says that the first two arguments of `cell` are inputs: for all their values at most one instance of the
fluent holds. `(cell - - -)` says that at most one does altogether.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ludorum.gdl.terms import Term

#: Of a fluent with more arguments only the smallest and the largest sets of inputs are looked at.
MOST_ARGUMENTS = 6


@dataclass(frozen=True, slots=True)
class Mode:
    """A kind of fluent with some of its arguments taken as inputs."""

    name: str
    arity: int
    #: Numbers of arguments from 0, ascending.
    inputs: tuple[int, ...]

    @classmethod
    def of(cls, term: Term) -> Mode:
        """The mode that `(cell + + -)` says; raises ValueError."""
        signs = [str(argument) for argument in term.args]
        if not signs or not set(signs) <= {"+", "-"}:
            raise ValueError(f"{term} is no mode: every argument is + (an input) or - (an output)")
        return cls(term.name, len(signs), tuple(i for i, sign in enumerate(signs) if sign == "+"))

    def __str__(self) -> str:
        signs = ("+" if i in self.inputs else "-" for i in range(self.arity))
        return f"({self.name} {' '.join(signs)})"

    def implies(self, other: Mode) -> bool:
        """Whether other arguments determine the rest if these do: fewer inputs say more."""
        return (self.name, self.arity) == (other.name, other.arity) and set(self.inputs) <= set(other.inputs)

    def groups(self, fluents: Sequence[Term]) -> list[tuple[int, ...]]:
        """For all values of the inputs the numbers of the fluents that have them."""
        found: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
        for number, fluent in enumerate(fluents):
            if fluent.name == self.name and len(fluent.args) == self.arity:
                found[tuple(fluent.args[i] for i in self.inputs)].append(number)
        return [tuple(numbers) for numbers in found.values()]


def modes(fluents: Sequence[Term]) -> Iterator[Mode]:
    """The sets of inputs to look at, of every kind of fluent that has arguments, small sets first."""
    for name, arity in sorted({(fluent.name, len(fluent.args)) for fluent in fluents if fluent.args}):
        for size in range(arity):
            if arity <= MOST_ARGUMENTS or size <= 1 or size == arity - 1:
                for inputs in combinations(range(arity), size):
                    yield Mode(name, arity, inputs)
