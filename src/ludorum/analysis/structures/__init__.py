"""Boards, pieces, quantities, step counters and the control fluent, found in any game."""

from ludorum.analysis.structures.boards import Axis, Board, Content
from ludorum.analysis.structures.structures import FluentStructure, Inputs, Structures, structures

__all__ = ["Axis", "Board", "Content", "FluentStructure", "Inputs", "Structures", "structures"]
