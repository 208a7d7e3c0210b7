"""Markets as rulesheets of GDL-II, so that everything that plays, proves or serves a game takes a market.

Traders are roles, messages moves, what is sent to a trader a percept, and the market maker is `random`. Types are dealt
first, one trader a step. A tick is one step where the maker does not act on the messages of the same tick, else two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ludorum.gdl.printing import to_kif
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, Rulesheet, Source, atoms
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.gdl.words import KEYWORDS, RANDOM
from ludorum.market.market import Market

Scored = Literal["payoff", "payment"]

_A, _M, _F, _U, _T = map(Variable, ("a", "m", "f", "u", "t"))


@dataclass(frozen=True)
class Translation:
    """A market in GDL-II, and what its goals mean: a goal is 50 and `scale` more for every unit."""

    rules: Rulesheet
    scale: int
    silent: Term
    #: The name of the move of chance that gives a trader its type, such as (deal a_1 (value a_1 3)).
    deal: str

    def units(self, goal: float) -> float:
        """The payoff that a goal, or an average of goals, stands for."""
        return (goal - 50) / self.scale


def to_rules(market: Market) -> Rulesheet:
    """The market as a rulesheet of GDL-II."""
    return translate(market).rules


def translate(market: Market, scored: Scored = "payoff") -> Translation:
    """The market as a rulesheet of GDL-II, with goals for what traders gain, or for what they pay."""
    return _Translator(market, scored).translation()


class _Translator:
    def __init__(self, market: Market, scored: Scored) -> None:
        self.market, self.scored = market, scored
        taken = {name for rule in market.rules for name in _names(rule)}
        (self.stage, self.inbox, self.silent, self.none, self.deal, self.typed, self.time, self.moment,
         self.busy) = (
            _unused(name, taken) for name in ("stage", "inbox", "silent", "none", "deal", "type", "time", "moment",
                                              "busy"))
        # Words of GDL-II that a market may use for relations of its own.
        self.renamed = {name: _unused(f"own_{name}", taken) for name in taken
                        if name in KEYWORDS and name not in ("distinct", "true", "init", "next", "terminal", "does",
                                                             "legal")}
        self.typers = market.traders if market.defines("type") else ()
        self.has_maker = market.defines("legal")

    def translation(self) -> Translation:
        scale = 50 // self.market.largest(self.scored) if self.market.defines(self.scored) else 1
        rules = [*self._roles(), *self._stages(), *self._types()]
        for rule in self.market.rules:
            rules += self._rule(rule)
        rules += [*self._silence(), *self._maker(), *self._frames(), *self._goals(scale)]
        rules = [*rules, *self._numbers(rules)]
        text = self._comment(scale) + to_kif(Rulesheet(tuple(rules)))
        sheet = Rulesheet(tuple(rules), Source(text, self.market.source.name), self.market.diagnostics)
        return Translation(sheet, scale, Term(self.silent), self.deal)

    def _comment(self, scale: int) -> str:
        return (f";; Translated from the Market Specification Language.\n;; A goal is 50 and {scale} more for "
                f"every unit of {self.scored}; {self.silent} sends nothing.\n\n")

    # Stages: a deal for every trader with a type, then ticks of one step, or of two.

    def _stage(self, *name: str) -> Term:
        return Term(self.stage, (_term(*name),))

    def _at(self, *name: str) -> Term:
        return Term("true", (self._stage(*name),))

    @property
    def _acting(self) -> Term:
        """When the maker acts, messages are sent to traders, and the state changes."""
        return self._at("act" if self.market.is_two_phased else "trade")

    @property
    def _collecting(self) -> Term:
        """When traders may send messages."""
        return self._at("trade")

    def _roles(self) -> Iterator[Rule]:
        yield from (Rule(Term("role", (trader,))) for trader in self.market.traders)
        if self.typers or self.has_maker:
            yield Rule(_term("role", RANDOM))

    def _stages(self) -> Iterator[Rule]:
        first = self._stage(self.deal, str(1)) if self.typers else self._stage("trade")
        yield Rule(Term("init", (first,)))
        for number in range(1, len(self.typers) + 1):
            after = self._stage(self.deal, str(number + 1)) if number < len(self.typers) else self._stage("trade")
            yield Rule(Term("next", (after,)), (self._at(self.deal, str(number)),))
        if self.market.is_two_phased:
            yield Rule(Term("next", (self._stage("act"),)), (self._at("trade"),))
            yield Rule(Term("next", (self._stage("trade"),)), (self._at("act"),))
        else:
            yield Rule(Term("next", (self._stage("trade"),)), (self._at("trade"),))
        if self.market.last is not None:
            yield from self._clock(self.market.last)

    def _clock(self, last: int) -> Iterator[Rule]:
        start = Term(self.time, (Term("0"),))
        yield from self._starting(start, ())
        yield from (Rule(_term(self.moment, str(now), str(now + 1))) for now in range(last))
        after = Variable("after")
        yield Rule(Term("next", (Term(self.time, (after,)),)),
                   (self._acting, Term("true", (Term(self.time, (_T,)),)), Term(self.moment, (_T, after))))
        if self.market.is_two_phased:
            yield Rule(Term("next", (Term(self.time, (_T,)),)),
                       (self._at("trade"), Term("true", (Term(self.time, (_T,)),))))
        yield Rule(Term("terminal"), (Term("true", (_term(self.time, str(last)),)),))

    def _starting(self, fluent: Argument, body: tuple[Formula, ...]) -> Iterator[Rule]:
        """A fluent of the start, which comes when the last type is dealt."""
        if self.typers:
            yield Rule(Term("next", (fluent,)), (self._at(self.deal, str(len(self.typers))), *body))
        else:
            yield Rule(Term("init", (fluent,)), body)

    def _types(self) -> Iterator[Rule]:
        for number, trader in enumerate(self.typers, start=1):
            dealt = Term("does", (Term(RANDOM), Term(self.deal, (trader, _F))))
            yield Rule(Term("legal", (Term(RANDOM), Term(self.deal, (trader, _F)))),
                       (self._at(self.deal, str(number)), Term(self._own("type"), (trader, _F))))
            yield Rule(Term("sees", (trader, _F)), (dealt,))
        for pattern in self._patterns("type", 1):
            yield Rule(Term("next", (pattern,)), (Term("does", (Term(RANDOM), Term(self.deal, (_A, pattern)))),))

    def _own(self, word: str) -> str:
        return f"{word}_of_trader" if word == "type" else word

    # Rules of the market.

    def _rule(self, rule: Rule) -> Iterator[Rule]:
        head, body = rule.head, tuple(map(self._formula, rule.body))
        match head.name:
            case "init":
                yield from self._starting(self._argument(head.args[0]), body)
            case "next":
                yield Rule(self._plain(head), (self._acting, *body))
            case "message":
                yield Rule(Term("legal", self._arguments(head)), (self._collecting, *body))
            case "legal":
                yield Rule(Term("legal", (Term(RANDOM), *self._arguments(head))), (self._acting, *body))
                yield Rule(Term(self.busy), (self._acting, *body))
            case "send":
                yield Rule(Term("sees", self._arguments(head)), (self._acting, *body))
            case "terminal":
                if not self._is_last(rule):
                    yield Rule(Term("terminal"), (self._collecting, *body))
            case "type":
                yield Rule(Term(self._own("type"), self._arguments(head)), body)
            case "payoff" | "payment":
                if head.name == self.scored:
                    yield Rule(Term(head.name, self._arguments(head)), body)
            case _:
                yield Rule(self._plain(head), body)

    def _is_last(self, rule: Rule) -> bool:
        """Whether it only says when the market closes in any case, which the clock says already."""
        return rule.body == (_term("time", str(self.market.last)),)

    def _formula(self, formula: Formula) -> Formula:
        if isinstance(formula, Not):
            return Not(self._formula(formula.formula))
        if isinstance(formula, And | Or):
            return type(formula)(tuple(map(self._formula, formula.formulas)))
        arguments = self._arguments(formula)
        match formula.name:
            case "time":
                return Term("true", (Term(self.time, arguments),))
            case "receive":
                return Term("true", (Term(self.inbox, arguments),)) if self.market.is_two_phased else \
                    Term("does", arguments)
            case "does":
                return Term("does", (Term(RANDOM), *arguments))
        return self._plain(formula)

    def _plain(self, atom: Term) -> Term:
        return Term(self.renamed.get(atom.name, atom.name), self._arguments(atom))

    def _arguments(self, atom: Term) -> tuple[Argument, ...]:
        return tuple(map(self._argument, atom.args))

    def _argument(self, argument: Argument) -> Argument:
        if isinstance(argument, Variable):
            return Variable(argument.name)
        return Term(argument.name, tuple(map(self._argument, argument.args)))

    # What the market leaves unsaid.

    def _silence(self) -> Iterator[Rule]:
        yield Rule(Term("legal", (_A, Term(self.silent))), (Term("trader", (_A,)),))

    def _maker(self) -> Iterator[Rule]:
        if not (self.typers or self.has_maker):
            return
        nothing = Term("legal", (Term(RANDOM), Term(self.none)))
        if not self.has_maker:
            yield Rule(nothing, (self._at("trade"),))
        else:
            yield Rule(nothing, (self._acting, Not(Term(self.busy))))
            if self.market.is_two_phased:
                yield Rule(nothing, (self._collecting,))

    def _frames(self) -> Iterator[Rule]:
        """What stays as it is: types for ever, and everything else while messages are collected."""
        types = [*self._patterns("type", 1)]
        for pattern in types:
            yield Rule(Term("next", (pattern,)), (Term("true", (pattern,)),))
        if self.market.is_two_phased:
            yield Rule(Term("next", (Term(self.inbox, (_A, _M)),)),
                       (self._collecting, Term("trader", (_A,)), Term("does", (_A, _M))))
            for pattern in dict.fromkeys((*self._patterns("next", 0), *self._patterns("init", 0))):
                if pattern not in types:
                    yield Rule(Term("next", (pattern,)), (self._collecting, Term("true", (pattern,))))

    def _patterns(self, word: str, index: int) -> Iterable[Term]:
        """The forms of the fluents that rules of a word make."""
        found: dict[Term, None] = {}
        for rule in self.market.rules:
            fluent = rule.head.args[index] if rule.head.name == word else None
            if isinstance(fluent, Term):
                places = tuple(Variable(f"x{number}") for number in range(1, len(fluent.args) + 1))
                found[Term(fluent.name, places)] = None
        return found

    def _goals(self, scale: int) -> Iterator[Rule]:
        if not self.market.defines(self.scored):
            yield Rule(Term("goal", (_A, Term("50"))), (Term("trader", (_A,)),))
            return
        most = self.market.largest(self.scored)
        worth = "worth_" + self.scored
        yield Rule(Term("goal", (_A, Variable("g"))),
                   (Term(self.scored, (_A, _U)), Term(worth, (_U, Variable("g")))))
        for units in range(-most, most + 1):
            yield Rule(_term(worth, str(units), str(50 + scale * units)))

    def _numbers(self, rules: Iterable[Rule]) -> Iterator[Rule]:
        """What is known of numbers, as far as rules ask for it."""
        used = {atom.name for rule in rules for formula in rule.body for atom in atoms(formula)}
        low, high = self.market.prices
        if "price" in used:
            yield from (Rule(_term("price", str(number))) for number in range(low, high + 1))
        first, last = self.market.ranges.counted
        numbers = range(first, last + 1)
        for name, step in (("less", 1), ("atmost", 0)):
            if name in used:
                yield from (Rule(_term(name, str(x), str(y))) for x in numbers for y in range(x + step, last + 1))
        for name, sign in (("plus", 1), ("minus", -1)):
            if name in used:
                yield from (Rule(_term(name, str(x), str(y), str(x + sign * y))) for x in numbers for y in numbers
                            if first <= x + sign * y <= last)


def _term(name: str, *arguments: str) -> Term:
    return Term(name, tuple(map(Term, arguments)))


def _names(rule: Rule) -> Iterator[str]:
    stack: list[Argument] = [rule.head, *(atom for formula in rule.body for atom in atoms(formula))]
    while stack:
        item = stack.pop()
        if isinstance(item, Term):
            yield item.name
            stack.extend(item.args)


def _unused(name: str, taken: set[str]) -> str:
    while name in taken and name != "time":
        name += "_"
    return name
