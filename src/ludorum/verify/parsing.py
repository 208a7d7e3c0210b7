"""Text to formulas: what stands where is kept, and what is wrong is shown with a caret."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NoReturn, cast

from ludorum.errors import InvalidFormula
from ludorum.gdl.diagnostics import Findings, Level
from ludorum.gdl.source import Source
from ludorum.gdl.terms import Argument, Span, Term, Variable
from ludorum.verify.formulas import (
    Along,
    Atom,
    Bound,
    Constant,
    Counted,
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Paths,
    Quantified,
    Shorthand,
    Surely,
    Until,
    Whether,
)

#: Everything that can be wrong with a formula.
CODES: dict[str, Level] = {
    "formula-unexpected": "error",
    "formula-unclosed": "error",
    "formula-too-deep": "error",
    "formula-unknown-role": "error",
    "formula-unknown-atom": "error",
    "formula-free-variable": "error",
    "formula-idle-variable": "error",
    "formula-too-large": "error",
    "formula-needs-group": "error",
}

#: Shorthands that a role follows, and the one that stands alone.
OF_ROLE = ("knows_legal", "knows_end", "knows_goal")
ALONE = ("well_formed",)

_TEMPORAL = frozenset({"AG", "AF", "AX", "EG", "EF", "EX", "G", "F", "X"})
_BOUNDS = ("at_least", "at_most", "exactly")
_PREFIX = frozenset({*_TEMPORAL, *_BOUNDS, "A", "E", "K", "C", "D", "not", "knows_whether", "all", "some", "surely",
                     *OF_ROLE, *ALONE})
_INFIX = ("iff", "implies", "or", "and", "U")
#: Formulas inside formulas, at most.
_MOST_DEEP = 60

_TOKEN = re.compile(r"(?P<space>\s+|;[^\n]*)|(?P<sign>[][(){}])|(?P<word>[^\s()\[\]{};]+)")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    span: Span

    @property
    def is_word(self) -> bool:
        return bool(self.text) and self.text not in "()[]{}"


def parse(text: str) -> Formula:
    """The formula that a text means; raises InvalidFormula, which shows where it goes wrong."""
    return _Reader(text).whole()


def is_formula(text: str) -> bool:
    """Whether a text seems meant as a formula: it starts with a word or a sign that only formulas have."""
    words = [match.group() for match in _TOKEN.finditer(text) if match.lastgroup != "space"]
    return bool(words) and (words[0] in _PREFIX or words[0] in "([" or any(word in _INFIX for word in words)
                            or words in (["terminal"], ["true"], ["false"]))


class _Reader:
    def __init__(self, text: str) -> None:
        self._findings = Findings(Source(text, "<formula>"), CODES)
        self._tokens = [_Token(match.group(), Span(*match.span())) for match in _TOKEN.finditer(text)
                        if match.lastgroup != "space"]
        last = self._tokens[-1].span.end if self._tokens else 0
        self._tokens.append(_Token("", Span(last, last + 1)))
        self._at = 0
        self._depth = 0

    # ---- tokens ----

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _ahead(self, number: int) -> str:
        return self._tokens[min(self._at + number, len(self._tokens) - 1)].text

    def _take(self) -> _Token:
        token = self._now
        if self._at < len(self._tokens) - 1:
            self._at += 1
        return token

    def _fail(self, code: str, message: str, span: Span, label: str = "", help: str = "") -> NoReturn:
        self._findings.add(code, message, span, label, help)
        raise InvalidFormula(self._findings.in_order())

    def _since(self, start: Span) -> Span:
        return Span(start.start, self._tokens[max(0, self._at - 1)].span.end)

    # ---- formulas ----

    def whole(self) -> Formula:
        formula = self._infix(0)
        if self._now.text:
            self._fail("formula-unexpected", f"{self._now.text} cannot stand here", self._now.span,
                       "the formula before it is complete",
                       "and, or, implies, iff or U stand between two formulas")
        return formula

    def _infix(self, level: int) -> Formula:
        if level == len(_INFIX):
            return self._prefixed()
        start = self._now.span
        word = _INFIX[level]
        parts = [self._infix(level + 1)]
        deep = self._depth
        while self._now.text == word:
            if word not in ("and", "or"):
                # Each of these stands inside the one before, or around it.
                self._deeper()
            self._take()
            if word in ("implies", "U"):
                # What follows goes on to the right.
                right = self._infix(level)
                self._depth = deep
                made = Implies(parts[0], right, span=self._since(start)) if word == "implies" \
                    else Until(parts[0], right, span=self._since(start))
                return made
            parts.append(self._infix(level + 1))
            if word == "iff":
                parts = [Implies(parts[0], parts[1], both_ways=True, span=self._since(start))]
        self._depth = deep
        if len(parts) == 1:
            return parts[0]
        return Junction(cast(Literal["and", "or"], word), tuple(parts), self._since(start))

    def _prefixed(self) -> Formula:
        self._deeper()
        try:
            return self._one()
        finally:
            self._depth -= 1

    def _deeper(self, what: str = "formulas") -> None:
        self._depth += 1
        if self._depth > _MOST_DEEP:
            self._fail("formula-too-deep", f"more than {_MOST_DEEP} {what} inside each other", self._now.span)

    def _one(self) -> Formula:
        token = self._now
        start = token.span
        if not token.text:
            self._fail("formula-unexpected", "a formula is missing at the end", start, "a formula was expected here")
        if token.text in "([":
            return self._in_parentheses()
        if not token.is_word:
            self._fail("formula-unexpected", f"{token.text} cannot start a formula", start, "",
                       "groups of roles follow E, C or D, as in C {a b} φ")
        word = self._take().text
        read = self._words.get(word)
        if read is not None:
            return read(self, word, start)
        if word in _INFIX or word == "within":
            self._fail("formula-unexpected", f"{word} stands between two formulas", start,
                       "there is none before it")
        if word in ("true", "false"):
            return Constant(word == "true", start)
        if word.startswith("?"):
            self._fail("formula-unexpected", f"{word} stands for a term, never for a formula", start)
        return Atom(Term(word.lower(), (), start), start)

    def _temporal(self, word: str, start: Span) -> Formula:
        body = self._prefixed()
        span = self._since(start)
        along = Along(cast(Literal["X", "F", "G"], word[-1]), body, span)
        return along if len(word) == 1 else Paths(cast(Literal["A", "E"], word[0]), along, span)

    def _path_or_group(self, word: str, start: Span) -> Formula:
        if word == "E" and self._now.text == "{":
            return self._group(word, start)
        body = self._prefixed()
        return Paths(cast(Literal["A", "E"], word), body, self._since(start))

    def _group(self, word: str, start: Span) -> Formula:
        if self._now.text != "{":
            self._fail("formula-needs-group", f"{word} is about a group of roles", self._now.span,
                       "no group here", f"write {word} {{a b}} with the roles of the group; K is for one role")
        self._take()
        roles: list[str] = []
        while self._now.is_word:
            roles.append(self._take().text.lower())
        if self._now.text != "}" or not roles:
            self._fail("formula-unclosed" if not self._now.text else "formula-unexpected",
                       "a group is roles between { and }", self._now.span, "a role was expected here"
                       if not roles else "the group is not closed")
        self._take()
        body = self._prefixed()
        return Knows(cast(Literal["E", "C", "D"], word), tuple(dict.fromkeys(roles)), body, self._since(start))

    def _role(self, after: str) -> str:
        token = self._now
        if not token.is_word:
            self._fail("formula-unexpected", f"a role follows {after}", token.span, "a role was expected here")
        return self._take().text.lower()

    def _knows(self, word: str, start: Span) -> Formula:
        role = self._role(word)
        body = self._prefixed()
        span = self._since(start)
        return Knows("K", (role,), body, span) if word == "K" else Whether(role, body, span)

    def _not(self, word: str, start: Span) -> Formula:
        return Not(self._prefixed(), self._since(start))

    def _quantified(self, word: str, start: Span) -> Formula:
        names = self._variables()
        if not names:
            self._fail("formula-unexpected", f"a variable such as ?x follows {word}", self._now.span,
                       "a variable was expected here")
        body = self._prefixed()
        return Quantified(cast(Literal["all", "some"], word), names, body, span=self._since(start))

    def _counted(self, word: str, start: Span) -> Formula:
        count = self._number(word)
        names = self._variables()
        if not names:
            self._fail("formula-unexpected", f"a variable such as ?x follows {word} {count}", self._now.span,
                       "a variable was expected here", f"of formulas it is written ({word} {count} φ ψ …)")
        body = self._prefixed()
        return Quantified(cast(Bound, word), names, body, count, self._since(start))

    def _variables(self) -> tuple[str, ...]:
        names: dict[str, None] = {}
        while self._now.text.startswith("?"):
            names[self._take().text[1:].lower()] = None
        return tuple(names)

    def _number(self, after: str) -> int:
        number = self._now
        if not re.fullmatch(r"[0-9]{1,4}", number.text):
            self._fail("formula-unexpected", f"a number follows {after}", number.span, "a number was expected here",
                       "numbers have at most four digits")
        return int(self._take().text)

    def _surely(self, word: str, start: Span) -> Formula:
        role = self._role(word)
        body = self._prefixed()
        if self._now.text != "within":
            self._fail("formula-unexpected", "surely says within how many steps", self._now.span,
                       "within was expected here", "write surely ROLE φ within 3")
        self._take()
        return Surely(role, body, self._number("within"), self._since(start))

    def _shorthand(self, word: str, start: Span) -> Formula:
        role = self._role(word) if word in OF_ROLE else None
        return Shorthand(word, role, self._since(start))

    _words: ClassVar[dict[str, Callable[[_Reader, str, Span], Formula]]] = {
        **dict.fromkeys(_TEMPORAL, _temporal), "A": _path_or_group, "E": _path_or_group, "C": _group, "D": _group,
        "K": _knows, "knows_whether": _knows, "not": _not, "all": _quantified, "some": _quantified, "surely": _surely,
        **dict.fromkeys(_BOUNDS, _counted), **dict.fromkeys((*OF_ROLE, *ALONE), _shorthand)}

    # ---- parentheses: around a formula, or an atom in KIF ----

    def _in_parentheses(self) -> Formula:
        opening = self._take()
        closing = ")" if opening.text == "(" else "]"
        word, then = self._now.text, self._ahead(1)
        if opening.text == "(" and (word in ("and", "or", "implies", "iff")
                                    or (word in _BOUNDS and not self._ahead(2).startswith("?"))):
            return self._before_its_parts(opening)
        is_atom = (opening.text == "(" and self._now.is_word and word not in _PREFIX and word not in ("true", "false")
                   and then not in (*_INFIX, ")", ""))
        if opening.text == "(" and word == "true" and then not in (*_INFIX, ")", ""):
            is_atom = True
        if is_atom:
            self._at -= 1
            term = self._term()
            assert isinstance(term, Term)
            return Atom(term, term.span)
        formula = self._infix(0)
        self._close(opening, closing)
        return formula

    def _before_its_parts(self, opening: _Token) -> Formula:
        """An operator before the formulas that it joins, as in KIF."""
        word = self._take().text
        count = self._number(word) if word in _BOUNDS else 0
        parts: list[Formula] = []
        while self._now.text not in (")", ""):
            parts.append(self._prefixed())
        self._close(opening, ")")
        span = self._since(opening.span)
        if word in ("and", "or"):
            return Junction(cast(Literal["and", "or"], word), tuple(parts), span)
        if word in _BOUNDS:
            return Counted(cast(Bound, word), count, tuple(parts), span)
        if len(parts) != 2:
            self._fail("formula-unexpected", f"{word} joins two formulas, here it has {len(parts)}", span)
        return Implies(parts[0], parts[1], both_ways=word == "iff", span=span)

    def _close(self, opening: _Token, closing: str) -> None:
        if not self._now.text:
            self._fail("formula-unclosed", f"this {opening.text} is never closed", opening.span, "it opens here")
        if self._now.text != closing:
            self._fail("formula-unexpected", f"{self._now.text} cannot stand here", self._now.span,
                       f"{closing} was expected here", "and, or, implies, iff or U stand between two formulas")
        self._take()

    def _term(self) -> Argument:
        """A term in KIF; its nesting is bounded like that of formulas."""
        self._deeper("terms")
        token = self._take()
        if token.text == "(":
            if not self._now.is_word:
                self._fail("formula-unexpected", "a term starts with a symbol", self._now.span,
                           "a symbol was expected here")
            name = self._take().text.lower()
            args: list[Argument] = []
            while self._now.text not in (")", ""):
                args.append(self._term())
            if not self._now.text:
                self._fail("formula-unclosed", "this ( is never closed", token.span, "it opens here")
            self._take()
            self._depth -= 1
            return Term(name, tuple(args), self._since(token.span))
        if not token.is_word:
            self._fail("formula-unexpected", f"{token.text} cannot stand in a term", token.span)
        self._depth -= 1
        return Variable(token.text[1:].lower(), token.span) if token.text.startswith("?") \
            else Term(token.text.lower(), (), token.span)
