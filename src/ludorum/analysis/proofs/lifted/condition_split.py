"""What a clause demands of values that are chosen somewhere else, asked condition by condition.

A clause over six variables grounds to a million rules where each of its conditions, which speak of two or three of
them, grounds to a hundred. Where every variable has one value, whichever it is, the clause holds if each of its
conditions does by itself. So each becomes a relation of its own, about nothing but the role whose move has the values,
and whatever else it speaks of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import Relation, relation_of
from ludorum.gdl.graph import connected
from ludorum.gdl.names import FreshNames
from ludorum.gdl.terms import Argument, Term, Variable, variables
from ludorum.gdl.unify import Substitution, substitute, substitute_atom, unify

#: Relations that are too large to be written down, with their clauses; none of them is recursive.
Large = Mapping[Relation, Sequence[Clause]]

# So many atoms of a clause are asked by the clauses of their relations; the others must be written down.
_MOST_UNFOLDED = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What has to hold of a role, and what must not."""

    holding: tuple[Term, ...]
    failing: tuple[Term, ...]


class ConditionSplit:
    """Asks one clause about the values that are chosen; `clauses` define the relations that this makes.

    Chosen values are given as atoms between a role and the value.
    """

    def __init__(self, fresh: FreshNames, large: Large) -> None:
        self._fresh = fresh
        self._large = large
        self._unfolded = 0
        self.clauses: list[Clause] = []

    def matches(self, role: Argument, chosen: Sequence[Term], clause: Clause) -> Asked:
        """What holds if the values are of the form that is given, and all conditions of a clause hold for them."""
        form = tuple(self._define(role, pattern) for pattern in _patterns(chosen, names_of(role)))
        asked = self.conditions(role, chosen, taken_apart(clause, _known(role, chosen)))
        return replace(asked, holding=form + asked.holding)

    def conditions(self, role: Argument, chosen: Sequence[Term], parts: Iterable[Clause],
                   others: frozenset[str] = frozenset()) -> Asked:
        """What holds, if the values are of the form that is given, only if the conditions do.

        Each part of the conditions may speak of other variables that have a value elsewhere; but then it binds them, or
        is a single negation.
        """
        known = _known(role, chosen)
        holding: list[Term] = []
        failing: list[Term] = []
        for part in parts:
            names = names_in(part)
            about = [Variable(name) for name in sorted(names & others - known)]
            needed = dict.fromkeys(next(atom for atom in chosen if name in names_of(atom.args[1]))
                                   for name in sorted((names & known) - names_of(role)))
            only = part.atoms[0] if len(part.atoms) == 1 and not part.distinct else None
            if only is not None and names <= known and relation_of(only) in self._large \
                    and self._unfolded < _MOST_UNFOLDED:
                (holding if part.positive else failing).append(self._unfold(role, list(needed), only))
            elif only is not None and part.negative:
                # What is denied mostly holds of little, so that there is less to say of where it holds.
                failing.append(self._define(role, needed, Clause(part.head, (only,)), about))
            else:
                holding.append(self._define(role, needed, part, about))
        return Asked(tuple(holding), tuple(failing))

    def _define(self, role: Argument, chosen: Iterable[Term], part: Clause | None = None,
                about: Sequence[Variable] = ()) -> Term:
        head = Term(self._fresh.name("asked"), (role, *about))
        part = part or Clause(head)
        self.clauses.append(replace(part, head=head, positive=tuple(dict.fromkeys(
            (Term("role", (role,)), *chosen, *part.positive)))))
        return head

    def _unfold(self, role: Argument, chosen: Sequence[Term], atom: Term) -> Term:
        """A relation that holds of a role if one of the clauses of an atom does."""
        self._unfolded += 1
        name, number = self._fresh.name("asked"), self._unfolded
        for clause in self._large[relation_of(atom)]:
            # No other variables have such names.
            apart = substituted(clause, {variable: Variable(f"{variable}  {number}")
                                         for variable in occurrences(clause)})
            values = unify(apart.head, atom)
            if values is not None:
                whose = substitute(role, values)
                asked = self.matches(whose, [substitute_atom(one, values) for one in chosen],
                                     substituted(apart, values))
                self.clauses.append(Clause(Term(name, (whose,)), (Term("role", (whose,)), *asked.holding),
                                           asked.failing))
        return Term(name, (role,))


def _known(role: Argument, chosen: Iterable[Term]) -> set[str]:
    """The variables whose values are chosen."""
    return names_of(role).union(*(names_of(atom.args[1]) for atom in chosen))


def _patterns(chosen: Sequence[Term], given: set[str]) -> list[list[Term]]:
    """What the values have to be apart from conditions: constants, the same as others, and so on."""
    written = Counter(variable.name for atom in chosen for variable in variables(atom.args[1]))
    strict = [atom for atom in chosen if not isinstance(atom.args[1], Variable)
              or written[atom.args[1].name] > 1 or atom.args[1].name in given]
    return connected((atom, names_of(atom.args[1]) - given) for atom in strict)


def taken_apart(clause: Clause, given: set[str]) -> list[Clause]:
    """The conditions of a clause, those together that share a variable which is not given."""
    conditions = [*(Clause(clause.head, (atom,)) for atom in clause.positive),
                  *(Clause(clause.head, (), (atom,)) for atom in clause.negative),
                  *(Clause(clause.head, (), (), (pair,)) for pair in clause.distinct)]
    groups = connected((condition, names_in(condition) - given) for condition in conditions)
    return [Clause(clause.head, tuple(atom for one in group for atom in one.positive),
                   tuple(atom for one in group for atom in one.negative),
                   tuple(pair for one in group for pair in one.distinct), clause.span) for group in groups]


def substituted(clause: Clause, values: Substitution) -> Clause:
    """A clause with variables replaced."""
    return replace(clause, head=substitute_atom(clause.head, values),
                   positive=tuple(substitute_atom(atom, values) for atom in clause.positive),
                   negative=tuple(substitute_atom(atom, values) for atom in clause.negative),
                   distinct=tuple((substitute(a, values), substitute(b, values)) for a, b in clause.distinct))


def occurrences(clause: Clause) -> Counter[str]:
    """How often each variable is written."""
    terms = [clause.head, *clause.atoms, *(side for pair in clause.distinct for side in pair)]
    return Counter(variable.name for term in terms for variable in variables(term))


def names_in(clause: Clause) -> set[str]:
    """The variables of a clause's conditions."""
    terms = [*clause.atoms, *(side for pair in clause.distinct for side in pair)]
    return set().union(*map(names_of, terms))
