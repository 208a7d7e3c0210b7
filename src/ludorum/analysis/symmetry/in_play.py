"""What makes a difference in play: the fluents that may change, and on which something depends.

All others may change places without anything happening: the white squares of checkers, on which nothing ever stands, in
32! ways. What is said here is found by following rules from the initial state with everything that may be true and
everything that may be false, each by itself: that is cheap, and whatever happens in play is among it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ludorum.analysis.symmetry.strata import Strata
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded

# How many literals are found between two looks at the clock.
_TICK = 1 << 10
# The work of a literal, for every rule that reads it.
_A_RULE = 1e-6

#: Of every fluent None, or the reason why it makes no difference.
InPlay = tuple[str | None, ...]


def in_play(strata: Strata, budget: Budget | None = None) -> InPlay:
    """Which fluents make a difference in some match, as far as it can be told cheaply; never too few.

    Raises BudgetExceeded when the budget is used up.
    """
    possible = _Possible(strata, budget or Budget())
    read = possible.read()

    def of_fluent(atom: int) -> str | None:
        if not possible.varies(atom):
            return "always holds" if atom in possible.literals else "never holds"
        return None if atom in read else "is not read"

    return tuple(map(of_fluent, strata.program.fluent_atoms))


class _Possible:
    """The literals that may hold in play: an atom `a`, or its negation `~a`."""

    def __init__(self, strata: Strata, budget: Budget) -> None:
        self._program = program = strata.program
        self._heads = program.heads
        self._bodies = [frozenset(body) for body in program.bodies]
        self._readers: dict[int, list[int]] = defaultdict(list)
        #: Of every rule how many conditions cannot hold yet, and of every atom how many rules cannot fail yet.
        self._missing = list(map(len, self._bodies))
        self._standing: dict[int, int] = defaultdict(int)
        for rule, (head, body) in enumerate(zip(self._heads, self._bodies, strict=True)):
            self._standing[head] += 1
            for literal in body:
                self._readers[literal].append(rule)
        self._following = dict(self._consequences())
        self.literals: set[int] = set()
        self._new: list[int] = []
        self._find(strata, budget)

    def varies(self, atom: int) -> bool:
        return atom in self.literals and ~atom in self.literals

    def read(self) -> set[int]:
        """The atoms on which depends what is legal, what players are told, when a match ends, or what it is worth."""
        program = self._program
        rules: dict[int, list[int]] = defaultdict(list)
        for rule, head in enumerate(self._heads):
            rules[head].append(rule)
        following = dict(zip(program.fluent_atoms, program.next_atoms, strict=True))
        asked = [program.terminal_atom, *(atom for atoms in program.legal_atoms for atom in atoms)]
        for answers in (*program.goal_atoms, *program.percept_atoms):
            asked.extend(atom for _, atom in answers)
        read: set[int] = set()
        while asked:
            atom = asked.pop()
            if atom is None or atom in read or not self.varies(atom):
                continue
            read.add(atom)
            asked.append(following.get(atom))
            asked.extend(literal if literal >= 0 else ~literal
                         for rule in rules[atom] if not self._missing[rule] for literal in self._bodies[rule])
        return read

    def _consequences(self) -> Iterator[tuple[int, list[int]]]:
        """What may hold in the next state, or be done, if a literal may hold."""
        found: dict[int, list[int]] = defaultdict(list)
        program = self._program
        for fluent, following in zip(program.fluent_atoms, program.next_atoms, strict=True):
            if following is not None:
                found[following].append(fluent)
                found[~following].append(~fluent)
        for allowed, moves in zip(program.legal_atoms, program.move_atoms, strict=True):
            for legal, move in zip(allowed, moves, strict=True):
                found[legal].append(move)
        yield from found.items()

    def _given(self) -> Iterator[int]:
        program = self._program
        yield from program.facts
        held = set(program.initial)
        for number, (fluent, following) in enumerate(zip(program.fluent_atoms, program.next_atoms, strict=True)):
            yield fluent if number in held else ~fluent
            if following is None:
                yield ~fluent
        inputs = {*program.fluent_atoms, *(atom for atoms in program.move_atoms for atom in atoms)}
        for atoms in program.move_atoms:
            yield from (~atom for atom in atoms)
        yield from (~atom for atom in range(program.atom_count)
                    if atom not in self._standing and atom not in program.facts and atom not in inputs)
        yield from (head for head, body in zip(self._heads, self._bodies, strict=True) if not body)

    def _find(self, strata: Strata, budget: Budget) -> None:
        failing: set[int] = set()
        for literal in self._given():
            self._add(literal)
        for atoms, need_each_other in strata.in_order(budget):
            if need_each_other:
                # What is only derived from itself is false, however its rules read.
                for atom in atoms:
                    self._add(~atom)
        while self._new:
            if len(self.literals) % _TICK == 0 and budget.passed:
                raise BudgetExceeded("what can change in play was not found out within the budget")
            literal = self._new.pop()
            budget.spend(_A_RULE * (len(self._readers[literal]) + len(self._readers[~literal])))
            for rule in self._readers[literal]:
                self._missing[rule] -= 1
                if not self._missing[rule]:
                    self._add(self._heads[rule])
            for rule in self._readers[~literal]:
                if rule not in failing:
                    failing.add(rule)
                    head = self._heads[rule]
                    self._standing[head] -= 1
                    if not self._standing[head]:
                        self._add(~head)
            for following in self._following.get(literal, ()):
                self._add(following)

    def _add(self, literal: int) -> None:
        if literal not in self.literals:
            self.literals.add(literal)
            self._new.append(literal)
