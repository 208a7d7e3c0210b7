"""Answer set programs for the base case and the step of an induction (chapter 7 of Schiffel's thesis).

A property holds initially if no answer set violates it in `init`; it survives every step if no answer set has any state
where it and all that is known hold, any legal joint move, and a next state that violates it. The rules that such a
program does not need are left out (splitting sets, 7.4.1), fluents range over the improved domains (7.4.2), and moves
are told by their parts. Where the next state does not depend on what is done, nobody has to do anything. And where it
takes many rules to say what is legal, more may be: a property that survives even that survives every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from ludorum.analysis.proofs.lifted.move_encoding import MoveEncoding
from ludorum.analysis.proofs.lifted.weakening import Weakening, recursive
from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.asp.encoding import encode, encode_atom, identifier
from ludorum.errors import TooLarge
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.dependencies import GIVEN, Relation, dependencies, relation_of, relevant, users
from ludorum.gdl.domains import ImprovedDomains, Place
from ludorum.gdl.graph import closure
from ludorum.gdl.names import FreshNames
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term, Variable
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
    """Makes the programs for one game.

    A relation that may have more than so many instances is asked about the move that is made, not written down for all
    moves that there are.
    """

    def __init__(self, rules: Rulesheet, *, most_instances: int = 20_000) -> None:
        self._most_instances = most_instances
        self._clauses = flatten(rules)
        self._domains = ImprovedDomains(rules)
        self._fresh = FreshNames(clause.head.name for clause in self._clauses)
        fluents = self._domains.terms(Place("relation", "true", 1, 1), _MOST_FLUENTS)
        if fluents is None:
            raise TooLarge(f"the rules let more than {_MOST_FLUENTS:,} fluents be")
        #: Every fluent that the rules let be.
        self.fluents: tuple[Term, ...] = tuple(sorted(fluents, key=str))

    @cached_property
    def _moves(self) -> MoveEncoding:
        return MoveEncoding(self._domains, self._fresh)

    @cached_property
    def _weakening(self) -> Weakening:
        return Weakening(self._clauses, self._fresh, self._is_large)

    @cached_property
    def _state_rules(self) -> tuple[Clause, ...]:
        """The rules for what can be asked of a state."""
        return _split(self._clauses, GIVEN)

    @cached_property
    def _step_rules(self) -> tuple[Clause, ...]:
        """The rules with moves told by their parts."""
        return self._told_by_parts([clause for clause in self._clauses if relation_of(clause.head) == ("legal", 2)], ())

    @cached_property
    def _weak_step_rules(self) -> tuple[Clause, ...]:
        """The same with more moves legal."""
        return self._told_by_parts(*self._weakening.legal())

    def _told_by_parts(self, legal: Sequence[Clause], needed: Sequence[Clause]) -> tuple[Clause, ...]:
        clauses = [*self._clauses, *needed]
        large: dict[Relation, list[Clause]] = {}
        looping = recursive(clauses)
        for clause in clauses:
            relation = relation_of(clause.head)
            if relation not in looping and self._is_large(relation):
                large.setdefault(relation, []).append(clause)
        told = [*self._moves.reading(clauses, large), *self._moves.lawfulness(legal, large)]
        # What is chosen has no rules, but splitting has to know what it may be.
        ranges = [*self._moves.ranges(), self._weakening.range()]
        chosen = {relation_of(clause.head) for clause in ranges}
        return tuple(clause for clause in _split([*told, *ranges], (*GIVEN, *chosen))
                     if relation_of(clause.head) not in chosen)

    def _is_large(self, relation: Relation) -> bool:
        """Whether there may be too many instances of a relation to be written down."""
        (name, arity), arguments = self._weakening.versions.get(relation, (relation, range(relation[1])))
        values = [self._domains.terms(Place("relation", name, arity, i + 1), self._most_instances) for i in arguments]
        return None in values or prod(len(known) for known in values if known is not None) > self._most_instances

    @property
    def can_be_weakened(self) -> bool:
        """Whether fewer rules may do for what is legal."""
        return not self._weakening.is_idle

    def base(self, formula: Formula) -> str:
        """Has an answer set if the formula is violated initially."""
        rules = relevant(self._state_rules, [("init", 1)])
        return "".join([self._domain(), _write(rules, encode_atom), self._state(formula, "init", "i__"),
                        _ask(formula, "init", "i__")])

    def anywhere(self, formula: Formula, known: Iterable[Formula]) -> str:
        """Has an answer set if some state, where all that is known holds, violates the formula."""
        return "".join([self._domain(), self._any_state(known), self._state(formula, "true", "n__"),
                        _ask(formula, "true", "n__")])

    def step(self, formula: Formula, known: Iterable[Formula], *, weakly: bool = False, going_on: bool = False) -> str:
        """Has an answer set if it can be violated after a step from a state where it holds and all that is known.

        `weakly`: there may be one, too, because more moves are legal there; but there are fewer rules. `going_on`: the
        state before the step is not terminal. That is always so, but `terminal` may be expensive.
        """
        known = [*known, formula]
        following = [clause for clause in (self._weak_step_rules if weakly else self._step_rules)
                     if relation_of(clause.head) != ("next", 1) or formula.reads(clause.head.args[0])]
        questions: list[Relation] = [("next", 1)]
        acts = not closure(questions, dependencies(following)).isdisjoint(self._moves.relations)
        if acts:
            questions += [self._moves.lawful, ("role", 1)]
        if going_on:
            questions.append(("terminal", 0))
        parts = [self._domain(), self._any_state(known), _write(relevant(following, questions), encode_atom)]
        if acts:
            parts.append(self._moves.choices())
        if weakly:
            parts.append(f"{identifier(self._weakening.possible[0])}(F) :- d__fluent(F).\n")
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
        rules = relevant(self._state_rules, formula.questions)

        def renamed(atom: Term) -> str:
            if relation_of(atom) == ("true", 1):
                return f"{holds}({encode(atom.args[0])})"
            return f"{prefix}{encode_atom(atom)}"

        return _write(rules, renamed)


def _split(clauses: Sequence[Clause], given: Iterable[Relation]) -> tuple[Clause, ...]:
    """Rules of many variables ground to the product of what these can be, here as elsewhere."""
    changing = closure(given, users(clauses))
    return split(clauses, Uniform(frozenset(dependencies(clauses)) - changing)).clauses


def _ask(formula: Formula, holds: str, prefix: str) -> str:
    return f"viol__ :- {formula.violated(holds, prefix)}.\n:- not viol__.\n"


def _write(clauses: Iterable[Clause], written: Callable[[Term], str]) -> str:
    """Clauses in clingo's language, with their atoms written in some way."""
    return "".join(_rule(written(clause.head), [
        *map(written, clause.positive), *(f"not {written(atom)}" for atom in clause.negative),
        *(f"{encode(left)} != {encode(right)}" for left, right in clause.distinct)]) for clause in clauses)


def _rule(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {', '.join(body)}.\n" if body else f"{head}.\n"
