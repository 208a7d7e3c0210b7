"""A measure of states that falls in every step: a weight for every fluent that holds, and for every one that does not.

In breakthrough it is how many steps the pawns still have before them. Weights that fit all of random play are found by
a linear program; whether they fall in every step of any match is asked of the SAT solver, and a step where they do not
is one more that the weights have to fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.frames import Changing, Frame, any_step
from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import TRUE, Solver, less, solver_total
from ludorum.analysis.proofs.properties.dual_simplex import DualSimplex
from ludorum.analysis.samples import Samples
from ludorum.clock import Budget

#: Games of more fluents have too many weights to find.
MOST_FLUENTS = 1_500
# So many steps of random play are looked at, and so many that the solver finds.
_STEPS = 30_000
_MOST_REFUTED = 400
# So many of those that the weights do not fit are taken up at once.
_AT_ONCE = 32
# A weight that the rules do not demand is 0: it costs a little even where it does not count in the initial state.
_LITTLE = 1e-3
# Weights become whole numbers when they are multiplied by one of these.
_FACTORS = range(1, 25)
# The work of trying weights, for every fluent in every step.
_AN_ENTRY = 2e-9


@dataclass(frozen=True, slots=True)
class Ranking:
    """In every step from a state that can be reached the measure falls by `falls` or more; it is never below 0."""

    #: Whole numbers, not negative: of every fluent where it holds, and where it does not.
    true: tuple[int, ...]
    false: tuple[int, ...]
    falls: int
    #: What the initial state measures.
    initial: int

    @property
    def steps(self) -> int:
        """No match has more."""
        return self.initial // self.falls


def ranking(model: PropertyCircuit, samples: Samples, known: Iterable[Literal], budget: Budget) -> Ranking | None:
    """A measure that falls in every step, if a linear one is found; raises BudgetExceeded."""
    fluents = len(model.circuit.fluents)
    if fluents > MOST_FLUENTS:
        return None
    initial = np.zeros(fluents)
    initial[list(model.circuit.initial)] = 1.0
    weighing = DualSimplex(np.concatenate([initial, 1.0 - initial]) + _LITTLE)
    steps = _steps(samples)
    if not len(steps):
        return None
    with any_step(model, known, budget) as (solver, frame, after):
        checked = _Checked(solver, frame, after, model)
        for _ in range(_MOST_REFUTED):
            if not _fit(weighing, steps, budget):
                return None
            weights = weighing.weights
            found = _whole(weights[:fluents], weights[fluents:], steps, initial)
            if found is None:
                return None
            refuted = checked.refuted(found)
            if refuted is None:
                return found
            steps = np.concatenate([steps, refuted[None, :]])
    return None


def _steps(samples: Samples) -> NDArray[np.int8]:
    """int8 [steps, fluents]: what became false (1) and true (−1) in steps of random play, no two alike."""
    indices = np.flatnonzero(samples.parents >= 0)
    indices = indices[:: max(1, -(-len(indices) // _STEPS))]
    before, after = samples.bits[samples.parents[indices]].view(np.int8), samples.bits[indices].view(np.int8)
    changes = before - after
    return np.unique(changes, axis=0) if len(changes) else changes


def _fit(weighing: DualSimplex, steps: NDArray[np.int8], budget: Budget) -> bool:
    """Makes the weights fit all steps; False if there are none that do."""
    while True:
        budget.check(_AN_ENTRY * steps.size)
        weights = weighing.weights
        fluents = len(weights) // 2
        worth = steps @ (weights[:fluents] - weights[fluents:])
        lacking = np.flatnonzero(worth < 1.0 - 1e-6)
        if not len(lacking):
            return True
        # Those that lack most, and no more than can be taken up quickly.
        worst = steps[lacking[np.argsort(worth[lacking], kind="stable")[:_AT_ONCE]]].astype(np.float64)
        if not weighing.demand(np.concatenate([worst, -worst], axis=1), budget):
            return False


def _whole(true: NDArray[np.float64], false: NDArray[np.float64], steps: NDArray[np.int8],
           initial: NDArray[np.float64]) -> Ranking | None:
    """Weights that are whole numbers and in the same proportions, or nearly."""
    for factor in _FACTORS:
        whole = np.rint(true * factor).astype(np.int64), np.rint(false * factor).astype(np.int64)
        falls = int((steps.astype(np.int64) @ (whole[0] - whole[1])).min())
        if falls >= max(1, 0.9 * factor):
            return Ranking(tuple(whole[0].tolist()), tuple(whole[1].tolist()), falls,
                           int((whole[0] * (initial > 0) + whole[1] * (initial == 0)).sum()))
    return None


class _Checked:
    """Whether a measure falls in every step, asked of one solver again and again."""

    def __init__(self, solver: Solver, frame: Frame, after: Frame, model: PropertyCircuit) -> None:
        self._solver, self._arena = solver, model
        numbers = range(len(model.circuit.fluents))
        self._here = [frame.literal(model.fluent(number)) for number in numbers]
        self._there = [after.literal(model.fluent(number)) for number in numbers]
        self._changing = Changing(solver, frame, after)

    def refuted(self, measure: Ranking) -> NDArray[np.int8] | None:
        """What changes in a step in which the measure does not fall as it should; raises BudgetExceeded."""
        solver = self._solver
        up, down = self._changing.worth((self._arena.fluent(number), true - false) for number, (true, false)
                                        in enumerate(zip(measure.true, measure.false, strict=True)))
        # It falls too little if what goes down is less than what goes up and as much again as it has to fall.
        too_little = less(solver, solver_total(solver, down), solver_total(solver, [*up, (measure.falls, TRUE)]))
        if not solver.solve([too_little]):
            return None
        return np.array([solver.holds(here) - int(solver.holds(there))
                         for here, there in zip(self._here, self._there, strict=True)], dtype=np.int8)
