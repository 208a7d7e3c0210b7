"""Factoring: games that are really several games."""

from ludorum.analysis.factors.factors import Factor, Factors
from ludorum.analysis.factors.finding import Decomposition, decompose, find_factors

__all__ = ["Decomposition", "Factor", "Factors", "decompose", "find_factors"]
