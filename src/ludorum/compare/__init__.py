"""What each way of reasoning costs: the same searches, with every engine, along the same matches."""

from ludorum.compare.comparison import WAYS, EngineComparison, compare
from ludorum.compare.matches import record_matches

__all__ = ["WAYS", "EngineComparison", "compare", "record_matches"]
