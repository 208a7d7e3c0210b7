"""What an evaluation is made of, and its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: What an evaluation may be made of.
Part = Literal["goals", "mobility", "novelty", "goal_values", "termination", "survival", "fluents", "counting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """The fuzzy evaluation of the goals (Definitions 5.2 and 5.3 of the thesis), and what is added to it.

    What is true is worth `truth`, what is false 1 − `truth`; what is true as a whole is worth `threshold` at least. The
    t-norm is that of Yager with `exponent`, or with form="product" the simpler one of the paper on distances.
    """

    form: Literal["yager", "product"] = "yager"
    #: What stands in place of the truth of single fluents in the goals: nothing, how far they are from it by the
    #: quantities and boards of the game, or by its fluent graph. The latter two also measure comparisons.
    leaves: Literal["binary", "structures", "distances"] = "distances"
    truth: float = 0.75
    threshold: float = 0.55
    exponent: float = 15.0
    #: The weights of the parts: how true the goals are; how many moves a role has beside what is usual, less those of
    #: the others (mobility); how much has changed since the beginning (novelty); the goal values that hold now; how
    #: near the end is (termination), and how far (survival).
    goals: float = 1.0
    mobility: float = 0.0
    novelty: float = 0.0
    goal_values: float = 0.0
    termination: float = 0.0
    survival: float = 0.0
    #: What fluents are worth by themselves, by how random matches end that come from states where they hold.
    fluents: float = 0.0
    #: How far the conditions of the goals are met, counted: the first of n is worth alpha^(n−1), or every line that can
    #: be completed how many it has to a power (see `evaluate.counting`).
    counting: float = 0.0
    counting_form: Literal["auto", "goals", "moves"] = "auto"
    alpha: float = 0.25
    power: int = 4
    #: Whether the goals of the others count against a role: a state where all are near theirs is worth what lies
    #: between. So it is where weights are fitted, as it tells far more of how matches end.
    is_relative: bool = False
    #: Whether the weights are fitted to the outcomes of playouts instead; what misleads there is dropped. What fluents
    #: are worth is fitted anyway, and counts beside the others only if it has a weight.
    is_fitted: bool = False
    #: How much of the goal and terminal rules is followed gate by gate; what lies deeper is true or false.
    most_gates: int = 3000

    def __post_init__(self) -> None:
        if not 0.5 < self.threshold <= self.truth <= 1:
            raise ValueError("it must be that 0.5 < threshold ≤ truth ≤ 1")
        if not 1 <= self.exponent <= 100:
            raise ValueError("the exponent must be between 1 and 100")
        if min(self.weights.values()) < 0 or not any(self.weights.values()):
            raise ValueError("weights cannot be less than 0, nor all of them 0")
        if not 0 < self.alpha < 1 or not 1 <= self.power <= 16:
            raise ValueError("alpha must be between 0 and 1, and power between 1 and 16")
        if self.most_gates < 0:
            raise ValueError("most_gates cannot be less than 0")

    @property
    def weights(self) -> dict[Part, float]:
        return {"goals": self.goals, "mobility": self.mobility, "novelty": self.novelty,
                "goal_values": self.goal_values, "termination": self.termination, "survival": self.survival,
                "fluents": self.fluents, "counting": self.counting}
