"""The smallest set of `sees` rules after which a role knows what it should.

Candidates tell the role the moves of another role, or the fluents of a kind before the step. Two matches that the role
confuses, and should not, have to be told apart by one of the rules: that is a clause over the candidates. A smallest
set that fulfils all clauses so far is tried; if matches refute it, they are another clause. The first set that is
proved to suffice is a smallest one, since every smaller set leaves two of the matches alike.

In the literature: implicit hitting sets (Chandrasekaran, Karp, Moreno-Centeno, Vempala 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.analysis.proofs.proof import JointMove
from ludorum.circuit import Circuit
from ludorum.circuit.circuit import Literal
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.verify.evidence import Match
from ludorum.verify.proving import Verifier
from ludorum.verify.vocabulary import resolve


@dataclass(frozen=True, slots=True)
class SeesRule:
    """A rule that tells a role more: the moves of another role of one name, or all fluents of one name."""

    role: str
    #: Whose moves; None for fluents.
    mover: str | None
    name: str
    arity: int

    def __str__(self) -> str:
        variables = [f"?x{number + 1}" for number in range(self.arity)]
        term = f"({' '.join([self.name, *variables])})" if variables else self.name
        if self.mover is None:
            return f"(<= (sees {self.role} (was {term})) (true {term}))"
        return f"(<= (sees {self.role} (did {self.mover} {term})) (does {self.mover} {term}))"

    def covers(self, mover: str | None, term: Term) -> bool:
        return mover == self.mover and term.name == self.name and len(term.args) == self.arity


@dataclass(frozen=True, slots=True)
class Repair:
    """Rules that mend what a role does not know, as few as possible; None if no rules of these kinds do."""

    rules: tuple[SeesRule, ...] | None
    #: Why there are none, where there are none.
    why: str = ""


def candidates(game: Game, role: str) -> list[SeesRule]:
    """Every rule that may tell a role more, moves of others first."""
    found: dict[SeesRule, None] = {}
    for mover, moves in (game.moves or {}).items():
        if mover != role:
            found |= dict.fromkeys(SeesRule(role, str(mover), move.term.name, len(move.term.args)) for move in moves)
    found |= dict.fromkeys(SeesRule(role, None, fluent.name, len(fluent.args)) for fluent in game.fluents or ())
    return list(found)


def told_more(game: Game, rules: Sequence[SeesRule]) -> Game:
    """The game with these rules; it has a circuit."""
    circuit = _with_percepts(game.circuit, rules)
    if circuit.reachable is not None:
        circuit = replace(circuit, reachable=_with_percepts(circuit.reachable, rules))
    return game.with_circuit(circuit, name=game.name)


def smallest_repair(game: Game, role: str, formulas: Sequence[str], budget: Budget | None = None) -> Repair:
    """The fewest `sees` rules for a role after which some formulas hold, all of which speak of what it knows."""
    budget = budget or Budget(60.0)
    rules = candidates(game, role)
    clauses: list[list[int]] = []
    asked = [resolve(formula, game) for formula in formulas]
    try:
        while True:
            chosen = _smallest(len(rules), clauses, budget)
            mended = told_more(game, [rules[number] for number in chosen])
            verifier = Verifier(mended)
            for text, formula in zip(formulas, asked, strict=True):
                proof = verifier.proof(text, formula, budget.share(0.2))
                if proof.verdict == "unknown":
                    return Repair(None, f"it is not known whether {text} would hold: {proof.method}")
                if proof.verdict == "refuted":
                    clause = [number for number, rule in enumerate(rules)
                              if _tells_apart(game, rule, role, proof.matches)]
                    if not clause:
                        return Repair(None, f"no rule of these kinds tells apart what refutes {text}")
                    clauses.append(clause)
                    break
            else:
                return Repair(tuple(rules[number] for number in chosen))
    except BudgetExceeded as error:
        return Repair(None, str(error))


def _smallest(count: int, clauses: Sequence[Sequence[int]], budget: Budget) -> list[int]:
    """A smallest set of numbers with one of every clause."""
    for size in range(count + 1):
        solver = Solver(budget)
        try:
            chosen = [solver.variable() for _ in range(count)]
            solver.add(*([chosen[number] for number in clause] for clause in clauses))
            # Row k says that more than k of those so far are chosen: a sequential counter (Sinz 2005).
            rows: list[int] = []
            for variable in chosen:
                new = [solver.variable() for _ in range(size + 1)]
                for place, more in enumerate(new):
                    before = rows[place - 1] if place and rows else None
                    if rows:
                        solver.add([-rows[place], more])
                    if place == 0:
                        solver.add([-variable, more])
                    elif before is not None:
                        solver.add([-variable, -before, more])
                solver.add([-new[size]])
                rows = new
            if solver.solve():
                return [number for number, variable in enumerate(chosen) if solver.holds(variable)]
        finally:
            solver.close()
    raise BudgetExceeded("no set of rules suffices")


def _tells_apart(game: Game, rule: SeesRule, role: str, matches: Sequence[Match]) -> bool:
    """Whether a rule would tell a role something else in a match than in the one that it confuses it with."""
    return any(match.like is not None and role in match.roles
               and _seen(game, rule, match.moves) != _seen(game, rule, matches[match.like].moves)
               for match in matches)


def _seen(game: Game, rule: SeesRule, moves: Sequence[JointMove]) -> list[frozenset[Term]]:
    found, state = [], game.initial
    for joint in moves:
        if rule.mover is None:
            found.append(frozenset(fluent for fluent in state.fluents if rule.covers(None, fluent)))
        else:
            found.append(frozenset(move.term for role, move in zip(game.roles, joint, strict=True)
                                   if rule.covers(str(role), move.term)))
        state = state.after(joint)
    return found


def _with_percepts(circuit: Circuit, rules: Sequence[SeesRule]) -> Circuit:
    percepts = [list(told) for told in circuit.percepts]
    for rule in rules:
        seat = list(map(str, circuit.roles)).index(rule.role)
        percepts[seat] += _told(circuit, rule)
    return replace(circuit, percepts=tuple(map(tuple, percepts)))


def _told(circuit: Circuit, rule: SeesRule) -> list[tuple[Term, Literal]]:
    if rule.mover is None:
        return [(Term("was", (fluent,)), 2 * (1 + number)) for number, fluent in enumerate(circuit.fluents)
                if rule.covers(None, fluent)]
    wire, found = circuit.first_move, []
    for role, moves in zip(circuit.roles, circuit.moves, strict=True):
        found += [(Term("did", (role, move)), 2 * (wire + number)) for number, move in enumerate(moves)
                  if rule.covers(str(role), move)]
        wire += len(moves)
    return found
