"""What holds at all times, proved on the circuit: of one copy of the game, or of several side by side.

Random play refutes first. Then everything that may help is tried by induction: what is known of one copy, and that
copies agree in a fluent as long as they look alike. Then a bounded search for matches that refute, and reachability.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludorum.analysis.proofs.encoding.property_circuit import Literal
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.analysis.proofs.tactics.reachability import Joint
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
from ludorum.verify.never import first_row, never
from ludorum.verify.observer import Observed, along_all
from ludorum.verify.points import Points
from ludorum.verify.random_twins import random_points
from ludorum.verify.truth import Evaluation, memory_of
from ludorum.verify.twins import Copies, one_moment, only_known, value_of
from ludorum.verify.witness import Witnesses
from ludorum.verify.world import CircuitWorld

_NO_REPLAY = "what was found does not replay"
_TOO_DEEP = "recursive rules are too deep to be encoded exactly"
#: What a formula lacks that no engine of this file is for.
NO_ENGINE = "there are too many points, and no other engine is for such formulas"


class CircuitEngine:
    """Decides formulas about all or some moments; what was proved of the game is kept for the next."""

    def __init__(self, world: CircuitWorld, *, seed: int = 0) -> None:
        self._world, self._seed = world, seed
        self._prover: CircuitProver | None = None
        self._learnt = False
        self._ending: Finding | None = None

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
            case Paths():
                return self._along(formula, budget)
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
        if self._ending is None or not self._ending.is_known:
            proof, _ = self.prover(budget).terminates()
            matches = (Match(proof.moves),) if proof.moves is not None else ()
            self._ending = Finding(proof.verdict, proof.method, matches)
        return self._ending

    def _literal(self, atom: Term) -> Literal:
        assert self._prover is not None
        return self._world.literal(atom, self._prover.model)

    def _at_some_time(self, body: Formula, budget: Budget) -> Finding:
        if not one_moment(body):
            return self._along(Paths("E", Along("F", body)), budget)
        found = self._always(Not(body), budget.share(0.5))
        if found.is_known or not roles_that_know(body):
            return found.reversed()
        return Witnesses(self._world, self.prover(budget), self._literal).search(body, budget)

    def _always(self, body: Formula, budget: Budget) -> Finding:
        if not one_moment(body):
            return self._along(Paths("A", Along("G", body)), budget)
        memory = memory_of(body)
        if not roles_that_know(body) and not memory:
            return self._of_states(body, budget)
        found = self._by_random_play(body, memory, budget.share(0.1))
        if found.is_known:
            return found
        prover = self.prover(budget)
        if not prover.model.is_exact:
            return Finding("unknown", _TOO_DEEP)
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

    # ---- along matches ----

    def _along(self, formula: Paths, budget: Budget) -> Finding:
        """A formula about time alone, by an observer."""
        if formula.word == "E":
            return self._along(Paths("A", negation(formula.body)), budget).reversed()
        if roles_that_know(formula) or memory_of(formula):
            return Finding("unknown", NO_ENGINE)
        prover = self.prover(budget)
        if not prover.model.is_exact:
            return Finding("unknown", _TOO_DEEP)
        ends = self._ends(budget.share(0.4)).verdict == "proved"
        found = along_all(formula, ends=ends)
        if found is None:
            return Finding("unknown", NO_ENGINE)
        body, says_as_much = found
        try:
            observed = Observed(prover.model, negation(body), self._literal)
        except ValueError:
            return Finding("unknown", NO_ENGINE)
        outcome = never(observed.model, observed.found, observed.known(prover.known), [], budget)
        if outcome.joints is not None:
            joints = [joint[: observed.roles] for joint in outcome.joints]
            if self._fails_along(joints, body):
                return Finding("refuted", f"{outcome.method} with an observer", (Match(named(self._world, joints)),))
            return Finding("unknown", _NO_REPLAY)
        if outcome.verdict == "unknown":
            return Finding("unknown", outcome.method)
        if not says_as_much:
            return Finding("unknown", NO_ENGINE)
        if not (ends or observed.shows_early):
            return Finding("unknown", "it is not known that every match ends")
        return Finding("proved", f"{outcome.method} with an observer")

    def _fails_along(self, joints: Sequence[Joint], body: Formula) -> bool:
        """Whether a match can be played and a formula fails along it, if nothing changes after it."""
        world, rows = self._world, [self._world.initial]
        if not look_alike(world.game, [Match(named(world, joints))]):
            return False
        for joint in joints:
            rows.append(world.after(rows[-1], np.array([joint], dtype=np.uint32)))
        count = len(rows)
        place = np.arange(count)
        nothing = np.zeros((count, 0), dtype=np.int64)
        path = Points(world, (), (), np.concatenate(rows), place, nothing.astype(bool), nothing, place,
                      np.minimum(place + 1, count - 1), place - 1, nothing)
        return not Evaluation(path, Budget()).holds(Paths("A", body))[0]

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
        name = {1: "", 2: " on twins"}.get(len(copies.copies), f" on {len(copies.copies)} copies")
        outcome = never(copies.model, copies.violation, copies.known(prover.known), copies.equalities(), budget)
        if outcome.joints is not None:
            return self._refuted(copies, outcome.joints, f"{outcome.method}{name}")
        return Finding(outcome.verdict, outcome.method if outcome.verdict == "unknown" else f"{outcome.method}{name}")

    def _refuted(self, copies: Copies, joints: Sequence[Joint], method: str) -> Finding:
        """The matches of all copies, if they replay, look alike and violate the formula."""
        game = self._world.game
        core, row = simulator(copies.model.circuit), first_row(copies.model.circuit)
        for joint in joints:
            row = core.step(row, np.array([joint], dtype=np.uint32))
        if not copies.model.truth([copies.violation], row)[0, 0]:
            return Finding("unknown", _NO_REPLAY)
        roles = list(map(str, game.roles))
        matches = []
        for number, copy in enumerate(copies.copies):
            moves = named(self._world, [copies.joint(joint, number) for joint in joints])
            matches.append(Match(moves, tuple(roles[seat] for seat in sorted(copy.seats)), copy.parent))
        if not look_alike(game, matches):
            return Finding("unknown", _NO_REPLAY)
        return Finding("refuted", method, tuple(matches))
