"""The tokens of the infix notation."""

from __future__ import annotations

import re
from typing import NamedTuple

from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.terms import Span

# A byte order mark counts as space wherever it stands, as in KIF.
_TOKEN = re.compile(
    r"""
      (?P<space>(?:[\s\ufeff]|%[^\r\n]*|/\*.*?\*/)+)
    | (?P<quoted>\??'(?:[^'\\]|\\.)*')
    | (?P<unclosed>\??'|/\*)
    | (?P<operator>:-|<=|\\==?|!=|=|≠|\\\+|[~¬(),&;|.∧∨])
    | (?P<word>-\d\w*|\w+(?:-\w+)*|\++)
    | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    kind: str  # "operator", "word", "quoted", "unknown" or "end"
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


def with_stops(read: list[Token], arrows: frozenset[str]) -> list[Token]:
    """Tokens with a full stop before every head, where a text has arrows and no full stop at all, as slides have it.

    What stands before an arrow is a head: one word, or a word with what is in its parentheses.
    """
    if any(token.text == "." and token.kind == "operator" for token in read):
        return read
    heads = set()
    for at, token in enumerate(read):
        if token.kind == "operator" and token.text in arrows:
            start, depth = at - 1, 0
            while start > 0 and (depth or read[start].text == ")"):
                depth += {")": 1, "(": -1}.get(read[start].text, 0)
                start -= 1
            heads.add(start)
    stopped = []
    for at, token in enumerate(read):
        if heads and at and (at in heads or token.kind == "end"):
            stopped.append(Token("operator", ".", read[at - 1].end, read[at - 1].end))
        stopped.append(token)
    return stopped


def tokens(findings: Findings, pattern: re.Pattern[str] = _TOKEN) -> list[Token]:
    """Every token of the source, then one of the kind "end"; another pattern has the same groups."""
    text = findings.source.text
    found = []
    for match in pattern.finditer(text):
        kind = match.lastgroup or ""
        if kind == "unclosed":
            what = "comment" if match.group() == "/*" else "quote"
            findings.add(f"unclosed-{what}", f"this {what} is never closed", Span(match.start(), match.end()),
                         "reading stops here")
            break
        if kind != "space":
            found.append(Token(kind, match.group(), match.start(), match.end()))
    found.append(Token("end", "", len(text), len(text)))
    return found
