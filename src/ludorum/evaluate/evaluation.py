"""From a game to its evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Evaluation, Simulator
from ludorum.analysis.distances import distances
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.clock import NEVER, Deadline
from ludorum.errors import NoCircuit, TooSlow
from ludorum.evaluate.code import Code, Slot
from ludorum.evaluate.conditions import conditions
from ludorum.evaluate.fuzzy import Formulas, Product, Yager
from ludorum.evaluate.leaves import Leaf, binary, by_distance
from ludorum.evaluate.settings import EvaluationSettings
from ludorum.game import Game
from ludorum.move import Role
from ludorum.reason.circuit import CircuitReasoner
from ludorum.state import State

#: In the product form what is true is worth 0.9, and what is false 0.1 (distance-features paper, section 5.1).
_PRODUCT_TRUE = 0.9


@dataclass(frozen=True, eq=False)
class StateEvaluation:
    """What states may be worth to the roles, from 0 to 100. `core` is what searches take."""

    game: Game
    core: Evaluation
    settings: EvaluationSettings
    #: What went into it: gates, leaves, conditions, steps.
    report: dict[str, Any] = field(default_factory=dict)

    def values(self, state: State) -> dict[Role, float]:
        return dict(zip(self.game.roles, map(float, self.of([state])[0]), strict=True))

    def of(self, states: Iterable[State]) -> NDArray[np.float32]:
        """float32 [states, roles]"""
        simulator, reasoner = _simulator(self.game)
        rows = np.stack([reasoner.row(cast(bytes, state.position)) for state in states])
        return self.core.evaluate(simulator, rows)


def evaluation(game: Game, settings: EvaluationSettings | None = None, *,
               deadline: Deadline = NEVER) -> StateEvaluation:
    """The evaluation that the rules of a game give. Raises NoCircuit, and TooSlow at the deadline."""
    settings = settings or EvaluationSettings()
    _, reasoner = _simulator(game)
    if deadline.passed:
        raise TooSlow(f"there is no time to make an evaluation of {game.name}")
    builder = _Builder(game, reasoner.circuit, settings, deadline)
    outputs = [builder.value(role) for role in range(len(game.roles))]
    core = builder.code.compile(outputs, fluents=len(reasoner.circuit.fluents), conditions=builder.conditions)
    return StateEvaluation(game, core, settings, builder.report)


def _simulator(game: Game) -> tuple[Simulator, CircuitReasoner]:
    if not isinstance(game.reasoner, CircuitReasoner):
        raise NoCircuit(f"{game.name} has no circuit to make an evaluation from: {game.why}")
    return game.reasoner.simulator(), game.reasoner


class _Builder:
    """Writes the program of one evaluation."""

    def __init__(self, game: Game, circuit: Circuit, settings: EvaluationSettings, deadline: Deadline) -> None:
        self.circuit = circuit
        self.settings = settings
        self.code = Code()
        roots = [literal for goals in circuit.goals for value, literal in goals if value > 0]
        self.formulas = Formulas.of(circuit, [*roots, circuit.terminal], settings.most_gates)
        cut = [2 * wire for wire in self.formulas.cut]
        self.conditions = conditions(circuit, cut) if cut else None
        self.leaves = self._leaves(game, deadline)
        self.norm = Yager(settings.exponent, settings.threshold) if settings.form == "yager" else Product()
        wanted = [literal ^ sign for literal in [*roots, circuit.terminal] for sign in (0, 1)]
        self.degrees = self.norm.degrees(self.code, self.formulas, self.leaves, wanted)
        self.report = {"gates": len(self.formulas.gates), "leaves": len(self.formulas.fluents),
                       "conditions": len(self.formulas.cut)}

    def _leaves(self, game: Game, deadline: Deadline) -> dict[Wire, Leaf]:
        settings, fluents = self.settings, self.formulas.fluents
        is_product = settings.form == "product"
        true = _PRODUCT_TRUE if is_product else settings.truth
        leaves = {wire: binary(len(self.circuit.fluents) + number, true=true, false=1 - true)
                  for number, wire in enumerate(self.formulas.cut)}
        if settings.leaves == "binary":
            return leaves | {1 + fluent: binary(fluent, true=true, false=1 - true) for fluent in fluents}
        found = distances(game, fluents, deadline=deadline)
        by_fluent = (by_distance(found, true=true, most=true, least=1 - true, is_past_longest=False) if is_product else
                     by_distance(found, true=true, most=1 - settings.threshold, least=0.0, is_past_longest=True))
        return leaves | {1 + fluent: leaf for fluent, leaf in by_fluent.items()}

    def value(self, role: int) -> Slot:
        """Definition 5.3."""
        goals = [(value, literal) for value, literal in self.circuit.goals[role] if value > 0]
        total = sum(value for value, _ in goals)
        if not total:
            return self.code.constant(50)
        return self.code.weighted([(100 * value / total, self._goal(literal)) for value, literal in goals])

    def _goal(self, goal: Literal) -> Slot:
        """A goal that holds is worth more the nearer the end is, one that does not hold the further away that is."""
        degrees, norm, terminal = self.degrees, self.norm, self.circuit.terminal
        if isinstance(norm, Product):
            return degrees[goal]
        reached = norm.disjunction(self.code, [degrees[goal ^ 1], degrees[terminal ^ 1]])
        missed = norm.conjunction(self.code, [degrees[goal], degrees[terminal ^ 1]])
        return self.code.if_less(degrees[goal], norm.true_below, reached, missed)
