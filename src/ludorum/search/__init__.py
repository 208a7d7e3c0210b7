"""Search: from a state and a clock to a move, a value or a plan."""

from ludorum.search.settings import TreeSettings
from ludorum.search.tree import MoveFindings, TreeFindings, TreeSearch

__all__ = ["MoveFindings", "TreeFindings", "TreeSearch", "TreeSettings"]
