"""A mean of random matches, and how far from it the truth may be."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

# Nineteen times out of twenty the truth is within so many standard errors.
_STANDARD_ERRORS = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its margin: a confidence interval of 95 %."""

    mean: float
    margin: float

    @classmethod
    def of(cls, values: NDArray[np.generic]) -> Estimate | None:
        """The mean of some values, None if there are none."""
        count = len(values)
        if not count:
            return None
        spread = float(values.std(ddof=1)) if count > 1 else float("inf")
        return cls(float(values.mean()), _STANDARD_ERRORS * spread / sqrt(count))

    def __str__(self) -> str:
        return f"{self.mean:.1f} ±{self.margin:.1f}" if self.margin < float("inf") else f"{self.mean:.1f}"
