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
    | (?P<operator>:-|<=|\\==?|!=|≠|\\\+|[~¬(),&;|.∧∨])
    | (?P<word>-\d\w*|\w+(?:-\w+)*)
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


def tokens(findings: Findings) -> list[Token]:
    """Every token of the source, then one of the kind "end"."""
    text = findings.source.text
    found = []
    for match in _TOKEN.finditer(text):
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
