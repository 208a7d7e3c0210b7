"""What each way of reasoning costs: the same searches, with every engine, along the same matches."""

from ludorum.compare.comparison import WAYS, Comparison, compare
from ludorum.compare.matches import record_matches

__all__ = ["WAYS", "Comparison", "compare", "record_matches"]
