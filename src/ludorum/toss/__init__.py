"""Games as structures that are rewritten: the language of Toss, its meaning, and its translation to GDL.

In the literature: First-Order Logic with Counting for General Game Playing (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from ludorum.toss.game import Game, Location, RewritingRule, Structure
from ludorum.toss.parsing import check, parse
from ludorum.toss.printing import to_text
from ludorum.toss.rules import Translation, to_rules, translate
from ludorum.toss.tokens import is_toss

__all__ = [
    "Game", "Location", "RewritingRule", "Structure", "Translation", "check", "is_toss", "parse", "to_rules", "to_text",
    "translate",
]
