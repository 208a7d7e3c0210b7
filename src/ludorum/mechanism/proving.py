"""Proofs about mechanisms: whether the truth is best and hurts nobody, the money suffices, and nothing is wasted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ludorum.analysis.proofs import Proof, Verdict
from ludorum.clock import Budget, Deadline
from ludorum.equilibrium import solve
from ludorum.errors import BudgetExceeded, LudorumError, SeveralDecisions, UnknownProperty
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.mechanism import copies, plans, unrolling
from ludorum.mechanism.accounts import Ledger
from ludorum.mechanism.mechanism import Mechanism, numbers, truth
from ludorum.mechanism.messages import Decision, Decisions
from ludorum.mechanism.playing import wasteful_match
from ludorum.mechanism.walks import ends, of_type
from ludorum.move import Move, Role

#: What can be asked of a mechanism.
PROPERTIES = {
    "dominant": "every trader of every type has a message that is never worse than another, whatever the others send",
    "truthful": "the message that carries a trader's own type is never worse than another, whatever the others send",
    "rational": "a trader that tells the truth where it can, and nothing elsewhere, never ends below 0",
    "budget": "the payments of all traders never add up to less than 0",
    "efficient": "where everybody tells a truth that is dominant, or else plays an equilibrium that was computed, all "
                 "gain together as much as they can",
}
#: The work for proofs unless another budget is told.
WORK = 60.0

_Joint = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class MechanismProof(Proof):
    """A property of a mechanism with its verdict, and what else was found on the way."""

    #: Such as the dominant messages by trader and type.
    details: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        # Not super(): a dataclass with slots is made anew, and does not know itself by that.
        return {**Proof.to_json(self), **self.details}


@dataclass(frozen=True)
class _Found:
    verdict: Verdict
    method: str
    moves: tuple[_Joint, ...] | None = None
    says: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def prove_mechanism(mechanism: Mechanism, *properties: str, budget: Budget | None = None) -> list[MechanismProof]:
    """Proofs of the properties that are named, or of all; what cannot be told is `unknown`. Raises UnknownProperty."""
    names = properties or tuple(PROPERTIES)
    if unknown := [name for name in names if name not in PROPERTIES]:
        raise UnknownProperty(f"there is no property {unknown[0]} of mechanisms, only {', '.join(PROPERTIES)}")
    prover = MechanismProver(mechanism, budget or Budget(WORK))
    return [prover.prove(name) for name in names]


class MechanismProver:
    """Proofs about one mechanism, which share what they find."""

    def __init__(self, mechanism: Mechanism, budget: Budget) -> None:
        self.mechanism = mechanism
        self.budget = budget
        self._decisions: dict[Role, tuple[Decisions, list[Decision]]] | None = None
        self._failure: LudorumError | None = None
        self._provers: dict[str, Callable[[], _Found]] = {
            "dominant": self._dominant, "truthful": self._truthful, "rational": self._rational,
            "budget": self._budgeted, "efficient": self._efficient}

    def prove(self, name: str) -> MechanismProof:
        start = time.perf_counter()
        try:
            found = self._provers[name]()
        except (SeveralDecisions, BudgetExceeded, LudorumError) as error:
            found = _Found("unknown", str(error))
        says = PROPERTIES[name] + (f"; {found.says}" if found.says else "")
        return MechanismProof(name, says, found.verdict, found.method, time.perf_counter() - start, found.moves,
                              found.details)

    @cached_property
    def ledger(self) -> Ledger:
        """All outcomes; raises what `Ledger` raises."""
        return Ledger(self.mechanism)

    # ---- one decision each, or several ----

    def decisions(self) -> dict[Role, tuple[Decisions, list[Decision]]]:
        """What every trader decides; raises SeveralDecisions, TooLarge or BudgetExceeded."""
        if self._failure is not None:
            raise self._failure
        if self._decisions is None:
            try:
                found = {}
                for role in self.mechanism.traders:
                    of_role = Decisions(self.mechanism.game, role, self.budget)
                    found[role] = of_role, sorted(of_role, key=_by_type)
                self._decisions = found
            except LudorumError as error:
                self._failure = error
                raise
        return self._decisions

    def _dominant(self) -> _Found:
        try:
            decisions = self.decisions()
        except BudgetExceeded:
            return _Found(*copies.dominant(self.mechanism, self.budget))
        except SeveralDecisions:
            return _Found(*plans.dominant(self.ledger, self.budget))
        table = {str(role): {_type(decision): [str(move) for move in decision.dominant] for decision in of_role}
                 for role, (_, of_role) in decisions.items()}
        details = {"dominant": table, "undominated": {
            str(role): {_type(decision): [str(move) for move in decision.undominated] for decision in of_role}
            for role, (_, of_role) in decisions.items()}}
        lacking = [(of, decision) for of, of_role in decisions.values() for decision in of_role
                   if not decision.dominant]
        if not lacking:
            return _Found("proved", "exhaustive, in lanes", details=details)
        of, decision = lacking[0]
        candidate = decision.undominated[-1]
        moves, why = _better(of, decision, candidate)
        number = sum(not decision.dominant for _, of_role in decisions.values() for decision in of_role)
        return _Found("refuted", "exhaustive, in lanes", moves,
                      f"{number} {agree(number, 'type has', 'types have')} none; {why}", details)

    def _truthful(self) -> _Found:
        try:
            decisions = self.decisions()
        except BudgetExceeded:
            return _Found(*copies.truthful(self.mechanism, self.budget))
        except SeveralDecisions:
            return _Found(*plans.truthful(self.ledger, self.budget))
        for role, (of, of_role) in decisions.items():
            for decision in of_role:
                told = truth(decision.told, decision.moves)
                if told is None:
                    return _Found("unknown", f"no message of {role} carries its type")
                if told not in decision.dominant:
                    moves, why = _better(of, decision, told)
                    return _Found("refuted", "exhaustive, in lanes", moves, why)
        return _Found("proved", "exhaustive, in lanes")

    # ---- whatever happens ----

    def _rational(self) -> _Found:
        try:
            return self._rational_in_lanes()
        except BudgetExceeded:
            return _Found(*unrolling.rational(self.mechanism, self.budget))

    def _rational_in_lanes(self) -> _Found:
        mechanism, game = self.mechanism, self.mechanism.game
        speaking = 0
        for role in mechanism.traders:
            for kind in mechanism.types.get(role) or (None,):
                bound, told = of_type(mechanism, game, role, kind)
                speaking += told is not None
                for goals, match in ends(game, [game.roles.index(role)], self.budget, bound):
                    worst = int(goals[:, 0].argmin())
                    if goals[worst, 0] < 50:
                        loss = mechanism.gain(float(goals[worst, 0]))
                        return _Found("refuted", "exhaustive, in lanes", match(worst),
                                      f"{role} as {kind} sends {told or 'nothing'} and ends at {loss:g}")
        return _Found("proved", "exhaustive, in lanes",
                      says="" if speaking else "no message carries a type, so that is to say nothing at all")

    def _budgeted(self) -> _Found:
        game = self.mechanism.payments
        if game is None:
            return _Found("unknown", "no rule says what is paid: payment(A,P) <= … does")
        try:
            return self._budgeted_in_lanes(game)
        except BudgetExceeded:
            return _Found(*unrolling.budgeted(self.mechanism, self.budget))

    def _budgeted_in_lanes(self, game: Game) -> _Found:
        seats = [game.roles.index(role) for role in self.mechanism.traders]
        lowest = 0.0
        for goals, match in ends(game, seats, self.budget):
            sums = np.asarray((goals.astype(np.float64) - 50) / self.mechanism.paying.scale).sum(axis=1)
            worst = int(sums.argmin())
            if sums[worst] < -1e-9:
                return _Found("refuted", "exhaustive, in lanes", match(worst),
                              f"here they add up to {sums[worst]:g}")
            lowest = max(lowest, float(np.abs(sums).max()))
        return _Found("proved", "exhaustive, in lanes",
                      says="they always add up to exactly 0" if lowest < 1e-9 else "")

    def _efficient(self) -> _Found:
        mechanism = self.mechanism
        ledger = self.ledger
        if ledger.best is None or ledger.welfare is None:
            return _Found("unknown", "the rules do not say what is paid, or who is what cannot be told from outcomes")
        is_truth = self._is_truthful()
        if is_truth:
            chosen = [ledger.tree.plan(role, lambda known: {truth(
                [term for _, percepts in known.history for term in percepts], known.moves) or known.moves[0]: 1.0})
                for role in ledger.tree.players]
            how = "the truth, which is dominant"
        else:
            found = solve(mechanism.game, Deadline.within(max(1.0, self.budget.seconds)))
            chosen, how = list(found.plans), f"an equilibrium by {found.method}"
        epsilon = ledger.epsilon(chosen)
        if epsilon > 1e-6:
            return _Found("unknown", f"no equilibrium was found; {how}: somebody gains {epsilon:.3g}")
        accounts = ledger.accounts(chosen)
        details = {"epsilon": epsilon, "efficiency": accounts.efficiency, "revenue": accounts.revenue}
        if accounts.is_efficient:
            return _Found("proved", f"all outcomes of {how}", details=details)
        moves, lost = wasteful_match(ledger, chosen)
        return _Found("refuted", f"all outcomes of {how}", moves,
                      f"on average {accounts.efficiency:.1%} of it; here {lost:g} is lost", details)

    def _is_truthful(self) -> bool:
        try:
            return self._truthful().verdict == "proved"
        except LudorumError:
            return False


def _better(of: Decisions, decision: Decision, message: Move) -> tuple[tuple[_Joint, ...], str]:
    """A match in which another message brings more than this one, and what is to be said of it."""
    column = decision.moves.index(message)
    row = int((decision.gains.max(axis=1) - decision.gains[:, column]).argmax())
    other = decision.moves[int(decision.gains[row].argmax())]
    return of.match(decision, row, other), f"{decision.role} as {_type(decision)} does better with {other} than " \
                                           f"with {message} in this match"


def _type(decision: Decision) -> str:
    return ", ".join(sorted(map(str, decision.told))) or "nothing"


def _by_type(decision: Decision) -> tuple[Sequence[Any], ...]:
    return tuple((numbers(term), str(term)) for term in sorted(decision.told, key=str))
