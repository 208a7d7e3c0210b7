"""Markets: the Market Specification Language, its meaning, and its translation to GDL-II.

In the literature: Thielscher, Zhang 2009, as the slides on general game playing show it.
"""

from __future__ import annotations

from ludorum.market.market import Market
from ludorum.market.parsing import check, is_market, parse
from ludorum.market.reference import Interpreter, Moment
from ludorum.market.rules import Translation, to_rules, translate

__all__ = ["Interpreter", "Market", "Moment", "Translation", "check", "is_market", "parse", "to_rules", "translate"]
