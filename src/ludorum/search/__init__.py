"""Search: from a state and a clock to a move, a value or a plan."""

from ludorum.search.result import GameValues, MoveResult
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeResult, TreeSearch

__all__ = ["GameValues", "MoveResult", "TreeResult", "TreeSearch", "TreeSettings"]
