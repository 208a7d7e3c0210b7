"""Moves by their parts: what a role does, told by the kind of its move and by each of its arguments.

A game may have a hundred thousand moves, of six arguments with ten values each. Whoever reasons about any of them need
not write them all down: he chooses a kind, such as `play`, and a value for every argument. Rules then read only the
arguments that matter to them, and what a rule demands of the move is asked condition by condition. It means the same,
because a role makes exactly one move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ludorum.analysis.proofs.lifted.condition_split import (
    ConditionSplit,
    Large,
    names_in,
    occurrences,
    substituted,
    taken_apart,
)
from ludorum.asp.encoding import encode, identifier
from ludorum.errors import TooLarge
from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import Relation, relation_of
from ludorum.gdl.domains import ImprovedDomains, Place, Symbol
from ludorum.gdl.names import FreshNames
from ludorum.gdl.terms import Argument, Term, Variable

_DOES = ("does", 2)
_MOST_VALUES = 20_000


@dataclass(frozen=True, slots=True)
class _Kind:
    """Moves of one name and number of arguments."""

    symbol: Symbol
    #: Holds of a role that makes such a move.
    relation: str
    #: For every argument a relation between that role and the value.
    arguments: tuple[str, ...]
    values: tuple[tuple[Term, ...], ...]

    def chosen(self, role: Argument, move: Term) -> list[Term]:
        """That a role makes this move, argument by argument."""
        return [Term(name, (role, value)) for name, value in zip(self.arguments, move.args, strict=True)]

    def any(self, name: str) -> Term:
        """Any such move instead of a variable; no rulesheet has variables of these names."""
        return Term(self.symbol.name, tuple(Variable(f"{name} {i}") for i in range(self.symbol.arity)))


class MoveEncoding:
    """The moves of one game by their parts. Raises TooLarge where an argument may have no end of values."""

    def __init__(self, domains: ImprovedDomains, fresh: FreshNames) -> None:
        self._fresh = fresh
        #: Holds of a role whose move is legal.
        self.lawful: Relation = (fresh.name("lawful"), 1)
        self._kinds: dict[Symbol, _Kind] = {}
        for symbol in sorted(domains.of(Place("relation", "legal", 2, 2))):
            values = tuple(_values(domains, symbol, i) for i in range(1, symbol.arity + 1))
            self._kinds[symbol] = _Kind(symbol, fresh.name("kind"),
                                        tuple(fresh.name("argument") for _ in values), values)

    @property
    def relations(self) -> frozenset[Relation]:
        """What tells which moves are made."""
        return frozenset(relation_of(clause.head) for clause in self.ranges())

    def ranges(self) -> list[Clause]:
        """What the parts of moves may be, in any state."""
        found = []
        role, move = Variable("role"), Variable("move")
        for kind in self._kinds.values():
            any_move = kind.any(move.name)
            could = (Term("role", (role,)), Term("legal", (role, any_move)))
            found += [Clause(atom, could) for atom in (Term(kind.relation, (role,)), *kind.chosen(role, any_move))]
        return found

    def choices(self) -> str:
        """In clingo's language: every role makes one move, each of whose arguments has one value, and it is lawful."""
        kinds = "; ".join(f"{identifier(kind.relation)}(R)" for kind in self._kinds.values())
        lines = [f"1 {{ {kinds} }} 1 :- role(R).\n"]
        for kind in self._kinds.values():
            for relation, values in zip(kind.arguments, kind.values, strict=True):
                options = "; ".join(f"{identifier(relation)}(R,{encode(value)})" for value in values)
                lines.append(f"1 {{ {options} }} 1 :- {identifier(kind.relation)}(R).\n")
        return "".join([*lines, f":- role(R), not {identifier(self.lawful[0])}(R).\n"])

    def lawfulness(self, legal: Iterable[Clause], large: Large) -> list[Clause]:
        """What these clauses of `legal` say of any move, said of the one that is made."""
        found: list[Clause] = []
        for clause in legal:
            move = clause.head.args[1]
            for one in [clause] if isinstance(move, Term) else [
                    substituted(clause, {move.name: kind.any(move.name)}) for kind in self._kinds.values()]:
                role, made = one.head.args
                kind = self._kind(made)
                assert kind is not None
                assert isinstance(made, Term)
                inquiry = ConditionSplit(self._fresh, large)
                asked = inquiry.matches(role, kind.chosen(role, made), one)
                so_far = (Term("role", (role,)), Term(kind.relation, (role,)))
                found += [*inquiry.clauses, Clause(Term(self.lawful[0], (role,)), (*so_far, *asked.holding),
                                                   asked.failing)]
        return found

    def reading(self, clauses: Iterable[Clause], large: Large) -> list[Clause]:
        """The clauses with what they say of `does` said of the parts of moves."""
        return [found for clause in clauses for found in self._read(clause, large)]

    def _read(self, clause: Clause, large: Large) -> Iterator[Clause]:
        if not any(relation_of(atom) == _DOES for atom in clause.atoms):
            yield clause
            return
        negative: list[Term] = []
        for atom in clause.negative:
            if relation_of(atom) == _DOES:
                # That something is not done is asked of a relation that says that it is.
                done = Term(self._fresh.name("done"), tuple(map(Variable, sorted(names_of(atom)))))
                yield from self._read(Clause(done, (atom,), span=clause.span), large)
                negative.append(done)
            else:
                negative.append(atom)
        for one in self._by_kinds(replace(clause, negative=tuple(negative))):
            inquiry = ConditionSplit(self._fresh, large)
            shorter = self._inquired(one, inquiry)
            occurring = occurrences(shorter)
            parts = [self._parts(atom, occurring) if relation_of(atom) == _DOES else [atom]
                     for atom in shorter.positive]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                yield replace(shorter, positive=tuple(dict.fromkeys(atom for part in known for atom in part)))
                yield from inquiry.clauses

    def _by_kinds(self, clause: Clause) -> list[Clause]:
        """The clause, or if it compares a whole move with something, one for every kind that it may be of."""
        clauses = [clause]
        for atom in (atom for atom in clause.positive if relation_of(atom) == _DOES):
            move = atom.args[1]
            if isinstance(move, Variable) and occurrences(clause)[move.name] > 1:
                clauses = [substituted(one, {move.name: kind.any(move.name)})
                           for one in clauses for kind in self._kinds.values()]
        return clauses

    def _inquired(self, clause: Clause, inquiry: ConditionSplit) -> Clause:
        """The clause with conditions on what somebody does asked of whoever does it."""
        for done in [atom for atom in clause.positive if relation_of(atom) == _DOES]:
            role, move = done.args
            kind = self._kind(move)
            if kind is None:
                continue
            assert isinstance(move, Term)
            own, head = names_of(role) | names_of(move), names_of(clause.head)
            rest = replace(clause, positive=tuple(atom for atom in clause.positive if atom != done))
            parts = [part for part in taken_apart(rest, own | head)
                     if names_in(part) & names_of(move) and _can_be_asked(part, (names_in(part) & head) - own)]
            asked = inquiry.conditions(role, kind.chosen(role, move), parts, frozenset(head))
            gone = replace(clause, positive=tuple(atom for part in parts for atom in part.positive),
                           negative=tuple(atom for part in parts for atom in part.negative),
                           distinct=tuple(pair for part in parts for pair in part.distinct))
            clause = replace(
                clause, positive=(*(atom for atom in clause.positive if atom not in gone.positive), *asked.holding),
                negative=(*(atom for atom in clause.negative if atom not in gone.negative), *asked.failing),
                distinct=tuple(pair for pair in clause.distinct if pair not in gone.distinct))
        return clause

    def _parts(self, atom: Term, occurring: Mapping[str, int]) -> list[Term] | None:
        """What `does` says of the parts of a move; None if there is no such move."""
        role, move = atom.args
        if isinstance(move, Variable):
            # Whatever it is: every role makes a move.
            return [Term("role", (role,))]
        kind = self._kind(move)
        if kind is None:
            return None
        said = [part for part in kind.chosen(role, move)
                if not isinstance(part.args[1], Variable) or occurring[part.args[1].name] > 1]
        return said or [Term(kind.relation, (role,))]

    def _kind(self, move: Argument) -> _Kind | None:
        return None if isinstance(move, Variable) else self._kinds.get(Symbol(move.name, len(move.args)))


def _can_be_asked(part: Clause, others: set[str]) -> bool:
    """Whether conditions can be asked of a move: they bind all else that they speak of, or are a single negation."""
    if any(relation_of(atom) == _DOES for atom in part.atoms):
        return False
    bound = set().union(*map(names_of, part.positive))
    return others <= bound or (len(part.negative) == 1 and not part.positive and not part.distinct)


def _values(domains: ImprovedDomains, symbol: Symbol, argument: int) -> tuple[Term, ...]:
    values = domains.terms(Place("function", symbol.name, symbol.arity, argument), _MOST_VALUES)
    if values is None:
        raise TooLarge(f"an argument of the move {symbol.name} may have more than {_MOST_VALUES:,} values")
    return tuple(sorted(values, key=str))
