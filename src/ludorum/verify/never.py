"""Whether something never comes about, of a circuit that nothing is known of but what one says.

By induction together with what may help, by a bounded search for a match that leads there, then by reachability.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.proof import Verdict
from ludorum.analysis.proofs.tactics.houdini import inductive_together
from ludorum.analysis.proofs.tactics.induction import Step
from ludorum.analysis.proofs.tactics.reachability import BoundedSearch, Joint, Reachability
from ludorum.circuit import Circuit
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded

_LONGEST_SEARCH = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    verdict: Verdict
    method: str
    #: The joint moves that lead there, if it was refuted.
    joints: Sequence[Joint] | None = None


def never(model: PropertyCircuit, what: Literal, known: Sequence[Literal], helping: Iterable[Literal],
          budget: Budget) -> Outcome:
    """Whether something holds in no state that can be reached; what may help has to be proved on the way."""
    known, claim = list(known), what ^ 1
    with suppress(BudgetExceeded):
        step = Step(model, budget.share(0.4))
        step.know(known)
        held = inductive_together(step, [claim, *helping]).formulas
        if claim in held and model.truth([claim], first_row(model.circuit))[0, 0]:
            return Outcome("proved", "induction")
        known += [formula for formula in held if formula != claim]
    with suppress(BudgetExceeded), closing(BoundedSearch(model, budget.share(0.4), known)) as search:
        for steps in range(_LONGEST_SEARCH + 1):
            joints = search.reach(what, steps)
            if joints is not None:
                return Outcome("refuted", "bounded search", joints)
    try:
        found = Reachability(model, claim, known, budget).run()
    except BudgetExceeded as error:
        return Outcome("unknown", str(error))
    return Outcome("proved", "reachability") if found is None else Outcome("refuted", "reachability", found)


def first_row(circuit: Circuit) -> NDArray[np.uint64]:
    """The initial state of a circuit, as a row."""
    bits = np.zeros((1, -(-len(circuit.fluents) // 64) * 64), dtype=np.uint8)
    bits[0, list(circuit.initial)] = 1
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
