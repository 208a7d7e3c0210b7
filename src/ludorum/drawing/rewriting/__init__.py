"""The rules of games on boards as pictures that are rewritten."""

from ludorum.drawing.rewriting.translating import DrawnRule, Rewriting, to_toss

__all__ = ["DrawnRule", "Rewriting", "to_toss"]
