"""The definition: every question is answered by the standard model of the rules and a state.

For every question clingo computes the model of the rules together with what holds (`true`) and what is done
(`does`). Nothing is prepared or remembered, so this engine is slow, and obviously right: the others are
compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ludorum.asp.encoding import Symbol, decode, encode_atom
from ludorum.asp.process import ClingoProcess
from ludorum.asp.writing import write
from ludorum.engines.protocol import Position
from ludorum.errors import BudgetExceeded, TooSlow, UnstratifiedRules
from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import Relation, relevant
from ludorum.gdl.goals import is_goal_value
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term

Fluents = frozenset[Term]


class ReferenceReasoner:
    """Answers by definition; a position is the set of the fluents that hold.

    A question that takes more than `seconds` or `memory_mb` raises TooSlow; others may be asked all the same.
    """

    name = "reference"

    def __init__(self, rulesheet: Rulesheet, *, seconds: float = 60.0, memory_mb: int = 4096) -> None:
        self._clauses = flatten(rulesheet)
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._process: ClingoProcess | None = None
        # The rules that matter to a question, in clingo's language.
        self._rules: dict[Relation, str] = {}
        self.roles = rulesheet.roles

    @cached_property
    def initial(self) -> Position:
        return frozenset(fluent for (fluent,) in self._holding(("init", 1)))

    def position(self, fluents: Iterable[Term]) -> Position:
        """The position where exactly these hold; which fluents are possible, this engine does not know."""
        return frozenset(fluents)

    def fluents(self, position: Position) -> Fluents:
        assert isinstance(position, frozenset)
        return position

    def legal(self, position: Position) -> tuple[tuple[Term, ...], ...]:
        holding = self._holding(("legal", 2), position)
        return tuple(tuple(sorted((move for role, move in holding if role == wanted), key=str))
                     for wanted in self.roles)

    def is_terminal(self, position: Position) -> bool:
        return bool(self._holding(("terminal", 0), position))

    def goals(self, position: Position) -> tuple[int | None, ...]:
        holding = self._holding(("goal", 2), position)
        values = [[int(value.name) for role, value in holding if role == wanted and is_goal_value(value)]
                  for wanted in self.roles]
        return tuple(found[0] if len(found) == 1 else None for found in values)

    def after(self, position: Position, joint: Sequence[Term]) -> Position:
        return frozenset(fluent for (fluent,) in self._holding(("next", 1), position, joint))

    def percepts(self, position: Position, joint: Sequence[Term]) -> tuple[frozenset[Term], ...]:
        holding = self._holding(("sees", 2), position, joint)
        return tuple(frozenset(percept for role, percept in holding if role == wanted)
                     for wanted in self.roles)

    def _holding(self, question: Relation, position: Position = frozenset(),
                 joint: Sequence[Term] | None = None) -> list[tuple[Term, ...]]:
        """The arguments of every atom of a relation that holds in the standard model."""
        given = [Term("true", (fluent,)) for fluent in self.fluents(position)]
        if joint is not None:
            given += [Term("does", (role, move)) for role, move in zip(self.roles, joint, strict=True)]
        facts = "".join(f"{encode_atom(atom)}.\n" for atom in given)
        models = self._models(self._rules_for(question) + facts, question)
        if len(models) != 1:
            raise UnstratifiedRules([question[0]])
        return [_arguments(atom) for atom in models[0]]

    def _rules_for(self, question: Relation) -> str:
        if question not in self._rules:
            self._rules[question] = write(relevant(self._clauses, [question]))
        return self._rules[question]

    def _models(self, program: str, question: Relation) -> list[list[Symbol]]:
        if self._process is None or not self._process.is_open:
            self._process = ClingoProcess(memory_mb=self._memory_mb)
        try:
            answer = self._process.ask("models", seconds=self._seconds, program=program, shown=[question])
        except BudgetExceeded as error:
            raise TooSlow(f"the reference engine {error}") from None
        models: list[list[Symbol]] = answer["models"]
        return models


def _arguments(atom: Symbol) -> tuple[Term, ...]:
    return tuple(map(decode, atom[1:])) if isinstance(atom, tuple) else ()
