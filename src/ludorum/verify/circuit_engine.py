"""What holds at all times, proved on the circuit: of one copy of the game, or of several side by side.

Random play refutes first. Then everything that may help is tried by induction: what is known of one copy, and that
copies agree in a fluent as long as they look alike. Then a bounded search for matches that refute, and reachability.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.property_circuit import Literal
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.analysis.proofs.tactics.houdini import inductive_together
from ludorum.analysis.proofs.tactics.induction import Step
from ludorum.analysis.proofs.tactics.reachability import BoundedSearch, Joint, Reachability
from ludorum.circuit.core import simulator
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.gdl.terms import Term
from ludorum.verify.evidence import Match, explain, look_alike, named
from ludorum.verify.finding import Finding
from ludorum.verify.formulas import (
    Along,
    Atom,
    Formula,
    Not,
    Paths,
    negation,
    roles_that_know,
)
from ludorum.verify.random_twins import random_points
from ludorum.verify.truth import Evaluation, memory_of
from ludorum.verify.twins import Copies, one_moment, only_known, value_of
from ludorum.verify.witness import Witnesses
from ludorum.verify.world import CircuitWorld

_LONGEST_SEARCH = 60
#: What a formula lacks that no engine of this file is for.
NO_ENGINE = "there are too many points, and no other engine is for such formulas"


class CircuitEngine:
    """Decides formulas about all or some moments; what was proved of the game is kept for the next."""

    def __init__(self, world: CircuitWorld, *, seed: int = 0) -> None:
        self._world, self._seed = world, seed
        self._prover: CircuitProver | None = None
        self._learnt = False

    def decide(self, formula: Formula, budget: Budget) -> Finding:
        """The verdict on `AG φ`, `EF φ`, `AF terminal` and their likes, where φ is about one moment."""
        try:
            return self._decided(formula, budget)
        except BudgetExceeded as error:
            return Finding("unknown", str(error))

    def _decided(self, formula: Formula, budget: Budget) -> Finding:
        match formula:
            case Paths(word="E", body=Along(word="F", body=body)):
                return self._at_some_time(body, budget)
            case Paths(word="E", body=Along(word="G", body=body)):
                return self._decided(Paths("A", Along("F", negation(body))), budget).reversed()
            case Paths(word="A", body=Along(word="G", body=body)):
                return self._always(body, budget)
            case Paths(word="A", body=Along(word="F", body=Atom(term=Term(name="terminal")))):
                return self._ends(budget)
        return Finding("unknown", NO_ENGINE)

    # ---- one copy ----

    def prover(self, budget: Budget) -> CircuitProver:
        """The prover of the game, which knows by then what induction shows of its fluents."""
        if self._prover is None:
            self._prover = CircuitProver(self._world.game, self._world.circuit, budget.share(0.4), seed=self._seed)
        self._prover.budget = budget.share(0.4)
        if not self._learnt:
            self._learnt = True
            self._prover.learn()
        self._prover.budget = budget
        return self._prover

    def _ends(self, budget: Budget) -> Finding:
        proof, _ = self.prover(budget).terminates()
        matches = (Match(proof.moves),) if proof.moves is not None else ()
        return Finding(proof.verdict, proof.method, matches)

    def _literal(self, atom: Term) -> Literal:
        assert self._prover is not None
        return self._world.literal(atom, self._prover.model)

    def _at_some_time(self, body: Formula, budget: Budget) -> Finding:
        if not one_moment(body):
            return Finding("unknown", NO_ENGINE)
        found = self._always(Not(body), budget.share(0.5))
        if found.is_known or not roles_that_know(body):
            return found.reversed()
        return Witnesses(self._world, self.prover(budget), self._literal).search(body, budget)

    def _always(self, body: Formula, budget: Budget) -> Finding:
        if not one_moment(body):
            return Finding("unknown", NO_ENGINE)
        memory = memory_of(body)
        if not roles_that_know(body) and not memory:
            return self._of_states(body, budget)
        found = self._by_random_play(body, memory, budget.share(0.1))
        if found.is_known:
            return found
        prover = self.prover(budget)
        if not prover.model.is_exact:
            return Finding("unknown", "recursive rules are too deep to be encoded exactly")
        try:
            copies = Copies(prover.model, body, self._literal, memory)
        except ValueError:
            # Somebody may come to know what is said to be never known.
            return Witnesses(self._world, prover, self._literal).search(Not(body), budget).reversed()
        return self._side_by_side(copies, prover, budget)

    def _of_states(self, body: Formula, budget: Budget) -> Finding:
        """By the prover, as a claim about states."""
        prover = self.prover(budget)
        literal = value_of(prover.model, body, self._literal)
        (proof,) = prover.judge([prover.claims.claim("formula", "", [literal])])
        matches = (Match(proof.moves),) if proof.moves is not None else ()
        return Finding(proof.verdict, proof.method, matches)

    # ---- several copies ----

    def _by_random_play(self, body: Formula, memory: Sequence[Term], budget: Budget) -> Finding:
        roles = list(map(str, self._world.game.roles))
        if not only_known(body):
            return Finding("unknown", NO_ENGINE)
        seats = sorted(roles.index(role) for role in roles_that_know(body))
        points = random_points(self._world, seats, memory, budget, self._seed)
        evaluation = Evaluation(points, budget, is_sample=True)
        try:
            wrong = np.flatnonzero(~evaluation.holds(body))
        except BudgetExceeded as error:
            return Finding("unknown", str(error))
        for point in wrong[:1]:
            matches = explain(evaluation, body, budget, at=int(point))
            if matches and look_alike(self._world.game, matches):
                return Finding("refuted", "random play", matches)
        return Finding("unknown", "random play does not refute it")

    def _side_by_side(self, copies: Copies, prover: CircuitProver, budget: Budget) -> Finding:
        model, claim = copies.model, copies.violation ^ 1
        name = {1: "", 2: " on twins"}.get(len(copies.copies), f" on {len(copies.copies)} copies")
        known = copies.known(prover.known)
        with suppress(BudgetExceeded):
            step = Step(model, budget.share(0.4))
            step.know(known)
            held = inductive_together(step, [claim, *copies.equalities()]).formulas
            if claim in held and self._holds_at_first(copies, claim):
                return Finding("proved", f"induction{name}")
            known += [formula for formula in held if formula != claim]
        with suppress(BudgetExceeded), closing(BoundedSearch(model, budget.share(0.4), known)) as search:
            for steps in range(_LONGEST_SEARCH + 1):
                joints = search.reach(copies.violation, steps)
                if joints is not None:
                    return self._refuted(copies, joints, f"bounded search{name}")
        try:
            found = Reachability(model, claim, known, budget).run()
        except BudgetExceeded as error:
            return Finding("unknown", str(error))
        return Finding("proved", f"reachability{name}") if found is None else \
            self._refuted(copies, found, f"reachability{name}")

    def _holds_at_first(self, copies: Copies, formula: Literal) -> bool:
        return bool(copies.model.truth([formula], _first(copies))[0, 0])

    def _refuted(self, copies: Copies, joints: Sequence[Joint], method: str) -> Finding:
        """The matches of all copies, if they replay, look alike and violate the formula."""
        game = self._world.game
        core, row = simulator(copies.model.circuit), _first(copies)
        for joint in joints:
            row = core.step(row, np.array([joint], dtype=np.uint32))
        if not copies.model.truth([copies.violation], row)[0, 0]:
            return Finding("unknown", "what was found does not replay")
        roles = list(map(str, game.roles))
        matches = []
        for number, copy in enumerate(copies.copies):
            moves = named(self._world, [copies.joint(joint, number) for joint in joints])
            matches.append(Match(moves, tuple(roles[seat] for seat in sorted(copy.seats)), copy.parent))
        if not look_alike(game, matches):
            return Finding("unknown", "what was found does not replay")
        return Finding("refuted", method, tuple(matches))


def _first(copies: Copies) -> NDArray[np.uint64]:
    """The initial state of all copies, as a row."""
    bits = np.zeros((1, -(-len(copies.model.circuit.fluents) // 64) * 64), dtype=np.uint8)
    bits[0, list(copies.model.circuit.initial)] = 1
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
