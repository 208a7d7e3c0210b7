"""Factoring: games that are really several games."""

from ludorum.analysis.factors.factors import Factor, Factors
from ludorum.analysis.factors.finding import Decomposition, decompose, find_factors
from ludorum.analysis.factors.parts import Parts
from ludorum.analysis.factors.taking_apart import take_apart

__all__ = ["Decomposition", "Factor", "Factors", "Parts", "decompose", "find_factors", "take_apart"]
