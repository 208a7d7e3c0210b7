"""What can be wrong with the rules of a market, said so that its author can mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import dependencies, relation_of
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.graph import component_numbers, path_to
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, Rulesheet, atoms
from ludorum.gdl.terms import Term, Variable, variables
from ludorum.gdl.unify import unify
from ludorum.gdl.words import RANDOM
from ludorum.grammar import agree
from ludorum.market.words import ANSWERS, GIVEN, KEYWORDS, NUMBERS

_GDL_ONLY = {"role": "trader", "goal": "payoff", "sees": "send", "input": "message", "base": "init"}
# What may not be known yet when a question is asked.
_TOO_EARLY = {"message": ("does", "receive"), "terminal": ("does", "receive"), "legal": ("does",),
              "type": ("does", "receive", "true", "time"), "payoff": ("does", "receive"),
              "payment": ("does", "receive")}


def check_rules(rules: Sequence[Rule], findings: Findings) -> None:
    """Everything about the rules of a market but their syntax and the range of their numbers."""
    _check_words(rules, findings)
    if findings.have_errors:
        return
    _check_safety(rules, findings)
    _check_order(rules, findings)
    _check_whole(rules, findings)
    _check_asked(rules, findings)


def _body(rule: Rule) -> Iterator[Term]:
    for formula in rule.body:
        yield from atoms(formula)


def _check_words(rules: Sequence[Rule], findings: Findings) -> None:
    arities: dict[str, int] = {}
    for rule in rules:
        _check_head(rule, findings)
        for atom in (rule.head, *_body(rule)):
            count = len(atom.args)
            if atom.name in _GDL_ONLY and atom.name not in KEYWORDS:
                findings.add("market-gdl-word", f"{atom.name} is a word of GDL, and markets have none of them",
                             atom.span, help=f"in a market it is {_GDL_ONLY[atom.name]}")
                continue
            wanted = KEYWORDS.get(atom.name, arities.setdefault(atom.name, count))
            if count != wanted:
                findings.add("market-arity", f"{atom.name} has {wanted} {agree(wanted, 'argument')}, not {count}",
                             atom.span, help=f"write {atom.name} with {wanted} {agree(wanted, 'argument')} everywhere")
        for atom in _body(rule):
            if atom.name in ANSWERS:
                findings.add("market-answer-word", f"{atom.name} is what rules answer, and no condition can ask for it",
                             atom.span, help="give the conditions a relation of their own, and use that in both places")


def _check_head(rule: Rule, findings: Findings) -> None:
    name, span = rule.head.name, rule.head.span
    if name in GIVEN:
        findings.add("market-given-word", f"{name} is given with the moment, and no rule can make it true", span,
                     help="what is to hold later is next(…)")
    elif name in NUMBERS or name == "distinct":
        findings.add("market-reserved", f"{name} is known of all numbers, and cannot be defined anew", span,
                     help="choose another name")
    elif name == "trader" and str(rule.head.args[0]) == RANDOM:
        findings.add("market-reserved", f"no trader can be called {RANDOM}, which is the market maker in GDL-II", span,
                     help="choose another name")
    elif name in ("trader", "prices") and (rule.body or any(True for _ in variables(rule.head))):
        findings.add("market-trader-not-fact", f"{name} can only be a fact", span,
                     help="name every trader: trader(a_1). trader(a_2).")


def _binding(body: Sequence[Formula]) -> set[str]:
    """The variables that the conditions bind whenever they hold."""
    bound: set[str] = set()
    for formula in body:
        if isinstance(formula, Term):
            if formula.name not in ("distinct", "less", "atmost"):
                bound.update(variable.name for variable in variables(formula))
        elif isinstance(formula, And):
            bound |= _binding(formula.formulas)
        elif isinstance(formula, Or) and formula.formulas:
            bound |= set.intersection(*(_binding((part,)) for part in formula.formulas))
    return bound


def _check_safety(rules: Sequence[Rule], findings: Findings) -> None:
    for rule in rules:
        bound = _binding(rule.body)
        told: set[str] = set()
        for variable in _asking(rule):
            if variable.name not in bound | told:
                told.add(variable.name)
                findings.add("market-unsafe", f"nothing says what {variable.name.upper()} can be", variable.span,
                             help=f"add a condition such as trader({variable.name.upper()}), or "
                                  f"{variable.name.upper()} ≥ 0 for a price")


def _asking(rule: Rule) -> Iterator[Variable]:
    yield from variables(rule.head)
    for formula in rule.body:
        if isinstance(formula, Term) and formula.name == "distinct":
            yield from variables(formula)
        elif isinstance(formula, Not) and isinstance(formula.formula, Term) and formula.formula.name in NUMBERS:
            yield from variables(formula.formula)


def _check_order(rules: Sequence[Rule], findings: Findings) -> None:
    clauses = flatten(Rulesheet(tuple(rules)))
    graph = dependencies(clauses)
    component = component_numbers(graph)
    for clause in clauses:
        for atom in clause.negative:
            if component.get(relation_of(atom)) == component[relation_of(clause.head)]:
                findings.add("market-unstratified", f"{clause.head.name} depends on its own negation", clause.span,
                             help="a relation may need itself, but not that it does not hold")
                return
    for rule in rules:
        name = rule.head.name
        start = relation_of(rule.head)
        if name == "init":
            for word in sorted(GIVEN):
                if path_to(graph, start, {(word, KEYWORDS[word])}):
                    findings.add("market-init-depends", f"init depends on {word}, which the start has not",
                                 rule.head.span, help="only facts and what follows from them can be used")
                    break
        for word in _TOO_EARLY.get(name, ()):
            if path_to(graph, start, {(word, KEYWORDS[word])}):
                findings.add("market-too-early", f"{name} depends on {word}, which is not known yet when it is asked",
                             rule.head.span, help=_ORDER)
                break


_ORDER = "a tick is: terminal, message, then receive and legal, then does with send and next"


def _check_whole(rules: Sequence[Rule], findings: Findings) -> None:
    defined = {rule.head.name for rule in rules}
    for word, example in (("trader", "trader(a_1)."), ("message", "message(A,bid(P)) <= trader(A) ∧ P ≥ 0."),
                          ("terminal", "terminal <= time(3).")):
        if word not in defined:
            findings.add("market-missing", f"a market needs a {word}, and no rule has one", None,
                         help=f"such as {example}")
    if "type" in defined and "payoff" not in defined:
        rule = next(rule for rule in rules if rule.head.name == "type")
        findings.add("market-no-payoff", "traders have types, and nothing says what they want", rule.head.span,
                     help="add payoff(A,U) <= …")


def _check_asked(rules: Sequence[Rule], findings: Findings) -> None:
    """What conditions ask for and what never comes about."""
    defined = {rule.head.name for rule in rules}
    messages = [rule.head.args[1] for rule in rules if rule.head.name == "message"]
    for atom in (atom for rule in rules for atom in _body(rule)):
        if atom.name not in defined and atom.name not in KEYWORDS:
            findings.add("market-undefined", f"no rule says when {atom.name} holds", atom.span,
                         help="without one it never does")
        elif atom.name == "receive" and messages and not any(_may_be(atom.args[1], message) for message in messages):
            findings.add("market-unknown-message", "no trader can send this message", atom.args[1].span,
                         help="message(A,M) says what can be sent")


def _may_be(one: Term | Variable, other: Term | Variable) -> bool:
    renamed = _renamed(other)
    return isinstance(one, Variable) or isinstance(renamed, Variable) or unify(one, renamed) is not None


def _renamed(argument: Term | Variable) -> Term | Variable:
    if isinstance(argument, Variable):
        return Variable("other " + argument.name)
    return Term(argument.name, tuple(map(_renamed, argument.args)))
