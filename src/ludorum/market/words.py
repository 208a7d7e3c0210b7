"""The words of the Market Specification Language, and those that Ludorum adds to it."""

from __future__ import annotations

from ludorum.gdl.diagnostics import CODES as GDL_CODES
from ludorum.gdl.diagnostics import Level

#: The eleven words of the slides, with their numbers of arguments.
WORDS: dict[str, int] = {
    "trader": 1, "message": 2, "init": 1, "true": 1, "next": 1, "legal": 1, "does": 1, "receive": 2, "send": 2,
    "time": 1, "terminal": 0,
}
#: Ours: what traders want and pay, and the range of numbers.
SCENARIO: dict[str, int] = {"type": 2, "payoff": 2, "payment": 2, "prices": 2}
#: Ours: what is known of numbers without being told.
NUMBERS: dict[str, int] = {"less": 2, "atmost": 2, "plus": 3, "minus": 3, "price": 1}

KEYWORDS: dict[str, int] = {**WORDS, **SCENARIO, **NUMBERS, "distinct": 2}

#: Words that are given with a moment, and never defined.
GIVEN = frozenset({"true", "receive", "does", "time"})
#: Words that answer a question, and are never asked by a rule.
ANSWERS = frozenset({"message", "send", "next", "legal", "terminal", "init", "type", "payoff", "payment"})

# What a text in either syntax can have wrong is said as for GDL.
_TEXT = ("unclosed-parenthesis", "unopened-parenthesis", "too-deep", "malformed-expression", "malformed-rule",
         "malformed-condition", "stray-symbol", "unexpected-token", "unclosed-quote", "unclosed-comment",
         "invalid-symbol", "variable-function", "empty-disjunction")

#: Every code of what can be wrong or doubtful in a market, beside those of the text.
MARKET_CODES: dict[str, Level] = {
    # The words.
    "market-arity": "error",
    "market-reserved": "error",
    "market-gdl-word": "error",
    "market-given-word": "error",
    "market-answer-word": "error",
    "market-trader-not-fact": "error",
    # The logic.
    "market-init-depends": "error",
    "market-too-early": "error",
    "market-unstratified": "error",
    "market-unsafe": "error",
    # The numbers.
    "market-no-range": "error",
    "market-bad-range": "error",
    "market-large-payoff": "error",
    # The market as a whole.
    "market-missing": "error",
    "market-endless": "error",
    "market-undefined": "warning",
    "market-unknown-message": "warning",
    "market-no-payoff": "warning",
}
CODES: dict[str, Level] = {**{code: GDL_CODES[code] for code in _TEXT}, **MARKET_CODES}
