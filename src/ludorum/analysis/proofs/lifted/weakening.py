"""Weaker conditions of what is legal: more moves than there are, told by fewer rules.

What holds after every step of a game in which more is legal holds after every step of the game. So a proof may forget
conditions that take many rules to state: recursive relations that depend on the state, such as the squares that a queen
can get to. In their place stands what they could be in any state (Definition 7.8 of Schiffel's thesis), and that one of
them does not hold is not asked at all. Where even that is too large to be written down, it falls into parts: each says
of some arguments what the others let them be. All other conditions stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import GIVEN, Relation, dependencies, relation_of, static_relations, users
from ludorum.gdl.graph import closure, components, connected
from ludorum.gdl.names import FreshNames
from ludorum.gdl.terms import Term, Variable

#: The numbers of some arguments of a relation.
Part = tuple[int, ...]
# A relation, some of its arguments, and whether it is the version that is the same in all states.
_Version = tuple[Relation, Part, bool]


class Weakening:
    """Weaker versions of relations of one game; `is_large` says of which there may be too much to be written down."""

    def __init__(self, clauses: Sequence[Clause], fresh: FreshNames, is_large: Callable[[Relation], bool]) -> None:
        self._clauses = clauses
        self._fresh = fresh
        self._is_large = is_large
        self._static = static_relations(clauses)
        self._recursive = frozenset(recursive(clauses)) - self._static
        # Everything that depends on something recursive.
        self._deep = closure(self._recursive, users(clauses)).difference(GIVEN)
        #: Holds of every fluent that the rules let be.
        self.possible: Relation = (fresh.name("possible"), 1)
        self._names: dict[_Version, str] = {}
        #: For every version, a relation and some of its arguments, those.
        self.versions: dict[Relation, tuple[Relation, Part]] = {}
        self._parts: dict[Relation, list[Part]] = {}

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to be weakened in what is legal."""
        return not any(relation_of(atom) in self._deep for clause in self._clauses
                       if relation_of(clause.head) == ("legal", 2) for atom in clause.atoms)

    def range(self) -> Clause:
        """What `possible` may hold of."""
        return Clause(Term(self.possible[0], (Variable("fluent"),)), (Term("true", (Variable("fluent"),)),))

    def legal(self) -> tuple[list[Clause], list[Clause]]:
        """Weaker clauses for `legal`, and those of the relations that they need."""
        weak = [self._weaker(clause) for clause in self._clauses if relation_of(clause.head) == ("legal", 2)]
        needed: list[Clause] = []
        done: set[_Version] = set()
        while waiting := self._names.keys() - done:
            done |= waiting
            for version in sorted(waiting):
                relation, part, is_static = version
                for clause in (clause for clause in self._clauses if relation_of(clause.head) == relation):
                    head = Term(self._names[version], tuple(clause.head.args[i] for i in part))
                    body = self._anywhere(clause) if is_static else self._weaker(clause)
                    needed.append(replace(body, head=head) if len(part) == relation[1] else _about(head, body))
        return weak, needed

    def _weaker(self, clause: Clause) -> Clause:
        """A clause that says less of what is recursive, and the same of everything else."""
        positive: list[Term] = []
        for atom in clause.positive:
            relation = relation_of(atom)
            positive += self._version(atom, relation in self._recursive) if relation in self._deep else [atom]
        return replace(clause, positive=tuple(positive),
                       negative=tuple(atom for atom in clause.negative if relation_of(atom) not in self._deep))

    def _anywhere(self, clause: Clause) -> Clause:
        """A clause that says nothing of the state."""
        positive: list[Term] = []
        for atom in clause.positive:
            if relation_of(atom) == ("true", 1):
                positive.append(Term(self.possible[0], atom.args))
            elif relation_of(atom) in self._static or relation_of(atom) in GIVEN:
                positive.append(atom)
            else:
                positive += self._version(atom, is_static=True)
        return replace(clause, positive=tuple(positive),
                       negative=tuple(atom for atom in clause.negative if relation_of(atom) in self._static))

    def _version(self, atom: Term, is_static: bool) -> list[Term]:
        """What takes the place of an atom."""
        relation = relation_of(atom)
        found = []
        for part in self._parts_of(relation) if is_static else [tuple(range(relation[1]))]:
            if (relation, part, is_static) not in self._names:
                name = self._names[relation, part, is_static] = self._fresh.name("weak")
                self.versions[name, len(part)] = relation, part
            found.append(Term(self._names[relation, part, is_static], tuple(atom.args[i] for i in part)))
        return found

    def _parts_of(self, relation: Relation) -> list[Part]:
        """All arguments in one part; where recursion is large, those in one that are joined where it begins."""
        if relation not in self._parts:
            begins = [clause for clause in self._clauses if relation_of(clause.head) == relation
                      and not any(relation_of(atom) in self._recursive for atom in clause.positive)]
            found = [tuple(range(relation[1]))]
            if relation in self._recursive and self._is_large(relation) and begins:
                names = [_with_conditions(clause) for clause in begins]
                places = ((place, {f"{number} {name}" for number, groups in enumerate(names)
                                   for name in groups[place]}) for place in range(relation[1]))
                found = [tuple(sorted(group)) for group in connected(places)]
            self._parts[relation] = found
        return self._parts[relation]


def _with_conditions(clause: Clause) -> list[set[str]]:
    """For every argument of the head its variables, and all others that conditions join with them."""
    groups = _joined(clause)
    found = []
    for value in clause.head.args:
        own = names_of(value)
        found.append(own.union(*(group for group in groups if group & own)))
    return found


def _joined(clause: Clause) -> list[set[str]]:
    """The variables of a clause, those together that conditions join."""
    conditions = [*map(names_of, clause.atoms), *(names_of(a) | names_of(b) for a, b in clause.distinct)]
    return [set().union(*group) for group in connected((names, names) for names in conditions)]


def _about(head: Term, body: Clause) -> Clause:
    """A clause for some arguments of a relation: it asks for nothing that has nothing to do with them."""
    names = names_of(head)
    names = names.union(*(group for group in _joined(body) if group & names))
    return replace(body, head=head, positive=tuple(atom for atom in body.positive if names_of(atom) & names),
                   negative=tuple(atom for atom in body.negative if names_of(atom) & names),
                   distinct=tuple((a, b) for a, b in body.distinct if (names_of(a) | names_of(b)) & names))


def recursive(clauses: Iterable[Clause]) -> set[Relation]:
    """The relations that depend on themselves."""
    depends = dependencies(tuple(clauses))
    return {relation for group in components(depends) for relation in group
            if len(group) > 1 or relation in depends[relation]}
