"""Puzzles: games of one role, solved by a portfolio of methods."""

from ludorum.search.puzzle.portfolio import METHODS, Portfolio
from ludorum.search.puzzle.solution import Attempt, Plan, Solution, check

__all__ = ["METHODS", "Attempt", "Plan", "Portfolio", "Solution", "check"]
