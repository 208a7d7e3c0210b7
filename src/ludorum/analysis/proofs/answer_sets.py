"""Answer set programs for the base case and the step of an induction (chapter 7 of Schiffel's thesis).

A property holds initially if no answer set violates it in `init`; it survives every step if no answer set has any state
where it and all that is known hold, any legal joint move, and a next state that violates it. The rules that such a
program does not need are left out (splitting sets, 7.4.1), fluents range over the improved domains (7.4.2), and moves
over a version of `legal` that does not look at the state (Definition 7.8). Where the next state does not depend on
what is done, nobody has to do anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ludorum.analysis.domains import ImprovedDomains, Place
from ludorum.analysis.proofs.arguments import Mode
from ludorum.errors import TooLarge
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term, Variable
from ludorum.ground.dependencies import (
    GIVEN,
    Relation,
    closure,
    dependencies,
    relation_of,
    relevant,
    static_relations,
)
from ludorum.ground.encoding import encode, encode_atom, identifier
from ludorum.ground.sizes import Uniform
from ludorum.ground.splitting import split

_MOST_FLUENTS = 200_000

#: `viol__` holds where the property is violated.
VIOLATED = ("viol__", 0)


@dataclass(frozen=True, slots=True)
class AtMostOne:
    """The inputs of a mode determine its outputs."""

    mode: Mode

    @property
    def questions(self) -> tuple[Relation, ...]:
        """What has to be known of a state, apart from its fluents."""
        return ()

    def reads(self, fluent: Term | Variable) -> bool:
        """Whether it matters if a fluent holds in the next state."""
        return isinstance(fluent, Variable) or (fluent.name, len(fluent.args)) == (self.mode.name, self.mode.arity)

    def violated(self, holds: str, prefix: str) -> str:
        """The body of a rule: it is violated in the state that a relation such as `true` tells."""
        arguments = [f"X{i}" for i in range(self.mode.arity)]
        key = ",".join(arguments[i] for i in self.mode.inputs)
        fluent = f"{identifier(self.mode.name)}({','.join(arguments)})"
        counted = f"2 {{ {holds}({fluent}) : d__fluent({fluent}) }}"
        if not key:
            return counted
        blanks = ",".join(arguments[i] if i in self.mode.inputs else "_" for i in range(self.mode.arity))
        return f"d__fluent({identifier(self.mode.name)}({blanks})), {counted}"


@dataclass(frozen=True, slots=True)
class ConstantSum:
    """Whenever the game ends, all goals add up to this."""

    roles: tuple[Term, ...]
    total: int

    @property
    def questions(self) -> tuple[Relation, ...]:
        return (("terminal", 0), ("goal", 2))

    def reads(self, fluent: Term | Variable) -> bool:
        return True

    def violated(self, holds: str, prefix: str) -> str:
        goals = ",".join(f"{prefix}goal({encode(role)},V{i})" for i, role in enumerate(self.roles))
        values = [f"V{i}" for i in range(len(self.roles))]
        added = "+".join(values)
        # It is 1 only if there is the right sum and no other: without a goal for every role there is none.
        counted = f"1 : {goals}, {added} = {self.total}; -1,{','.join(values)} : {goals}, {added} != {self.total}"
        return f"{prefix}terminal, #sum {{ {counted} }} < 1"


Formula = AtMostOne | ConstantSum


class Programs:
    """Makes the programs for one game."""

    def __init__(self, rules: Rulesheet) -> None:
        clauses = flatten(rules)
        # Rules of many variables ground to the product of what these can be, here as elsewhere.
        self._clauses = split(clauses, Uniform(static_relations(clauses))).clauses
        self._static = static_relations(self._clauses)
        fluents = ImprovedDomains(rules).terms(Place("relation", "true", 1, 1), _MOST_FLUENTS)
        if fluents is None:
            raise TooLarge(f"the rules let more than {_MOST_FLUENTS:,} fluents be")
        #: Every fluent that the rules let be.
        self.fluents: tuple[Term, ...] = tuple(sorted(fluents, key=str))

    def base(self, formula: Formula) -> str:
        """Has an answer set if the formula is violated initially."""
        rules = relevant(self._clauses, [("init", 1)])
        return "".join([self._domain(), _write(rules, encode_atom), self._state(formula, "init", "i__"),
                        _ask(formula, "init", "i__")])

    def anywhere(self, formula: Formula, known: Iterable[Formula]) -> str:
        """Has an answer set if some state, where all that is known holds, violates the formula."""
        return "".join([self._domain(), self._any_state(known), self._state(formula, "true", "n__"),
                        _ask(formula, "true", "n__")])

    def step(self, formula: Formula, known: Iterable[Formula], *, going_on: bool = False) -> str:
        """Has an answer set if it can be violated after a step from a state where it holds and all that is known.

        `going_on`: the state before the step is not terminal. That is always so, but `terminal` may be expensive.
        """
        known = [*known, formula]
        following = [clause for clause in self._clauses
                     if relation_of(clause.head) != ("next", 1) or formula.reads(clause.head.args[0])]
        questions: list[Relation] = [("next", 1)]
        acts = ("does", 2) in closure([("next", 1)], dependencies(following))
        if acts:
            questions += [("legal", 2), ("role", 1)]
        if going_on:
            questions.append(("terminal", 0))
        parts = [self._domain(), self._any_state(known), _write(relevant(following, questions), encode_atom)]
        if acts:
            parts += [self._static_legal(), "1 {does(R,M) : s__legal(R,M)} 1 :- role(R).\n",
                      ":- does(R,M), not legal(R,M).\n"]
        if going_on:
            parts.append(":- terminal.\n")
        parts += [self._state(formula, "next", "n__"), _ask(formula, "next", "n__")]
        return "".join(parts)

    def size(self, formula: Formula) -> int:
        """How many rules the step needs: properties that need few of them are tried first (7.4.3)."""
        return self.step(formula, ()).count("\n")

    def _domain(self) -> str:
        return "".join(f"d__fluent({encode(fluent)}).\n" for fluent in self.fluents)

    def _any_state(self, known: Iterable[Formula]) -> str:
        """Any state where all that is known holds."""
        parts = ["{true(F) : d__fluent(F)}.\n"]
        for number, formula in enumerate(known):
            parts += [self._state(formula, "true", f"k{number}__"),
                      f":- {formula.violated('true', f'k{number}__')}.\n"]
        return "".join(parts)

    def _state(self, formula: Formula, holds: str, prefix: str) -> str:
        """The rules for what a formula asks of the state that a relation such as `next` tells."""
        if not formula.questions:
            return ""
        rules = relevant(self._clauses, formula.questions)

        def renamed(atom: Term) -> str:
            if relation_of(atom) == ("true", 1):
                return f"{holds}({encode(atom.args[0])})"
            return f"{prefix}{encode_atom(atom)}"

        return _write(rules, renamed)

    def _static_legal(self) -> str:
        """What may ever be legal: the rules of `legal` without what they say of the state (Definition 7.8)."""
        needed = closure([("legal", 2)], _positive(self._clauses))
        lines = []
        for clause in self._clauses:
            if relation_of(clause.head) not in needed or relation_of(clause.head) in GIVEN:
                continue
            body = [f"d__fluent({encode(atom.args[0])})" if relation_of(atom) == ("true", 1) else self._statically(atom)
                    for atom in clause.positive]
            body += [f"not {encode_atom(atom)}" for atom in clause.negative if relation_of(atom) in self._static]
            body += [f"{encode(left)} != {encode(right)}" for left, right in clause.distinct]
            lines.append(_rule(f"s__{encode_atom(clause.head)}", body))
        # What is the same in all states stays as it is.
        unchanging = [clause for clause in self._clauses if relation_of(clause.head) in self._static]
        return "".join(lines) + _write(unchanging, encode_atom)

    def _statically(self, atom: Term) -> str:
        return encode_atom(atom) if relation_of(atom) in self._static else f"s__{encode_atom(atom)}"


def _positive(clauses: Sequence[Clause]) -> dict[Relation, set[Relation]]:
    """For every relation those that its rules mention without a negation."""
    found: dict[Relation, set[Relation]] = {}
    for clause in clauses:
        found.setdefault(relation_of(clause.head), set()).update(map(relation_of, clause.positive))
    return found


def _ask(formula: Formula, holds: str, prefix: str) -> str:
    return f"viol__ :- {formula.violated(holds, prefix)}.\n:- not viol__.\n"


def _write(clauses: Iterable[Clause], written: Callable[[Term], str]) -> str:
    """Clauses in clingo's language, with their atoms written in some way."""
    return "".join(_rule(written(clause.head), [
        *map(written, clause.positive), *(f"not {written(atom)}" for atom in clause.negative),
        *(f"{encode(left)} != {encode(right)}" for left, right in clause.distinct)]) for clause in clauses)


def _rule(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {', '.join(body)}.\n" if body else f"{head}.\n"
