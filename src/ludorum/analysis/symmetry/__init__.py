"""Symmetries of a game: permutations of its fluents and moves that turn games into games that are worth the same."""

from ludorum.analysis.symmetry.checking import agrees
from ludorum.analysis.symmetry.finding import find_symmetries
from ludorum.analysis.symmetry.symmetries import Findings, Symmetries
from ludorum.analysis.symmetry.symmetry import Symmetry, generated, small_group

__all__ = ["Findings", "Symmetries", "Symmetry", "agrees", "find_symmetries", "generated", "small_group"]
