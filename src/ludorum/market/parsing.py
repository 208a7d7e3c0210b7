"""Text to markets, with everything that is to be said about them."""

from __future__ import annotations

import re
from dataclasses import replace

from ludorum.errors import InvalidRules
from ludorum.gdl.diagnostics import Diagnostic, Findings
from ludorum.gdl.recognition import recognise
from ludorum.gdl.rulesheet import Rule, atoms
from ludorum.gdl.source import Source
from ludorum.gdl.terms import Span, Term
from ludorum.market.checking import check_rules
from ludorum.market.market import Market
from ludorum.market.ranges import Interval
from ludorum.market.reading import read
from ludorum.market.words import CODES, NUMBERS

_TRADER = re.compile(r"^\s*\(?\s*(?:<=\s*\()?\s*trader\b", re.MULTILINE | re.IGNORECASE)
_MESSAGE = re.compile(r"\bmessage\s*\(|\(message\s", re.IGNORECASE)
_ROLE = re.compile(r"^\s*\(?\s*role[\s(]", re.MULTILINE | re.IGNORECASE)
# Where an author says in a comment how far numbers go, or when the market closes in any case.
_PRICES = re.compile(r"^\s*[%;]+\s*prices:\s*(-?\d+)\s*\.\.\s*(-?\d+)", re.MULTILINE)
_UNTIL = re.compile(r"^\s*[%;]+\s*until:\s*(\d+)", re.MULTILINE)

#: No market needs more prices than this; grounding would not end.
MOST_PRICES = 1_000


def is_market(source: Source) -> bool:
    """Whether a text is a market: by its name, or because it has traders and messages, and no roles."""
    if source.name.endswith(".msl"):
        return True
    text = source.text
    return bool(_TRADER.search(text) and _MESSAGE.search(text) and not _ROLE.search(text))


def parse(text: str | Source, name: str = "<market>") -> Market:
    """The market that a text describes; raises InvalidRules with all that was found if there is an error."""
    source = Source(text, name) if isinstance(text, str) else text
    findings = Findings(replace(source, syntax=recognise(source.text)), CODES)
    rules = read(findings)
    prices: Interval | None = None
    last: int | None = None
    if not findings.have_errors:
        prices = _prices(rules, findings)
        check_rules(rules, findings)
        last = _last(rules, findings)
    if findings.have_errors:
        raise InvalidRules(findings.in_order())
    kept = tuple(rule for rule in rules if rule.head.name != "prices")
    market = Market(kept, prices or (0, 0), last, findings.source, tuple(findings.in_order()))
    _check_payoffs(market, findings)
    if findings.have_errors:
        raise InvalidRules(findings.in_order())
    return market


def check(text: str, name: str = "<market>") -> list[Diagnostic]:
    """Everything there is to say about the text of a market, in its order. Never raises, whatever the text."""
    try:
        return list(parse(text, name).diagnostics)
    except InvalidRules as invalid:
        return list(invalid.diagnostics)


def _prices(rules: list[Rule], findings: Findings) -> Interval | None:
    found: Interval | None = None
    span: Span | None = None
    comment = _PRICES.search(findings.source.text)
    if comment:
        found, span = (int(comment[1]), int(comment[2])), Span(*comment.span())
    for rule in rules:
        if rule.head.name == "prices" and len(rule.head.args) == 2:
            span = rule.span
            try:
                found = int(rule.head.args[0]), int(rule.head.args[1])
            except ValueError:
                findings.add("market-bad-range", "a range of prices is two whole numbers", span,
                             help="such as prices(0,5)")
                return None
    if found is not None and not 0 <= found[1] - found[0] < MOST_PRICES:
        findings.add("market-bad-range", f"there are no prices from {found[0]} to {found[1]}" if found[1] < found[0]
                     else f"there are more than {MOST_PRICES} prices", span,
                     help="the lowest price comes first, such as prices(0,5)")
    if found is None:
        counted = next((atom for rule in rules for formula in rule.body for atom in atoms(formula)
                        if atom.name in NUMBERS), None)
        if counted is not None:
            findings.add("market-no-range", "numbers are compared or added, and nothing says how far they go",
                         counted.span, help="write prices(0,5), or the comment: % prices: 0..5")
    return found


def _last(rules: list[Rule], findings: Findings) -> int | None:
    """When the market closes in any case; None where nobody asks for the time."""
    asked = [atom for rule in rules for formula in rule.body for atom in atoms(formula) if atom.name == "time"]
    if not asked:
        return None
    ends = [int(rule.body[0].args[0]) for rule in rules if rule.head.name == "terminal" and len(rule.body) == 1
            and isinstance(rule.body[0], Term) and rule.body[0].name == "time" and _is_number(rule.body[0])]
    if until := _UNTIL.search(findings.source.text):
        ends.append(int(until[1]))
    if not ends:
        findings.add("market-endless", "rules ask for the time, and nothing says when the market closes",
                     asked[0].span, help="add terminal <= time(20), or the comment: % until: 20")
        return None
    return min(ends)


def _is_number(atom: Term) -> bool:
    try:
        int(atom.args[0])
    except ValueError:
        return False
    return True


def _check_payoffs(market: Market, findings: Findings) -> None:
    for word in ("payoff", "payment"):
        if market.defines(word) and market.largest(word) > 50:
            rule = next(rule for rule in market.rules if rule.head.name == word)
            low, high = market.ranges.of_amount(word)
            findings.add("market-large-payoff", f"a {word} may be from {low} to {high}, "
                         "and goals from 0 to 100 cannot tell them apart", rule.head.span,
                         help="use fewer prices; no more than 50 either way")
