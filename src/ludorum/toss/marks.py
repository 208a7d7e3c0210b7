"""Sets of marks as constants, so that an element is asked once for any of many marks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Term
from ludorum.toss.names import Symbols

# Names of more marks than this are not put together to the name of a set.
_MOST_IN_A_NAME = 2


class Marks:
    """Gives sets of marks constants, and lists which marks are among them."""

    def __init__(self, symbols: Symbols, relation: Mapping[str, str]) -> None:
        self.among = symbols.symbol("among")
        self.rules: list[Rule] = []
        self._relation = relation
        self._names = Symbols()
        self._constants: dict[frozenset[str], str] = {}

    def constant(self, marks: Collection[str], *, is_shared: bool = True) -> str:
        """A constant for a set of marks; one that is not shared stands for something else besides."""
        key = frozenset(marks)
        if is_shared and key in self._constants:
            return self._constants[key]
        constant = self._names.symbol(_name(sorted(self._relation[mark] for mark in key)))
        if is_shared:
            self._constants[key] = constant
        self.rules += [Rule(Term(self.among, (Term(constant), Term(self._relation[mark])))) for mark in sorted(key)]
        return constant


def _name(marks: Iterable[str]) -> str:
    names = list(marks)
    if not names:
        return "bare"
    return "_".join(names) if len(names) <= _MOST_IN_A_NAME else f"marks{len(names)}"
