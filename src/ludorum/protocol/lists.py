"""Lists of KIF taken apart one level deep: what is inside stays text, so that nothing large is read twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludorum.errors import InvalidMessage
from ludorum.grammar import agree

# Quotes count at the level of the message alone, where servers put them around names.
_OUTER = re.compile(r'[\s\ufeff]+|;[^\r\n]*|"[^"\r\n]*"|\|[^|\r\n]*\||[()]|[^\s\ufeff();]+')
_INNER = re.compile(r";[^\r\n]*|\(+|\)+")

# No rulesheet that anybody wrote has a tenth of these; reading them takes about a second.
_MAX_GROUPS = 2_000_000

# More of a text would hide the rest of a complaint about it.
_MAX_SHOWN_CHARS = 60


def expressions(text: str) -> Iterator[str]:
    """The expressions that follow each other in a text, each as its own text; raises InvalidMessage on coming to what
    is none."""
    at = 0
    while at < len(text):
        token = _OUTER.match(text, at)
        assert token is not None  # every character starts a token
        start, at = token.span()
        first = text[start]
        if first == "(":
            at = _closing(text, start)
        elif first == ")":
            raise InvalidMessage("a parenthesis closes nothing")
        elif first.isspace() or first in "\ufeff;":
            continue
        yield text[start:at]


def shown(text: str) -> str:
    """The beginning of a text, in quotes, for a complaint about it."""
    return repr(text if len(text) <= _MAX_SHOWN_CHARS else text[:_MAX_SHOWN_CHARS - 1] + "…")


def is_list(expression: str) -> bool:
    return expression.startswith("(")


def elements(expression: str) -> list[str]:
    """What stands in a list, each as its own text."""
    return list(expressions(expression[1:-1]))


def _closing(text: str, start: int) -> int:
    """Where the list that starts here has ended."""
    depth = 0
    for count, token in enumerate(_INNER.finditer(text, start)):
        if count > _MAX_GROUPS:
            raise InvalidMessage(f"it has more than {_MAX_GROUPS:,} groups of parentheses")
        first = text[token.start()]
        if first == ";":
            continue
        length = token.end() - token.start()
        if first == "(":
            depth += length
        elif length < depth:
            depth -= length
        else:
            return token.start() + depth
    raise InvalidMessage(f"{depth} {agree(depth, 'parenthesis is', 'parentheses are')} never closed")
