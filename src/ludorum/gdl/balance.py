"""Guesses where unbalanced parentheses went wrong, from where statements seem to start."""

from __future__ import annotations

import re

from ludorum.gdl.source import Source

_TOKEN = re.compile(r";[^\r\n]*|\(\s*<=(?=[\s()])|[()]")


def statement_starts(source: Source) -> frozenset[int]:
    """Offsets of parentheses that must open a new statement, whatever is still open before them.

    A rule arrow never stands inside another statement, so `(<=` always starts one. A parenthesis that opens a
    line in the column where the text's first one stands starts one too, unless the author's layout says
    otherwise: the guess that leaves fewer mistakes wins.
    """
    arrows: set[int] = set()
    line_openers: set[int] = set()
    parentheses: list[tuple[int, bool]] = []
    column = None
    for match in _TOKEN.finditer(source.text):
        token = match.group()
        if token[0] == ";":
            continue
        parentheses.append((match.start(), token != ")"))
        if token == ")":
            continue
        line, here = source.position(match.start())
        if column is None:
            column = here
        if len(token) > 1:
            arrows.add(match.start())
        if here == column and not source.line(line)[: here - 1].strip("\ufeff \t"):
            line_openers.add(match.start())
    by_layout = arrows | line_openers
    layout_helps = _mistakes(parentheses, by_layout) <= _mistakes(parentheses, arrows)
    return frozenset(by_layout if layout_helps else arrows)


def _mistakes(parentheses: list[tuple[int, bool]], starts: set[int]) -> int:
    mistakes = depth = 0
    for offset, opens in parentheses:
        if opens:
            if depth and offset in starts:
                mistakes += 1
                depth = 0
            depth += 1
        elif depth:
            depth -= 1
        else:
            mistakes += 1
    return mistakes + (depth > 0)
