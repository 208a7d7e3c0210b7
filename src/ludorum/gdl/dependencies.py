"""Which relations depend on which.

In the literature: the predicate dependency graph, stratification (Apt, Blair, Walker 1988).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.gdl.clauses import Clause
from ludorum.gdl.graph import closure, component_numbers
from ludorum.gdl.terms import Term

Relation = tuple[str, int]

#: What a game is asked for; a relation that none of these needs is left out.
QUESTIONS: tuple[Relation, ...] = (("role", 1), ("init", 1), ("next", 1), ("legal", 2), ("goal", 2),
                                   ("terminal", 0), ("sees", 2))
#: What is given with every state and joint move.
GIVEN: tuple[Relation, ...] = (("true", 1), ("does", 2))


def relation_of(atom: Term) -> Relation:
    return atom.name, len(atom.args)


def relevant(clauses: Sequence[Clause], questions: Iterable[Relation] = QUESTIONS) -> tuple[Clause, ...]:
    """The clauses that the questions depend on; what is given with a state has no clauses."""
    needed = closure(questions, dependencies(clauses)).difference(GIVEN)
    return tuple(clause for clause in clauses if relation_of(clause.head) in needed)


def static_relations(clauses: Sequence[Clause]) -> frozenset[Relation]:
    """The relations that are the same in all states, whatever is done."""
    changing: set[Relation] = closure(GIVEN, users(clauses))
    return frozenset(dependencies(clauses)) - changing


def users(clauses: Sequence[Clause]) -> dict[Relation, set[Relation]]:
    """For every relation those whose clauses mention it."""
    found: dict[Relation, set[Relation]] = {}
    for head, body in dependencies(clauses).items():
        for relation in body:
            found.setdefault(relation, set()).add(head)
    return found


def is_stratified(clauses: Sequence[Clause]) -> bool:
    """Whether no relation depends on its own negation; what is given depends on nothing."""
    component = component_numbers(dependencies(clauses))
    return not any(component.get(relation_of(atom)) == component[relation_of(clause.head)]
                   for clause in clauses for atom in clause.negative)


def dependencies(clauses: Sequence[Clause]) -> dict[Relation, set[Relation]]:
    depends: dict[Relation, set[Relation]] = {}
    for clause in clauses:
        if relation_of(clause.head) not in GIVEN:
            depends.setdefault(relation_of(clause.head), set()).update(map(relation_of, clause.atoms))
    return depends
