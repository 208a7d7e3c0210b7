"""What applying a rule changes, as rules of GDL: of the move that is made, or of every candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludorum.gdl import rulesheet as gdl
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.toss.conditions import NOW, Conditions, Moment
from ludorum.toss.game import Game, RewritingRule

_MOVE = Variable("m")
_PLAYER = Variable("p")
TIME = Variable("t")


@dataclass(frozen=True, slots=True)
class Clock:
    """The fluent that tells how many moves were made, by which new elements are named."""

    fluent: str
    later: str

    def told(self, elements: Sequence[Argument]) -> list[Term]:
        """The condition that tells the time, where one of these is a new element."""
        is_new = any(isinstance(element, Term) for element in elements)
        return [Term("true", (Term(self.fluent, (TIME,)),))] if is_new else []

    def rules(self) -> list[gdl.Rule]:
        """Time starts and goes on."""
        now, then = Term(self.fluent, (TIME,)), Term(self.fluent, (Term(self.later, (TIME,)),))
        return [gdl.Rule(Term("init", (Term(self.fluent, (Term("0"),)),))),
                gdl.Rule(Term("next", (then,)), (Term("true", (now,)),))]


class Effects:
    """States after moves: with `is_candidate`, of every candidate of a move and not only of those that are made."""

    def __init__(self, game: Game, conditions: Conditions, clock: Clock, *, is_candidate: bool) -> None:
        self.game = game
        self.conditions = conditions
        self.clock = clock
        self.is_candidate = is_candidate
        suffix = "_then" if is_candidate else ""
        symbol = conditions.symbols.symbol
        self._gone = symbol("gone" + suffix)
        self._becomes, self._outside, self._exact = (
            symbol(name + suffix) for name in ("becomes", "outside", "exact"))

    def add(self, forms: Sequence[Form]) -> None:
        """The rules of GDL for what the rules of these moves do."""
        for form in forms:
            cause = self._cause(form.move)
            for relation, args in sorted(form.rule.right.facts):
                if relation in self.game.fluents:
                    elements = [form.after[arg] for arg in args]
                    self._holds(form, self.conditions.fluent(relation, elements), [cause, *self.clock.told(elements)])
        if self.game.keeps_elements:
            self._keep(forms)
        else:
            self._replace(forms)

    def _cause(self, move: Argument) -> Term:
        return Term(self.conditions.candidate if self.is_candidate else "does", (_PLAYER, move))

    def _holds(self, form: Form | None, fluent: Term, body: Sequence[gdl.Formula]) -> None:
        """A fluent holds after the move of a rule, or after any."""
        move: Argument = form.move if form is not None else _MOVE
        head = Term(self.conditions.then, (move, fluent)) if self.is_candidate else Term("next", (fluent,))
        self._rule(head, body, move)

    def _said(self, relation: str, move: Argument, *args: Argument) -> Term:
        """An atom about the move that is made, or about a candidate, which is then named."""
        return Term(relation, (move, *args) if self.is_candidate else args)

    def _rule(self, head: Term, body: Sequence[gdl.Formula], move: Argument) -> None:
        self.conditions.rule(head, body, Moment(move) if self.is_candidate else NOW)

    # Rules that keep their elements

    def _keep(self, forms: Sequence[Form]) -> None:
        is_gone = set()
        for form in forms:
            rule = form.rule
            right = {(relation, tuple(rule.replaces[arg] for arg in args)) for relation, args in rule.right.facts}
            for relation, args in sorted((rule.left.facts | rule.left.optional) - right):
                if relation in self.game.fluents and relation in rule.embedded:
                    is_gone.add(relation)
                    fluent = self.conditions.fluent(relation, [form.matched[arg] for arg in args])
                    self._rule(self._said(self._gone, form.move, fluent), [self._cause(form.move)], form.move)
        for relation in sorted(self.game.fluents):
            fluent = self.conditions.fluent(
                relation, [Variable(f"x{place}") for place in range(self.game.arities[relation])])
            body: list[gdl.Formula] = [Term("true", (fluent,))]
            if relation in is_gone:
                body.append(gdl.Not(self._said(self._gone, _MOVE, fluent)))
            self._holds(None, fluent, body)

    # Rules that add, copy and delete

    def _replace(self, forms: Sequence[Form]) -> None:
        conditions = self.conditions
        alive = conditions.alive
        old, new = Variable("x"), Variable("y")
        for form in forms:
            move, cause = form.move, self._cause(form.move)
            self._rule(self._said(self._outside, move, old),
                       [cause, Term("true", (Term(alive, (old,)),)),
                        *(Term("distinct", (old, element)) for element in form.matched.values())], move)
            for name, after in form.after.items():
                when = self.clock.told([after])
                before = form.rule.replaces.get(name)
                if before is None:
                    self._holds(form, Term(alive, (after,)), [cause, *when])
                else:
                    self._rule(self._said(self._becomes, move, form.matched[before], after), [cause, *when], move)
            for relation in sorted(form.rule.embedded & self.game.fluents):
                self._rule(self._said(self._exact, move, Term(conditions.relation[relation])), [cause], move)
        self._rule(self._said(self._becomes, _MOVE, old, old), [self._said(self._outside, _MOVE, old)], _MOVE)
        self._holds(None, Term(alive, (new,)), [self._said(self._becomes, _MOVE, old, new)])
        for relation in sorted(self.game.fluents):
            self._carry([form.rule for form in forms], relation)

    def _carry(self, rules: Sequence[RewritingRule], relation: str) -> None:
        """Tuples go over to what their elements become; of exactly embedded relations, not those within the match."""
        arity = self.game.arities[relation]
        before = [Variable(f"x{place}") for place in range(arity)]
        after = [Variable(f"y{place}") for place in range(arity)]
        conditions = self.conditions
        body: list[gdl.Formula] = [Term("true", (conditions.fluent(relation, before),))]
        if not arity and self.is_candidate:
            body.append(self._cause(_MOVE))
        body += [self._said(self._becomes, _MOVE, one, other) for one, other in zip(before, after, strict=True)]
        exact = self._said(self._exact, _MOVE, Term(conditions.relation[relation]))
        fluent = conditions.fluent(relation, after)
        if any(relation not in rule.embedded for rule in rules):
            sometimes = any(relation in rule.embedded for rule in rules)
            self._holds(None, fluent, [*body, gdl.Not(exact)] if sometimes else body)
        if any(relation in rule.embedded for rule in rules):
            for element in before:
                self._holds(None, fluent, [*body, exact, self._said(self._outside, _MOVE, element)])


@dataclass(frozen=True, slots=True)
class Form:
    """How the moves of a rule are told."""

    rule: RewritingRule
    move: Term
    #: The elements of the left side, as the move names them.
    matched: Mapping[str, Variable]
    #: The elements of the right side after the move: those that were matched, or new ones, named by the time.
    after: Mapping[str, Argument]


def adds_elements(rule: RewritingRule) -> bool:
    return len(rule.right.elements) > len(rule.survivors)
