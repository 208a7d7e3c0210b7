"""The analysis of a game, put together: as a value, and as a page."""

from ludorum.report.analysis import Analysis, Section, analyse
from ludorum.report.page import page

__all__ = ["Analysis", "Section", "analyse", "page"]
