"""Tokens read one after the other, and what is said where the next is not what it should be."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ludorum.errors import InvalidRules
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.terms import Span
from ludorum.toss.sheet import Named
from ludorum.toss.tokens import OPENERS, Token


class Stream:
    """The tokens of a text, and a place among them."""

    def __init__(self, tokens: Sequence[Token], findings: Findings) -> None:
        self._tokens = tokens
        self._place = 0
        self.findings = findings

    def misread(self, code: str, message: str, span: Span, label: str = "", help: str = "") -> InvalidRules:
        """What to raise where reading cannot go on; it is reported already."""
        self.findings.add(code, message, span, label, help)
        return InvalidRules(self.findings.diagnostics[-1:])

    @property
    def peek(self) -> Token:
        return self._tokens[self._place]

    @property
    def at_end(self) -> bool:
        return self.peek.kind == "end"

    def next(self) -> Token:
        token = self.peek
        if token.kind != "end":
            self._place += 1
        return token

    def back(self) -> None:
        self._place -= 1

    def sees(self, sign: str) -> bool:
        return self.peek.text == sign and self.peek.kind in ("sign", "name")

    def take(self, sign: str) -> bool:
        """Goes past the sign if it is the next."""
        if self.sees(sign):
            self._place += 1
            return True
        return False

    def expect(self, sign: str, *, opening: Token | None = None) -> Token:
        token = self.peek
        if self.take(sign):
            return token
        if opening is not None and (self.at_end or token.text in OPENERS):
            raise self.misread("toss-unclosed", f"this {opening.text} is never closed", opening.span,
                               f"no {sign} follows", f"add {sign} where it ends")
        raise self.misread("toss-unexpected", f"expected {sign}, found {token.text}", token.span,
                           help=f"write {sign} before it, or in its place")

    def name(self, what: str) -> Named:
        token = self.peek
        if token.kind != "name" or token.text in OPENERS:
            raise self.misread("toss-unexpected", f"expected {what}, found {token.text}", token.span,
                               help="names start with a letter, and are not words of the language")
        self._place += 1
        return Named(token.text, token.span)

    def any_name(self, what: str) -> Named:
        """A name that may also be a number, as elements and players are often called."""
        token = self.peek
        if token.kind == "number":
            self._place += 1
            return Named(token.text, token.span)
        return self.name(what)

    def skip_to(self, words: Collection[str]) -> None:
        """Goes on to the next of these words."""
        while not self.at_end and not (self.peek.kind == "name" and self.peek.text in words):
            self._place += 1
