"""The words and signs of a text in Toss, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.terms import Span

Kind = Literal["name", "number", "sign", "grid", "end"]

_TOKEN = re.compile(r"""
    (?P<space>[\s\ufeff]+|//[^\r\n]*)
  | (?P<name>[A-Za-z_][A-Za-z0-9_']*)
  | (?P<number>\d+(?:\.\d+)?)
  | (?P<grid>"[^"]*"?)
  | (?P<sign>->|<-|--|[][{}()|,;:=<>+*/^-])
  | (?P<other>.)
""", re.VERBOSE | re.DOTALL | re.ASCII)

_COMMENT = re.compile(r"(?:[\s\ufeff]+|//[^\r\n]*)*")

#: The words that open a part of a game.
OPENERS = frozenset({"PLAYERS", "REL", "RULE", "LOC", "MODEL", "START", "STATE", "DATA", "SET", "TIME", "PATTERNS"})
#: Those that a text must open with to be taken for Toss.
FIRST = ("PLAYERS", "REL", "RULE", "LOC", "MODEL", "START")


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    span: Span


def is_toss(text: str) -> bool:
    """Whether a text seems to be a game of Toss: its first word opens a part of one."""
    start = _COMMENT.match(text)
    word = re.compile(r"\w+").match(text, start.end() if start else 0)
    return word is not None and word.group() in FIRST


def tokens_of(findings: Findings) -> list[Token]:
    """The tokens of a source, the last of which is its end; strange signs are reported and left out."""
    text = findings.source.text
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, span = match.lastgroup, Span(*match.span())
        if kind == "other":
            findings.add("toss-unexpected", f"{match.group()!r} has no meaning here", span,
                         help="names are made of letters, digits and _; comments start with //")
        elif kind == "grid":
            if len(match.group()) < 2 or not match.group().endswith('"'):
                findings.add("toss-unclosed", "this quotation mark is never closed", Span(span.start, span.start + 1),
                             "the grid starts here", 'end the grid with "')
            found.append(Token("grid", match.group().strip('"'), span))
        elif kind == "name":
            found.append(Token("name", match.group(), span))
        elif kind == "number":
            found.append(Token("number", match.group(), span))
        elif kind == "sign":
            found.append(Token("sign", match.group(), span))
    # What is missing at the end is missing after the last word, not after the blanks that follow it.
    last = found[-1].span.end if found else 0
    found.append(Token("end", "the end of the text", Span(last, last)))
    return found
