"""Making gates: every pass builds its result here, so that all of them get hashing and constants for free."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.circuit.circuit import FALSE, TRUE, Literal, Wire

#: Wider gates, and gates that read more than this, are not looked into: it costs much and finds little.
WIDEST = 64
DEEPEST = 12


class Builder:
    """Hands out wires; the same conjunction always gives the same literal."""

    def __init__(self, given: int) -> None:
        self.given = given
        #: The inputs of every wire after the given ones.
        self.gate_inputs: list[tuple[Literal, ...]] = []
        self._known: dict[tuple[Literal, ...], Literal] = {}

    def inputs_of(self, wire: Wire) -> tuple[Literal, ...]:
        return self.gate_inputs[wire - self.given] if wire >= self.given else ()

    def loop_wire(self) -> Wire:
        self.gate_inputs.append(())
        return self.given + len(self.gate_inputs) - 1

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        return self.all_of([literal ^ 1 for literal in literals]) ^ 1

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """The conjunction, simplified by what its inputs and their inputs say."""
        inputs = set(literals)
        inputs.discard(TRUE)
        if FALSE in inputs:
            return FALSE
        for literal in inputs:
            if literal ^ 1 in inputs:
                return FALSE
        if 1 < len(inputs) <= WIDEST and not self._look_below(inputs):
            return FALSE
        return self._gate(inputs)

    def again(self, literals: Iterable[Literal]) -> Literal:
        """The conjunction of inputs that were simplified before and are hardly different now: only the plainest."""
        inputs = set(literals)
        inputs.discard(TRUE)
        if FALSE in inputs or any(literal ^ 1 in inputs for literal in inputs):
            return FALSE
        return self._gate(inputs)

    def _gate(self, inputs: set[Literal]) -> Literal:
        if len(inputs) <= 1:
            return inputs.pop() if inputs else TRUE
        key = tuple(sorted(inputs))
        found = self._known.get(key)
        if found is None:
            self.gate_inputs.append(key)
            found = self._known[key] = 2 * (self.given + len(self.gate_inputs) - 1)
        return found

    def _look_below(self, inputs: set[Literal]) -> bool:
        """Simplifies a conjunction by looking into the gates it reads; False if it is unsatisfiable."""
        for literal in tuple(inputs):
            if literal not in inputs or literal >> 1 < self.given:
                continue
            below = self.inputs_of(literal >> 1)
            if len(below) > DEEPEST:
                continue
            if literal & 1:
                # not (a and b), next to a, is not b; next to not a it is true.
                if any(x ^ 1 in inputs for x in below):
                    inputs.discard(literal)
                    continue
                rest = tuple(x for x in below if x not in inputs)
                if len(rest) == len(below):
                    continue
                simpler = rest[0] if len(rest) == 1 else self._known.get(rest) if rest else TRUE
                if simpler is None:
                    continue
                if simpler in inputs:
                    return False
                inputs.discard(literal)
                inputs.add(simpler ^ 1)
            else:
                # (a and b), next to a, says it already; next to not a it cannot be.
                for x in below:
                    if x ^ 1 in inputs:
                        return False
                    inputs.discard(x)
        return FALSE not in inputs
