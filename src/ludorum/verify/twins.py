"""Copies of a game side by side: a second match for everything that somebody holds to be possible.

That a role always knows something says that no two matches look alike to it, one with it and one without. So it is a
property of the states of two copies of the game in which the role makes the same moves and is told the same: a
property that induction and reachability prove, and that a bounded search refutes. What somebody knows of the knowledge
of others takes a third copy, and so on. Where the copies are told different things they part, and the pair is over.

In the literature: knowledge with perfect recall as a property of tuples of runs (HyperLTL by self-composition, Barthe,
D'Argenio, Rezk 2004; Clarkson et al. 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ludorum._core import GateBuilder
from ludorum.analysis.proofs.encoding.property_circuit import PropertyCircuit
from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal
from ludorum.errors import TooLarge
from ludorum.gdl.terms import Term
from ludorum.verify.formulas import (
    Along,
    Atom,
    Constant,
    Counted,
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Paths,
    Surely,
    Until,
    Whether,
    both_ways,
    complement,
    negation,
    subformulas,
)

#: More copies are not made.
MOST_COPIES = 4
#: Nor circuits of more gates.
_MOST_GATES = 400_000


@dataclass(slots=True)
class _Copy:
    """A match; all but the first look to the roles in some seats like another."""

    parent: int | None
    seats: frozenset[int]
    #: How many copies for each group of roles were asked for so far.
    used: dict[frozenset[int], int] = field(default_factory=dict)


class Copies:
    """The copies that it takes to refute a formula, and the product of the game with itself.

    The formula is about a moment, and everything that it says of knowledge it says as known. No number of matches
    refutes one with `not K` in it, which raises ValueError.
    """

    def __init__(self, model: PropertyCircuit, formula: Formula, literal: Callable[[Term], Literal],
                 memory: Sequence[Term]) -> None:
        self._base = model
        self._literal = literal
        self._memory = tuple(memory)
        self._roles = list(map(str, model.circuit.roles))
        self.copies = [_Copy(None, frozenset())]
        self._places: dict[tuple[int, frozenset[int], int], int] = {}
        # First of all: how many copies there are depends on the formula alone.
        self._violated(formula, 0, None)
        for copy in self.copies:
            copy.used.clear()
        self._build()
        #: Where copies were told different things.
        self.parted = self.model.fluent(len(self.model.circuit.fluents) - 1)
        now = self._violated(formula, 0, self._now)
        for copy in self.copies:
            copy.used.clear()
        # A moment after all copies have ended nobody has just made a move, and nobody confuses them with others.
        stopped = self._violated(formula, 0, self._stopped) if self._memory else FALSE
        over = self.model.all_of(self.at(final(model), number) for number in range(len(self.copies)))
        #: That the formula does not hold at the moment of the first copy, as the others show.
        self.violation = self.model.all_of([self.parted ^ 1, self.model.any_of(
            [now, self.model.all_of([over, stopped])])])

    # ---- the formula ----

    def _violated(self, formula: Formula, copy: int, at: Callable[[Term, int], Literal] | None) -> Literal:
        """That a formula is violated at the moment of a copy; without `at` only the copies are made."""
        if not _speaks_of_knowledge(formula):
            return FALSE if at is None else self._value(formula, copy, at) ^ 1
        match formula:
            case Not(body=Not(body=body)):
                return self._violated(body, copy, at)
            case Not(body=Junction(word=word, parts=parts)):
                return self._violated(Junction("or" if word == "and" else "and", tuple(map(Not, parts))), copy, at)
            case Not(body=Counted() as body):
                return self._violated(complement(body), copy, at)
            case Not(body=Implies(left=left, right=right)):
                return self._violated(both_ways(left, negation(right)), copy, at)
            case Implies(left=left, right=right):
                return self._violated(both_ways(left, right), copy, at)
            case Counted():
                return self._miscounted(formula, copy, at)
            case Junction(word="and", parts=parts):
                return self._one_of(parts, copy, at)
            case Junction(parts=parts):
                found = [self._violated(part, copy, at) for part in parts]
                return FALSE if at is None else self.model.all_of(found)
            case Knows(word="K" | "D", roles=roles, body=body):
                return self._violated(body, self._other(copy, roles), at)
            case Knows(word="E", roles=roles, body=body):
                return self._one_of([Knows("K", (role,), body) for role in roles], copy, at)
            case Whether(role=role, body=body) if not _speaks_of_knowledge(body):
                other = self._other(copy, (role,))
                if at is None:
                    return FALSE
                return self.model.same(self._value(body, copy, at), self._value(body, other, at)) ^ 1
        raise ValueError(f"no number of matches side by side refutes {formula}")

    def _miscounted(self, formula: Counted, here: int, at: Callable[[Term, int], Literal] | None) -> Literal:
        """That too few or too many of some formulas hold, each with copies of its own to show it."""
        found = []
        if formula.least > 0:
            fail = [self._violated(part, here, at) for part in formula.parts]
            found.append((len(fail) - formula.least + 1, fail))
        if formula.most < len(formula.parts):
            hold = [self._violated(negation(part), here, at) for part in formula.parts]
            found.append((formula.most + 1, hold))
        return FALSE if at is None else self.model.any_of(self.model.at_least(*some) for some in found)

    def _one_of(self, parts: Sequence[Formula], here: int, at: Callable[[Term, int], Literal] | None) -> Literal:
        """One violation suffices, so that all may use the same copies."""
        before = [dict(copy.used) for copy in self.copies]
        most = [dict(used) for used in before]
        found = []
        for part in parts:
            for copy, used in zip(self.copies, before, strict=False):
                copy.used = dict(used)
            for copy in self.copies[len(before):]:
                copy.used = {}
            found.append(self._violated(part, here, at))
            most += [{} for _ in self.copies[len(most):]]
            for copy, so_far in zip(self.copies, most, strict=True):
                for seats, count in copy.used.items():
                    so_far[seats] = max(so_far.get(seats, 0), count)
        for copy, so_far in zip(self.copies, most, strict=True):
            copy.used = so_far
        return FALSE if at is None else self.model.any_of(found)

    def _other(self, copy: int, roles: Iterable[str]) -> int:
        """The next copy that looks to some roles like this one."""
        seats = frozenset(map(self._roles.index, roles))
        number = self.copies[copy].used.get(seats, 0)
        self.copies[copy].used[seats] = number + 1
        key = copy, seats, number
        if key not in self._places:
            if len(self.copies) == MOST_COPIES:
                raise TooLarge(f"it takes more than {MOST_COPIES} matches side by side")
            self._places[key] = len(self.copies)
            self.copies.append(_Copy(copy, seats))
        return self._places[key]

    def _value(self, formula: Formula, copy: int, at: Callable[[Term, int], Literal]) -> Literal:
        return value_of(self.model, formula, lambda atom: at(atom, copy))

    def _now(self, atom: Term, copy: int) -> Literal:
        if atom.name == "did":
            number = len(self._base.circuit.fluents) * len(self.copies)
            return self.model.fluent(number + copy * len(self._memory) + self._memory.index(atom))
        return self.at(self._literal(atom), copy)

    def _stopped(self, atom: Term, copy: int) -> Literal:
        return FALSE if atom.name == "did" else self._now(atom, copy)

    # ---- the product ----

    def at(self, literal: Literal, copy: int) -> Literal:
        """A literal of the game in one of the copies."""
        return transferred(self._base, self._maps[copy], literal, self.model.all_of)

    def _build(self) -> None:
        base = self._base.circuit
        count, fluents, kept = len(self.copies), len(base.fluents), len(self._memory)
        if base.gates * count > _MOST_GATES:
            raise TooLarge(f"{count} copies of {base.gates:,} gates are too many")
        first_move = 1 + count * (fluents + kept) + 1
        #: For every copy the product's literals of wires; gates are added as they are asked for.
        self._maps: list[dict[int, Literal]] = []
        #: For every role of the product its copy and seat.
        self._seats: list[tuple[int, int]] = []
        owner: dict[tuple[int, int], list[Literal]] = {}
        wire = first_move
        for number, copy in enumerate(self.copies):
            known: dict[int, Literal] = {0: FALSE}
            known |= {1 + place: 2 * (1 + number * fluents + place) for place in range(fluents)}
            base_wire = base.first_move
            for seat, moves in enumerate(base.moves):
                if copy.parent is not None and seat in copy.seats:
                    owner[number, seat] = owner[copy.parent, seat]
                else:
                    owner[number, seat] = [2 * (wire + place) for place in range(len(moves))]
                    self._seats.append((number, seat))
                    wire += len(moves)
                known |= {base_wire + place: literal for place, literal in enumerate(owner[number, seat])}
                base_wire += len(moves)
            self._maps.append(known)
        self._owner = owner
        builder = GateBuilder(wire)

        def at(literal: Literal, copy: int) -> Literal:
            return transferred(self._base, self._maps[copy], literal, builder.all_of)

        following = [at(literal, number) for number in range(count) for literal in base.next]
        for number in range(count):
            for atom in self._memory:
                seat = self._roles.index(str(atom.args[0]))
                place = base.moves[seat].index(atom.args[1]) if atom.args[1] in base.moves[seat] else None
                following.append(FALSE if place is None else owner[number, seat][place])
        parted = 2 * (first_move - 1)
        unlike = []
        for number, copy in enumerate(self.copies):
            for seat in sorted(copy.seats):
                for _, percept in base.percepts[seat]:
                    assert copy.parent is not None
                    one, other = at(percept, copy.parent), at(percept, number)
                    unlike += [builder.all_of([one, other ^ 1]), builder.all_of([one ^ 1, other])]
        following.append(builder.any_of([parted, *unlike]))
        legal = []
        for number, seat in self._seats:
            sharing = [other for other in range(count) if owner[other, seat] is owner[number, seat]]
            legal.append(tuple(builder.all_of([at(literal, other) for other in sharing])
                               for literal in base.legal[seat]))
        terminal = builder.any_of([parted, *(at(base.terminal, number) for number in range(count))])
        names = [Term("copy", (Term(str(number)), fluent)) for number in range(count) for fluent in base.fluents]
        names += [Term("copy", (Term(str(number)), atom)) for number in range(count) for atom in self._memory]
        product = Circuit(
            roles=tuple(Term("player", (Term(str(number)), base.roles[seat])) for number, seat in self._seats),
            fluents=(*names, Term("parted")),
            moves=tuple(base.moves[seat] for _, seat in self._seats),
            initial=tuple(number * fluents + place for number in range(count) for place in base.initial),
            gate_inputs=builder.gate_inputs, loops=(), next=tuple(following), legal=tuple(legal), terminal=terminal,
            goals=((),) * len(self._seats), percepts=((),) * len(self._seats))
        self.model = PropertyCircuit(product)

    # ---- what helps to prove it, and what refutes it ----

    def known(self, formulas: Iterable[Literal]) -> list[Literal]:
        """Formulas that hold in every state of the game, of every copy."""
        return [self.at(formula, copy) for formula in formulas for copy in range(len(self.copies))]

    def equalities(self) -> list[Literal]:
        """That copies agree in a fluent, or in what is legal for a role that confuses them, until they part."""
        found: dict[Literal, None] = {}
        circuit = self._base.circuit
        for number, copy in enumerate(self.copies):
            if copy.parent is not None:
                asked = chain((self._base.fluent(place) for place in range(len(circuit.fluents))), [circuit.terminal],
                              (literal for seat in copy.seats for literal in circuit.legal[seat]),
                              (literal for seat in copy.seats for _, literal in circuit.goals[seat]))
                for literal in asked:
                    same = self.model.same(self.at(literal, copy.parent), self.at(literal, number))
                    found[self.model.any_of([self.parted, same])] = None
        return [formula for formula in found if formula != TRUE]

    def joint(self, joint: Sequence[int], copy: int) -> tuple[int, ...]:
        """The joint move of a copy, in one of all of them."""
        found = []
        for seat in range(len(self._base.circuit.roles)):
            at = copy
            parent = self.copies[at].parent
            while parent is not None and seat in self.copies[at].seats:
                at, parent = parent, self.copies[parent].parent
            found.append(joint[self._seats.index((at, seat))])
        return tuple(found)


def transferred(base: PropertyCircuit, known: dict[int, Literal], literal: Literal,
                all_of: Callable[[Iterable[Literal]], Literal]) -> Literal:
    """A literal of a circuit in another, where some wires are known and gates are copied as they are needed."""
    cone: set[int] = set()
    stack = [literal >> 1]
    while stack:
        wire = stack.pop()
        if wire not in known and wire not in cone:
            cone.add(wire)
            stack.extend(read >> 1 for read in base.inputs_of(wire))
    # Lowest first: what a gate reads is there, then.
    for wire in sorted(cone):
        known[wire] = all_of([known[read >> 1] ^ (read & 1) for read in base.inputs_of(wire)])
    return known[literal >> 1] ^ (literal & 1)


def final(model: PropertyCircuit) -> Literal:
    """That a match does not go on: it is over, or somebody has no legal move."""
    stuck = (model.any_of(legal) ^ 1 for legal in model.circuit.legal)
    return model.any_of([model.circuit.terminal, *stuck])


def value_of(model: PropertyCircuit, formula: Formula, literal: Callable[[Term], Literal]) -> Literal:
    """A formula about a state, without knowledge, as a literal of a circuit."""
    match formula:
        case Constant(value=value):
            return TRUE if value else FALSE
        case Atom(term=term):
            return literal(term)
        case Not(body=body):
            return value_of(model, body, literal) ^ 1
        case Junction(word=word, parts=parts):
            found = [value_of(model, part, literal) for part in parts]
            return model.all_of(found) if word == "and" else model.any_of(found)
        case Implies(left=left, right=right, both_ways=True):
            return model.same(value_of(model, left, literal), value_of(model, right, literal))
        case Counted(least=least, most=most, parts=parts):
            found = [value_of(model, part, literal) for part in parts]
            return model.all_of([model.at_least(least, found), model.at_least(most + 1, found) ^ 1])
    raise ValueError(f"no number of matches side by side refutes {formula}")


def one_moment(formula: Formula) -> bool:
    """Whether a formula speaks of nothing but a moment and what is known then."""
    return not any(isinstance(part, Along | Until | Paths | Surely) for part in subformulas(formula))


def only_known(formula: Formula, *, negated: bool = False) -> bool:
    """Whether a formula speaks of knowledge only as known: some matches may refute it, then."""
    match formula:
        case Not(body=body):
            return only_known(body, negated=not negated)
        case Junction(parts=parts):
            return all(only_known(part, negated=negated) for part in parts)
        case Implies():
            return not _speaks_of_knowledge(formula) or only_known(both_ways(formula.left, formula.right),
                                                                   negated=negated)
        case Counted(least=least, most=most, parts=parts):
            return ((least == 0 or all(only_known(part, negated=negated) for part in parts))
                    and (most >= len(parts) or all(only_known(part, negated=not negated) for part in parts)))
        case Whether(body=body):
            return not negated and not _speaks_of_knowledge(body)
        case Knows(body=body):
            return not negated and only_known(body)
    return True


def _speaks_of_knowledge(formula: Formula) -> bool:
    return any(isinstance(part, Knows | Whether) for part in subformulas(formula))
