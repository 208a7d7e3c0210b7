"""What an evaluation is made of, and its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """The fuzzy evaluation of the goals (Definitions 5.2 and 5.3 of the thesis), and what is added to it.

    What is true is worth `truth`, what is false 1 − `truth`; what is true as a whole is worth `threshold` at least. The
    t-norm is that of Yager with `exponent`, or with form="product" the simpler one of the paper on distances.
    """

    form: Literal["yager", "product"] = "yager"
    #: What stands in place of the truth of single fluents in the goals: nothing, or how far they are from it.
    leaves: Literal["binary", "distances"] = "distances"
    truth: float = 0.75
    threshold: float = 0.55
    exponent: float = 15.0
    #: How much of the goal and terminal rules is followed gate by gate; what lies deeper is true or false.
    most_gates: int = 3000

    def __post_init__(self) -> None:
        if not 0.5 < self.threshold <= self.truth <= 1:
            raise ValueError("it must be that 0.5 < threshold ≤ truth ≤ 1")
        if not 1 <= self.exponent <= 100:
            raise ValueError("the exponent must be between 1 and 100")
        if self.most_gates < 0:
            raise ValueError("most_gates cannot be less than 0")
