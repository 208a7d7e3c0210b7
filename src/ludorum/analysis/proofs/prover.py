"""Proofs on the circuit: random play refutes what is false, and what survives is tried all at once.

In this order, each with a share of the time that is left: simultaneous induction of everything that survived, what is
about fluents first; the same with clauses of two fluents that random play suggests; 2-induction; all states, if they
are few; induction over more states in a row; and for each property that is still undecided a bounded search for a match
that refutes it, then property-directed reachability.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from functools import cached_property

import numpy as np

from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.proof import Budgeted, JointMove, Proof, Verdict
from ludorum.analysis.proofs.properties import control_and_board, termination
from ludorum.analysis.proofs.properties.arguments import Mode, modes
from ludorum.analysis.proofs.properties.claims import Changes, Claim, Claims, changes
from ludorum.analysis.proofs.tactics import hypotheses
from ludorum.analysis.proofs.tactics.balances import balances
from ludorum.analysis.proofs.tactics.exploration import Explored, explore
from ludorum.analysis.proofs.tactics.houdini import inductive_together, lasting
from ludorum.analysis.proofs.tactics.induction import Step, inductive
from ludorum.analysis.proofs.tactics.reachability import BoundedSearch, Joint, Reachability
from ludorum.analysis.samples import samples
from ludorum.analysis.structures import Structures, structures
from ludorum.circuit import Circuit
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.move import Move

#: Why it is unknown whether every match ends, where there was time enough.
NO_MEASURE = "no measure was found"

#: So many formulas about the arguments of fluents help to prove the others.
_MOST_FORMULAS = 20_000
_LONGEST_SEARCH = 60
# In so many states in a row, at most, induction assumes what it is to prove.
_MOST_IN_A_ROW = 8
# What part of the time finding states and structures may take.
_SAMPLING, _FINDING = 0.15, 0.2


class CircuitProver(Budgeted):
    """Proves properties of one game; what was proved helps to prove the rest."""

    def __init__(self, game: Game, circuit: Circuit, budget: Budget, *, seed: int = 0) -> None:
        self._start = time.perf_counter()
        self.game = game
        self.budget = budget
        self.samples = samples(game, seed=seed, budget=budget.share(_SAMPLING))
        self.model = PropertyCircuit(circuit)
        self.claims = Claims(self.model, self.samples)
        #: Formulas that hold in every state that can be reached.
        self.known: dict[Literal, str] = dict.fromkeys(self.model.agreements(), "induction")
        self._any_step: Step | None = None
        self._tried: set[Literal] = set()
        self._tried_in_a_row: set[tuple[int, Literal]] = set()
        self._stays: dict[bool, tuple[frozenset[int], str]] = {}

    # ---- what can be asked ----

    @cached_property
    def modes(self) -> dict[str, Claim]:
        """All claims about the arguments of fluents."""
        found = (claim for mode in modes(self.fluents) for claim in self.claims.of_mode(mode))
        return {claim.property: claim for claim in found}

    @property
    def fluents(self) -> tuple[Term, ...]:
        return self.model.circuit.fluents

    @cached_property
    def control(self) -> list[Mode]:
        return control_and_board.control(self.game, self._structures)

    @cached_property
    def boards(self) -> list[Mode]:
        return control_and_board.boards(self._structures)

    @cached_property
    def _structures(self) -> Structures:
        return structures(self.game, self.budget.share(_FINDING))

    def all_inputs(self, of: Sequence[Mode], name: str, says: str) -> Claim:
        """One claim for the input arguments of several kinds of fluents."""
        parts = [self.modes.get(f"input {mode}") or next(self.claims.of_mode(mode)) for mode in of]
        refuted = next((part.refuted_by for part in parts if part.refuted_by is not None), None)
        return Claim(name, says, tuple(formula for part in parts for formula in part.formulas), refuted)

    @cached_property
    def never_met(self) -> list[int]:
        """Fluents that held in no sample."""
        return np.flatnonzero(~self.samples.bits.any(axis=0)).tolist()

    @cached_property
    def always_met(self) -> list[int]:
        """Fluents that held in every sample."""
        return np.flatnonzero(self.samples.bits.all(axis=0)).tolist()

    # ---- verdicts ----

    def elapsed(self) -> float:
        return time.perf_counter() - self._start

    def judge(self, claims: Iterable[Claim], *, thorough: bool = True) -> list[Proof]:
        """The verdicts on claims about states, in their order; unless thorough, by induction alone."""
        claims = list(claims)
        proofs: dict[str, Proof] = {}
        for claim in claims:
            if claim.refuted_by is not None:
                proofs[claim.property] = self._refuted(claim, self.samples.path(claim.refuted_by), "random play")
        undecided = [claim for claim in claims if claim.property not in proofs]

        def settle() -> None:
            for claim in [claim for claim in undecided if all(formula in self.known for formula in claim.formulas)]:
                methods = [self.known[formula] for formula in claim.formulas]
                method = max(methods, key=_METHODS.index, default="induction")
                proofs[claim.property] = self.verdict(claim, "proved", method)
                undecided.remove(claim)

        self._together(undecided)
        settle()
        for attempt in (self._with_groups, self._with_balances, self._with_pairs, self._by_two):
            if undecided:
                attempt(undecided)
                settle()
        if undecided and thorough:
            self._explore(undecided, proofs)
            self._in_a_row(undecided, range(3, _MOST_IN_A_ROW + 1))
            settle()
        for number, claim in enumerate(tuple(undecided)):
            proofs[claim.property] = self._alone(claim, 1 / (len(undecided) - number)) if thorough \
                else self.verdict(claim, "unknown", "not inductive")
        return [proofs[claim.property] for claim in claims]

    def learn(self) -> None:
        """Finds out what can be proved of the arguments of all fluents by induction."""
        self._together(())
        self._with_groups(())

    def _together(self, claims: Iterable[Claim]) -> None:
        """Simultaneous induction of the claims and of everything else that may help."""
        about_fluents: list[Literal] = []
        # Where there are too many, those of the smallest kinds: a counter is one formula.
        for claim in sorted(self.modes.values(), key=lambda claim: len(claim.formulas)):
            if claim.refuted_by is None and len(about_fluents) + len(claim.formulas) <= _MOST_FORMULAS:
                about_fluents += claim.formulas
        constant = [self.model.fluent(number) ^ 1 for number in self.never_met]
        constant += [self.model.fluent(number) for number in self.always_met]
        # What needs no more than fluents comes first: goals may need most of the circuit. And what rests on single
        # fluents falls with them, of which random play may just not have met some.
        self._induce(about_fluents, 0.6)
        about_fluents += constant
        self._induce(about_fluents, 0.4)
        self._induce([*(formula for claim in claims for formula in claim.formulas), *about_fluents], 0.4)

    def _with_groups(self, undecided: Iterable[Claim]) -> None:
        """The same with groups of fluents that are alone although their kind as a whole is not."""
        self._induce([*(formula for claim in undecided for formula in claim.formulas), *self._helping], 0.4)

    def _with_balances(self, undecided: Iterable[Claim]) -> None:
        """The same with sums that stay the same: a counter that counts the pieces on a board."""
        # Whoever looks for sums must have looked at groups.
        helping = self._helping
        formulas = [formula for claim in undecided for formula in claim.formulas]
        tried: list[Literal] = []
        # What is hard to add up may be true and no help, so that the simple ones are tried without the others first.
        for some in self._balances:
            tried += some
            if not all(formula in self.known for formula in formulas):
                self._induce([*formulas, *helping, *tried], 0.4)

    @cached_property
    def _balances(self) -> list[list[Literal]]:
        """Sums that random play suggests stay the same, the simplest first, some at a time."""
        if self.budget.passed:
            return []
        stages: defaultdict[int, list[Literal]] = defaultdict(list)
        for balance in balances(self.samples, self._structures, self.claims.one_hot_groups):
            stages[balance.digits.bit_length()].append(self.model.balanced(balance))
        return [stages[size] for size in sorted(stages)]

    def _with_pairs(self, undecided: Iterable[Claim]) -> None:
        formulas = [formula for claim in undecided for formula in claim.formulas]
        self._induce([*formulas, *self._helping, *self._pairs], 0.4)

    @cached_property
    def _helping(self) -> list[Literal]:
        """What random play suggests about the arguments of fluents."""
        found: dict[Literal, None] = {}
        for mode in modes(self.fluents):
            found |= dict.fromkeys(self.claims.of_groups(mode))
            if len(found) > _MOST_FORMULAS or self.budget.passed:
                break
        return list(found)[:_MOST_FORMULAS]

    def _by_two(self, undecided: Iterable[Claim]) -> None:
        self._in_a_row(undecided, range(2, 3))

    def _in_a_row(self, undecided: Iterable[Claim], depths: range) -> None:
        """k-induction, for each of these k; its base case is that nothing fails in the first k states of a match."""
        formulas = list(dict.fromkeys(formula for claim in undecided for formula in claim.formulas))
        budget, looked_at = self.budget.share(0.3), 1
        with suppress(BudgetExceeded), closing(BoundedSearch(self.model, budget)) as search:
            for depth in depths:
                formulas = [formula for formula in formulas if formula not in self.known]
                tried = {(depth, formula) for formula in formulas}
                if tried <= self._tried_in_a_row:
                    continue
                self._tried_in_a_row |= tried
                fails = self.model.all_of(formulas) ^ 1
                if any(search.reach(fails, steps) is not None for steps in range(looked_at, depth)):
                    return
                looked_at = depth
                held = inductive(self.model, formulas, self.known, budget, depth=depth)
                self.known |= dict.fromkeys(held, f"{depth}-induction")

    def _explore(self, undecided: list[Claim], proofs: dict[str, Proof]) -> None:
        """Looks at all states, or as many as there is time for."""
        explored = self.explored
        formulas = [self.model.all_of(claim.formulas) for claim in undecided]
        try:
            failures = self.model.failures(formulas, explored.rows, self.budget)
        except BudgetExceeded:
            return
        for claim, index in zip(tuple(undecided), failures, strict=True):
            if index is not None:
                proofs[claim.property] = self._refuted(claim, explored.path(index), "exhaustive search")
            elif explored.is_complete:
                proofs[claim.property] = self.verdict(claim, "proved", "exhaustive search")
            else:
                continue
            undecided.remove(claim)

    @cached_property
    def explored(self) -> Explored:
        return explore(self.game, self.budget.share(0.3))

    @cached_property
    def _pairs(self) -> list[Literal]:
        return hypotheses.pairs(self.model, self.samples, self.budget.share(0.3))

    def _induce(self, formulas: Iterable[Literal], share: float) -> None:
        tried = [formula for formula in dict.fromkeys(formulas) if formula not in self.known]
        # What failed once may hold together with something new, but not by itself.
        if not tried or set(tried) <= self._tried:
            return
        try:
            held = inductive_together(self._step(share), tried)
        except BudgetExceeded:
            return
        if held.is_complete:
            self._tried.update(tried)
        self.known |= dict.fromkeys(held.formulas, "induction")

    def _step(self, share: float) -> Step:
        """A step from any state where all that is known holds, to be asked about for a share of the time.

        Raises BudgetExceeded.
        """
        budget = self.budget.share(share)
        if self._any_step is None:
            self._any_step = Step(self.model, budget)
        self._any_step.budget = budget
        self._any_step.know(self.known)
        return self._any_step

    def _alone(self, claim: Claim, share: float) -> Proof:
        """A claim that induction did not prove: look for a match that refutes it, then decide it by reachability."""
        formula = self.model.all_of(claim.formulas)
        budget = self.budget.share(share)
        found = self.reach(formula ^ 1, budget.share(0.3))
        if found is not None and (moves := self._replayed(found, formula)) is not None:
            return self._refuted(claim, moves, "bounded search")
        try:
            match = Reachability(self.model, formula, self.known, budget).run()
        except BudgetExceeded as error:
            return self.verdict(claim, "unknown", str(error))
        if match is None:
            self.known |= dict.fromkeys(claim.formulas, "reachability")
            return self.verdict(claim, "proved", "reachability")
        moves = self._replayed(match, formula)
        if moves is None:
            return self.verdict(claim, "unknown", "recursive rules are too deep to be encoded exactly")
        return self._refuted(claim, moves, "reachability")

    def reach(self, formula: Literal, budget: Budget, steps: int = _LONGEST_SEARCH) -> list[Joint] | None:
        """A shortest match to a state where a formula holds, if one is found within the budget."""
        with suppress(BudgetExceeded), closing(BoundedSearch(self.model, budget, self.known)) as search:
            for length in range(steps + 1):
                found = search.reach(formula, length)
                if found is not None:
                    return found
        return None

    def _replayed(self, joints: Sequence[Joint], formula: Literal) -> tuple[JointMove, ...] | None:
        """The moves of a match, if it can be played and ends where a formula does not hold."""
        state, moves = self.game.initial, []
        for joint in joints:
            named = tuple(Move(of_role[number])
                          for of_role, number in zip(self.model.circuit.moves, joint, strict=True))
            if state.is_terminal or any(move not in state.legal(role)
                                        for role, move in zip(self.game.roles, named, strict=True)):
                return None
            state = state.after(named)
            moves.append(named)
        row = np.frombuffer(state.position, dtype=np.uint64)[None, :]  # type: ignore[call-overload]
        return None if self.model.truth([formula], row)[0, 0] else tuple(moves)

    # ---- what is not about states alone ----

    def stays(self, number: int, value: bool) -> Proof:
        """Whether a fluent stays true, or false, once it is."""
        changed = self._changes.falls if value else self._changes.rises
        if changed[number] >= 0:
            return self._refuted(self._staying(number, value), self.samples.path(int(changed[number])), "random play")
        return self.all_staying(value)[number]

    def all_staying(self, value: bool) -> dict[int, Proof]:
        """The same for all fluents of which random play does not refute it."""
        changed = self._changes.falls if value else self._changes.rises
        held, lacking = self._lasting(value)
        return {number: self.verdict(self._staying(number, value), "proved" if number in held else "unknown",
                                    "step by step" if number in held else lacking)
                for number in np.flatnonzero(changed < 0).tolist()}

    def _staying(self, number: int, value: bool) -> Claim:
        fluent, word = self.fluents[number], "true" if value else "false"
        return Claim(f"stays_{word} {fluent}", f"once {fluent} is {word}, it stays so", ())

    def _lasting(self, value: bool) -> tuple[frozenset[int], str]:
        """All fluents that are known to stay as they are, and what is lacking for the others."""
        if value not in self._stays:
            changed = self._changes.falls if value else self._changes.rises
            formulas = {self.model.fluent(number) ^ (not value): number
                        for number in range(len(self.fluents)) if changed[number] < 0}
            try:
                held = lasting(self._step(0.5), formulas)
                self._stays[value] = (frozenset(formulas[formula] for formula in held.formulas),
                                      "not inductive" if held.is_complete else "passed its budget")
            except BudgetExceeded as error:
                self._stays[value] = frozenset(), str(error)
        return self._stays[value]

    def not_lasting(self, formulas: Sequence[Literal]) -> list[Literal]:
        """Those of which it is not shown, step by step, that they stay true once they are."""
        try:
            held = set(lasting(self._step(0.5), formulas).formulas)
        except BudgetExceeded:
            held = set()
        return [formula for formula in formulas if formula not in held]

    @cached_property
    def _changes(self) -> Changes:
        return changes(self.samples)

    def terminates(self) -> tuple[Proof, int | None]:
        """Whether every match ends, and the most steps that it can have."""
        says = "every match ends"
        index = termination.returning(self.samples)
        if index is not None:
            claim = Claim("terminates", says, ())
            return self._refuted(claim, self.samples.path(index), "random play that comes back"), None
        method = NO_MEASURE
        try:
            bound = self._bound()
        except BudgetExceeded as error:
            bound, method = None, str(error)
        if bound is None:
            return self.verdict(Claim("terminates", says, ()), "unknown", method), None
        says = f"every match ends within {bound.steps} {agree(bound.steps, 'step')}: {bound.why}"
        return self.verdict(Claim("terminates", says, ()), "proved", "induction"), bound.steps

    def _bound(self) -> termination.Bound | None:
        bounds = []
        for mode in modes(self.fluents):
            claim = self.modes.get(f"one {mode}")
            if mode.inputs or claim is None or claim.refuted_by is not None:
                continue
            if all(formula in self.known for formula in claim.formulas):
                (group,) = mode.groups(self.fluents)
                bounds.append(termination.counted(self.model, group, self.known, self.samples, f"{mode} only counts on",
                                                  self.budget.share(0.3)))
        stays_true, stays_false = (sorted(self._lasting(value)[0]) for value in (True, False))
        bounds.append(termination.worn_down(self.model, stays_true, stays_false, self.known, self.budget.share(0.5)))
        if not any(bounds):
            bounds.append(termination.measured(self.model, self.samples, self.known, self.budget.share(0.6)))
        return min((bound for bound in bounds if bound is not None), key=lambda bound: bound.steps, default=None)

    def winnable(self, role: int) -> Proof:
        """Whether some match ends with 100 for a role."""
        name = str(self.model.circuit.roles[role])
        claim = Claim(f"winnable {name}", f"some match ends with 100 for {name}", ())
        wins = self.claims.wins(role)
        won = self.claims.won(role)
        if len(won):
            # The shortest that was met with.
            paths = min((self.samples.path(int(index)) for index in won[:32]), key=len)
            return self.verdict(claim, "proved", "random play", paths)
        won = np.flatnonzero(self.model.truth([wins], self.explored.rows)[:, 0])
        if len(won):
            return self.verdict(claim, "proved", "exhaustive search", self.explored.path(int(won[0])))
        if self.explored.is_complete:
            return self.verdict(claim, "refuted", "exhaustive search")
        budget = self.budget.share(0.5)
        found = self.reach(wins, budget.share(0.6))
        if found is not None and (moves := self._replayed(found, wins ^ 1)) is not None:
            return self.verdict(claim, "proved", "bounded search", moves)
        try:
            match = Reachability(self.model, wins ^ 1, self.known, budget).run()
        except BudgetExceeded as error:
            return self.verdict(claim, "unknown", str(error))
        if match is None:
            return self.verdict(claim, "refuted", "reachability")
        moves = self._replayed(match, wins ^ 1)
        if moves is None:
            return self.verdict(claim, "unknown", "recursive rules are too deep to be encoded exactly")
        return self.verdict(claim, "proved", "reachability", moves)

    def unknown(self, name: str, says: str, why: str) -> Proof:
        return self.verdict(Claim(name, says, ()), "unknown", why)

    def _refuted(self, claim: Claim, moves: tuple[JointMove, ...], method: str) -> Proof:
        return self.verdict(claim, "refuted", method, moves)

    def verdict(self, claim: Claim, verdict: Verdict, method: str,
                moves: tuple[JointMove, ...] | None = None) -> Proof:
        """What became of a claim, now."""
        return Proof(claim.property, claim.says, verdict, method, self.elapsed(), moves)


#: The weakest first: a property is as hard as the hardest of its formulas.
_METHODS = ["induction", *(f"{depth}-induction" for depth in range(2, _MOST_IN_A_ROW + 1)), "reachability"]

