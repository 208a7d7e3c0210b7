"""From a game to its evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Evaluation, ProgramEvaluation, Simulator
from ludorum.analysis.distances import distances
from ludorum.analysis.invariants import Invariants
from ludorum.analysis.samples import Samples, samples
from ludorum.analysis.structures import structures
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.errors import TooSlow
from ludorum.evaluate.code import Code, Plane, Slot
from ludorum.evaluate.conditions import conditions
from ludorum.evaluate.counted import Counting
from ludorum.evaluate.counters import RandomPlay
from ludorum.evaluate.counting import counting
from ludorum.evaluate.fitting import fit
from ludorum.evaluate.fluent_weights import FluentWeights, fluent_weights
from ludorum.evaluate.fuzzy import ConditionLeaf, Formulas, Product, Yager
from ludorum.evaluate.leaves import AnyLeaf, binary, by_distance, lasting
from ludorum.evaluate.outcomes import STEPS, Outcomes, outcomes
from ludorum.evaluate.settings import EvaluationSettings, Part
from ludorum.evaluate.source_goals import Comparison, SourceGoals, source_goals
from ludorum.evaluate.structured import nearness
from ludorum.evaluate.tallies import Tally, TallyLeaf, tallies
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.state import State

#: So many states of random play say what is usual and how it ends.
SAMPLES = 20_000
#: From so many of them so many matches are played on to fit a few weights. For the weights of all fluents there are
#: fewer from more states: a single match says little of its state, but many states say more of fluents than few do.
FITTING, WEIGHT_PLAYOUTS = (1000, 64), (SAMPLES, 16)
#: The most work for either, and what it is made of: a step of a match, and an input of a gate in it. So many matches
#: tell how long they are.
FITTING_WORK, WEIGHT_WORK = 2.0, 6.0
_A_STEP, _AN_INPUT, _MATCHES = 3e-8, 1e-11, 64
#: So many conditions of goals that are too large to be followed are asked, and so many are tried as tallies.
_MOST_CONDITIONS, _MOST_TALLIES = 256, 16
_GATES_BESIDE_TALLIES = 500
#: So many states of random play, and so many of those, tell what a relation counts.
_FOR_COUNTS, _COUNTED = 1_000, 10
#: In the product form what is true is worth 0.9, and what is false 0.1 (distance-features paper, section 5.1).
_PRODUCT_TRUE = 0.9
#: Parts that say what a role has, and nothing of the others.
_OF_ONE_ROLE: tuple[Part, ...] = ("goals", "goal_values")


@dataclass(frozen=True, eq=False)
class StateEvaluation:
    """What states may be worth to the roles, from 0 to 100. `core` is what searches take."""

    game: Game
    core: Evaluation
    settings: EvaluationSettings
    #: What went into it: gates, leaves, conditions, steps.
    report: dict[str, Any] = field(default_factory=dict)

    def values(self, state: State) -> dict[str, float]:
        return dict(zip(self.game.roles, map(float, self.of([state])[0]), strict=True))

    def of(self, states: Iterable[State]) -> NDArray[np.float64]:
        """float64 [states, roles]"""
        reasoner = self.game.reasoner
        assert isinstance(reasoner, Simulates)
        rows = np.stack([reasoner.row(state.position) for state in states])
        return self.core.evaluate(reasoner.simulator(), rows)


def evaluation(game: Game, settings: EvaluationSettings | None = None, *, invariants: Invariants | None = None,
               budget: Budget | None = None) -> StateEvaluation:
    """The evaluation that the rules of a game give. Raises NoCircuit, and TooSlow where the budget is used up.

    What is proved to stay true, or false, is then as true, or false, as can be: of `invariants`, or those that the game
    was compiled with.
    """
    settings = settings or EvaluationSettings()
    circuit, reasoner = game.circuit, game.reasoner
    assert isinstance(reasoner, Simulates)
    budget = budget or Budget()
    if budget.passed:
        raise TooSlow(f"there is no time to make an evaluation of {game.name}")
    builder = _Builder(game, circuit, reasoner.simulator(), settings, invariants or game.invariants or Invariants(),
                       budget)
    total = sum(settings.weights.values())
    weights, start = {part: weight / total for part, weight in settings.weights.items() if weight}, 0.0
    if settings.is_fitted:
        candidates = [part for part, weight in settings.weights.items()
                      if part not in ("fluents", "counting") or weight]
        fitted = fit(reasoner.simulator(), {part: builder.program([(1.0, part)]) for part in candidates},
                     builder.outcomes(*FITTING, FITTING_WORK))
        if fitted.weights:
            weights, start = fitted.weights, fitted.start
        builder.report["fit"] = fitted
    core = builder.program([(weight, part) for part, weight in weights.items()], start)
    builder.report["weights"] = weights
    return StateEvaluation(game, core, settings, builder.report)


class _Builder:
    """Writes the program of one evaluation."""

    def __init__(self, game: Game, circuit: Circuit, simulator: Simulator, settings: EvaluationSettings,
                 invariants: Invariants, budget: Budget) -> None:
        self._game, self._compiled, self._budget = game, circuit, budget
        self._simulator = simulator
        self._invariants = invariants
        self.settings = settings
        self.code = Code()
        self.norm = Yager(settings.exponent, settings.threshold) if settings.form == "yager" else Product()
        self._asked: list[Literal] = []
        #: What the evaluation is made of; filled as its parts are written.
        self.report: dict[str, Any] = {}

    # What is true of the goals is found out only if it is asked: it takes longer than all the rest.

    @cached_property
    def _source_goals(self) -> SourceGoals | None:
        return source_goals(self._game, self._compiled.fluents, self._budget, compares=self.settings.leaves != "binary")

    @cached_property
    def circuit(self) -> Circuit:
        return self._compiled if self._source_goals is None else self._source_goals.circuit

    @cached_property
    def formulas(self) -> Formulas:
        # Where a tally decides, the rest is asked and not followed: it is large, and says little beside the tally.
        most_gates = min(self.settings.most_gates, _GATES_BESIDE_TALLIES) if self._tallies else self.settings.most_gates
        return Formulas.of(self.circuit, [*self._roots, self.circuit.terminal], most_gates,
                           [*self._comparisons, *self._tallies], _MOST_CONDITIONS)

    @cached_property
    def degrees(self) -> Mapping[Literal, Slot]:
        leaves = self._conditions(self._comparisons) | self._fluents(self._game, self._budget)
        wanted = [literal ^ sign for literal in [*self._roots, self.circuit.terminal] for sign in (0, 1)]
        found = self.norm.degrees(self.code, self.formulas, leaves, wanted)
        self.report |= {"gates": len(self.formulas.gates), "leaves": len(self.formulas.fluents),
                        "comparisons": sum(wire in self._comparisons for wire in self.formulas.cut),
                        "tallies": sum(wire in self._tallies for wire in self.formulas.cut),
                        "conditions": len(self._asked)}
        return found

    @property
    def _roots(self) -> list[Literal]:
        return [literal for goals in self.circuit.goals for value, literal in goals if value > 0]

    @cached_property
    def _comparisons(self) -> dict[Wire, Comparison]:
        found = self._source_goals.comparisons if self._source_goals else ()
        return {comparison.literal >> 1: comparison for comparison in found}

    @cached_property
    def _tallies(self) -> dict[Wire, Tally]:
        """What is counted in the goals where they are too large to be followed."""
        if self.settings.leaves == "binary" or self._source_goals is None:
            return {}
        whole = Formulas.of(self.circuit, [*self._roots, self.circuit.terminal], self.settings.most_gates,
                            self._comparisons)
        loops = {loop.wire for loop in self.circuit.loops}
        unknown = [wire for wire in whole.cut if wire not in self._comparisons and wire not in loops]
        return tallies(self.circuit, unknown[:_MOST_TALLIES], self.samples, self._budget) if unknown else {}

    def program(self, parts: Sequence[tuple[float, Part]], start: float = 0.0) -> ProgramEvaluation:
        """The weighted sum of some parts."""
        outputs = [self.code.weighted([(weight, self.part(part, role)) for weight, part in parts], start)
                   for role in range(len(self._compiled.roles))]
        return self.code.compile(outputs, fluents=len(self._compiled.fluents),
                                 conditions=conditions(self.circuit, self._asked) if self._asked else None)

    @property
    def _true(self) -> float:
        return self.settings.truth if self.settings.form == "yager" else _PRODUCT_TRUE

    def _conditions(self, comparisons: Mapping[Wire, Comparison]) -> dict[Wire, ConditionLeaf]:
        """What is not followed further: comparisons by how much, all else true or false."""
        leaves: dict[Wire, ConditionLeaf] = {}
        for wire in self.formulas.cut:
            plane = len(self.circuit.fluents) + len(self._asked)
            if wire in self._tallies:
                leaves[wire] = TallyLeaf(self._tallies[wire], self.settings.threshold)
            elif wire in comparisons:
                self._asked += [literal for _, _, literal in comparisons[wire].witnesses]
                leaves[wire] = comparisons[wire].leaf(plane, threshold=self.settings.threshold,
                                                      otherwise=1 - self._true)
            else:
                self._asked.append(2 * wire)
                leaves[wire] = binary(plane, true=self._true, false=1 - self._true)
        return leaves

    def _fluents(self, game: Game, budget: Budget) -> dict[Wire, ConditionLeaf]:
        settings, fluents, true = self.settings, self.formulas.fluents, self._true
        by_fluent: dict[int, AnyLeaf] = {fluent: binary(fluent, true=true, false=1 - true) for fluent in fluents}
        # In the product form what is missing is worth from 0.9 down, in the other from where truth ends.
        most = true if settings.form == "product" else 1 - settings.threshold
        if settings.leaves == "structures":
            near = nearness(structures(game, budget), fluents)
            by_fluent |= {fluent: near[fluent].leaf(fluent, true=true, most=most) for fluent in near}
        elif settings.leaves == "distances":
            found = distances(game, fluents, invariants=self._invariants, budget=budget)
            by_fluent |= (by_distance(found, true=true, most=most, least=1 - true, is_past_longest=False)
                          if settings.form == "product" else
                          by_distance(found, true=true, most=most, least=0.0, is_past_longest=True))
        stays_true, stays_false = set(self._invariants.stays_true), set(self._invariants.stays_false)
        for fluent, leaf in by_fluent.items():
            term = self.circuit.fluents[fluent]
            by_fluent[fluent] = lasting(leaf, fluent, true=true, stays_true=term in stays_true,
                                        stays_false=term in stays_false)
        return {1 + fluent: leaf for fluent, leaf in by_fluent.items()}

    def part(self, part: Part, role: int) -> Slot:
        """What one part gives to a role, from 0 to 100."""
        written = {"goals": self._goals, "mobility": self._mobility, "novelty": self._novelty,
                   "goal_values": self._goal_values, "termination": self._termination,
                   "survival": self._survival, "fluents": self._worth, "counting": self._count}[part]
        if part not in _OF_ONE_ROLE or not (self.settings.is_relative or self.settings.is_fitted):
            return written(role)
        others = [other for other, name in enumerate(self._compiled.roles) if other != role and name != RANDOM]
        if not others:
            return written(role)
        share = -0.5 / len(others)
        return self.code.weighted([(0.5, written(role)), *((share, written(other)) for other in others)], 50)

    def _goals(self, role: int) -> Slot:
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

    def _goal_values(self, role: int) -> Slot:
        """The goal values that hold now."""
        return self.code.count([(value, self._plane(literal)) for value, literal in self.circuit.goals[role]])

    def _termination(self, role: int) -> Slot:
        """How true it is that the game is over."""
        return self.code.weighted([(-1, self._survival(role))], 100)

    def _survival(self, role: int) -> Slot:
        degree, norm = self.degrees[self.circuit.terminal ^ 1], self.norm
        if isinstance(norm, Product):
            return self.code.weighted([(100, degree)])
        return self.code.weighted([(-100, self.code.power(degree, 1 / norm.exponent))], 100)

    def _mobility(self, role: int) -> Slot:
        """Whether a role that has a choice has more moves than it usually has when it has one, less the others."""
        roles = range(len(self._compiled.roles))
        others = [other for other in roles if other != role]
        return self.code.weighted([(25, self._freedom(role)),
                                   *((-25 / len(others), self._freedom(other)) for other in others)], 50)

    def _freedom(self, role: int) -> Slot:
        choices = self.samples.choices[:, role]
        if not (choices > 1).any():
            return self.code.constant(0)
        moves, usual = self.code.moves(role), self.code.constant(float(choices[choices > 1].mean()))
        return self.code.if_less(moves, 1.5, self.code.constant(0), self.code.ratio(moves, usual))

    def _novelty(self, role: int) -> Slot:
        """How many fluents are not as they were initially, of the most that random play has changed."""
        initial = self.samples.bits[0].astype(bool)
        most = max(1, int((self.samples.bits != initial).sum(axis=1).max()))
        return self.code.count([(-100 / most if held else 100 / most, fluent) for fluent, held in enumerate(initial)],
                               100 * int(initial.sum()) / most)

    def _worth(self, role: int) -> Slot:
        """What the fluents that hold are worth."""
        points = self._fluent_weights.points[:, role]
        return self.code.count([(float(points[fluent]), fluent) for fluent in np.flatnonzero(points).tolist()],
                               float(self._fluent_weights.start[role]))

    def _count(self, role: int) -> Slot:
        """How far the conditions of the goals are met, beside the others'."""
        return self._counting.write(self.code, role)

    @cached_property
    def _counting(self) -> Counting:
        moves = max(len(list(self._game.initial.legal(role))) for role in self._game.roles)
        found = counting(self._game.rules, self._compiled.fluents, moves, self._budget, alpha=self.settings.alpha,
                         power=self.settings.power, form=self.settings.counting_form,
                         values=[[value for value, _ in of_role] for of_role in self._compiled.goals],
                         play=self._random_play)
        self.report["counting"] = found
        return found

    def _random_play(self) -> RandomPlay:
        """A few states of random play, and what moves took away."""
        found = samples(self._game, _FOR_COUNTS, budget=self._budget.share(0.2))
        bits = found.bits.astype(bool)
        lost = (bits[found.parents[1:]] & ~bits[1:]).any(axis=0)
        chosen = np.unique(np.linspace(0, len(bits) - 1, _COUNTED).astype(int))
        return RandomPlay([frozenset(np.flatnonzero(bits[number]).tolist()) for number in chosen.tolist()],
                          frozenset(np.flatnonzero(lost).tolist()))

    @cached_property
    def _fluent_weights(self) -> FluentWeights:
        seen = self.outcomes(*WEIGHT_PLAYOUTS, WEIGHT_WORK, seed=1)
        found = fluent_weights(self._compiled.fluents, self._game.roles, seen)
        self.report["worths"] = found
        return found

    def outcomes(self, most: int, playouts: int, work: float, *, seed: int = 0) -> Outcomes:
        """How playouts from states of random play end, of as many states as so much work allows."""
        length = max(1.0, float(self._game.playouts(_MATCHES, max_steps=STEPS).lengths.mean()))
        affordable = int(work / (playouts * length * (_A_STEP + _AN_INPUT * self._compiled.inputs)))
        budget = self._budget.at_most(work)
        budget.spend(min(work, work * most / max(1, affordable)))
        return outcomes(self._simulator, self.samples, min(most, max(1, affordable)), playouts, budget, seed=seed)

    @property
    def samples(self) -> Samples:
        return samples(self._game, SAMPLES, budget=self._budget.share(0.5))

    def _plane(self, literal: Literal) -> Plane:
        """The plane of a condition on fluents."""
        if literal not in self._asked:
            self._asked.append(literal)
        return len(self.circuit.fluents) + self._asked.index(literal)
