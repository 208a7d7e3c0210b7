"""How true a formula is: goal and terminal conditions as fuzzy logic, gate by gate.

A gate is a conjunction, and disjunctions are negated conjunctions of negations, so that a t-norm is all that is needed.
With Yager's t-norm what is computed is not the truth v of a literal but (1 − v)^q, how far it is from true: there a
conjunction is a sum and a negation the dual (1 − x^(1/q))^q, so that roots are taken only where negations alternate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal, Wire
from ludorum.evaluate.code import Code, Slot
from ludorum.evaluate.leaves import AnyLeaf
from ludorum.evaluate.tallies import TallyLeaf

#: What stands for a fluent, or for a condition that is not followed further.
ConditionLeaf = AnyLeaf | TallyLeaf


@dataclass(frozen=True)
class Formulas:
    """The part of a circuit that some literals need: gates down to leaves."""

    circuit: Circuit
    #: Gates, each after those that it reads.
    gates: tuple[Wire, ...]
    #: Gates and loop wires that are not followed further.
    cut: tuple[Wire, ...]
    fluents: tuple[int, ...]

    @classmethod
    def of(cls, circuit: Circuit, roots: Sequence[Literal], most_gates: int,
           known: Collection[Wire] = (), most_cut: int = 0) -> Formulas:
        """Level by level from the roots, not beyond loop wires and those that are `known` otherwise.

        If that takes more gates than it may, it ends at the level where it cuts through the fewest wires, or further
        down as long as those are few: a formula that large counts and adds up, and its innermost parts say little.
        """
        ends = {loop.wire for loop in circuit.loops}.union(known)
        gates: set[Wire] = set()
        cut: set[Wire] = set()
        fluents: set[int] = set()
        level = {root >> 1 for root in roots}
        best: Formulas | None = None
        while level:
            fluents |= {wire - 1 for wire in level if 0 < wire < circuit.first_move}
            found = {wire for wire in level if wire >= circuit.first_gate} - gates - cut
            here = cls(circuit, tuple(sorted(gates)), tuple(sorted(cut | found)), tuple(sorted(fluents)))
            if best is None or len(here.cut) <= max(len(best.cut), most_cut):
                best = here
            cut |= found & ends
            found -= ends
            gates |= found
            if len(gates) > most_gates:
                assert best is not None
                return best
            level = {literal >> 1 for wire in found for literal in circuit.inputs_of(wire)}
        return cls(circuit, tuple(sorted(gates)), tuple(sorted(cut)), tuple(sorted(fluents)))

    def needed(self, wanted: Sequence[Literal]) -> set[Literal]:
        """Every literal whose degree must be known for those that are wanted; a negated gate needs the gate."""
        needed = set(wanted)
        for gate in reversed(self.gates):
            if 2 * gate in needed or 2 * gate + 1 in needed:
                needed |= {2 * gate, *self.circuit.inputs_of(gate)}
        return needed


@dataclass(frozen=True)
class Yager:
    """Yager's t-norm with the threshold of equation 5.7. The degree of a literal of truth v is (1 − v)^exponent."""

    exponent: float
    threshold: float

    def degrees(self, code: Code, formulas: Formulas, leaves: Mapping[Wire, ConditionLeaf],
                wanted: Sequence[Literal]) -> dict[Literal, Slot]:
        """The degrees of literals; leaves are by wire."""
        needed = formulas.needed(wanted)
        degree = {literal: code.constant(literal == FALSE) for literal in (FALSE, TRUE) if literal in needed}
        # The largest degree that a literal can have where it is true.
        most: dict[Literal, float] = {FALSE: 0.0, TRUE: 0.0}
        for wire, leaf in leaves.items():
            for literal in (2 * wire, 2 * wire + 1):
                far = leaf if literal & 1 else leaf.negated()
                most[literal] = far.most_false ** self.exponent
                if literal in needed:
                    degree[literal] = far.to_power(code, self.exponent)
        for gate in formulas.gates:
            inputs = formulas.circuit.inputs_of(gate)
            total = sum(most[literal] for literal in inputs)
            most[2 * gate] = min(total, self.cap)
            most[2 * gate + 1] = max(most[literal ^ 1] for literal in inputs)
            if 2 * gate in needed:
                # Mostly so few conjuncts are so true that the threshold is never reached.
                below = self.true_below if total > self.cap else 0.0
                degree[2 * gate] = code.sum([degree[literal] for literal in inputs], below=below, cap=self.cap)
                if 2 * gate + 1 in needed:
                    degree[2 * gate + 1] = code.dual(degree[2 * gate], self.exponent)
        return degree

    @property
    def cap(self) -> float:
        """The degree of what is true to the threshold."""
        return float((1 - self.threshold) ** self.exponent)

    @property
    def true_below(self) -> float:
        """Exactly what is true has a smaller degree (Theorem 5.1)."""
        return float(0.5**self.exponent)

    def conjunction(self, code: Code, degrees: Sequence[Slot]) -> Slot:
        """The truth of a conjunction that is false."""
        return code.complement(code.power(code.sum(degrees), 1 / self.exponent))

    def disjunction(self, code: Code, negations: Sequence[Slot]) -> Slot:
        """The truth of a disjunction that is true, from the degrees of the negations."""
        return code.power(code.sum(negations), 1 / self.exponent)


@dataclass(frozen=True)
class Product:
    """Conjunctions are products, disjunctions probabilistic sums. The degree of a literal is its truth."""

    def degrees(self, code: Code, formulas: Formulas, leaves: Mapping[Wire, ConditionLeaf],
                wanted: Sequence[Literal]) -> dict[Literal, Slot]:
        needed = formulas.needed(wanted)
        degree = {literal: code.constant(literal == TRUE) for literal in (FALSE, TRUE) if literal in needed}
        for wire, leaf in leaves.items():
            for literal in (2 * wire, 2 * wire + 1):
                if literal in needed:
                    degree[literal] = (leaf.negated() if literal & 1 else leaf).to_power(code, 1)
        for gate in formulas.gates:
            if 2 * gate in needed:
                inputs = formulas.circuit.inputs_of(gate)
                degree[2 * gate] = code.product([degree[literal] for literal in inputs])
                if 2 * gate + 1 in needed:
                    degree[2 * gate + 1] = code.complement(degree[2 * gate])
        return degree
