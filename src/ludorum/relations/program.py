"""Join plans as values: what the core runs, and what can be printed.

See native/relations/program.h for what each part means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from ludorum._core import RelationsSimulator
from ludorum.gdl.terms import Term


class Level(IntEnum):
    """What an answer depends on."""

    STATIC = 0
    STATE = 1
    JOINT = 2


class Kind(IntEnum):
    """What an operation does."""

    SAME = 0
    DIFFER = 1
    TAKE = 2
    BUILD = 3
    TEST = 4
    TEST_NOT = 5
    SCAN = 6
    CALL_TEST = 7
    CALL_NOT = 8
    CALL_SCAN = 9
    SUSPEND = 10
    EMIT = 11


SCANS = frozenset({Kind.SCAN, Kind.CALL_SCAN, Kind.SUSPEND})


@dataclass(slots=True)
class Operation:
    kind: Kind
    target: int = 0
    arguments: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    out: int = -1
    back: int = -1
    fail: int = -1
    iterator: int = 0


@dataclass(slots=True)
class JoinRule:
    registers: int
    iterators: int
    operations: list[Operation]
    #: The rule in words, in the order in which it is evaluated.
    text: str


@dataclass(slots=True)
class Procedure:
    name: str
    level: Level
    bound: int
    free: int
    is_recursive: bool
    rules: list[JoinRule] = field(default_factory=list)


@dataclass(slots=True)
class FactSet:
    name: str
    level: Level
    arity: int
    procedure: int = -1
    facts: list[list[int]] = field(default_factory=list)


@dataclass(slots=True)
class JoinProgram:
    """A game as join plans."""

    symbols: Symbols
    roles: tuple[Term, ...]
    sets: list[FactSet] = field(default_factory=list)
    #: The set, its pattern in preorder (-1 is a leaf, else a function), and the number of leaves.
    views: list[tuple[int, list[int], int]] = field(default_factory=list)
    #: The view, the bound leaves and the others.
    indexes: list[tuple[int, list[int], list[int]]] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    #: The sets true, does, init, next, legal, goal and sees, and the procedure of terminal.
    questions: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        lines = []
        for procedure in self.procedures:
            lines.append(f"{procedure.name}  ({procedure.level.name.lower()}"
                         f"{', recursive' if procedure.is_recursive else ''})")
            lines += [f"    {rule.text}" for rule in procedure.rules]
        return "\n".join(lines)

    def simulator(self, room: tuple[int, list[int], list[int]], *, seconds: float,
                  memory_mb: int) -> RelationsSimulator:
        """What runs the plans; a question may take so long and so much memory."""
        symbols = self.symbols
        return RelationsSimulator(
            constants=len(symbols.constants), arities=[arity for _, arity in symbols.functions],
            ground_terms=symbols.ground_texts,
            sets=[(s.name, int(s.level), s.arity, s.procedure, s.facts) for s in self.sets],
            views=self.views, indexes=self.indexes,
            procedures=[(p.name, int(p.level), p.bound, p.free, p.is_recursive,
                         [(rule.registers, rule.iterators,
                           [(int(o.kind), o.target, o.out, o.back, o.fail, o.iterator, o.arguments, o.outputs)
                            for o in rule.operations]) for rule in p.rules]) for p in self.procedures],
            questions=self.questions, roles=[symbols.constant(role) for role in self.roles],
            goal_values=symbols.goal_values, room=room, seconds=seconds, memory_mb=memory_mb)


class Symbols:
    """Numbers for constants and functions, and terms as texts of such numbers."""

    def __init__(self, constants: Sequence[str], functions: Sequence[tuple[str, int]]) -> None:
        self.constants = tuple(constants)
        self.functions = tuple(functions)
        self._numbers = {name: number for number, name in enumerate(self.constants)}
        self._functions = {function: number for number, function in enumerate(self.functions)}
        self._ground: dict[Term, int] = {}
        self.ground_texts: list[list[int]] = []

    def function(self, name: str, arity: int) -> int:
        return self._functions[name, arity]

    def constant(self, term: Term) -> int:
        """The number of a ground term of the rules, which is a constant to the core."""
        if not term.args:
            return self._numbers[term.name]
        if term not in self._ground:
            for inner in term.args:
                # The parts of a term come before it.
                assert isinstance(inner, Term)
                self.constant(inner)
            self._ground[term] = len(self.constants) + len(self._ground)
            self.ground_texts.append(self.text(term))
        return self._ground[term]

    def text(self, term: Term) -> list[int]:
        """A ground term as the core writes it; KeyError for one that is made of other symbols."""
        text: list[int] = []
        stack = [term]
        while stack:
            item = stack.pop()
            if item.args:
                text.append(~self._functions[item.name, len(item.args)])
                stack.extend(inner for inner in reversed(item.args) if isinstance(inner, Term))
            else:
                text.append(self._numbers[item.name])
        return text

    def term(self, text: Sequence[int]) -> Term:
        """The ground term that a text stands for."""
        done: list[Term] = []
        for symbol in reversed(text):
            if symbol >= 0:
                done.append(Term(self.constants[symbol]))
            else:
                name, arity = self.functions[~symbol]
                arguments = tuple(reversed(done[-arity:]))
                del done[-arity:]
                done.append(Term(name, arguments))
        assert len(done) == 1
        return done[0]

    @cached_property
    def goal_values(self) -> list[int]:
        from ludorum.gdl.goals import is_goal_value

        return [int(name) if is_goal_value(Term(name)) else -1 for name in self.constants]
