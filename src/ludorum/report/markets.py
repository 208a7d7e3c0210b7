"""The table of markets: what is proved of each, what its traders do in equilibrium, and what that brings to whom."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ludorum import library
from ludorum.analysis.proofs import Verdict
from ludorum.clock import Budget, Deadline
from ludorum.equilibrium import solve
from ludorum.equilibrium.tree import MOST_NODES
from ludorum.errors import LudorumError, TooLarge
from ludorum.gdl.rulesheet import Rule, atoms
from ludorum.gdl.terms import Term
from ludorum.market import Market
from ludorum.mechanism import PROPERTIES, Ledger, Mechanism, MechanismProof, numbers, prove_mechanism
from ludorum.move import Move, Role

# The work for the proofs of a market, and the seconds for its equilibrium.
_WORK, _SOLVING_S = 30.0, 60.0
# With how many bidders auctions are compared, and up to which price.
_BIDDERS, _HIGHEST = (2, 3, 4), 3
# Fewer prices than this make no market.
_FEWEST = 2
# Sums of chances are as exact as this: what is less likely is never sent.
_NEVER = 1e-9


@dataclass(frozen=True)
class Cell:
    """A verdict with how it came about, and the match that refutes it."""

    verdict: Verdict
    method: str
    says: str
    match: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class MarketRow:
    """A market in the table. Where nothing was computed, `why` says why not."""

    name: str
    title: str
    traders: int
    prices: tuple[int, int]
    #: Whether there were too many prices for the tree, so that fewer were looked at.
    is_cut: bool
    proofs: dict[str, Cell]
    #: By trader and type what it sends in equilibrium, most likely message first; only where it decides once.
    messages: dict[str, dict[str, str]] = field(default_factory=dict)
    #: By trader the numbers of types and messages, where both are one number.
    bids: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    #: The most that a trader gains by another plan, in units of the market; None where there is no equilibrium.
    epsilon: float | None = None
    method: str = ""
    revenue: float | None = None
    surplus: dict[str, float] = field(default_factory=dict)
    efficiency: float | None = None
    why: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {"market": self.name, "title": self.title, "traders": self.traders, "prices": list(self.prices),
                "is_cut": self.is_cut, "proofs": {name: {
                    "verdict": cell.verdict, "method": cell.method, "says": cell.says,
                    **({} if cell.match is None else {"match": [list(joint) for joint in cell.match]})}
                    for name, cell in self.proofs.items()},
                "equilibrium": self.messages, "epsilon": self.epsilon, "method": self.method, "revenue": self.revenue,
                "surplus": self.surplus, "efficiency": self.efficiency, "why": self.why,
                "seconds": round(self.seconds, 3)}


def market_names() -> list[str]:
    """The markets of the library."""
    return [entry.name for entry in library.catalogue() if "market" in entry.tags]


def market_rows(names: Iterable[str] | None = None,
                progress: Callable[[str], None] = lambda name: None) -> Iterator[MarketRow]:
    """The table, row by row; all markets of the library if none are named."""
    for name in market_names() if names is None else names:
        progress(name)
        yield market_row(name)


def market_row(name: str) -> MarketRow:
    """A row: proofs with all prices, and the equilibrium with as many as its tree has room for."""
    start = time.perf_counter()
    mechanism = Mechanism.load(name)
    proofs = {proof.property: _cell(proof) for proof in prove_mechanism(
        mechanism, *(name for name in PROPERTIES if name != "efficient"), budget=Budget(_WORK))}
    row = MarketRow(mechanism.name, _title(name), len(mechanism.traders), mechanism.market.prices, False, proofs)
    try:
        row = _solved(row, *_ledger(mechanism))
    except LudorumError as error:
        unknown = Cell("unknown", str(error), PROPERTIES["efficient"])
        row = replace(row, proofs={**proofs, "efficient": unknown}, why=str(error))
    return replace(row, seconds=time.perf_counter() - start)


def _title(name: str) -> str:
    try:
        return library.entry(name).title
    except LudorumError:
        return name


def _ledger(mechanism: Mechanism) -> tuple[Mechanism, Ledger]:
    """All outcomes, of the market with fewer prices where there are too many."""
    low, high = mechanism.market.prices
    while True:
        try:
            return mechanism, Ledger(mechanism, nodes=MOST_NODES)
        except TooLarge:
            high -= 1
            if high - low < _FEWEST:
                raise
            mechanism = Mechanism(replace(mechanism.market, prices=(low, high)), name=mechanism.name)


def _solved(row: MarketRow, mechanism: Mechanism, ledger: Ledger) -> MarketRow:
    (proof,) = prove_mechanism(mechanism, "efficient", budget=Budget(_WORK))
    found = solve(mechanism.game, Deadline.within(_SOLVING_S), nodes=MOST_NODES)
    plans = list(found.plans)
    accounts = ledger.accounts(plans)
    messages: dict[str, dict[str, str]] = {}
    bids: dict[str, list[tuple[int, float]]] = {}
    for role, plan in zip(ledger.tree.players, plans, strict=True):
        sets = ledger.tree.information_sets(role)
        if len(sets) <= max(1, len(mechanism.types.get(role, ()))):
            chosen = [(_type(mechanism, role, known.history), _likely(choices))
                      for known, choices in zip(sets, ledger.tree.choices(role, plan), strict=True)]
            messages[role] = {str(kind): " or ".join(map(str, sent)) for kind, sent in chosen}
            by_value = _bids(chosen)
            if by_value is not None:
                bids[role] = by_value
    return replace(row, prices=mechanism.market.prices, is_cut=mechanism.market.prices != row.prices,
                   proofs={**row.proofs, "efficient": _cell(proof)}, messages=messages, bids=bids,
                   epsilon=ledger.epsilon(plans), method=found.method, revenue=accounts.revenue,
                   surplus={str(role): value for role, value in accounts.surplus.items()},
                   efficiency=accounts.efficiency)


def _cell(proof: MechanismProof) -> Cell:
    match = None if proof.moves is None else tuple(tuple(map(str, joint)) for joint in proof.moves)
    return Cell(proof.verdict, proof.method, proof.says, match)


def _likely(choices: dict[Move, float]) -> dict[Move, float]:
    """What is sent at all, the most likely first."""
    return {move: share for move, share in sorted(choices.items(), key=lambda item: -item[1]) if share > _NEVER}


def _bids(chosen: Iterable[tuple[Term | None, dict[Move, float]]]) -> list[tuple[int, float]] | None:
    """The average bid by value; None where types or messages are not one number each."""
    found = []
    for kind, sent in chosen:
        values = () if kind is None else numbers(kind)
        named = [(numbers(move.term), share) for move, share in sent.items()]
        if len(values) != 1 or any(len(bid) != 1 for bid, _ in named):
            return None
        found.append((values[0], sum(bid[0] * share for bid, share in named)))
    return sorted(found)


def _type(mechanism: Mechanism, role: Role, history: Any) -> Term | None:
    told = {term for _, percepts in history for term in percepts}
    return next((kind for kind in mechanism.types.get(role, ()) if kind in told), None)


# ---- more bidders ----


@dataclass(frozen=True)
class Revenue:
    """What an auction brings with so many bidders."""

    name: str
    bidders: int
    revenue: float
    epsilon: float


def revenues(names: Iterable[str] | None = None) -> Iterator[Revenue]:
    """Of auctions that name no bidder in their rules, the revenue in equilibrium with two and more of them."""
    for name in market_names() if names is None else names:
        rules = Mechanism.load(name).market
        for count in _BIDDERS:
            more = with_bidders(rules, count)
            if more is None:
                break
            try:
                mechanism = Mechanism(more, name=name)
                ledger = Ledger(mechanism, nodes=MOST_NODES)
                found = solve(mechanism.game, Deadline.within(_SOLVING_S), nodes=MOST_NODES)
                brought = ledger.accounts(list(found.plans)).revenue
            except LudorumError:
                break
            if brought is not None and ledger.epsilon(list(found.plans)) <= 1e-6:
                yield Revenue(name, count, brought, ledger.epsilon(list(found.plans)))


def with_bidders(rules: Market, count: int) -> Market | None:
    """The same auction with so many bidders and few prices; None if its rules are for certain bidders or prices."""
    facts = [rule for rule in rules.rules if rule.head.name == "trader"]
    others = tuple(rule for rule in rules.rules if rule.head.name != "trader")
    named = {str(fact.head.args[0]) for fact in facts}
    if len(facts) != 2 or len({rule.head.args[0] for rule in facts}) != 2 or any(
            _mentions(rule, named) or any(_mentions(rule, {str(n)}) for n in range(_HIGHEST, rules.prices[1] + 1))
            for rule in others):
        return None
    traders = tuple(replace(facts[0], head=Term("trader", (Term(f"bidder_{number}"),)))
                    for number in range(1, count + 1))
    return replace(rules, rules=(*traders, *others), prices=(rules.prices[0], min(_HIGHEST, rules.prices[1])))


def _mentions(rule: Rule, names: set[str]) -> bool:
    stack: list[Any] = [rule.head, *(atom for formula in rule.body for atom in atoms(formula))]
    while stack:
        part = stack.pop()
        if isinstance(part, Term):
            if not part.args and part.name in names:
                return True
            stack.extend(part.args)
    return False
