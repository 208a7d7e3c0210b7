"""Common literals are said once: (a and b) or (a and c) is a and (b or c)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.circuit.rewrite import fan_out, rewrite

Term = frozenset[Literal]


def factor(circuit: Circuit) -> Circuit:
    """Factors every disjunction of conjunctions that nobody else reads."""
    readers = fan_out(circuit)
    first_move, first_gate = circuit.first_move, circuit.first_gate

    def rule(builder: Builder, wire: Wire, inputs: Sequence[Literal]) -> Literal:
        terms: list[Term] = []
        rest: list[Literal] = []
        for old, literal in zip(circuit.inputs_of(wire), inputs, strict=True):
            below = builder.inputs_of(literal >> 1) if literal & 1 and readers[old >> 1] == 1 else ()
            if below:
                terms.append(frozenset(below))
            else:
                rest.append(literal)
        if len(terms) < 2:
            return builder.again(inputs)
        # The gate is (not t1) and (not t2) and …: the negation of a disjunction.
        return builder.all_of([*rest, *(literal ^ 1 for literal in _disjuncts(builder, terms, is_move))])

    def is_move(literal: Literal) -> bool:
        return first_move <= literal >> 1 < first_gate

    return rewrite(circuit, rule)


def _disjuncts(builder: Builder, terms: list[Term], is_move) -> list[Literal]:  # type: ignore[no-untyped-def]
    """Literals whose disjunction is that of the terms."""
    done: list[Literal] = []
    terms = list(dict.fromkeys(terms))
    while len(terms) > 1:
        count = Counter(literal for term in terms for literal in term)
        # Of those that are equally common, moves stay inside: disjunctions of moves can be complemented and shared.
        common, times = max(count.items(), key=lambda entry: (entry[1], not is_move(entry[0]), -entry[0]))
        if times < 2:
            break
        inner = [term - {common} for term in terms if common in term]
        terms = [term for term in terms if common not in term]
        if not all(inner):
            done.append(common)
            continue
        done.append(builder.all_of([common, builder.any_of(_disjuncts(builder, inner, is_move))]))
    done.extend(builder.all_of(term) for term in terms)
    return done
