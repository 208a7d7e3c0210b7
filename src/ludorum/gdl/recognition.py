"""Tells the two syntaxes apart."""

from __future__ import annotations

import re

from ludorum.gdl.source import Syntax

_SPACE = " \t\r\n\f\v\ufeff"
_FIRST_SYMBOL = re.compile(r"[^\s\ufeff();]*")
_PARENTHESIS = re.compile(r"[()]")
_CLAUSE_GOES_ON = re.compile(r"\.(?:\s|%|$)|:-|<=")
_CLAUSE_SOMEWHERE = re.compile(r":-|\)[ \t]*\.")
_STATEMENT_IN_KIF = re.compile(r"^[ \t]*\([ \t]*(?:<=|role|init)\s", re.MULTILINE | re.IGNORECASE)


def recognise(text: str) -> Syntax:
    """The syntax that a text seems to be written in.

    A parenthesis or a semicolon opens a text in KIF. A symbol may open either; in infix its atom is followed
    by a full stop or an arrow.
    """
    start = text.lstrip(_SPACE)
    if start.startswith(("(", ";", "<=")):
        return "kif"
    if start.startswith(("%", "/*", "'")) or _CLAUSE_GOES_ON.search(_first_symbol(start)):
        return "infix"
    rest = _after_first_atom(start)
    if rest.startswith("("):
        return "kif"
    if _CLAUSE_GOES_ON.match(rest):
        return "infix"
    # The first clause may be the one with the mistake.
    return "infix" if _CLAUSE_SOMEWHERE.search(text) and not _STATEMENT_IN_KIF.search(text) else "kif"


def _first_symbol(text: str) -> str:
    symbol = _FIRST_SYMBOL.match(text)
    return symbol.group() if symbol else ""


def _after_first_atom(text: str) -> str:
    rest = text[len(_first_symbol(text)) :].lstrip(_SPACE)
    if not rest.startswith("("):
        return rest
    depth = 0
    for parenthesis in _PARENTHESIS.finditer(rest):
        depth += 1 if parenthesis.group() == "(" else -1
        if not depth:
            return rest[parenthesis.end() :].lstrip(_SPACE)
    return ""
