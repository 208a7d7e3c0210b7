"""Formulas of time and knowledge, as values; `str` is the text that reads back as the same formula.

In the literature: CTL*K with the operators E, C and D of groups (Fagin, Halpern, Moses, Vardi 1995), over games as in
Ruan and Thielscher (2013).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ludorum.gdl.terms import Span, Term

#: How many: `at_least` so many, `at_most`, or `exactly`.
Bound = Literal["at_least", "at_most", "exactly"]


@dataclass(frozen=True, slots=True)
class Constant:
    """`true` or `false`."""

    value: bool
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True)
class Atom:
    """What a state, or the step that led to it, makes true: `(cell 1 1 x)`, `terminal`, `(did x (mark 1 1))`."""

    term: Term
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return str(self.term)


@dataclass(frozen=True, slots=True)
class Not:
    body: Formula
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"not {_tight(self.body)}"


@dataclass(frozen=True, slots=True)
class Junction:
    """Several formulas with `and` or `or` between them."""

    word: Literal["and", "or"]
    parts: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        if len(self.parts) < 2:
            return f"({self.word}{''.join(f' {_tight(part)}' for part in self.parts)})"
        return f" {self.word} ".join(map(_tight, self.parts))


@dataclass(frozen=True, slots=True)
class Implies:
    """`implies`, or `iff` where it goes both ways."""

    left: Formula
    right: Formula
    both_ways: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{_tight(self.left)} {'iff' if self.both_ways else 'implies'} {_tight(self.right)}"


@dataclass(frozen=True, slots=True)
class Quantified:
    """`all ?x` or `some ?x`: the formula for all, or some, values at the places of the variables.

    `at_least n ?x`, `at_most n ?x` and `exactly n ?x`: for so many of them.
    """

    word: Literal["all", "some"] | Bound
    variables: tuple[str, ...]
    body: Formula
    #: How many values, where the word asks for a number.
    count: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        number = "" if self.count is None else f" {self.count}"
        return f"{self.word}{number} {' '.join('?' + name for name in self.variables)} {_tight(self.body)}"


@dataclass(frozen=True, slots=True)
class Counted:
    """`at_least`, `at_most` or `exactly` so many of some formulas hold; two that are alike count twice."""

    word: Bound
    count: int
    parts: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def least(self) -> int:
        return 0 if self.word == "at_most" else self.count

    @property
    def most(self) -> int:
        return len(self.parts) if self.word == "at_least" else self.count

    def __str__(self) -> str:
        return f"({self.word} {self.count}{''.join(f' {_tight(part)}' for part in self.parts)})"


@dataclass(frozen=True, slots=True)
class Knows:
    """`K role`, or of a group: E everybody knows, C it is common knowledge, D together they know."""

    word: Literal["K", "E", "C", "D"]
    roles: tuple[str, ...]
    body: Formula
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        who = self.roles[0] if self.word == "K" else "{" + " ".join(self.roles) + "}"
        return f"{self.word} {who} {_tight(self.body)}"


@dataclass(frozen=True, slots=True)
class Whether:
    """`knows_whether role φ`: it knows that φ holds, or it knows that it does not."""

    role: str
    body: Formula
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"knows_whether {self.role} {_tight(self.body)}"


@dataclass(frozen=True, slots=True)
class Along:
    """X next, F at some time, G always: along one match."""

    word: Literal["X", "F", "G"]
    body: Formula
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.word} {_tight(self.body)}"


#: What the opposite of an operator says of the opposite.
DUAL: dict[Literal["X", "F", "G"], Literal["X", "F", "G"]] = {"X": "X", "F": "G", "G": "F"}


@dataclass(frozen=True, slots=True)
class Until:
    """`φ U ψ`: at some time ψ, and φ until then."""

    left: Formula
    right: Formula
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{_tight(self.left)} U {_tight(self.right)}"


@dataclass(frozen=True, slots=True)
class Paths:
    """A for all ways that a match can go on from here, E for some of them."""

    word: Literal["A", "E"]
    body: Formula
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        if isinstance(self.body, Along):
            return f"{self.word}{self.body}"
        return f"{self.word}[{self.body}]"


@dataclass(frozen=True, slots=True)
class Surely:
    """`surely role φ within n`: a way to play by what the role knows brings φ about in n steps, whatever others do."""

    role: str
    body: Formula
    steps: int
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"surely {self.role} {_tight(self.body)} within {self.steps}"


@dataclass(frozen=True, slots=True)
class Shorthand:
    """`knows_legal`, `knows_end` and `knows_goal` of a role, or `well_formed`."""

    word: str
    role: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.word if self.role is None else f"{self.word} {self.role}"


Formula = (Constant | Atom | Not | Junction | Implies | Quantified | Counted | Knows | Whether | Along | Until | Paths
           | Surely | Shorthand)

TRUE, FALSE = Constant(True), Constant(False)


def _tight(formula: Formula) -> str:
    """A formula that stands beside an operator: what is written between two formulas goes into parentheses."""
    if isinstance(formula, Implies | Until) or (isinstance(formula, Junction) and len(formula.parts) > 1):
        return f"({formula})"
    return str(formula)


def children(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that it is made of."""
    match formula:
        case Junction(parts=parts) | Counted(parts=parts):
            return parts
        case Implies(left=left, right=right) | Until(left=left, right=right):
            return left, right
        case Not(body=body) | Quantified(body=body) | Knows(body=body) | Whether(body=body) | Along(body=body) \
                | Paths(body=body) | Surely(body=body):
            return (body,)
    return ()


def subformulas(formula: Formula) -> Iterator[Formula]:
    """The formula and all inside, from the outside in."""
    yield formula
    for part in children(formula):
        yield from subformulas(part)


def negation(formula: Formula) -> Formula:
    """That it does not hold."""
    if isinstance(formula, Not):
        return formula.body
    return Constant(not formula.value) if isinstance(formula, Constant) else Not(formula)


def conjunction(*parts: Formula) -> Formula:
    return _joined("and", parts)


def disjunction(*parts: Formula) -> Formula:
    return _joined("or", parts)


def _joined(word: Literal["and", "or"], parts: tuple[Formula, ...]) -> Formula:
    neutral = word == "and"
    flat: dict[Formula, None] = {}
    for part in parts:
        if isinstance(part, Constant):
            if part.value != neutral:
                return part
        elif isinstance(part, Junction) and part.word == word:
            flat |= dict.fromkeys(part.parts)
        else:
            flat[part] = None
    if not flat:
        return Constant(neutral)
    return next(iter(flat)) if len(flat) == 1 else Junction(word, tuple(flat))


def counted(word: Bound, count: int, parts: tuple[Formula, ...]) -> Formula:
    """That so many of some formulas hold; those that are constant are counted already."""
    open_parts = tuple(part for part in parts if not isinstance(part, Constant))
    count -= sum(part.value for part in parts if isinstance(part, Constant))
    if count < 0:
        return Constant(word == "at_least")
    found = Counted(word, count, open_parts)
    if found.least > len(open_parts):
        return FALSE
    if found.least == 0 and found.most >= len(open_parts):
        return TRUE
    if found.most == 0:
        return conjunction(*map(negation, open_parts))
    if found.least == len(open_parts):
        return conjunction(*open_parts)
    return disjunction(*open_parts) if word == "at_least" and count == 1 else found


def both_ways(left: Formula, right: Formula) -> Formula:
    """`iff` without the word: each follows from the other."""
    return conjunction(disjunction(negation(left), right), disjunction(negation(right), left))


def complement(formula: Counted) -> Formula:
    """That too few of them hold, or too many."""
    too_few = counted("at_most", formula.least - 1, formula.parts) if formula.least else FALSE
    return disjunction(too_few, counted("at_least", formula.most + 1, formula.parts))


def is_of_states(formula: Formula) -> bool:
    """Whether it is about a moment, and not about a match that goes on from there."""
    match formula:
        case Along() | Until():
            return False
        case Not() | Junction() | Implies() | Quantified() | Counted():
            return all(map(is_of_states, children(formula)))
    return True


def roles_that_know(formula: Formula) -> frozenset[str]:
    """The roles whose knowledge is spoken of, wherever that is."""
    found: set[str] = set()
    for part in subformulas(formula):
        if isinstance(part, Knows):
            found |= set(part.roles)
        elif isinstance(part, Whether | Surely):
            found.add(part.role)
    return frozenset(found)
