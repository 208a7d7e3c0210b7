"""Goals and the end as the rules write them: what fuzzy logic is asked about.

The circuit that plays the game says the same, but in fewer gates, and that is not the same to fuzzy logic: where a
literal is drawn out of some lines and not out of others, the same position turned round would be worth something else.
So the rules that goals and the end depend on are grounded once more, and nothing is made smaller.

Grounding leaves nothing of a comparison: `(tally ?b ?r) (less ?b ?r)` becomes every pair of numbers that are in order.
So every comparison has a relation of its own here, and beside it a witness: which things are compared. What is worth
more the greater the difference is (section 5.3.1) is then a matter of which witness holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from ludorum.analysis.statics import StaticRelation, counting_relations
from ludorum.circuit.circuit import Circuit, Literal
from ludorum.circuit.passes import build
from ludorum.clock import Budget
from ludorum.errors import TooLargeToGround, TooSlow
from ludorum.evaluate.leaves import Leaf, by_values
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.clauses import Clause, flatten, names_of
from ludorum.gdl.dependencies import relation_of, relevant, static_relations
from ludorum.gdl.names import FreshNames
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term, Variable
from ludorum.ground.assembly import assemble
from ludorum.ground.strategy import Grounder, Splitting, ground_clauses

_ASKED = (("goal", 2), ("terminal", 0))
_MEMORY_MB = 2048
# The most seconds for grounding, and the part of the time that is left; half of it without taking rules apart.
_SECONDS, _SHARE = 60.0, 0.5


@dataclass(frozen=True, slots=True)
class Comparison:
    """A literal of the circuit that holds where some of the pairs that witnesses name are in order."""

    literal: Literal
    relation: StaticRelation
    is_negated: bool
    #: Each pair with the literal that holds where it is compared.
    witnesses: tuple[tuple[Term, Term, Literal], ...]

    def leaf(self, first_plane: int, *, threshold: float, otherwise: float) -> Leaf:
        """What it is worth; the witnesses are the planes from `first_plane` on, in their order."""
        values = [(self._worth(one, other, threshold), first_plane + number)
                  for number, (one, other, _) in enumerate(self.witnesses)]
        leaf = by_values([(1 - value if self.is_negated else value, plane) for value, plane in values], otherwise,
                         least_true=threshold, most_false=1 - threshold)
        return leaf.negated() if self.literal & 1 else leaf

    def _worth(self, one: Term, other: Term, threshold: float) -> float:
        relation = self.relation
        size = len(relation.things)
        if (one, other) in relation.pairs:
            return threshold + (1 - threshold) * (relation.hasse.distance(one, other) or 0) / size
        # The thesis gives nothing to things that are equal; here they are as near to being in order as can be.
        if one == other or (other, one) in relation.pairs:
            return (1 - threshold) * (1 - (relation.hasse.distance(other, one) or 0) / size)
        return 0.0


@dataclass(frozen=True, slots=True)
class SourceGoals:
    """The goals and the end of a game as a circuit over its fluents, with the comparisons in it."""

    circuit: Circuit
    comparisons: tuple[Comparison, ...]


def source_goals(game: Game, fluents: Sequence[Term], budget: Budget, *, compares: bool) -> SourceGoals | None:
    """A game's goals and its end, with comparisons told apart or not; None if the budget did not suffice, or if no
    rules tell them. A game remembers them.
    """
    if game.is_derived:
        return None

    def find() -> SourceGoals:
        relations = counting_relations(game.rules, budget) if compares else ()
        return _source_goals(game.rules, fluents, relations, budget)

    try:
        return game.findings.find(_SOURCE_GOALS.of(compares), budget, lambda _: (find(), True))
    except (TooLargeToGround, TooSlow):
        return None


_SOURCE_GOALS: Slot[SourceGoals] = Slot("goals as written")


def _source_goals(rules: Rulesheet, fluents: Sequence[Term], relations: Iterable[StaticRelation],
             budget: Budget) -> SourceGoals:
    orders = {(relation.name, 2): relation for relation in relations if relation.is_order}
    clauses = relevant(flatten(rules), _ASKED)
    static = static_relations(clauses)
    role = rules.roles[0]
    fresh = FreshNames(clause.head.name for clause in clauses)
    changed: list[Clause] = []
    found: dict[str, tuple[str, StaticRelation, bool]] = {}
    for clause in clauses:
        parted = None if relation_of(clause.head) in static else _part(clause, orders, fresh)
        if parted is None:
            changed.append(clause)
            continue
        changed += parted.clauses
        for atom in (parted.order, parted.witness):
            changed.append(Clause(Term("sees", (role, atom)), (atom,)))
        found[parted.order.name] = (parted.witness.name, parted.relation, parted.is_negated)
    changed += [Clause(Term("role", (role,))) for role in rules.roles]
    changed += [Clause(Term("init", (fluent,))) for fluent in fluents]
    circuit = _ground(rules.roles, relevant(changed), budget)
    if circuit.fluents != tuple(fluents):
        # Fluents that no goal mentions are not told by the ground program.
        circuit = _with_fluents(circuit, fluents)
    return SourceGoals(circuit, tuple(_comparisons(circuit, found)))


def _ground(roles: Sequence[Term], clauses: Sequence[Clause], budget: Budget) -> Circuit:
    """The circuit of clauses, as they are if that is not too much. Raises TooLargeToGround, and TooSlow."""
    def ground(splitting: Splitting, share: float) -> Circuit:
        if budget.passed:
            raise TooSlow("there is no time to ground the goals")
        with closing(Grounder(min(_SECONDS, share * budget.seconds), _MEMORY_MB)) as grounder:
            return build(assemble(roles, ground_clauses(clauses, grounder, splitting).answer))

    try:
        return ground("never", _SHARE / 2)
    except TooLargeToGround:
        return ground("auto", _SHARE)


@dataclass(frozen=True, slots=True)
class _Parted:
    """A clause with its comparison in a relation of its own."""

    order: Term
    witness: Term
    relation: StaticRelation
    is_negated: bool
    clauses: tuple[Clause, ...]


def _part(clause: Clause, orders: Mapping[tuple[str, int], StaticRelation], fresh: FreshNames) -> _Parted | None:
    """The first comparison of a clause taken apart from it, with all that says what is compared; None if it has none
    that depends on the state."""
    outside = names_of(clause.head)
    for is_negated, atoms in ((False, clause.positive), (True, clause.negative)):
        for comparison in atoms:
            if relation_of(comparison) not in orders or not names_of(comparison) - outside:
                continue
            # Whatever shares a variable with it that the head does not have.
            inside = names_of(comparison) - outside
            parts: list[Term] = []
            while grown := [atom for atom in clause.atoms if atom not in parts and names_of(atom) & inside]:
                parts += grown
                inside |= set().union(*map(names_of, grown)) - outside
            pairs = tuple(pair for pair in clause.distinct if (names_of(pair[0]) | names_of(pair[1])) & inside)
            positive = tuple(atom for atom in clause.positive if atom in parts)
            negative = tuple(atom for atom in clause.negative if atom in parts)
            bound = set().union(*(names_of(atom) for atom in positive if atom != comparison))
            names = inside | set().union(*map(names_of, parts))
            if not names <= bound or all(relation_of(atom) in orders for atom in positive):
                continue
            shared = tuple(map(Variable, sorted(names & outside)))
            order = Term(fresh.name("order"), shared)
            witness = Term(fresh.name("witness"), (*shared, *comparison.args))
            rest = Clause(clause.head, (*(atom for atom in clause.positive if atom not in parts), order),
                          tuple(atom for atom in clause.negative if atom not in parts),
                          tuple(pair for pair in clause.distinct if pair not in pairs), clause.span)
            return _Parted(order, witness, orders[relation_of(comparison)], is_negated, (
                rest, Clause(order, positive, negative, pairs, clause.span),
                Clause(witness, tuple(atom for atom in positive if is_negated or atom != comparison),
                       tuple(atom for atom in negative if not is_negated or atom != comparison), pairs, clause.span)))
    return None


def _comparisons(circuit: Circuit, found: Mapping[str, tuple[str, StaticRelation, bool]]) -> Iterable[Comparison]:
    seen = dict(circuit.percepts[0])
    for atom, literal in seen.items():
        if atom.name not in found or literal >> 1 == 0:
            continue
        witness, relation, is_negated = found[atom.name]
        width = len(atom.args)
        pairs = tuple((*_terms(other.args[width:]), here) for other, here in seen.items()
                      if other.name == witness and other.args[:width] == atom.args)
        yield Comparison(literal, relation, is_negated, pairs)


def _terms(pair: Sequence[object]) -> tuple[Term, Term]:
    one, other = pair
    assert isinstance(one, Term)
    assert isinstance(other, Term)
    return one, other


def _with_fluents(circuit: Circuit, fluents: Sequence[Term]) -> Circuit:
    """The same circuit over more fluents."""
    numbers = {fluent: 1 + number for number, fluent in enumerate(fluents)}
    shift = len(fluents) - len(circuit.fluents)
    wires = {1 + number: numbers[fluent] for number, fluent in enumerate(circuit.fluents)}

    def moved(literal: Literal) -> Literal:
        wire = literal >> 1
        return 2 * (wire if wire == 0 else wires.get(wire, wire + shift)) | literal & 1

    return Circuit(
        roles=circuit.roles, fluents=tuple(fluents), moves=circuit.moves, initial=(),
        gate_inputs=tuple(tuple(map(moved, inputs)) for inputs in circuit.gate_inputs),
        loops=tuple(type(loop)(loop.wire + shift, moved(loop.definition), loop.component) for loop in circuit.loops),
        next=(0,) * len(fluents), legal=tuple(tuple(map(moved, of_role)) for of_role in circuit.legal),
        terminal=moved(circuit.terminal),
        goals=tuple(tuple((value, moved(literal)) for value, literal in goals) for goals in circuit.goals),
        percepts=tuple(tuple((term, moved(literal)) for term, literal in told) for told in circuit.percepts))
